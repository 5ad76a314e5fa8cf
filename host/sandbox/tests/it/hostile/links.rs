//! Groups 3 and 5 of the escape matrix: symbolic and hard links.

use super::world::{Answer, World};
use bailiwick_sandbox::{Access, DenialReason};

/// What may be done to a link that leads out: it is a name in the grant like any other, as long as it is not followed.
pub(crate) fn the_link_itself(answer: &Answer) -> bool {
    let link = matches!(answer.call.as_str(), "stat-at" | "metadata-hash-at") || answer.call.starts_with("rename-at");
    let removed = answer.call == "unlink-file-at";
    (link && (answer.call != "stat-at" || answer.result == "ok: symbolic-link")) || removed
}

#[test]
pub(crate) fn links_within_a_grant_are_followed() {
    let world = World::usual();
    world.link("granted/to-file", "inside.txt");
    world.link("granted/to-directory", "./sub/../sub/deeper/");
    world.link("granted/sub/up-and-down", "../sub/deeper/leaf.txt");
    chain(&world, 40, "inside.txt");
    let ran = world.run("links_within_a_grant_are_followed");
    ran.assert_results(&[
        ("read", "to-file", "ok: inside\n"),
        ("read", "to-directory/leaf.txt", "ok: leaf\n"),
        ("read", "sub/up-and-down", "ok: leaf\n"),
        ("read", "chain-of-40", "ok: inside\n"),
        ("stat-at", "to-file", "ok: symbolic-link"),
        ("stat-at follow", "to-file", "ok: regular-file"),
        ("readlink-at", "to-file", "ok: inside.txt"),
        ("write", "to-file", "ok: 7"),
        ("open-at r", "to-file", "loop"),
    ]);
    assert_eq!(world.read("granted/inside.txt"), "hostile");
    assert!(world.at("granted/to-file").is_symlink());
}

/// `chain-of-<length>`: as many links one after the other.
fn chain(world: &World, length: usize, end: &str) {
    for at in 0..length {
        let target = if at + 1 == length { end.to_owned() } else { format!("chain-{length}-{}", at + 1) };
        let name = if at == 0 { format!("chain-of-{length}") } else { format!("chain-{length}-{at}") };
        world.link(&format!("granted/{name}"), target);
    }
}

#[test]
pub(crate) fn links_to_the_outside_are_never_followed() {
    let world = World::usual();
    let outside = world.at("outside");
    world.link("granted/absolute-file", outside.join("secret-outside.txt"));
    world.link("granted/absolute-directory", &outside);
    world.link("granted/relative-file", "../outside/secret-outside.txt");
    world.link("granted/relative-directory", "../outside");
    world.link("granted/chained", "chained-2");
    world.link("granted/chained-2", "sub/chained-3");
    world.link("granted/sub/chained-3", "../../outside/secret-outside.txt");
    world.link("granted/chained-directory", "sub/chained-directory-2");
    world.link("granted/sub/chained-directory-2", "../relative-directory/.");
    world.link("granted/over-and-back", "../granted/sub");
    world.link("granted/to-parent", "..");
    world.link("granted/to-sibling", "../granted-evil");
    world.link("granted/through-a-link", "relative-directory/sub-outside");
    world.link("granted/sub/deeper/far-up", "../../../outside");
    let ran = world.run("links_to_the_outside_are_never_followed");
    ran.assert_only(the_link_itself);
    ran.assert_denied_for(DenialReason::Outside);
    assert_eq!(world.read("granted/inside.txt"), "inside\n");
}

#[test]
pub(crate) fn links_into_proc_and_dev_are_never_followed() {
    let world = World::usual();
    for (name, target) in [
        ("proc-root", "/proc/self/root"),
        ("proc-cwd", "/proc/self/cwd"),
        ("proc-exe", "/proc/self/exe"),
        ("proc-fd", "/proc/self/fd"),
        ("proc-fd-0", "/proc/self/fd/0"),
        ("proc-fd-3", "/proc/self/fd/3"),
        ("dev-fd-3", "/dev/fd/3"),
        ("dev-stdin", "/dev/stdin"),
        ("dev-zero", "/dev/zero"),
        ("dev-tty", "/dev/tty"),
        ("dev", "/dev"),
        ("thread-self", "/proc/thread-self/root"),
    ] {
        world.link(&format!("granted/{name}"), target);
    }
    world.run("links_into_proc_and_dev_are_never_followed").assert_only(the_link_itself);
}

/// GHSA-vqjp-4c8c-hfgg.
#[test]
pub(crate) fn links_with_a_slash_at_their_end_do_not_escape() {
    let world = World::usual();
    world.link("granted/hidden", "../outside");
    world.link("granted/indirect", "hidden/");
    world.link("granted/root", "/.");
    world.link("granted/slashed", "../outside/");
    world.link("granted/dotted", "hidden/.");
    world.run("links_with_a_slash_at_their_end_do_not_escape").assert_only(the_link_itself);
}

/// GHSA-m9f7-9w4p-gv38.
#[test]
pub(crate) fn renaming_a_link_with_a_slash_at_its_end_stays_inside() {
    let world = World::usual();
    world.link("granted/hidden", "../outside");
    world.link("granted/indirect", "hidden/");
    world.link("granted/dangling", "../outside/new-outside");
    let ran = world.run_in_vain("renaming_a_link_with_a_slash_at_its_end_stays_inside");
    ran.assert_only(|_| false);
}

/// CVE-2024-38358: wasmer created and wrote through a link to the outside.
#[test]
pub(crate) fn creating_through_a_dangling_link_is_refused() {
    let world = World::usual();
    world.link("granted/dangling", "../outside/new-outside.txt");
    world.link("granted/dangling-absolute", world.at("outside/new-outside.txt"));
    world.link("granted/dangling-chain", "dangling");
    // It dangles within the grant, which is harmless; creating through links is refused all the same.
    world.link("granted/dangling-inside-first", "sub/not-there.txt");
    let ran = world.run_in_vain("creating_through_a_dangling_link_is_refused");
    ran.assert_only(the_link_itself);
    assert!(!world.exists("granted/sub/not-there.txt"));
}

/// CVE-2025-53109, and the unresolved parent of DesktopCommander #420.
#[test]
pub(crate) fn creating_below_a_link_to_an_outside_directory_is_refused() {
    let world = World::usual();
    world.link("granted/hidden", "../outside");
    world.link("granted/indirect", "hidden");
    world.link("granted/sub/link-up", "../../outside");
    world.link("granted/absolute", world.at("outside"));
    let ran = world.run_in_vain("creating_below_a_link_to_an_outside_directory_is_refused");
    ran.assert_nothing_succeeded();
}

#[test]
pub(crate) fn guests_make_no_symbolic_links() {
    let ran = World::usual().run_in_vain("guests_make_no_symbolic_links");
    ran.assert_nothing_succeeded();
    ran.assert_denied_for(DenialReason::Link);
}

#[test]
pub(crate) fn guests_make_no_hard_links() {
    let world = World::usual();
    world.link("granted/outside-link", "../outside/secret-outside.txt");
    let ran = world.run_in_vain("guests_make_no_hard_links");
    ran.assert_nothing_succeeded();
    assert_eq!(rustix::fs::stat(world.at("frozen/inside.txt")).unwrap().st_nlink, 1);
}

#[test]
pub(crate) fn the_text_of_an_outside_link_is_not_told() {
    let world = World::usual();
    world.link("granted/absolute-file", world.at("outside/secret-outside.txt"));
    world.link("granted/absolute-directory", world.at("outside"));
    world.link("granted/relative-file", "../outside/secret-outside.txt");
    world.link("granted/chained", "relative-file");
    world.link("granted/dangling", "../outside/not-there");
    world.link("granted/to-parent", "..");
    world.link("granted/root", "/.");
    let ran = world.run_in_vain("the_text_of_an_outside_link_is_not_told");
    ran.assert_only(|answer| answer.call == "readdir");
}

#[test]
pub(crate) fn loops_and_long_chains_of_links_end() {
    let world = World::usual();
    world.link("granted/self", "self");
    world.link("granted/ping", "pong");
    world.link("granted/pong", "ping");
    world.link("granted/grows", "grows/grows");
    chain(&world, 41, "inside.txt");
    let ran = world.run_in_vain("loops_and_long_chains_of_links_end");
    ran.assert_only(|_| false);
    for path in ["self", "ping", "chain-of-41", "grows"] {
        assert_eq!(ran.result("stat-at follow", path), "loop");
    }
}

/// The link is harmless where it lies. A guest may move it, as it may move any name, and it leads nowhere for a guest.
/// (It does lead out for a program of the host that follows it afterwards.)
#[test]
pub(crate) fn a_moved_link_still_leads_nowhere() {
    let world = World::new().grant("box", "granted", Access::ReadWrite);
    world.link("granted/sub/deeper/up", "../../outside/secret-outside.txt");
    world.write("granted/outside/secret-outside.txt", "harmless\n");
    world.write("granted/a/b/c/leaf.txt", "leaf\n");
    world.link("granted/a/b/c/up", "../../../../granted/inside.txt");
    let ran = world.run("a_moved_link_still_leads_nowhere");
    assert_eq!(ran.result("read", "sub/deeper/up"), "ok: harmless\n");
    ran.assert_only(|answer| {
        let moved = answer.call == "rename-at" || answer.path == "sub/deeper/up";
        moved || matches!(answer.call.as_str(), "stat-at" | "metadata-hash-at")
    });
    assert_eq!(world.read("granted/inside.txt"), "inside\n");
}
