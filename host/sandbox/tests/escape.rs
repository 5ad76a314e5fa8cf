//! No tool leaves the granted directory, by any name. The canary outside says so, not the error text.

#![expect(clippy::unwrap_used, reason = "helpers of tests stop at the first surprise")]

mod common;

use bailiwick_sandbox::{Access, CallError, CallReport, ErrorKind};
use common::World;
use serde_json::{Value, json};
use std::os::unix::fs::symlink;

fn refused(report: &CallReport) -> ErrorKind {
    match &report.outcome {
        Err(CallError::Tool(error)) => error.kind,
        other => panic!("expected a refusal, got {other:?}"),
    }
}

/// Every tool that takes a file, with an input that would show or change what is at `path`.
fn attempts(path: &str) -> Vec<(&'static str, Value)> {
    vec![
        ("ReadFile", json!({"filePath": path})),
        ("WriteFile", json!({"filePath": path, "content": "overwritten\n"})),
        ("CodePatch", json!({"filePath": path, "oldContent": "canary", "newContent": "overwritten"})),
    ]
}

fn assert_all_refused(world: &World, path: &str, counted: bool) {
    for (tool, input) in attempts(path) {
        let report = world.call(tool, &input);
        let kind = refused(&report);
        assert!(
            matches!(kind, ErrorKind::NotPermitted | ErrorKind::InvalidInput | ErrorKind::NotFound),
            "{tool} {path}: {kind:?}"
        );
        if counted {
            assert_eq!(kind, ErrorKind::NotPermitted, "{tool} {path}: {:?}", report.outcome);
        }
        let text = format!("{:?}", report.outcome);
        assert!(!text.contains("canary\\n"), "{tool} showed the secret: {text}");
        let host = world.base.path().to_str().unwrap();
        assert!(path.contains(host) || !text.contains(host), "{tool} shows a host path: {text}");
    }
    world.assert_outside_untouched();
}

#[test]
fn parent_directory_is_refused_by_every_tool() {
    let world = World::new(Access::ReadWrite);
    for path in [
        "box/../secret.txt",
        "../secret.txt",
        "box/sub/../../secret.txt",
        "box/./sub/../../secret.txt",
        "box/sub/../../granted-evil/secret.txt",
    ] {
        assert_all_refused(&world, path, true);
    }
    for path in ["box/..", "..", "box/sub/../.."] {
        assert_eq!(refused(&world.call("ListFiles", &json!({"path": path}))), ErrorKind::NotPermitted, "{path}");
    }
}

#[test]
fn absolute_path_is_refused_even_when_it_points_inside() {
    let world = World::new(Access::ReadWrite);
    let inside = world.granted().join("inside.txt");
    let outside = world.base.path().join("secret.txt");
    for path in [inside.to_str().unwrap(), outside.to_str().unwrap(), "/etc/passwd", "//etc/passwd", "/box/inside.txt"]
    {
        assert_all_refused(&world, path, true);
    }
    assert_eq!(refused(&world.call("ListFiles", &json!({"path": "/"}))), ErrorKind::NotPermitted);
    assert_eq!(std::fs::read_to_string(inside).unwrap(), "inside\n");
}

#[test]
fn link_to_an_outside_file_is_refused_by_every_tool() {
    let world = World::new(Access::ReadWrite);
    symlink("../secret.txt", world.granted().join("relative")).unwrap();
    symlink(world.base.path().join("secret.txt"), world.granted().join("absolute")).unwrap();
    symlink("relative", world.granted().join("chain")).unwrap();
    for path in ["box/relative", "box/absolute", "box/chain"] {
        for (tool, input) in attempts(path) {
            // A replacement may take the link's own place; what it pointed at stays as it was.
            let report = world.call(tool, &input);
            if tool != "WriteFile" {
                assert_eq!(refused(&report), ErrorKind::NotPermitted, "{tool} {path}");
            }
            world.assert_outside_untouched();
        }
    }
}

#[test]
fn link_to_an_outside_directory_is_refused_by_every_tool() {
    let world = World::new(Access::ReadWrite);
    symlink("..", world.granted().join("up")).unwrap();
    symlink(world.base.path(), world.granted().join("absolute")).unwrap();
    symlink("../granted-evil", world.granted().join("sibling")).unwrap();
    for path in
        ["box/up/secret.txt", "box/absolute/secret.txt", "box/sibling/secret.txt", "box/up/granted-evil/secret.txt"]
    {
        assert_all_refused(&world, path, true);
    }
    for path in ["box/up", "box/absolute", "box/sibling", "box/up/", "box/up/granted-evil"] {
        let report = world.call("ListFiles", &json!({"path": path, "recursive": true}));
        assert_eq!(refused(&report), ErrorKind::NotPermitted, "{path}");
        assert!(report.cost.denied > 0, "{path}: {:?}", report.cost);
    }
    let all = world.call("ListFiles", &json!({"path": "box", "recursive": true})).outcome.unwrap();
    assert!(!all.contains("secret.txt"), "{all}");
}

#[test]
fn dangling_link_is_never_written_through() {
    let world = World::new(Access::ReadWrite);
    symlink("../made-outside.txt", world.granted().join("dangling")).unwrap();
    symlink("../granted-evil/made-outside.txt", world.granted().join("sub/dangling")).unwrap();
    for path in ["box/dangling", "box/sub/dangling"] {
        let _ = world.call("WriteFile", &json!({"filePath": path, "content": "overwritten\n"}));
        let _ = world.call("CodePatch", &json!({"filePath": path, "oldContent": "a", "newContent": "b"}));
        world.assert_outside_untouched();
        assert!(!world.base.path().join("granted-evil/made-outside.txt").exists());
    }
}

#[test]
fn sibling_with_the_same_prefix_is_out_of_reach() {
    let world = World::new(Access::ReadWrite);
    assert_all_refused(&world, "box/../granted-evil/secret.txt", true);
    // With a single grant its name may be left out, so this names a new directory inside.
    let report = world.call("ReadFile", &json!({"filePath": "box-evil/secret.txt"}));
    assert_eq!(refused(&report), ErrorKind::NotFound);
    world.call("WriteFile", &json!({"filePath": "box-evil/secret.txt", "content": "x"})).outcome.unwrap();
    assert!(world.granted().join("box-evil/secret.txt").is_file());
    world.assert_outside_untouched();
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
fn fifo_is_refused_without_blocking() {
    let world = World::new(Access::ReadWrite);
    rustix::fs::mknodat(
        rustix::fs::CWD,
        world.granted().join("pipe"),
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::from_raw_mode(0o600),
        0,
    )
    .unwrap();
    for (tool, input) in attempts("box/pipe") {
        let report = world.call(tool, &input);
        let kind = refused(&report);
        assert_eq!(kind, ErrorKind::WrongKind, "{tool}: {:?}", report.outcome);
        assert!(report.cost.wall < std::time::Duration::from_secs(2), "{tool} waited");
    }
    assert_eq!(world.sandbox.stuck(), 0);
}

#[test]
fn grant_stays_on_the_directory_it_was_opened_on() {
    let world = World::new(Access::ReadWrite);
    std::fs::rename(world.granted(), world.base.path().join("moved")).unwrap();
    symlink(world.base.path(), world.granted()).unwrap();
    let read = world.call("ReadFile", &json!({"filePath": "box/secret.txt"}));
    assert_eq!(refused(&read), ErrorKind::NotFound);
    assert!(world.call("ReadFile", &json!({"filePath": "box/inside.txt"})).outcome.unwrap().contains("inside"));
}

#[test]
fn links_that_stay_inside_work() {
    let world = World::new(Access::ReadWrite);
    symlink("inside.txt", world.granted().join("link")).unwrap();
    symlink("../inside.txt", world.granted().join("sub/link")).unwrap();
    for path in ["box/link", "box/sub/link", "link", "box/sub/../inside.txt"] {
        assert!(world.call("ReadFile", &json!({"filePath": path})).outcome.unwrap().contains("inside"), "{path}");
    }
}

#[test]
fn undecodable_name_hides_no_other() {
    use std::os::unix::ffi::OsStrExt;
    let world = World::new(Access::ReadOnly);
    std::fs::write(world.granted().join(std::ffi::OsStr::from_bytes(b"bad\xffname")), "").unwrap();
    let listing = world.call("ListFiles", &json!({"path": "box"})).outcome.unwrap();
    assert!(listing.contains("inside.txt") && listing.contains("sub"), "{listing}");
    assert!(!listing.contains("bad"), "{listing}");
}
