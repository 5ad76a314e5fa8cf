//! Between grants: two accesses must not add up.

use super::world::World;
use bailiwick_sandbox::Access::{ReadOnly, ReadWrite};

/// GHSA-4ch3-9j33-3pmj.
#[test]
pub(crate) fn nothing_moves_between_read_only_and_writable() {
    let world = World::usual();
    for tree in ["granted", "frozen"] {
        world.link(&format!("{tree}/link"), "inside.txt");
        std::fs::create_dir(world.at(tree).join("empty")).unwrap();
    }
    let before = [world.tree("granted"), world.tree("frozen")];
    let ran = world.run("nothing_moves_between_read_only_and_writable");
    before[0].assert_unchanged(&world.tree("granted"), "the writable grant");
    before[1].assert_unchanged(&world.tree("frozen"), "the read-only grant");
    ran.assert_nothing_succeeded();
}

#[test]
pub(crate) fn files_move_between_writable_grants_and_are_not_linked() {
    let world = World::usual();
    let ran = world.run("files_move_between_writable_grants_and_are_not_linked");
    ran.assert_results(&[
        ("link-at", "inside.txt", "not-permitted"),
        ("rename-at", "box/inside.txt -> other/moved", "ok"),
        ("read", "other/moved", "ok: inside\n"),
        ("read", "other/moved-sub/deeper/leaf.txt", "ok: leaf\n"),
    ]);
    // Both may be written, and still there is no way from one to the other but by its own handle.
    ran.assert_only(|answer| answer.path.contains("other/") && !answer.path.contains(".."));
    assert!(!world.exists("granted/inside.txt"));
}

/// What holds for nested grants: each handle has the access of its own grant, and nothing narrows the outer one. Whoever
/// grants a tree for writing and a part of it for reading has granted the part for writing.
#[test]
pub(crate) fn a_read_only_grant_within_a_writable_one() {
    let world = World::new();
    world.write("granted/inner/inside.txt", "inside\n");
    world.write("granted/beside.txt", "beside\n");
    let world = world.grant("outer", "granted", ReadWrite).grant("inner", "granted/inner", ReadOnly);
    let ran = world.run("a_read_only_grant_within_a_writable_one");
    ran.assert_results(&[
        ("create-directory-at", "inside.txt", "read-only"),
        ("unlink-file-at", "inside.txt", "read-only"),
        ("write", "outer/inner/inside.txt", "ok: 7"),
        ("read", "inner/inside.txt", "ok: hostile"),
        ("rename-at", "inner -> outer", "read-only"),
        ("rename-at", "outer -> inner", "read-only"),
        ("link-at", "inner -> outer", "not-permitted"),
    ]);
    ran.assert_only(|answer| match answer.path.as_str() {
        "outer/inner/inside.txt" | "inner/inside.txt" => true,
        "inside.txt" => !answer.call.contains("rename") && !answer.call.contains("write"),
        _ => false,
    });
    assert_eq!(world.read("granted/beside.txt"), "beside\n");
}

#[test]
pub(crate) fn a_writable_grant_within_a_read_only_one() {
    let world = World::new();
    world.write("granted/inner/inside.txt", "inside\n");
    world.write("granted/beside.txt", "beside\n");
    let world = world.grant("outer", "granted", ReadOnly).grant("inner", "granted/inner", ReadWrite);
    let ran = world.run("a_writable_grant_within_a_read_only_one");
    ran.assert_results(&[
        ("is-same-object", "inner", "ok: true"),
        ("rename-at", "through -> inner", "read-only"),
        ("rename-at", "inner -> through", "read-only"),
        ("rename-at", "outer -> inner", "read-only"),
        ("write", "inner/made.txt", "ok: 7"),
    ]);
    assert_eq!(world.read("granted/inner/inside.txt"), "inside\n");
    assert_eq!(world.read("granted/beside.txt"), "beside\n");
    assert_eq!(world.names("granted/inner"), ["inside.txt", "made.txt"]);
}

#[test]
pub(crate) fn one_directory_granted_twice_keeps_both_accesses() {
    let world = World::new().grant("writable", "granted", ReadWrite).grant("reading", "granted", ReadOnly);
    let ran = world.run("one_directory_granted_twice_keeps_both_accesses");
    ran.assert_results(&[
        ("is-same-object", "", "ok: true"),
        ("rename-at", "reading -> writable", "read-only"),
        ("rename-at", "writable -> reading", "read-only"),
        ("unlink-file-at", "inside.txt", "read-only"),
        ("create", "writable/made.txt", "ok: 7"),
        ("read", "reading/made.txt", "ok: hostile"),
    ]);
    assert_eq!(world.read("granted/inside.txt"), "inside\n");
}
