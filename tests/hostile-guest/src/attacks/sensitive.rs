//! Sensitive places inside a grant (group 10): the name, and every way there that does not say the name.

use crate::calls::{self, MARK, enter, every_call, make};
use crate::report::{Report, Roots};
use wasip2::filesystem::types::{Descriptor, DescriptorFlags, OpenFlags, PathFlags};

pub(crate) fn sensitive_places_are_read_and_not_changed(roots: &Roots, report: &mut Report) {
    let directory = roots.get("box");
    for path in [
        ".git/config",
        ".git/hooks/pre-commit",
        ".git/hooks/new",
        ".git/new/",
        ".git",
        ".git/",
        ".git/.",
        ".GIT/config",
        ".Git",
        "sub/.git",
        "sub/.git/hooks/new",
        "sub/.vscode",
        ".vscode/tasks.json",
        ".idea/workspace.xml",
        ".envrc",
        ".EnvRC",
        "sub/deeper/.envrc",
        ".mcp.json",
        ".ssh",
        ".npmrc",
    ] {
        every_call(report, directory, path);
    }
}

pub(crate) fn no_detour_leads_into_a_sensitive_place(roots: &Roots, report: &mut Report) {
    let directory = roots.get("box");
    for path in [
        "./.git//config",
        "sub/../.git/config",
        ".git/hooks/../config",
        ".git/../.git/config",
        // Links to the directory, to the file, through two of them.
        "alias/config",
        "alias/hooks/new",
        "alias-of-alias/config",
        "sub/alias-up/hooks/pre-commit",
    ] {
        every_call(report, directory, path);
    }
    // The link may be renamed and removed, so here it is only opened.
    calls::every_open(report, directory, "config-alias");
    // A handle that was opened in there says no name any more.
    for place in [".git", ".git/hooks", "alias", "alias/hooks"] {
        let handle = directory.open_at(
            PathFlags::SYMLINK_FOLLOW,
            place,
            OpenFlags::DIRECTORY,
            DescriptorFlags::READ | DescriptorFlags::MUTATE_DIRECTORY,
        );
        let Ok(handle) = handle else { continue };
        for file in ["config", "pre-commit", "new", "hooks"] {
            every_call(report, &handle, file);
        }
        moves(report, directory, &handle, place);
    }
}

/// Into the handle, and out of it.
fn moves(report: &mut Report, directory: &Descriptor, handle: &Descriptor, place: &str) {
    let said = |what: &str| format!("{place}: {what}");
    let _ = make(directory, "payload", MARK);
    for name in ["config", "pre-commit", "new"] {
        report.note("rename-at", &said(&format!("into as {name}")), directory.rename_at("payload", handle, name));
        report.note("rename-at", &said(&format!("out of {name}")), handle.rename_at(name, directory, "taken"));
    }
    let _ = directory.unlink_file_at("payload");
}

/// What is made under a harmless name must not get the other one afterwards.
pub(crate) fn what_was_prepared_does_not_become_a_sensitive_place(roots: &Roots, report: &mut Report) {
    let (directory, other) = (roots.get("box"), roots.get("other"));
    for from in [directory, other] {
        let _ = from.create_directory_at("prepared");
        let _ = from.create_directory_at("prepared/hooks");
        let _ = make(from, "prepared/hooks/pre-commit", MARK);
        let _ = make(from, "payload", MARK);
    }
    for (from, said) in [(directory, "box"), (other, "other")] {
        for target in
            [".git", ".GIT", ".git/", "sub/.git", "sub/.git/", ".git/prepared", ".git/hooks", ".vscode", "sub/../.git"]
        {
            let moved = from.rename_at("prepared", directory, target);
            report.note("rename-at", &format!("{said}/prepared -> {target}"), moved);
            let moved = from.rename_at("prepared/hooks", directory, target);
            report.note("rename-at", &format!("{said}/prepared/hooks -> {target}"), moved);
        }
        for target in [".envrc", ".EnvRC", ".git", ".mcp.json", "sub/.npmrc", ".git/config", ".git/hooks/pre-commit"] {
            report.note(
                "rename-at",
                &format!("{said}/payload -> {target}"),
                from.rename_at("payload", directory, target),
            );
        }
    }
    // Nor the other way: out of the way, changed, and back.
    for old in [".git", ".git/", ".git/hooks", ".git/hooks/", ".git/config", ".envrc", "alias/hooks"] {
        for (to, said) in [(directory, "box"), (other, "other")] {
            report.note("rename-at", &format!("{old} -> {said}/plain"), directory.rename_at(old, to, "plain"));
        }
    }
}

/// Of two writable grants one allows what the other does not.
pub(crate) fn what_one_grant_allows_does_not_move_into_another(roots: &Roots, report: &mut Report) {
    let (lax, strict) = (roots.get("lax"), roots.get("strict"));
    report.note("create-directory-at", "lax/d", lax.create_directory_at("d"));
    report.note("create-directory-at", "lax/d/.git", lax.create_directory_at("d/.git"));
    report.note("create", "lax/d/.git/config", make(lax, "d/.git/config", MARK));
    report.note("create", "lax/.envrc", make(lax, ".envrc", MARK));
    report.note("create", "strict/.git", make(strict, ".git", MARK));
    report.note("rename-at", "lax/d/.git -> strict/.git", lax.rename_at("d/.git", strict, ".git"));
    report.note("rename-at", "lax/d -> strict/d", lax.rename_at("d", strict, "d"));
    report.note("rename-at", "lax/d -> strict/sub/d/", lax.rename_at("d", strict, "sub/d/"));
    if let Ok(below) = enter(lax, ".") {
        report.note("rename-at", "lax/./d -> strict/e", below.rename_at("d", strict, "e"));
    }
    // A file has nothing in it, and moves as ever.
    report.note("create", "lax/plain.txt", make(lax, "plain.txt", "plain"));
    report.note("rename-at", "lax/plain.txt -> strict/plain.txt", lax.rename_at("plain.txt", strict, "plain.txt"));
    // Within the grant that allows it, it moves, too.
    report.note("rename-at", "lax/d -> lax/moved", lax.rename_at("d", lax, "moved"));
}
