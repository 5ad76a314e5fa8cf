//! What a path alone can try (groups 1, 2 and 8 of the escape matrix).

use crate::calls::{self, every_call};
use crate::listing;
use crate::report::{Report, Roots};
use wasip2::filesystem::types::{DescriptorFlags, OpenFlags, PathFlags};

pub(crate) fn parent_and_absolute_paths_reach_nothing(roots: &Roots, report: &mut Report) {
    let directory = roots.get("box");
    for path in [
        "..",
        "../",
        "../.",
        "../..",
        "../outside",
        "../outside/",
        "../outside/secret-outside.txt",
        "../outside/new-outside.txt",
        "./../outside/secret-outside.txt",
        "././.././outside/secret-outside.txt",
        "sub/../../outside/secret-outside.txt",
        "sub/./../../outside/secret-outside.txt",
        "sub/deeper/../../../outside/secret-outside.txt",
        "sub/../sub/../../outside/new-outside.txt",
        "sub//..//..//outside//secret-outside.txt",
        // Out and in again is out all the same.
        "../granted/inside.txt",
        "missing/../../outside/secret-outside.txt",
        "inside.txt/../../outside/secret-outside.txt",
        "/box/inside.txt",
        "/box/../inside.txt",
    ] {
        every_call(report, directory, path);
    }
    let outside = &roots.outside;
    for path in [
        format!("{outside}/secret-outside.txt"),
        format!("{outside}/new-outside.txt"),
        format!("{outside}/"),
        format!("{outside}/."),
        format!("/{outside}/secret-outside.txt"),
        format!("/./{outside}/secret-outside.txt"),
        format!("/..{outside}/secret-outside.txt"),
        format!("/proc/self/root{outside}/secret-outside.txt"),
        format!("sub/../../../../../../../../../../..{outside}/secret-outside.txt"),
        format!("../../../../../../../../../../..{outside}/new-outside.txt"),
    ] {
        every_call(report, directory, &path);
    }
    for path in [
        "/etc/passwd",
        "//etc/passwd",
        "/etc",
        "/etc/",
        "../../../../../../../../../../etc/passwd",
        "/proc/self/environ",
        "/proc/self/root/etc/passwd",
        "/proc/self/fd/0",
        "/dev/fd/3",
        "/dev/zero",
    ] {
        calls::only_reading(report, directory, path);
    }
}

pub(crate) fn a_grant_survives_every_name_of_itself(roots: &Roots, report: &mut Report) {
    let directory = roots.get("box");
    for path in ["", ".", "./", "./.", "././/", "sub/..", "sub/../", "sub/../.", "/", "//", "/.", "/./", "///"] {
        every_call(report, directory, path);
    }
}

pub(crate) fn a_slash_at_the_end_asks_for_a_directory(roots: &Roots, report: &mut Report) {
    let directory = roots.get("box");
    for path in
        ["inside.txt/", "inside.txt/.", "inside.txt//", "inside.txt/..", "inside.txt/x", "missing/", "missing/."]
    {
        calls::looks(report, directory, path);
        calls::opens(report, directory, path, &[DescriptorFlags::READ, DescriptorFlags::all()]);
    }
    report.note("rename-at (from)", "inside.txt/", directory.rename_at("inside.txt/", directory, "moved"));
    report.note("rename-at (to)", "fresh/", directory.rename_at("inside.txt", directory, "fresh/"));
    report.note("unlink-file-at", "inside.txt/", directory.unlink_file_at("inside.txt/"));
    report.note("remove-directory-at", "inside.txt/", directory.remove_directory_at("inside.txt/"));
    for path in ["sub/", "sub/.", "sub//", "./sub/./", "sub/deeper/.."] {
        report.note("stat-at follow", path, directory.stat_at(PathFlags::SYMLINK_FOLLOW, path));
        report.note("unlink-file-at", path, directory.unlink_file_at(path));
        report.note("remove-directory-at", path, directory.remove_directory_at(path));
    }
}

pub(crate) fn a_nul_ends_no_path(roots: &Roots, report: &mut Report) {
    let directory = roots.get("box");
    for path in [
        "\0",
        "inside.txt\0",
        "inside.txt\0.png",
        "../outside/secret-outside.txt\0",
        "../outside/secret-outside.txt\0/../../granted/inside.txt",
        "sub/\0/../../../outside",
        "\0/../../outside/secret-outside.txt",
        "sub\0",
        ".\0",
    ] {
        every_call(report, directory, path);
    }
}

pub(crate) fn backslashes_and_encodings_are_plain_names(roots: &Roots, report: &mut Report) {
    let directory = roots.get("box");
    for name in [
        r"..\outside\secret-outside.txt",
        r"\..\..\outside",
        r"\\?\C:\secret",
        r"\\.\PhysicalDrive0",
        r"C:\secret",
        "C:x",
        "%2e%2e",
        "%2e%2e%2foutside",
        "..%2foutside",
        "%00",
        "~",
        "~root",
        "$HOME",
        "`id`",
        "-rf",
        "...",
        ". ",
        ".. ",
        " ..",
        "..\u{200b}",
        "\u{ff0e}\u{ff0e}",
        "\u{2024}\u{2024}",
        "CON",
        "nul.txt",
        "COM\u{b9}",
        "f:stream",
    ] {
        report.note("create", name, calls::make(directory, name, "plain"));
        report.note("read", name, calls::read(directory, name));
    }
    // With a slash in it the first part is a directory that is not there.
    for path in [
        "%2e%2e/outside/secret-outside.txt",
        "~/x",
        "~root/x",
        "file:///outside/secret-outside.txt",
        "file://localhost/outside/secret-outside.txt",
        ".../outside/secret-outside.txt",
        "\u{2025}/outside/secret-outside.txt",
        "..\u{2215}outside/secret-outside.txt",
        "..\u{c0}\u{af}outside/secret-outside.txt",
    ] {
        every_call(report, directory, path);
    }
}

pub(crate) fn control_characters_are_kept_in_names(roots: &Roots, report: &mut Report) {
    let directory = roots.get("box");
    for name in ["a\nb", "a\rb", "\u{1b}[2J", "a\tb", "\u{202e}txt.exe", "\u{7f}", "\u{feff}bom", "e\u{301}", "\u{e9}"]
    {
        report.note("create", name, calls::make(directory, name, name));
        report.note("read", name, calls::read(directory, name));
    }
    report.note("readdir", ".", listing::readdir(directory));
}

pub(crate) fn a_name_has_at_most_255_bytes(roots: &Roots, report: &mut Report) {
    let directory = roots.get("box");
    let (long, longer) = ("n".repeat(255), "n".repeat(256));
    report.note("create", "255 bytes", calls::make(directory, &long, "long"));
    report.note("read", "255 bytes", calls::read(directory, &long));
    // 128 letters of two bytes.
    let wide = "\u{e9}".repeat(128);
    for (name, said) in [(&longer, "256 bytes"), (&wide, "256 bytes in 128 letters")] {
        report.note("create", said, calls::make(directory, name, "longer"));
        report.note("create-directory-at", said, directory.create_directory_at(name));
        report.note("rename-at (to)", said, directory.rename_at("inside.txt", directory, name));
        report.note("stat-at", said, directory.stat_at(PathFlags::empty(), name));
    }
}

pub(crate) fn paths_past_4096_bytes_end_in_an_error(roots: &Roots, report: &mut Report) {
    let directory = roots.get("box");
    let out = "../outside/secret-outside.txt";
    for path in [
        format!("{}{out}", "sub/../".repeat(1000)),
        format!("{}{out}", "./".repeat(5000)),
        format!("{out}{}", "/.".repeat(5000)),
        format!("{}inside.txt", "/".repeat(5000)),
        format!("{}x", "a/".repeat(3000)),
        "../".repeat(3000),
        "x".repeat(1 << 20),
        format!("sub/{}", "x".repeat(4093)),
    ] {
        every_call(report, directory, &path);
    }
}

pub(crate) fn siblings_with_the_same_prefix_are_out_of_reach(roots: &Roots, report: &mut Report) {
    let directory = roots.get("box");
    for path in [
        "../granted-evil",
        "../granted-evil/",
        "../granted-evil/secret-outside.txt",
        "../granted-evil/new-outside.txt",
        "../granted2/secret-outside.txt",
        "../granted/../granted-evil/secret-outside.txt",
        "sub/../../granted-evil/secret-outside.txt",
        "-evil",
        "-evil/secret-outside.txt",
        "2/secret-outside.txt",
    ] {
        every_call(report, directory, path);
    }
}

pub(crate) fn handles_on_sub_directories_lead_no_higher(roots: &Roots, report: &mut Report) {
    let root = roots.get("box");
    for (path, levels) in [("sub", 1), ("sub/deeper", 2), ("./sub/../sub/", 1)] {
        for rights in [
            DescriptorFlags::READ,
            DescriptorFlags::READ | DescriptorFlags::MUTATE_DIRECTORY,
            DescriptorFlags::MUTATE_DIRECTORY,
        ] {
            let Ok(handle) = root.open_at(PathFlags::SYMLINK_FOLLOW, path, OpenFlags::DIRECTORY, rights) else {
                panic!("`{path}` is there");
            };
            let up = "../".repeat(levels);
            for beyond in [
                "..".to_owned(),
                up.clone(),
                format!("{up}inside.txt"),
                format!("{up}../outside/secret-outside.txt"),
                format!("{up}../outside/new-outside.txt"),
                format!("../{path}"),
            ] {
                every_call(report, &handle, &beyond);
            }
        }
    }
}
