//! What may be read and not changed.

use super::world::World;
use bailiwick_sandbox::{Access, DenialReason, HardLinks};

/// A world whose `frozen` has something of everything.
fn frozen() -> World {
    let world = World::usual();
    world.link("frozen/link", "inside.txt");
    std::fs::create_dir(world.at("frozen/empty")).unwrap();
    world
}

/// GHSA-2r75-cxrj-cmph.
#[test]
pub(crate) fn opening_with_any_flags_leaves_a_read_only_grant_alone() {
    let world = frozen();
    let before = world.tree("frozen");
    let ran = world.run("opening_with_any_flags_leaves_a_read_only_grant_alone");
    before.assert_unchanged(&world.tree("frozen"), "the read-only grant");
    ran.assert_denied_for(DenialReason::ReadOnly);
    for answer in ran.answers.iter().filter(|answer| answer.succeeded()) {
        // Whatever was asked for, what was opened can be read and listed and no more.
        let (flags, then) =
            answer.call["open-at ".len()..].split_once(", ").unwrap_or((&answer.call["open-at ".len()..], ""));
        assert!(matches!(then, "" | "read" | "stat" | "readdir"), "{answer:?}");
        assert!(!flags.contains(['c', 't', 'w']), "{answer:?}");
        if then.is_empty() {
            assert!(matches!(answer.result.as_str(), "ok: regular-file r" | "ok: directory r"), "{answer:?}");
        }
    }
    assert_eq!(ran.result("open-at r, read", "inside.txt"), "ok: inside\n");
}

#[test]
pub(crate) fn every_change_of_a_read_only_grant_is_refused() {
    let world = frozen();
    let before = world.tree("frozen");
    let ran = world.run("every_change_of_a_read_only_grant_is_refused");
    before.assert_unchanged(&world.tree("frozen"), "the read-only grant");
    ran.assert_only(|answer| answer.call.starts_with("sync"));
}

#[test]
pub(crate) fn handles_on_read_only_sub_directories_gain_no_rights() {
    let world = frozen();
    let before = world.tree("frozen");
    let ran = world.run("handles_on_read_only_sub_directories_gain_no_rights");
    before.assert_unchanged(&world.tree("frozen"), "the read-only grant");
    ran.assert_only(|answer| {
        let reads = ["stat-at", "metadata-hash-at"].iter().any(|call| answer.call.starts_with(call));
        let opens =
            answer.call.starts_with("open-at") && !answer.call.contains("write") && !answer.call.contains("size");
        reads || opens || (answer.call.ends_with("get-flags") && answer.result == "ok: r")
    });
}

#[test]
pub(crate) fn a_handle_opened_for_reading_does_not_write() {
    let world = World::new().grant("box", "granted", Access::ReadWrite);
    let ran = world.run_in_vain("a_handle_opened_for_reading_does_not_write");
    ran.assert_only(|_| false);
    assert_eq!(ran.result("write", "inside.txt"), "bad-descriptor");
}

#[test]
pub(crate) fn hard_links_to_the_outside_are_not_written() {
    let world = World::new().grant("box", "granted", Access::ReadWrite);
    std::fs::hard_link(world.at("outside/sub-outside/deep-outside.txt"), world.at("granted/twin")).unwrap();
    std::fs::write(world.at("granted/twin"), "both names\n").unwrap();
    let ran = world.run("hard_links_to_the_outside_are_not_written");
    // Reading cannot be refused by what the file is; design and documentation say so.
    ran.assert_results(&[
        ("open-at r, read", "twin", "ok: both names\n"),
        ("create", "twin", "not-permitted"),
        ("set-times-at", "twin", "not-permitted"),
        ("rename-at", "replacement -> twin", "ok"),
        ("read", "twin", "ok: replaced"),
    ]);
    ran.assert_denied_for(DenialReason::HardLink);
    assert_eq!(world.read("outside/sub-outside/deep-outside.txt"), "both names\n");
}

/// The same attack where the grant allows such files: otherwise the test above would be empty.
#[test]
fn hard_links_are_written_where_they_are_allowed() {
    let world =
        World::new().grant_with("box", "granted", Access::ReadWrite, |grant| grant.with_hard_links(HardLinks::Allowed));
    world.write("granted/one", "one name\n");
    std::fs::hard_link(world.at("granted/one"), world.at("granted/twin")).unwrap();
    let ran = world.run("hard_links_to_the_outside_are_not_written");
    assert_eq!(ran.result("create", "twin"), "ok: 7");
    assert_eq!(world.read("granted/one"), "hostile");
}
