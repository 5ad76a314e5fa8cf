//! Groups 1, 2 and 8 of the escape matrix: what a path alone can try.

use super::world::World;
use bailiwick_sandbox::{Access, DenialReason};
use serde_json::json;

#[test]
pub(crate) fn parent_and_absolute_paths_reach_nothing() {
    let ran = World::usual().run_in_vain("parent_and_absolute_paths_reach_nothing");
    ran.assert_nothing_succeeded();
    ran.assert_denied_for(DenialReason::Outside);
}

#[test]
pub(crate) fn a_grant_survives_every_name_of_itself() {
    let ran = World::usual().run_in_vain("a_grant_survives_every_name_of_itself");
    // It may be looked at and opened as what it is, by the names that are its own.
    ran.assert_only(|answer| {
        let own = !matches!(answer.path.as_str(), "" | "/" | "//" | "/." | "/./" | "///");
        let looks = ["stat-at", "metadata-hash-at", "open-at"].iter().any(|call| answer.call.starts_with(call));
        own && looks
    });
    for path in [".", "./", "sub/.."] {
        assert!(ran.result("open-at d", path).starts_with("ok: directory"), "{path}");
    }
}

#[test]
pub(crate) fn a_slash_at_the_end_asks_for_a_directory() {
    let ran = World::usual().run_in_vain("a_slash_at_the_end_asks_for_a_directory");
    ran.assert_only(|answer| answer.path.contains("sub") && answer.call == "stat-at follow");
    for path in ["sub/", "sub/.", "sub//", "./sub/./", "sub/deeper/.."] {
        assert_eq!(ran.result("stat-at follow", path), "ok: directory");
    }
}

#[test]
pub(crate) fn a_nul_ends_no_path() {
    let ran = World::usual().run_in_vain("a_nul_ends_no_path");
    ran.assert_only(|_| false);
}

#[test]
pub(crate) fn backslashes_and_encodings_are_plain_names() {
    let world = World::usual();
    let ran = world.run("backslashes_and_encodings_are_plain_names");
    ran.assert_only(|answer| answer.call == "create" || answer.call == "read");
    // Each name stands in the grant, letter for letter.
    let created: Vec<_> = ran.answers.iter().filter(|answer| answer.call == "create").collect();
    assert!(created.len() > 20);
    for answer in created {
        assert!(answer.succeeded(), "{answer:?}");
        assert_eq!(world.read(&format!("granted/{}", answer.path)), "plain");
        assert_eq!(ran.result("read", &answer.path), "ok: plain");
    }
}

#[test]
pub(crate) fn control_characters_are_kept_in_names() {
    let world = World::usual();
    let ran = world.run("control_characters_are_kept_in_names");
    let mut expected: Vec<_> = world.names("granted");
    for answer in ran.answers.iter().filter(|answer| answer.call == "read") {
        assert_eq!(answer.result, format!("ok: {}", answer.path));
        assert!(expected.contains(&answer.path), "{answer:?}");
    }
    expected.sort();
    assert_eq!(ran.result("readdir", "."), format!("ok: {}", expected.join("|")));
}

#[test]
pub(crate) fn a_name_has_at_most_255_bytes() {
    let world = World::usual();
    let ran = world.run("a_name_has_at_most_255_bytes");
    ran.assert_results(&[("create", "255 bytes", "ok: 4"), ("read", "255 bytes", "ok: long")]);
    for said in ["256 bytes", "256 bytes in 128 letters"] {
        for call in ["create", "create-directory-at", "rename-at (to)", "stat-at"] {
            assert_eq!(ran.result(call, said), "name-too-long", "{call} {said}");
        }
    }
    assert_eq!(world.read("granted/inside.txt"), "inside\n");
}

#[test]
pub(crate) fn paths_past_4096_bytes_end_in_an_error() {
    let ran = World::usual().run_in_vain("paths_past_4096_bytes_end_in_an_error");
    ran.assert_nothing_succeeded();
}

#[test]
pub(crate) fn siblings_with_the_same_prefix_are_out_of_reach() {
    // CVE-2025-53110, CVE-2026-34451: `/granted` is no prefix of `/granted-evil`. The grant is given with a slash, too.
    for place in ["granted", "granted/", "granted/."] {
        let world = World::new().grant("box", place, Access::ReadWrite);
        let before = world.tree("granted").without_directory_times();
        let ran = world.run("siblings_with_the_same_prefix_are_out_of_reach");
        before.assert_unchanged(&world.tree("granted").without_directory_times(), place);
        // `-evil` itself is an ordinary name, which comes and goes.
        ran.assert_only(|answer| answer.path == "-evil");
        ran.assert_denied_for(DenialReason::Outside);
    }
}

#[test]
pub(crate) fn handles_on_sub_directories_lead_no_higher() {
    let ran = World::usual().run_in_vain("handles_on_sub_directories_lead_no_higher");
    ran.assert_nothing_succeeded();
}

/// Authority is the open handle: what is put in its place afterwards is not granted.
#[test]
fn root_that_is_replaced_stays_the_one_that_was_granted() {
    let world = World::new().grant("box", "granted", Access::ReadWrite);
    std::fs::rename(world.at("granted"), world.at("elsewhere")).unwrap();
    world.link("granted", "outside");
    let answers = world.operate(&json!([
        ["open-at", 0, "secret-outside.txt", "fr"],
        ["open-at", 0, "inside.txt", "fr"],
        ["open-at", 0, "../outside/secret-outside.txt", "fr"],
        ["unlink-file-at", 0, "secret-outside.txt"],
    ]));
    let error = |code: &str| json!({ "err": code });
    assert_eq!(answers, [error("no-entry"), json!({"ok": 1}), error("not-permitted"), error("no-entry")]);
    // Nor does a root that is gone lead anywhere.
    let world = World::new().grant("box", "granted", Access::ReadWrite);
    std::fs::remove_dir_all(world.at("granted")).unwrap();
    std::fs::create_dir(world.at("granted")).unwrap();
    let answers = world.operate(&json!([
        ["open-at", 0, "new-outside.txt", "crw"],
        ["create-directory-at", 0, "new-outside"],
        ["open-at", 0, "../outside/secret-outside.txt", "fr"],
    ]));
    assert!(answers.iter().all(|answer| answer["err"].is_string()), "{answers:?}");
    assert!(world.names("granted").is_empty());
}
