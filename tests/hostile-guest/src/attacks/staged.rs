//! A grant in two layers: what lies below is read and never changed, whatever lies above.

use super::links::at_and_below;
use crate::calls::{self, MARK, enter, every_call, every_open};
use crate::report::{Report, Roots};
use wasip2::filesystem::types::PathFlags;

pub(crate) fn a_staged_grant_leaves_the_layer_below_alone(roots: &Roots, report: &mut Report) {
    let (directory, other) = (roots.get("box"), roots.get("other"));
    for path in ["inside.txt", "sub/inside.txt", "sub", "sub/", "sub/deeper/leaf.txt", "sub/deeper", "link-below"] {
        every_open(report, directory, path);
        every_call(report, directory, path);
        for (to, said) in [(directory, "box"), (other, "other")] {
            report.note("rename-at", &format!("{path} -> {said}/moved"), directory.rename_at(path, to, "moved"));
            let linked = directory.link_at(PathFlags::SYMLINK_FOLLOW, path, to, "linked");
            report.note("link-at", &format!("{path} -> {said}/linked"), linked);
        }
        report.note(
            "rename-at",
            &format!("other/inside.txt -> {path}"),
            other.rename_at("inside.txt", directory, path),
        );
    }
    // Down through handles, on a directory of the lower layer alone and on one of both.
    for place in ["sub", "sub/deeper", "both"] {
        let Ok(handle) = enter(directory, place) else { panic!("`{place}` is there") };
        for path in ["inside.txt", "leaf.txt", "new.txt", "below.txt", "../inside.txt", "..", "../../outside"] {
            every_call(report, &handle, path);
        }
    }
    // What the upper layer has is written there.
    report.note("create", "staged.txt", calls::make(directory, "staged.txt", MARK));
    report.note("read", "staged.txt", calls::read(directory, "staged.txt"));
    report.note("read", "inside.txt", calls::read(directory, "inside.txt"));
}

pub(crate) fn links_in_either_layer_do_not_escape(roots: &Roots, report: &mut Report) {
    let directory = roots.get("box");
    for link in ["hidden-below", "hidden-above", "absolute-below", "absolute-above", "to-the-other-layer", "to-below"] {
        at_and_below(report, directory, link, &["secret-outside.txt", "new-outside.txt", "inside.txt"]);
    }
    // Out of the one layer, back into the other.
    for path in ["both/../../frozen/inside.txt", "../frozen/inside.txt", "../other/staged.txt", "both/../../outside"] {
        every_call(report, directory, path);
    }
}
