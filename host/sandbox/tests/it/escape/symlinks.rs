//! Symbolic links: followed as far as they stay inside, and no further.

use super::{
    all_attempts, assert_all_refused, assert_tells_nothing, attempts, leftovers, list, patch, read, refused, write,
};
use crate::common::World;
use bailiwick_sandbox::{Access, ErrorKind};
use serde_json::json;
use std::os::fd::AsRawFd;
use std::os::unix::fs::symlink;

#[test]
fn link_to_an_outside_file_is_refused_by_every_tool() {
    let world = World::new(Access::ReadWrite);
    symlink("../secret.txt", world.granted().join("relative")).unwrap();
    symlink(world.base.path().join("secret.txt"), world.granted().join("absolute")).unwrap();
    symlink("../../secret.txt", world.granted().join("sub/deeper")).unwrap();
    symlink("relative", world.granted().join("chain")).unwrap();
    symlink("sub/../chain", world.granted().join("longer-chain")).unwrap();
    symlink("../granted/inside.txt", world.granted().join("out-and-in")).unwrap();
    for path in ["box/relative", "box/absolute", "box/sub/deeper", "box/chain", "box/longer-chain", "box/out-and-in"] {
        assert_all_refused(&world, path, true);
        let link = world.granted().join(path.strip_prefix("box/").unwrap());
        assert!(std::fs::symlink_metadata(link).unwrap().is_symlink(), "{path} was replaced");
    }
    assert_eq!(leftovers(&world.granted()), [""; 0]);
}

#[test]
fn link_to_an_outside_directory_is_refused_by_every_tool() {
    let world = World::new(Access::ReadWrite);
    symlink("..", world.granted().join("up")).unwrap();
    symlink(world.base.path(), world.granted().join("absolute")).unwrap();
    symlink("../granted-evil", world.granted().join("sibling")).unwrap();
    symlink("../granted-evil/", world.granted().join("slashed")).unwrap();
    symlink("up", world.granted().join("chain")).unwrap();
    for path in [
        "box/up/secret.txt",
        "box/absolute/secret.txt",
        "box/sibling/secret.txt",
        "box/slashed/secret.txt",
        "box/chain/secret.txt",
        "box/up/granted-evil/secret.txt",
        "box/up/granted/inside.txt",
        "box/sub/../up/secret.txt",
        "box/sibling/../secret.txt",
        "box/sibling/made-outside.txt",
        "box/up/made/outside.txt",
    ] {
        assert_all_refused(&world, path, true);
    }
    for path in ["up", "absolute", "sibling", "up/", "up/.", "slashed/", "chain//", "up/granted-evil", "sibling/.."] {
        let path = format!("box/{path}");
        let report = world.call("ListFiles", &json!({"path": path, "recursive": true}));
        assert_eq!(refused(&report), ErrorKind::NotPermitted, "{path}");
        assert!(report.cost.denied > 0, "{path}: {:?}", report.cost);
        assert_tells_nothing(&world, &report, &path, "ListFiles");
    }
    let all = world.call("ListFiles", &json!({"path": "box", "recursive": true})).outcome.unwrap();
    assert!(!all.contains("secret.txt"), "{all}");
}

#[test]
fn dangling_link_is_never_written_through() {
    let world = World::new(Access::ReadWrite);
    symlink("../made-outside.txt", world.granted().join("dangling")).unwrap();
    symlink("../granted-evil/made-outside.txt", world.granted().join("sub/dangling")).unwrap();
    symlink(world.base.path().join("made-outside.txt"), world.granted().join("absolute")).unwrap();
    symlink("../made-outside", world.granted().join("parent")).unwrap();
    symlink("dangling", world.granted().join("chain")).unwrap();
    symlink("nowhere.txt", world.granted().join("inside-dangling")).unwrap();
    for path in ["dangling", "sub/dangling", "absolute", "parent/x.txt", "chain", "inside-dangling"] {
        let path = format!("box/{path}");
        assert!(write(&world, &path, "overwritten\n").is_err(), "{path}");
        assert!(patch(&world, &path, "a", "b").is_err(), "{path}");
        world.assert_outside_untouched();
        assert_eq!(std::fs::read_dir(world.base.path().join("granted-evil")).unwrap().count(), 1, "{path}");
    }
    assert!(!world.granted().join("nowhere.txt").exists());
    assert_eq!(leftovers(&world.granted()), [""; 0]);
}

#[test]
fn magic_link_is_refused_by_every_tool() {
    let world = World::new(Access::ReadWrite);
    let secret = std::fs::File::open(world.base.path().join("secret.txt")).unwrap();
    let directory = std::fs::File::open(world.base.path()).unwrap();
    let root = format!("/proc/self/root{}", world.base.path().display());
    for (name, target) in [
        ("root", root),
        ("fd", format!("/proc/self/fd/{}", directory.as_raw_fd())),
        ("thread-fd", format!("/proc/thread-self/fd/{}", directory.as_raw_fd())),
        ("dev-fd", format!("/dev/fd/{}", directory.as_raw_fd())),
        ("cwd", "/proc/self/cwd".to_owned()),
    ] {
        symlink(&target, world.granted().join(name)).unwrap();
        assert_all_refused(&world, &format!("box/{name}/secret.txt"), true);
        assert_eq!(list(&world, &format!("box/{name}")), Err(ErrorKind::NotPermitted), "{name}");
    }
    for (name, target) in [
        ("file", format!("/proc/self/fd/{}", secret.as_raw_fd())),
        ("dev-file", format!("/dev/fd/{}", secret.as_raw_fd())),
        ("exe", "/proc/self/exe".to_owned()),
        ("environ", "/proc/self/environ".to_owned()),
        ("stdin", "/dev/stdin".to_owned()),
        ("up-to-proc", format!("{}proc/self/environ", "../".repeat(30))),
    ] {
        symlink(&target, world.granted().join(name)).unwrap();
        assert_all_refused(&world, &format!("box/{name}"), true);
    }
}

#[test]
fn link_that_stays_inside_works_for_every_tool() {
    let world = World::new(Access::ReadWrite);
    symlink("inside.txt", world.granted().join("link")).unwrap();
    symlink("../inside.txt", world.granted().join("sub/link")).unwrap();
    symlink("sub", world.granted().join("directory")).unwrap();
    symlink("directory/../sub/link", world.granted().join("chain")).unwrap();
    for path in ["box/link", "box/sub/link", "link", "box/sub/../inside.txt", "box/directory/link", "box/chain"] {
        assert_eq!(read(&world, path).unwrap(), "inside\n", "{path}");
        assert_eq!(write(&world, path, "written\n"), Ok(()), "{path}");
        assert_eq!(patch(&world, path, "written", "inside"), Ok(()), "{path}");
        assert_eq!(std::fs::read_to_string(world.granted().join("inside.txt")).unwrap(), "inside\n", "{path}");
    }
    for link in ["link", "sub/link", "directory", "chain"] {
        assert!(std::fs::symlink_metadata(world.granted().join(link)).unwrap().is_symlink(), "{link} was replaced");
    }
    assert_eq!(write(&world, "box/directory/new.txt", "new\n"), Ok(()));
    assert!(world.granted().join("sub/new.txt").is_file());
    let listed = list(&world, "box/directory/").unwrap();
    assert!(listed.iter().any(|(name, kind)| name.ends_with("link") && kind == "link"), "{listed:?}");
}

// An absolute link means a place on the host, and a tool knows no such place: not even when it lies in the grant.
#[test]
fn absolute_link_to_the_inside_is_refused_like_any_absolute_path() {
    let world = World::new(Access::ReadWrite);
    symlink(world.granted().join("inside.txt"), world.granted().join("file")).unwrap();
    symlink(world.granted(), world.granted().join("directory")).unwrap();
    for path in ["box/file", "box/directory/inside.txt"] {
        assert_all_refused(&world, path, true);
    }
    assert_eq!(std::fs::read_to_string(world.granted().join("inside.txt")).unwrap(), "inside\n");
}

#[test]
fn link_with_a_trailing_slash_is_the_directory_it_means_or_nothing() {
    let world = World::new(Access::ReadWrite);
    symlink("sub", world.granted().join("directory")).unwrap();
    symlink("inside.txt", world.granted().join("file")).unwrap();
    std::fs::write(world.granted().join("sub/in-sub.txt"), "").unwrap();
    for path in ["box/directory/", "box/directory/.", "box/directory//"] {
        let listed = list(&world, path).unwrap();
        assert!(listed.iter().any(|(name, _)| name.ends_with("in-sub.txt")), "{path}: {listed:?}");
        for (tool, input) in attempts(path) {
            assert_eq!(refused(&world.call(tool, &input)), ErrorKind::WrongKind, "{tool} {path}");
        }
    }
    for path in ["box/file/", "box/file/.", "box/file/x"] {
        for (tool, input) in all_attempts(path) {
            assert_eq!(refused(&world.call(tool, &input)), ErrorKind::WrongKind, "{tool} {path}");
        }
    }
    assert!(std::fs::symlink_metadata(world.granted().join("file")).unwrap().is_symlink());
    assert!(std::fs::symlink_metadata(world.granted().join("directory")).unwrap().is_symlink());
}

// A link's own text can tell where things lie on the host. It is never shown: not of a link that leads out, nor in a
// list.
#[test]
fn text_of_a_link_is_never_shown() {
    let world = World::new(Access::ReadWrite);
    let marker = "name-on-the-host";
    for (name, target) in [
        ("absolute", format!("/srv/{marker}")),
        ("relative", format!("../{marker}")),
        ("dangling", format!("sub/{marker}")),
        ("loop", format!("loop/{marker}")),
    ] {
        symlink(target, world.granted().join(name)).unwrap();
        for path in [format!("box/{name}"), format!("box/{name}/"), format!("box/{name}/below")] {
            for (tool, input) in all_attempts(&path) {
                let report = world.call(tool, &input);
                let text = format!("{:?}", report.outcome);
                assert!(!text.contains(marker), "{tool} {path}: {text}");
            }
        }
    }
    let all = world.call("ListFiles", &json!({"path": "box", "recursive": true})).outcome.unwrap();
    assert!(all.contains("absolute") && !all.contains(marker), "{all}");
}

#[test]
fn list_of_everything_goes_into_no_link() {
    let world = World::new(Access::ReadWrite);
    symlink("..", world.granted().join("sub/up")).unwrap();
    symlink(".", world.granted().join("round")).unwrap();
    symlink("../..", world.granted().join("sub/out")).unwrap();
    let names: Vec<_> = list(&world, "box").unwrap();
    let expected =
        [("inside.txt", "file"), ("round", "link"), ("sub", "directory"), ("sub/out", "link"), ("sub/up", "link")];
    let names: Vec<_> = names.iter().map(|(name, kind)| (name.as_str(), kind.as_str())).collect();
    assert_eq!(names, expected);
}
