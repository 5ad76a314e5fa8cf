//! Group 10 of the escape matrix: sensitive places inside a grant.

use super::world::{Answer, World};
use bailiwick_sandbox::{Access, DenialReason};

fn project() -> World {
    // What is hidden has tests of its own.
    let world = World::new()
        .grant_with("box", "granted", Access::ReadWrite, |grant| {
            [".envrc", ".npmrc", ".ssh", "**/.git/config"]
                .iter()
                .fold(grant, |grant, name| grant.showing(name).unwrap())
        })
        .grant("frozen", "frozen", Access::ReadOnly)
        .grant("other", "other", Access::ReadWrite);
    for (place, content) in [
        (".git/config", "[core]\n"),
        (".git/hooks/pre-commit", "#!/bin/sh\n"),
        (".vscode/tasks.json", "{}\n"),
        (".envrc", "use nix\n"),
        (".mcp.json", "{}\n"),
        (".npmrc", "registry\n"),
    ] {
        world.write(&format!("granted/{place}"), content);
    }
    std::fs::create_dir(world.at("granted/.ssh")).unwrap();
    world.link("granted/alias", ".git");
    world.link("granted/alias-of-alias", "sub/alias-up");
    world.link("granted/sub/alias-up", "../.git");
    world.link("granted/config-alias", ".git/config");
    world
}

/// What is no change: sensitive places may be read, which a tool needs to understand a project.
fn reads(answer: &Answer) -> bool {
    let looks = ["stat-at", "metadata-hash-at", "readlink-at"].iter().any(|call| answer.call.starts_with(call));
    let (flags, then) =
        answer.call.strip_prefix("open-at ").map_or(("w", ""), |flags| flags.split_once(", ").unwrap_or((flags, "")));
    looks || (!flags.contains(['c', 't', 'w']) && !matches!(then, "write" | "set-size"))
}

#[test]
pub(crate) fn sensitive_places_are_read_and_not_changed() {
    let ran = project().run_in_vain("sensitive_places_are_read_and_not_changed");
    ran.assert_only(reads);
    ran.assert_denied_for(DenialReason::Sensitive);
    ran.assert_results(&[
        ("open-at r, read", ".git/config", "ok: [core]\n"),
        ("unlink-file-at", ".git/config", "access"),
        ("rename-at (to)", ".git/hooks/new", "access"),
        ("create-directory-at", "sub/.git", "access"),
    ]);
}

#[test]
pub(crate) fn no_detour_leads_into_a_sensitive_place() {
    let ran = project().run_in_vain("no_detour_leads_into_a_sensitive_place");
    ran.assert_only(reads);
    ran.assert_denied_for(DenialReason::Sensitive);
}

#[test]
pub(crate) fn what_was_prepared_does_not_become_a_sensitive_place() {
    let world = project();
    let before = world.tree("granted/.git");
    let ran = world.run("what_was_prepared_does_not_become_a_sensitive_place");
    ran.assert_only(|_| false);
    before.assert_unchanged(&world.tree("granted/.git"), "the sensitive place");
    assert_eq!(world.read("granted/.envrc"), "use nix\n");
    assert_eq!(world.names("granted/sub"), ["alias-up", "deeper", "inside.txt"]);
    // The attempts had something to move.
    assert_eq!(world.read("granted/prepared/hooks/pre-commit"), "hostile");
    assert_eq!(world.read("other/payload"), "hostile");
}

#[test]
pub(crate) fn what_one_grant_allows_does_not_move_into_another() {
    let world = World::new()
        .grant_with("lax", "granted", Access::ReadWrite, |grant| grant.allowing(".git").unwrap())
        .grant("strict", "other", Access::ReadWrite);
    let before = world.names("other");
    let ran = world.run("what_one_grant_allows_does_not_move_into_another");
    ran.assert_results(&[
        ("create", "lax/d/.git/config", "ok: 7"),
        ("create", "lax/.envrc", "access"),
        ("create", "strict/.git", "access"),
        ("rename-at", "lax/d/.git -> strict/.git", "access"),
        ("rename-at", "lax/d -> strict/d", "access"),
        ("rename-at", "lax/d -> strict/sub/d/", "access"),
        ("rename-at", "lax/./d -> strict/e", "access"),
        ("rename-at", "lax/plain.txt -> strict/plain.txt", "ok"),
        ("rename-at", "lax/d -> lax/moved", "ok"),
    ]);
    let after: Vec<_> = world.names("other").into_iter().filter(|name| name != "plain.txt").collect();
    assert_eq!(after, before);
    assert_eq!(world.read("granted/moved/.git/config"), "hostile");
}
