//! Handles and raw arguments: used after their drop, made up, malformed, without end.

use super::world::{Ran, World};
use bailiwick_sandbox::Access;
use std::path::Path;

fn trapped(program: &str) {
    World::usual().run_in_vain(program).assert_trapped();
}

#[test]
pub(crate) fn a_handle_used_after_its_drop_traps() {
    trapped("a_handle_used_after_its_drop_traps");
}

#[test]
pub(crate) fn a_handle_dropped_twice_traps() {
    trapped("a_handle_dropped_twice_traps");
}

#[test]
pub(crate) fn forged_handles_trap() {
    // How many grants there are tells the program which number to make up.
    for count in 1..=4 {
        let mut world = World::new();
        for (name, place) in
            [("one", "granted"), ("two", "other"), ("three", "frozen"), ("four", "granted")].into_iter().take(count)
        {
            world = world.grant(name, place, Access::ReadWrite);
        }
        world.run_in_vain("forged_handles_trap").assert_trapped();
    }
}

#[test]
pub(crate) fn a_listing_used_as_a_descriptor_traps() {
    trapped("a_listing_used_as_a_descriptor_traps");
}

/// Strings of the contract are UTF-8; the engine refuses any other before the host sees it.
#[test]
pub(crate) fn a_path_that_is_not_utf8_traps() {
    trapped("a_path_that_is_not_utf8_traps");
}

#[test]
pub(crate) fn a_path_outside_of_memory_traps() {
    trapped("a_path_outside_of_memory_traps");
}

#[test]
pub(crate) fn undefined_flag_bits_grant_nothing() {
    let world = World::usual();
    let before = world.tree("frozen");
    let ran = world.run("undefined_flag_bits_grant_nothing");
    before.assert_unchanged(&world.tree("frozen"), "the read-only grant");
    // Bits without a meaning are ignored, those with one are judged: nothing of the outside opens.
    ran.assert_only(|answer| answer.call == "open-at (refused)" || !answer.path.contains(".."));
}

/// GHSA-q554-3cjc-rx7p: handles that no limit counted.
#[test]
pub(crate) fn descriptors_without_end_are_stopped() {
    World::usual().run_in_vain("descriptors_without_end_are_stopped").assert_out_of_handles();
}

#[test]
pub(crate) fn listings_without_end_are_stopped() {
    World::usual().run_in_vain("listings_without_end_are_stopped").assert_out_of_handles();
}

#[test]
pub(crate) fn files_without_end_hold_no_handles_of_the_host() {
    let world = World::new().grant("box", "granted", Access::ReadWrite);
    let (ran, most) = watched(&world, "files_without_end_hold_no_handles_of_the_host");
    assert_eq!(ran.result("create", "closed at once"), "ok: 5000");
    assert!(most < 50, "{most} descriptors of the host were open on the grant");
    assert_eq!(world.names("granted").len(), 5002);
}

/// However the host tells the guest that it is enough: no more are held than a call may have handles, and what was left
/// of them is gone.
#[test]
pub(crate) fn temporary_files_without_end_are_stopped() {
    let world = World::new().grant("box", "granted", Access::ReadWrite);
    let (_, most) = watched(&world, "temporary_files_without_end_are_stopped");
    assert!(most < 256 + 50, "{most} descriptors of the host were open on the grant");
    assert_eq!(world.names("granted"), ["inside.txt", "sub"]);
}

/// Runs a program, and the most descriptors of the host that were seen on the grant meanwhile.
fn watched(world: &World, program: &str) -> (Ran, usize) {
    std::thread::scope(|scope| {
        let running = scope.spawn(|| world.run(program));
        let mut most = 0;
        while !running.is_finished() {
            most = most.max(open_beneath(&world.at("granted")));
        }
        (running.join().unwrap(), most)
    })
}

/// How many descriptors of this process lie in `place`. Other tests have theirs elsewhere.
fn open_beneath(place: &Path) -> usize {
    let open = std::fs::read_dir("/proc/self/fd").unwrap();
    open.filter_map(|entry| std::fs::read_link(entry.ok()?.path()).ok()).filter(|path| path.starts_with(place)).count()
}

#[test]
pub(crate) fn a_handle_on_a_removed_directory_reaches_nothing() {
    let world = World::new().grant("box", "granted", Access::ReadWrite);
    std::fs::create_dir(world.at("granted/doomed")).unwrap();
    let ran = world.run("a_handle_on_a_removed_directory_reaches_nothing");
    assert_eq!(ran.result("remove-directory-at", "doomed"), "ok");
    for (call, path) in [
        ("create", "in the removed directory"),
        ("create-directory-at", "in the removed directory"),
        ("rename-at", "into the removed directory"),
        ("read", "through the old handle"),
    ] {
        assert!(!ran.result(call, path).starts_with("ok"), "{call} {path}");
    }
    ran.assert_only(|answer| {
        matches!(answer.path.as_str(), "doomed" | "doomed/fresh.txt")
            || (answer.call == "readdir" && answer.result == "ok")
    });
    assert_eq!(world.names("granted"), ["doomed", "inside.txt", "sub"]);
    assert_eq!(world.names("granted/doomed"), ["fresh.txt"]);
}
