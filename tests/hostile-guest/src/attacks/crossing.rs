//! Between grants: two accesses must not add up.

use crate::calls::{self, MARK, enter};
use crate::report::{Report, Roots};
use wasip2::filesystem::types::{Descriptor, PathFlags};

/// GHSA-4ch3-9j33-3pmj: a file of a read-only preopen became writable by a link or a rename into a writable one.
pub(crate) fn nothing_moves_between_read_only_and_writable(roots: &Roots, report: &mut Report) {
    let (writable, frozen) = (roots.get("box"), roots.get("frozen"));
    let below = |root: &Descriptor| enter(root, "sub").unwrap_or_else(|code| panic!("`sub` is there: {code:?}"));
    let (writable_sub, frozen_sub) = (below(writable), below(frozen));
    for (from, to, said) in [
        (frozen, writable, "frozen -> box"),
        (writable, frozen, "box -> frozen"),
        (frozen, &writable_sub, "frozen -> box/sub"),
        (&frozen_sub, writable, "frozen/sub -> box"),
        (&frozen_sub, &writable_sub, "frozen/sub -> box/sub"),
        (&writable_sub, &frozen_sub, "box/sub -> frozen/sub"),
        (&writable_sub, frozen, "box/sub -> frozen"),
        (writable, &frozen_sub, "box -> frozen/sub"),
        (frozen, frozen, "frozen -> frozen"),
        (&frozen_sub, frozen, "frozen/sub -> frozen"),
    ] {
        for old in ["inside.txt", "deeper/leaf.txt", "sub/deeper/leaf.txt", "deeper", "sub", "link", "empty"] {
            for new in ["moved", "inside.txt", "deeper/leaf.txt", "deeper/moved", "empty"] {
                let path = format!("{said}: {old} -> {new}");
                report.note("rename-at", &path, from.rename_at(old, to, new));
                report.note("link-at", &path, from.link_at(PathFlags::empty(), old, to, new));
                report.note("link-at follow", &path, from.link_at(PathFlags::SYMLINK_FOLLOW, old, to, new));
            }
        }
    }
}

pub(crate) fn files_move_between_writable_grants_and_are_not_linked(roots: &Roots, report: &mut Report) {
    let (one, other) = (roots.get("box"), roots.get("other"));
    report.note("link-at", "inside.txt", one.link_at(PathFlags::empty(), "inside.txt", other, "linked"));
    report.note("rename-at", "box/inside.txt -> other/moved", one.rename_at("inside.txt", other, "moved"));
    report.note("read", "other/moved", calls::read(other, "moved"));
    report.note("rename-at", "box/sub -> other/sub/", one.rename_at("sub", other, "moved-sub"));
    report.note("read", "other/moved-sub/deeper/leaf.txt", calls::read(other, "moved-sub/deeper/leaf.txt"));
    for path in ["../other/moved", "../other", "sub/../../other/moved"] {
        calls::every_call(report, one, path);
    }
}

/// Each handle has the access of its own grant: what lies in both may be written through the writable one.
pub(crate) fn a_read_only_grant_within_a_writable_one(roots: &Roots, report: &mut Report) {
    let (outer, inner) = (roots.get("outer"), roots.get("inner"));
    calls::every_call(report, inner, "inside.txt");
    calls::every_call(report, inner, "../beside.txt");
    calls::every_call(report, inner, "..");
    report.note("write", "outer/inner/inside.txt", calls::make(outer, "inner/inside.txt", MARK));
    report.note("read", "inner/inside.txt", calls::read(inner, "inside.txt"));
    // Neither direction of a rename goes through the read-only handle, though both ends are one directory.
    report.note("rename-at", "inner -> outer", inner.rename_at("inside.txt", outer, "inner/moved"));
    report.note("rename-at", "outer -> inner", outer.rename_at("inner/inside.txt", inner, "moved"));
    report.note("link-at", "inner -> outer", inner.link_at(PathFlags::empty(), "inside.txt", outer, "linked"));
}

pub(crate) fn a_writable_grant_within_a_read_only_one(roots: &Roots, report: &mut Report) {
    let (outer, inner) = (roots.get("outer"), roots.get("inner"));
    // The way down through the read-only handle stays read-only.
    calls::every_call(report, outer, "inner/inside.txt");
    calls::every_call(report, outer, "inner/new.txt");
    match enter(outer, "inner") {
        Ok(through) => {
            calls::every_call(report, &through, "inside.txt");
            report.note("rename-at", "through -> inner", through.rename_at("inside.txt", inner, "moved"));
            report.note("rename-at", "inner -> through", inner.rename_at("inside.txt", &through, "moved"));
            report.note("is-same-object", "inner", Ok(through.is_same_object(inner)));
        }
        Err(code) => drop(report.note("open-at", "inner", Err::<(), _>(code))),
    }
    calls::every_call(report, inner, "../beside.txt");
    report.note("rename-at", "outer -> inner", outer.rename_at("beside.txt", inner, "stolen"));
    report.note("write", "inner/made.txt", calls::make(inner, "made.txt", MARK));
}

pub(crate) fn one_directory_granted_twice_keeps_both_accesses(roots: &Roots, report: &mut Report) {
    let (writable, frozen) = (roots.get("writable"), roots.get("reading"));
    report.note("is-same-object", "", Ok(writable.is_same_object(frozen)));
    calls::changes(report, frozen, "inside.txt");
    calls::every_open(report, frozen, "inside.txt");
    report.note("rename-at", "reading -> writable", frozen.rename_at("inside.txt", writable, "moved"));
    report.note("rename-at", "writable -> reading", writable.rename_at("inside.txt", frozen, "moved"));
    report.note("create", "writable/made.txt", calls::make(writable, "made.txt", MARK));
    report.note("read", "reading/made.txt", calls::read(frozen, "made.txt"));
}
