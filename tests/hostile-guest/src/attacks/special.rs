//! Things that are no files, and places that are none to remove (groups 1, 6 and 7).

use crate::calls::{self, MARK, every_call, every_open};
use crate::listing;
use crate::report::{Report, Roots};
use wasip2::filesystem::types::{DescriptorFlags, OpenFlags, PathFlags};

/// Whatever is not there on this machine answers `no-entry`; the test knows what it could make.
pub(crate) fn special_files_are_never_opened(roots: &Roots, report: &mut Report) {
    for grant in ["box", "frozen"] {
        let root = roots.get(grant);
        for path in ["fifo", "socket", "zero", "null", "tty", "block", "to-fifo", "to-zero"] {
            calls::looks(report, root, path);
            every_open(report, root, path);
            every_open(report, root, &format!("{path}/"));
            every_open(report, root, &format!("{path}/x"));
        }
        report.note("readdir", grant, listing::readdir(root));
    }
}

/// `ETXTBSY`, where the kernel still says so; the program goes on unharmed in any case.
pub(crate) fn a_running_program_is_not_written(roots: &Roots, report: &mut Report) {
    let root = roots.get("box");
    every_open(report, root, "running");
    report.note("create", "running", calls::make(root, "running", MARK));
}

pub(crate) fn directories_are_not_files(roots: &Roots, report: &mut Report) {
    let root = roots.get("box");
    for path in ["sub", "sub/", "sub/.", "."] {
        every_open(report, root, path);
        report.note("create", path, calls::make(root, path, MARK));
        report.note("unlink-file-at", path, root.unlink_file_at(path));
        report.note("rename-at (file over directory)", path, root.rename_at("inside.txt", root, path));
    }
    report.note("read", ".", root.read(100, 0));
    report.note("write", ".", root.write(MARK.as_bytes(), 0));
    report.note("set-size", ".", root.set_size(0));
    report.note("rename-at", "sub -> sub/deeper/sub", root.rename_at("sub", root, "sub/deeper/sub"));
    report.note("rename-at", "sub -> inside.txt", root.rename_at("sub", root, "inside.txt"));
    report.note("remove-directory-at", "sub (not empty)", root.remove_directory_at("sub"));
    report.note("remove-directory-at", "inside.txt", root.remove_directory_at("inside.txt"));
}

pub(crate) fn the_root_of_a_grant_cannot_be_removed(roots: &Roots, report: &mut Report) {
    let (root, other) = (roots.get("box"), roots.get("other"));
    for path in [
        "",
        ".",
        "./",
        "./.",
        "..",
        "../",
        "../granted",
        "../granted/",
        "../granted/.",
        "sub/..",
        "sub/../",
        "sub/../.",
        "/",
        "//",
        "/.",
        "/box",
        "/box/",
        "../other",
        "../../",
        "sub/../../granted",
    ] {
        report.note("remove-directory-at", path, root.remove_directory_at(path));
        report.note("unlink-file-at", path, root.unlink_file_at(path));
        report.note("rename-at (from)", path, root.rename_at(path, root, "stolen"));
        report.note("rename-at (from, elsewhere)", path, root.rename_at(path, other, "stolen"));
        report.note("rename-at (to)", path, root.rename_at("sub", root, path));
        report.note("rename-at (to, elsewhere)", path, other.rename_at("sub", root, path));
    }
}

/// As deep as the test made it, one handle at a time, and no way to say it in one path.
pub(crate) fn a_tree_of_ten_thousand_levels_is_walked(roots: &Roots, report: &mut Report) {
    let root = roots.get("box");
    let step = |from: &wasip2::filesystem::types::Descriptor| {
        from.open_at(PathFlags::empty(), "d", OpenFlags::DIRECTORY, DescriptorFlags::READ)
    };
    let mut here = match step(root) {
        Ok(first) => first,
        Err(code) => {
            report.note("open-at", "d", Err::<(), _>(code));
            return;
        }
    };
    let mut depth = 1_u64;
    while let Ok(next) = step(&here) {
        here = next;
        depth += 1;
    }
    report.note("depth", "d", Ok(depth));
    report.note("read", "at the bottom", calls::read(&here, "bottom.txt"));
    for path in ["..", "../bottom.txt", &"../".repeat(1000), &format!("{}outside", "../".repeat(1300))] {
        every_call(report, &here, path);
    }
    for levels in [10_000, 3000] {
        every_call(report, root, &format!("{}bottom.txt", "d/".repeat(levels)));
    }
    report.note("remove-directory-at", "d", root.remove_directory_at("d"));
}
