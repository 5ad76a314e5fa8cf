//! Groups 7 and 9 of the escape matrix: times, sizes, offsets.

use super::world::World;
use bailiwick_sandbox::{Access, DenialReason};
use rustix::fs::{AtFlags, CWD, Timespec, Timestamps};
use serde_json::json;
use std::os::unix::fs::{MetadataExt, PermissionsExt};

#[test]
pub(crate) fn setting_times_changes_nothing() {
    let world = World::usual();
    for tree in ["granted", "frozen"] {
        world.link(&format!("{tree}/outside-link"), "../outside/secret-outside.txt");
    }
    let before = [world.tree("granted"), world.tree("frozen")];
    let ran = world.run("setting_times_changes_nothing");
    before[0].assert_unchanged(&world.tree("granted"), "the writable grant");
    before[1].assert_unchanged(&world.tree("frozen"), "the read-only grant");
    ran.assert_nothing_succeeded();
    ran.assert_denied_for(DenialReason::Metadata);
}

/// GHSA-mr2v-56j5-cmfc, and `p1_stat_extreme_host_mtime` of wasmtime. A filesystem keeps what it can of such a time, so the
/// expectation is made of what it kept.
#[test]
pub(crate) fn extreme_times_of_files_are_told_without_harm() {
    let world = World::new().grant("box", "granted", Access::ReadWrite);
    for (name, seconds, nanoseconds) in [
        ("before-1970", -1, 0),
        ("long-before", i64::MIN, 0),
        ("far-future", i64::MAX, 999_999_999),
        ("fraction", -1, 999_999_999),
    ] {
        world.write(&format!("granted/{name}"), name);
        let time = Timespec { tv_sec: seconds, tv_nsec: nanoseconds };
        let times = Timestamps { last_access: time, last_modification: time };
        rustix::fs::utimensat(CWD, world.at(&format!("granted/{name}")), &times, AtFlags::empty()).unwrap();
    }
    let ran = world.run_in_vain("extreme_times_of_files_are_told_without_harm");
    for name in ["before-1970", "long-before", "far-future", "fraction"] {
        let kept = rustix::fs::stat(world.at(&format!("granted/{name}"))).unwrap();
        let expected = match u64::try_from(kept.st_mtime) {
            Ok(seconds) => format!("ok: {seconds}.{:09}", kept.st_mtime_nsec),
            Err(_) => "ok: no time".to_owned(),
        };
        assert_eq!(ran.result("stat-at", name), expected);
        assert_eq!(ran.result("stat", name), expected);
        assert_eq!(ran.result("metadata-hash-at", name), "ok");
    }
    assert_eq!(ran.result("stat-at", "before-1970"), "ok: no time");
}

#[test]
pub(crate) fn offsets_and_sizes_at_the_end_of_numbers_are_refused() {
    let world = World::new().grant("box", "granted", Access::ReadWrite);
    let ran = world.run_in_vain("offsets_and_sizes_at_the_end_of_numbers_are_refused");
    for said in ["2^63 - 1", "2^63", "2^63 + 1", "2^64 - 2", "2^64 - 1"] {
        for call in ["write at", "set-size"] {
            assert!(!ran.result(call, said).starts_with("ok"), "{call} {said}");
        }
        for call in ["read at", "read so many at"] {
            // Past the end there is nothing, or the offset is none.
            assert!(matches!(ran.result(call, said), "ok" | "invalid"), "{call} {said}");
        }
    }
    ran.assert_results(&[
        ("read all", "inside.txt", "ok: inside\n"),
        ("read nothing", "inside.txt", "ok"),
        ("write nothing", "inside.txt", "ok: 0"),
    ]);
}

/// Thirty-two MiB may be written.
#[test]
pub(crate) fn a_write_far_past_the_end_is_charged() {
    let world = World::new().grant("box", "granted", Access::ReadWrite);
    let ran = world.run("a_write_far_past_the_end_is_charged");
    for said in ["1 TiB", "1 GiB", "64 MiB"] {
        for call in ["write at", "set-size", "create and write at"] {
            assert_eq!(ran.result(call, said), "quota", "{call} {said}");
        }
    }
    assert_eq!(ran.result("write at", "1 KiB"), "ok: 1");
    assert_eq!(std::fs::metadata(world.at("granted/inside.txt")).unwrap().len(), 1025);
}

/// Each hole by itself is no longer than what was written elsewhere before.
#[test]
fn holes_in_many_files_are_charged_together() {
    const EIGHT: u64 = 8 << 20;
    let world = World::new().grant("box", "granted", Access::ReadWrite);
    let mut operations = vec![json!(["open-at", 0, "first", "cw"]), json!(["set-size", 1, EIGHT])];
    for number in 0..50 {
        operations.push(json!(["open-at", 0, format!("file-{number}"), "cw"]));
        operations.push(json!(["write", number + 2, "x", EIGHT]));
    }
    world.operate(&json!(operations));
    let lengths =
        world.names("granted").into_iter().map(|name| std::fs::metadata(world.at("granted").join(name)).unwrap());
    let total: u64 = lengths.filter(std::fs::Metadata::is_file).map(|metadata| metadata.len()).sum();
    assert!(total <= 32 << 20, "{total} bytes in files where 32 MiB may be written");
}

/// Whoever gave those bits gave them to what the file held then. The kernel keeps them when root writes.
#[test]
fn set_id_bits_do_not_survive_a_write() {
    for (flags, said) in [("w", "write"), ("rw", "write"), ("tw", "truncate")] {
        let world = World::new().grant("box", "granted", Access::ReadWrite);
        let file = world.at("granted/inside.txt");
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o6755)).unwrap();
        world.operate(&json!([["open-at", 0, "inside.txt", flags], ["write", 1, "hostile", 0]]));
        assert_eq!(world.read("granted/inside.txt"), "hostile");
        assert_eq!(std::fs::metadata(&file).unwrap().mode() & 0o7777, 0o755, "{said} {flags}");
    }
}

/// What a guest makes has the permissions that any program here would give it.
#[test]
fn new_files_respect_the_mask_of_the_host() {
    let world = World::new().grant("box", "granted", Access::ReadWrite);
    world.operate(&json!([["open-at", 0, "made.txt", "cw"], ["create-directory-at", 0, "made"]]));
    world.write("outside/mask-outside.txt", "");
    std::fs::create_dir(world.at("outside/mask-outside")).unwrap();
    for (made, like) in [("granted/made.txt", "outside/mask-outside.txt"), ("granted/made", "outside/mask-outside")] {
        let mode = |place: &str| std::fs::metadata(world.at(place)).unwrap().mode();
        assert_eq!(mode(made), mode(like), "{made}");
    }
}
