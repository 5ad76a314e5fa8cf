//! Directories beside the grant, and the grant's own directory under other names or gone.

use super::{all_attempts, assert_all_refused, grant, list, patch, read, refused, world_with, write};
use crate::common::World;
use bailiwick_sandbox::{Access, ErrorKind};
use serde_json::json;
use std::os::unix::fs::symlink;

#[test]
fn sibling_with_the_same_prefix_is_out_of_reach() {
    let world = World::new(Access::ReadWrite);
    assert_all_refused(&world, "box/../granted-evil/secret.txt", true);
    // With a single grant its name may be left out, so this names a new directory inside.
    assert_eq!(read(&world, "box-evil/secret.txt"), Err(ErrorKind::NotFound));
    assert_eq!(write(&world, "box-evil/secret.txt", "x"), Ok(()));
    assert!(world.granted().join("box-evil/secret.txt").is_file());
    world.assert_outside_untouched();
}

#[test]
fn prefix_of_a_grants_name_is_another_name() {
    let world = world_with(|base| {
        let granted = base.join("granted");
        vec![grant("box", &granted, Access::ReadWrite), grant("box2", &granted.join("sub"), Access::ReadWrite)]
    });
    for path in
        ["bo/inside.txt", "box3/inside.txt", "Box/inside.txt", "box /inside.txt", "box-/inside.txt", "inside.txt"]
    {
        assert_all_refused(&world, path, true);
    }
    for path in ["bo", "box3", "BOX", "..", "inside.txt"] {
        assert_eq!(list(&world, path), Err(ErrorKind::NotPermitted), "{path}");
    }
    assert_eq!(read(&world, "box/inside.txt").unwrap(), "inside\n");
    assert_eq!(read(&world, "box2/inside.txt"), Err(ErrorKind::NotFound));
    assert_eq!(read(&world, "box2/../inside.txt"), Err(ErrorKind::NotPermitted));
}

#[test]
fn root_by_another_spelling_is_the_same_root() {
    for spelling in ["granted/", "granted//", "granted/.", "granted/sub/..", "link", "link/", "granted/round"] {
        let world = World::new(Access::ReadWrite);
        symlink("granted", world.base.path().join("link")).unwrap();
        symlink(".", world.granted().join("round")).unwrap();
        let root = grant("box", &world.base.path().join(spelling), Access::ReadWrite);
        std::fs::remove_file(world.base.path().join("link")).unwrap();
        let world = World { grants: bailiwick_sandbox::Grants::new(vec![root]).unwrap(), ..world };
        assert_eq!(read(&world, "box/inside.txt").unwrap(), "inside\n", "{spelling}");
        assert_eq!(write(&world, "box/sub/new.txt", "new\n"), Ok(()), "{spelling}");
        assert!(world.granted().join("sub/new.txt").is_file(), "{spelling}");
        for path in ["box/../secret.txt", "box/../granted-evil/secret.txt", "box/../granted/inside.txt"] {
            assert_all_refused(&world, path, true);
        }
    }
}

#[test]
fn grant_stays_on_the_directory_it_was_opened_on() {
    let world = World::new(Access::ReadWrite);
    std::fs::rename(world.granted(), world.base.path().join("moved")).unwrap();
    symlink(world.base.path(), world.granted()).unwrap();
    assert_eq!(read(&world, "box/secret.txt"), Err(ErrorKind::NotFound));
    assert_eq!(read(&world, "box/inside.txt").unwrap(), "inside\n");
    assert_eq!(write(&world, "box/secret.txt", "mine\n"), Ok(()));
    assert_eq!(std::fs::read_to_string(world.base.path().join("moved/secret.txt")).unwrap(), "mine\n");
    assert_eq!(std::fs::read_to_string(world.base.path().join("secret.txt")).unwrap(), "canary\n");
}

#[test]
fn root_replaced_by_another_directory_is_not_taken_for_it() {
    let world = World::new(Access::ReadWrite);
    std::fs::rename(world.granted(), world.base.path().join("moved")).unwrap();
    std::fs::rename(world.base.path().join("granted-evil"), world.granted()).unwrap();
    assert_all_refused_after(&world, "box/secret.txt");
    assert_eq!(patch(&world, "box/inside.txt", "inside", "patched"), Ok(()));
    assert_eq!(std::fs::read_to_string(world.base.path().join("moved/inside.txt")).unwrap(), "patched\n");
    assert_eq!(std::fs::read_dir(world.granted()).unwrap().count(), 1);
}

fn assert_all_refused_after(world: &World, path: &str) {
    assert_eq!(read(world, path), Err(ErrorKind::NotFound));
    assert_eq!(patch(world, path, "canary", "x"), Err(ErrorKind::NotFound));
    assert!(!list(world, "box").unwrap().iter().any(|(name, _)| name.contains("secret")));
}

#[test]
fn deleted_root_holds_nothing_and_takes_nothing() {
    let world = World::new(Access::ReadWrite);
    std::fs::remove_dir_all(world.granted()).unwrap();
    std::fs::create_dir(world.granted()).unwrap();
    std::fs::write(world.granted().join("inside.txt"), "canary\n").unwrap();
    for path in ["box/inside.txt", "box/sub/new.txt", "box/new.txt"] {
        for (tool, input) in all_attempts(path) {
            let kind = refused(&world.call(tool, &input));
            let expected = [ErrorKind::NotFound, ErrorKind::NotPermitted];
            assert!(expected.contains(&kind), "{tool} {path}: {kind:?}");
        }
    }
    assert_eq!(list(&world, "box").unwrap_or_default(), []);
    assert_eq!(std::fs::read_to_string(world.granted().join("inside.txt")).unwrap(), "canary\n");
    assert_eq!(std::fs::read_dir(world.granted()).unwrap().count(), 1);
}

#[test]
fn read_only_grant_is_never_written() {
    let world = World::new(Access::ReadOnly);
    for (tool, input) in [
        ("WriteFile", json!({"filePath": "box/inside.txt", "content": "x"})),
        ("WriteFile", json!({"filePath": "box/new.txt", "content": "x"})),
        ("WriteFile", json!({"filePath": "box/deep/er/new.txt", "content": "x"})),
        ("CodePatch", json!({"filePath": "box/inside.txt", "oldContent": "inside", "newContent": "x"})),
    ] {
        let report = world.call(tool, &input);
        assert_eq!(refused(&report), ErrorKind::NotPermitted, "{tool}");
        assert!(report.cost.denied > 0, "{tool}: {:?}", report.cost);
    }
    assert_eq!(std::fs::read_to_string(world.granted().join("inside.txt")).unwrap(), "inside\n");
    assert_eq!(std::fs::read_dir(world.granted()).unwrap().count(), 2);
}

#[test]
fn read_only_grant_within_a_writable_one_is_read_only_by_its_own_name() {
    let world = world_with(|base| {
        let granted = base.join("granted");
        vec![grant("all", &granted, Access::ReadWrite), grant("part", &granted.join("sub"), Access::ReadOnly)]
    });
    std::fs::write(world.granted().join("sub/file.txt"), "part\n").unwrap();
    assert_eq!(write(&world, "part/file.txt", "x"), Err(ErrorKind::NotPermitted));
    assert_eq!(patch(&world, "part/file.txt", "part", "x"), Err(ErrorKind::NotPermitted));
    assert_eq!(write(&world, "part/../sub/file.txt", "x"), Err(ErrorKind::NotPermitted));
    assert_eq!(std::fs::read_to_string(world.granted().join("sub/file.txt")).unwrap(), "part\n");
    // A grant is a way in and not a lock: a tool that was granted the whole may write the part through it.
    assert_eq!(write(&world, "all/sub/file.txt", "whole\n"), Ok(()));
    assert_eq!(read(&world, "part/file.txt").unwrap(), "whole\n");
}

#[test]
fn writable_grant_within_a_read_only_one_opens_itself_alone() {
    let world = world_with(|base| {
        let granted = base.join("granted");
        vec![grant("all", &granted, Access::ReadOnly), grant("part", &granted.join("sub"), Access::ReadWrite)]
    });
    symlink("..", world.granted().join("sub/up")).unwrap();
    assert_eq!(write(&world, "part/new.txt", "new\n"), Ok(()));
    assert_eq!(read(&world, "all/sub/new.txt").unwrap(), "new\n");
    for path in
        ["all/sub/new.txt", "all/inside.txt", "all/x.txt", "part/../inside.txt", "part/up/inside.txt", "part/up/x"]
    {
        assert_eq!(write(&world, path, "x"), Err(ErrorKind::NotPermitted), "{path}");
    }
    assert_eq!(patch(&world, "part/up/inside.txt", "inside", "x"), Err(ErrorKind::NotPermitted));
    assert_eq!(std::fs::read_to_string(world.granted().join("inside.txt")).unwrap(), "inside\n");
    assert_eq!(std::fs::read_dir(world.granted()).unwrap().count(), 2);
    world.assert_outside_untouched();
}

#[test]
fn one_directory_under_two_names_is_written_by_one_of_them() {
    let world = world_with(|base| {
        let granted = base.join("granted");
        vec![grant("look", &granted, Access::ReadOnly), grant("change", &granted, Access::ReadWrite)]
    });
    assert_eq!(write(&world, "look/inside.txt", "x"), Err(ErrorKind::NotPermitted));
    assert_eq!(write(&world, "change/inside.txt", "changed\n"), Ok(()));
    assert_eq!(read(&world, "look/inside.txt").unwrap(), "changed\n");
}
