//! Symbolic and hard links, those on disk and those the guest would make (groups 3 and 5).

use crate::calls::{self, MARK, every_call};
use crate::listing;
use crate::report::{Report, Roots};
use wasip2::filesystem::types::{Descriptor, DescriptorFlags, OpenFlags, PathFlags};

/// Without this one, a host that follows no link at all would pass every other program here.
pub(crate) fn links_within_a_grant_are_followed(roots: &Roots, report: &mut Report) {
    let directory = roots.get("box");
    for path in ["to-file", "to-directory/leaf.txt", "chain-of-40", "sub/up-and-down"] {
        report.note("read", path, calls::read(directory, path));
        report.note("stat-at", path, directory.stat_at(PathFlags::empty(), path));
        report.note("stat-at follow", path, directory.stat_at(PathFlags::SYMLINK_FOLLOW, path));
    }
    report.note("readlink-at", "to-file", directory.readlink_at("to-file"));
    let handle = directory.open_at(PathFlags::SYMLINK_FOLLOW, "to-file", OpenFlags::empty(), DescriptorFlags::WRITE);
    report.note("write", "to-file", handle.and_then(|handle| handle.write(MARK.as_bytes(), 0)));
    // A link that is not followed is not opened either.
    let handle = directory.open_at(PathFlags::empty(), "to-file", OpenFlags::empty(), DescriptorFlags::READ);
    report.note("open-at r", "to-file", handle.map(drop));
}

/// Everything at a link and below it; the link itself last, since it may be renamed and removed.
pub(super) fn at_and_below(report: &mut Report, directory: &Descriptor, link: &str, children: &[&str]) {
    for child in children {
        every_call(report, directory, &format!("{link}/{child}"));
        every_call(report, directory, &format!("./{link}//{child}"));
        every_call(report, directory, &format!("sub/../{link}/{child}"));
        every_call(report, directory, &format!("{link}/../outside/{child}"));
    }
    for end in ["/.", "/..", "//", "/"] {
        every_call(report, directory, &format!("{link}{end}"));
    }
    calls::looks(report, directory, link);
    calls::every_open(report, directory, link);
    calls::changes(report, directory, link);
}

pub(crate) fn links_to_the_outside_are_never_followed(roots: &Roots, report: &mut Report) {
    let directory = roots.get("box");
    for link in [
        "absolute-file",
        "absolute-directory",
        "relative-file",
        "relative-directory",
        "chained",
        "chained-directory",
        "over-and-back",
        "to-parent",
        "to-sibling",
        "through-a-link",
        "sub/deeper/far-up",
    ] {
        at_and_below(report, directory, link, &["secret-outside.txt", "new-outside.txt", "sub-outside"]);
    }
}

pub(crate) fn links_into_proc_and_dev_are_never_followed(roots: &Roots, report: &mut Report) {
    let directory = roots.get("box");
    for link in [
        "proc-root",
        "proc-cwd",
        "proc-exe",
        "proc-fd",
        "proc-fd-0",
        "proc-fd-3",
        "dev-fd-3",
        "dev-stdin",
        "dev-zero",
        "dev-tty",
        "dev",
        "thread-self",
    ] {
        for child in ["etc/passwd", "0", "root/etc/passwd", "environ", "zero"] {
            calls::only_reading(report, directory, &format!("{link}/{child}"));
        }
        at_and_below(report, directory, link, &["hostile-was-here-outside"]);
    }
}

/// GHSA-vqjp-4c8c-hfgg: a slash at the end made the host resolve the link itself.
pub(crate) fn links_with_a_slash_at_their_end_do_not_escape(roots: &Roots, report: &mut Report) {
    let directory = roots.get("box");
    for link in ["hidden", "indirect", "root", "slashed", "dotted"] {
        calls::only_reading(report, directory, &format!("{link}/etc/passwd"));
        at_and_below(report, directory, link, &["secret-outside.txt", "."]);
    }
}

/// GHSA-m9f7-9w4p-gv38: `rename` followed a link that was named with a slash.
pub(crate) fn renaming_a_link_with_a_slash_at_its_end_stays_inside(roots: &Roots, report: &mut Report) {
    let directory = roots.get("box");
    for link in ["hidden/", "hidden//", "hidden/.", "indirect/"] {
        for (old, new) in [(link, "stolen"), (link, "sub/stolen"), ("inside.txt", link), ("sub", link)] {
            let said = format!("{old} -> {new}");
            if report.note("rename-at", &said, directory.rename_at(old, directory, new)) {
                report.note("readdir", new, calls::enter(directory, new).and_then(|handle| listing::readdir(&handle)));
                report.note("read", new, calls::read(directory, &format!("{new}/secret-outside.txt")));
            }
        }
    }
    report.note("remove-directory-at", "indirect/", directory.remove_directory_at("indirect/"));
    report.note("unlink-file-at", "indirect/", directory.unlink_file_at("indirect/"));
    report.note("create-directory-at", "dangling/", directory.create_directory_at("dangling/"));
}

/// CVE-2024-38358 (wasmer): create and write through a link to the outside.
pub(crate) fn creating_through_a_dangling_link_is_refused(roots: &Roots, report: &mut Report) {
    let directory = roots.get("box");
    for link in ["dangling", "dangling-absolute", "dangling-chain", "dangling-inside-first"] {
        calls::looks(report, directory, link);
        calls::every_open(report, directory, link);
        calls::every_open(report, directory, &format!("{link}/"));
        report.note("create-directory-at", link, directory.create_directory_at(link));
    }
}

/// CVE-2025-53109, and the unresolved parent that was taken for harmless because it did not exist yet.
pub(crate) fn creating_below_a_link_to_an_outside_directory_is_refused(roots: &Roots, report: &mut Report) {
    let directory = roots.get("box");
    for path in [
        "hidden/new-outside.txt",
        "hidden/sub-outside/new-outside.txt",
        "hidden/missing/new-outside.txt",
        "indirect/new-outside.txt",
        "sub/link-up/new-outside.txt",
        "absolute/new-outside.txt",
    ] {
        calls::every_open(report, directory, path);
        calls::changes(report, directory, path);
        report.note("rename-at (to)", path, directory.rename_at("sub/deeper", directory, path));
    }
}

pub(crate) fn guests_make_no_symbolic_links(roots: &Roots, report: &mut Report) {
    for grant in ["box", "other", "frozen"] {
        let directory = roots.get(grant);
        for target in
            ["/etc/passwd", "/", "../outside", "../outside/secret-outside.txt", "inside.txt", ".", "", "missing", "\0"]
        {
            for path in ["made-link", "sub/made-link", "../outside/made-link", "inside.txt"] {
                report.note("symlink-at", &format!("{target} <- {path}"), directory.symlink_at(target, path));
            }
        }
        report.note("stat-at", "made-link", directory.stat_at(PathFlags::empty(), "made-link"));
    }
}

pub(crate) fn guests_make_no_hard_links(roots: &Roots, report: &mut Report) {
    let (one, other, frozen) = (roots.get("box"), roots.get("other"), roots.get("frozen"));
    for (from, to, said) in [
        (one, one, "box -> box"),
        (one, other, "box -> other"),
        (other, one, "other -> box"),
        (frozen, one, "frozen -> box"),
        (one, frozen, "box -> frozen"),
        (frozen, frozen, "frozen -> frozen"),
    ] {
        for follow in [PathFlags::empty(), PathFlags::SYMLINK_FOLLOW] {
            for path in
                ["inside.txt", "sub", "outside-link", "../outside/secret-outside.txt", ".", "missing", &roots.outside]
            {
                let result = from.link_at(follow, path, to, "made-link");
                report.note("link-at", &format!("{said}: {path}"), result);
            }
        }
        report.note("stat-at", said, to.stat_at(PathFlags::empty(), "made-link"));
    }
}

/// What a link to the outside says is knowledge of the outside.
pub(crate) fn the_text_of_an_outside_link_is_not_told(roots: &Roots, report: &mut Report) {
    let directory = roots.get("box");
    for link in ["absolute-file", "absolute-directory", "relative-file", "chained", "dangling", "to-parent", "root"] {
        for path in [link.to_owned(), format!("{link}/"), format!("./{link}"), format!("sub/../{link}")] {
            report.note("readlink-at", &path, directory.readlink_at(&path));
        }
    }
    // A listing tells the name and the type of a link and nothing else.
    report.note("readdir", ".", listing::readdir(directory));
}

pub(crate) fn loops_and_long_chains_of_links_end(roots: &Roots, report: &mut Report) {
    let directory = roots.get("box");
    for path in ["self", "self/x", "ping", "pong/", "chain-of-41", "chain-of-41/x", "grows", "grows/x"] {
        let follow = PathFlags::SYMLINK_FOLLOW;
        report.note("stat-at follow", path, directory.stat_at(follow, path));
        report.note("metadata-hash-at follow", path, directory.metadata_hash_at(follow, path));
        calls::every_open(report, directory, path);
    }
    for path in ["self/x", "chain-of-41/x", "grows/x", "pong/x"] {
        calls::changes(report, directory, path);
    }
}

/// A relative link that is harmless where it lies and would lead out from elsewhere.
pub(crate) fn a_moved_link_still_leads_nowhere(roots: &Roots, report: &mut Report) {
    let directory = roots.get("box");
    report.note("read", "sub/deeper/up", calls::read(directory, "sub/deeper/up"));
    report.note("rename-at", "sub/deeper/up -> up", directory.rename_at("sub/deeper/up", directory, "up"));
    every_call(report, directory, "up/.");
    calls::looks(report, directory, "up");
    calls::every_open(report, directory, "up");
    // The same by moving the directory that holds the link.
    report.note("read", "a/b/c/up", calls::read(directory, "a/b/c/up"));
    report.note("rename-at", "a/b/c -> c", directory.rename_at("a/b/c", directory, "c"));
    calls::looks(report, directory, "c/up");
    calls::every_open(report, directory, "c/up");
}
