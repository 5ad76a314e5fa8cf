//! Ways of writing a path.

use super::{all_attempts, assert_all_refused, assert_tells_nothing, attempts, read, refused, write};
use crate::common::World;
use bailiwick_sandbox::{Access, ErrorKind};
use rustix::fs::{CWD, Mode, OFlags, mkdirat, openat};
use serde_json::json;
use std::os::unix::fs::symlink;

#[test]
fn parent_directory_is_refused_by_every_tool() {
    let world = World::new(Access::ReadWrite);
    for path in [
        "box/../secret.txt",
        "../secret.txt",
        "./../secret.txt",
        "box/sub/../../secret.txt",
        "box/./sub/../../secret.txt",
        "box/sub/./../../secret.txt",
        "box//sub//..//..//secret.txt",
        "box/sub/../../granted-evil/secret.txt",
        "box/../granted/inside.txt",
        "../granted/inside.txt",
    ] {
        assert_all_refused(&world, path, true);
    }
    for path in ["box/..", "..", "../", "./..", "box/sub/../..", "box/../.", "box/sub/../../granted"] {
        let report = world.call("ListFiles", &json!({"path": path}));
        assert_eq!(refused(&report), ErrorKind::NotPermitted, "{path}");
        assert_tells_nothing(&world, &report, path, "ListFiles");
    }
    assert_eq!(read(&world, "box/inside.txt").unwrap(), "inside\n");
}

#[test]
fn absolute_path_is_refused_even_when_it_points_inside() {
    let world = World::new(Access::ReadWrite);
    let inside = world.granted().join("inside.txt");
    let outside = world.base.path().join("secret.txt");
    let twice = format!("/{}", outside.to_str().unwrap());
    for path in [
        inside.to_str().unwrap(),
        outside.to_str().unwrap(),
        &twice,
        "/etc/passwd",
        "//etc/passwd",
        "/./etc/passwd",
        "/box/inside.txt",
        "/..",
    ] {
        assert_all_refused(&world, path, true);
    }
    for path in ["/", "//", "/.", "/box", "/etc"] {
        assert_eq!(refused(&world.call("ListFiles", &json!({"path": path}))), ErrorKind::NotPermitted, "{path}");
    }
    assert_eq!(std::fs::read_to_string(inside).unwrap(), "inside\n");
}

#[test]
fn path_without_a_last_name_is_not_a_file() {
    let world = World::new(Access::ReadWrite);
    for path in ["", ".", "./", "/", "/.", "//", "box", "box/", "box/.", "box//", "box/./", "box/sub/.", "box/sub/.."] {
        for (tool, input) in attempts(path) {
            let kind = refused(&world.call(tool, &input));
            let expected = [ErrorKind::InvalidInput, ErrorKind::WrongKind, ErrorKind::NotPermitted];
            assert!(expected.contains(&kind), "{tool} {path:?}: {kind:?}");
        }
    }
    assert_eq!(std::fs::read_dir(world.granted()).unwrap().count(), 2);
}

#[test]
fn slashes_and_dots_beside_the_names_mean_what_they_mean_to_the_kernel() {
    let world = World::new(Access::ReadWrite);
    for path in
        ["box//inside.txt", "box/./inside.txt", "./box/inside.txt", "box/sub/../inside.txt", "box///.//inside.txt"]
    {
        assert_eq!(read(&world, path).as_deref(), Ok("inside\n"), "{path}");
    }
    // After a file they ask for a directory, and for none that would be made.
    for path in ["box/inside.txt/", "box/inside.txt/.", "box/inside.txt//", "box/inside.txt/../inside.txt"] {
        for (tool, input) in attempts(path) {
            assert_eq!(refused(&world.call(tool, &input)), ErrorKind::WrongKind, "{tool} {path}");
        }
    }
    for path in ["box/new.txt/", "box/new.txt/.", "box/new.txt//", "box/new.txt/.."] {
        assert!(write(&world, path, "x").is_err(), "{path}");
        assert!(!world.granted().join("new.txt").is_file(), "{path}");
    }
    assert_eq!(std::fs::read_to_string(world.granted().join("inside.txt")).unwrap(), "inside\n");
}

#[test]
fn what_other_programs_would_decode_is_a_plain_name() {
    let world = World::new(Access::ReadWrite);
    for path in [
        "%2e%2e/secret.txt",
        "%2e%2e%2fsecret.txt",
        "..%2fsecret.txt",
        "%252e%252e/secret.txt",
        "..%c0%afsecret.txt",
        "..%00/secret.txt",
        "~/secret.txt",
        "~root/secret.txt",
        "$HOME/secret.txt",
        "${PWD}/secret.txt",
        "`pwd`/secret.txt",
        "file:///etc/passwd",
        "..\\secret.txt",
        "sub\\..\\..\\secret.txt",
        "\\\\?\\C:\\secret.txt",
        "C:\\secret.txt",
        "....//secret.txt",
        "..;/secret.txt",
        ".../secret.txt",
        ".. /secret.txt",
        "\u{ff0e}\u{ff0e}/secret.txt",
        "\u{2024}\u{2024}/secret.txt",
        "..\u{2215}secret.txt",
    ] {
        let granted = world.granted().join(path);
        assert_eq!(read(&world, path), Err(ErrorKind::NotFound), "{path}");
        assert_eq!(write(&world, path, "mine\n"), Ok(()), "{path}");
        assert_eq!(std::fs::read_to_string(granted).unwrap(), "mine\n", "{path}");
        world.assert_outside_untouched();
    }
    // With a real step up in them they stay one.
    for path in ["file://../../secret.txt", "~/../../secret.txt", "%2e%2e/../../secret.txt", "..\\../../secret.txt"] {
        assert_all_refused(&world, path, false);
    }
}

#[test]
fn nul_in_a_path_is_refused_by_every_tool() {
    let world = World::new(Access::ReadWrite);
    for path in ["box/inside.txt\0", "\0", "box/inside.txt\0.png", "box/\0../secret.txt", "box\0/inside.txt"] {
        for (tool, input) in all_attempts(path) {
            assert_eq!(refused(&world.call(tool, &input)), ErrorKind::InvalidInput, "{tool} {path:?}");
        }
    }
    assert_eq!(std::fs::read_dir(world.granted()).unwrap().count(), 2);
    assert_eq!(read(&world, "box/inside.txt").unwrap(), "inside\n");
}

/// What could end a line of a log, move a terminal's cursor or turn the direction of its text.
const UNPRINTABLE: [char; 10] =
    ['\r', '\n', '\u{1b}', '\u{7}', '\u{8}', '\u{7f}', '\u{9b}', '\u{202e}', '\u{2066}', '\u{200b}'];

#[test]
fn control_characters_of_a_path_stand_escaped_in_the_error() {
    let world = World::new(Access::ReadWrite);
    for character in UNPRINTABLE {
        for path in [
            format!("box/no{character}[2Jsuch.txt"),
            format!("box/../{character}"),
            format!("/{character}"),
            format!("box/inside.txt/{character}"),
        ] {
            for (tool, input) in all_attempts(&path) {
                if tool == "WriteFile" && path.contains("such") {
                    continue;
                }
                let error = world.call(tool, &input).outcome.unwrap_err().to_string();
                assert!(!error.contains(UNPRINTABLE), "{tool} {path:?}: {error:?}");
                let escaped = character.escape_unicode().to_string();
                assert!(error.contains(&escaped), "{tool} {path:?} is not to be recognised: {error:?}");
            }
        }
    }
}

#[test]
fn control_characters_of_a_name_stand_escaped_in_the_answer() {
    let world = World::new(Access::ReadWrite);
    for character in UNPRINTABLE.into_iter().filter(char::is_ascii) {
        let path = format!("a{character}b");
        assert_eq!(write(&world, &path, "x\n"), Ok(()), "{path:?}");
        assert!(world.granted().join(&path).is_file(), "{path:?}");
        for (tool, input) in [
            ("WriteFile", json!({"filePath": path, "content": "x\n"})),
            ("CodePatch", json!({"filePath": path, "oldContent": "x", "newContent": "y"})),
            ("ListFiles", json!({"path": "box"})),
        ] {
            let answer = world.call(tool, &input).outcome.unwrap();
            // JSON lets DEL stand.
            let raw = answer.chars().any(|found| found < ' ');
            assert!(!raw, "{tool} {path:?}: {answer:?}");
        }
    }
}

#[test]
fn component_of_255_bytes_is_used_and_one_more_is_refused() {
    let world = World::new(Access::ReadWrite);
    let wide = "\u{e9}".repeat(127);
    for name in ["n".repeat(255), wide.clone() + "n"] {
        assert_eq!(name.len(), 255);
        assert_eq!(write(&world, &format!("box/{name}"), "kept\n"), Ok(()));
        assert_eq!(read(&world, &format!("box/{name}")).unwrap(), "kept\n");
        std::fs::remove_file(world.granted().join(&name)).unwrap();
        assert_eq!(write(&world, &format!("box/{name}/f"), "kept\n"), Ok(()));
    }
    for name in ["n".repeat(256), wide + "nn"] {
        for path in [format!("box/{name}"), format!("box/{name}/x")] {
            for (tool, input) in all_attempts(&path) {
                assert_eq!(refused(&world.call(tool, &input)), ErrorKind::InvalidInput, "{tool} {path}");
            }
        }
    }
}

#[test]
fn path_over_4096_bytes_is_refused_by_every_tool() {
    let world = World::new(Access::ReadWrite);
    for path in
        [format!("box/{}inside.txt", "sub/../".repeat(600)), format!("box/{}x", "d/".repeat(2100)), "x".repeat(70_000)]
    {
        for (tool, input) in all_attempts(&path) {
            assert_eq!(refused(&world.call(tool, &input)), ErrorKind::InvalidInput, "{tool} {} bytes", path.len());
        }
    }
    assert_eq!(std::fs::read_dir(world.granted()).unwrap().count(), 2);
    let longest = format!("box/{}inside.txt", "sub/../".repeat(500));
    assert_eq!(read(&world, &longest).unwrap(), "inside\n");
}

#[test]
fn ten_thousand_directories_one_in_another_are_listed_as_far_as_the_limit() {
    const DEPTH: usize = 10_000;
    let world = World::new(Access::ReadWrite);
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let open = |path| openat(CWD, path, flags, Mode::empty()).unwrap();
    let mut here = open(world.granted());
    for _ in 0..DEPTH {
        mkdirat(&here, "d", Mode::from_raw_mode(0o755)).unwrap();
        here = openat(&here, "d", flags, Mode::empty()).unwrap();
    }
    let report = world.call("ListFiles", &json!({"path": "box", "recursive": true})).outcome.unwrap();
    let listed: serde_json::Value = serde_json::from_str(&report).unwrap();
    assert_eq!(listed["unreadable"].as_array().unwrap().len(), 1, "{listed}");
    assert!(listed["entries"].as_array().unwrap().len() < 100);
    let deep = format!("box/{}deep.txt", "d/".repeat(1500));
    assert_eq!(write(&world, &deep, "deep\n"), Ok(()));
    assert_eq!(read(&world, &deep).unwrap(), "deep\n");
    assert_eq!(read(&world, &format!("box/{}inside.txt", "d/../".repeat(700))).unwrap(), "inside\n");
    for (tool, input) in all_attempts(&format!("box/{}deep.txt", "d/".repeat(DEPTH))) {
        assert_eq!(refused(&world.call(tool, &input)), ErrorKind::InvalidInput, "{tool}");
    }
    // What removes a tree by recursion runs out of handles or of stack here.
    let root = open(world.granted());
    std::fs::remove_file(world.granted().join("d/".repeat(1500) + "deep.txt")).unwrap();
    while rustix::fs::renameat(&root, "d/d", &root, "e").is_ok() {
        std::fs::remove_dir(world.granted().join("d")).unwrap();
        rustix::fs::renameat(&root, "e", &root, "d").unwrap();
    }
}

#[test]
fn forty_links_in_a_row_are_followed_and_one_more_is_refused() {
    let world = World::new(Access::ReadWrite);
    symlink("inside.txt", world.granted().join("link-1")).unwrap();
    for number in 2..=41 {
        symlink(format!("link-{}", number - 1), world.granted().join(format!("link-{number}"))).unwrap();
    }
    assert_eq!(read(&world, "box/link-40").unwrap(), "inside\n");
    assert_all_refused(&world, "box/link-41", false);
    for (tool, input) in attempts("box/link-41") {
        assert_eq!(refused(&world.call(tool, &input)), ErrorKind::NotPermitted, "{tool}");
    }
    assert_eq!(std::fs::read_to_string(world.granted().join("inside.txt")).unwrap(), "inside\n");
}

#[test]
fn loop_of_links_is_refused_by_every_tool() {
    let world = World::new(Access::ReadWrite);
    symlink("self", world.granted().join("self")).unwrap();
    symlink("two", world.granted().join("one")).unwrap();
    symlink("one", world.granted().join("two")).unwrap();
    symlink("../sub/around", world.granted().join("sub/around")).unwrap();
    for path in ["box/self", "box/self/x", "box/one", "box/two/", "box/sub/around", "box/sub/around/x"] {
        for (tool, input) in all_attempts(path) {
            assert_eq!(refused(&world.call(tool, &input)), ErrorKind::NotPermitted, "{tool} {path}");
        }
    }
    assert_eq!(list(&world), ["inside.txt", "one", "self", "sub", "sub/around", "two"]);
}

fn list(world: &World) -> Vec<String> {
    super::list(world, "box").unwrap().into_iter().map(|(name, _)| name).collect()
}
