//! What a write leaves beside the content: the file's own metadata when it succeeds, nothing when it is refused. And
//! answers that say what was wrong instead of nothing.

#![expect(clippy::unwrap_used, reason = "helpers of tests stop at the first surprise")]

mod common;

use bailiwick_sandbox::{Access, CallError, CallReport, ErrorKind};
use common::World;
use serde_json::{Value, json};
use std::os::unix::fs::{MetadataExt, PermissionsExt};

fn refusal(report: &CallReport) -> (ErrorKind, String) {
    match &report.outcome {
        Err(CallError::Tool(error)) => (error.kind, error.message.clone()),
        other => panic!("expected a refusal, got {other:?}"),
    }
}

/// Every name beneath the granted directory.
fn tree(world: &World) -> Vec<String> {
    fn collect(directory: &std::path::Path, names: &mut Vec<String>) {
        for entry in std::fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            names.push(path.display().to_string());
            if path.is_dir() {
                collect(&path, names);
            }
        }
    }
    let mut names = Vec::new();
    collect(&world.granted(), &mut names);
    names.sort();
    names
}

#[test]
fn path_that_can_only_mean_a_directory_leaves_nothing() {
    let world = World::new(Access::ReadWrite);
    let before = tree(&world);
    for path in [
        "x/",
        "box/x/",
        "x//",
        "x/.",
        "x/./",
        "x/..",
        "a/b/",
        "a/b/.",
        "a/b/..",
        "a/../b/c/.",
        "inside.txt/",
        "sub",
        "sub/",
        ".",
    ] {
        let report = world.call("WriteFile", &json!({"filePath": path, "content": "text\n"}));
        let (kind, _) = refusal(&report);
        assert!(
            matches!(kind, ErrorKind::InvalidInput | ErrorKind::WrongKind | ErrorKind::NotPermitted),
            "{path}: {kind:?}"
        );
        assert_eq!(tree(&world), before, "{path}");
    }
}

#[test]
fn write_that_fails_half_way_takes_its_directories_back() {
    let world = World::new(Access::ReadWrite);
    let before = tree(&world);
    let long = "n".repeat(300);
    // The rename to a name that is too long fails after the directories and the temporary file were made.
    let report = world.call("WriteFile", &json!({"filePath": format!("box/a/b/{long}"), "content": "text\n"}));
    assert_eq!(refusal(&report).0, ErrorKind::InvalidInput);
    assert_eq!(tree(&world), before);
    // So does a name that is too long for a directory on the way.
    let report = world.call("WriteFile", &json!({"filePath": format!("box/a/{long}/c"), "content": "text\n"}));
    assert_eq!(refusal(&report).0, ErrorKind::InvalidInput);
    assert_eq!(tree(&world), before);
}

#[test]
fn refused_write_to_a_read_only_grant_says_so_and_how_to_change_it() {
    let world = World::new(Access::ReadOnly);
    for (tool, input) in [
        ("WriteFile", json!({"filePath": "box/inside.txt", "content": "x"})),
        ("WriteFile", json!({"filePath": "box/a/b/new.txt", "content": "x"})),
        ("CodePatch", json!({"filePath": "box/inside.txt", "oldContent": "inside", "newContent": "x"})),
        ("UpdateCspellWords", json!({"words": ["x"]})),
    ] {
        let report = world.call(tool, &input);
        let (kind, message) = refusal(&report);
        assert_eq!(kind, ErrorKind::NotPermitted, "{tool}");
        assert!(message.contains("`box` is granted read-only") && message.contains("`:rw`"), "{tool}: {message}");
        assert!(report.cost.denied > 0, "{tool}");
    }
    // Leaving the grant is another matter, and the message is that one.
    let (_, message) = refusal(&world.call("WriteFile", &json!({"filePath": "box/../secret.txt", "content": "x"})));
    assert!(!message.contains(":rw"), "{message}");
}

#[test]
fn cursor_that_no_answer_gave_is_invalid_and_pages_have_everything_once() {
    let world = World::new(Access::ReadWrite);
    for number in 0..25 {
        std::fs::write(world.granted().join(format!("sub/{number:02}.txt")), "").unwrap();
    }
    for cursor in ["zzz", "sub/05.txt", "0123456789abcdef:sub/05.txt"] {
        let report = world.call("ListFiles", &json!({"path": "box/sub", "cursor": cursor}));
        assert_eq!(refusal(&report).0, ErrorKind::InvalidInput, "{cursor}");
    }
    let mut names = Vec::new();
    let mut cursor = Value::Null;
    loop {
        let input = json!({"path": "box/sub", "limit": 10, "cursor": cursor});
        let page: Value = serde_json::from_str(&world.call("ListFiles", &input).outcome.unwrap()).unwrap();
        names
            .extend(page["entries"].as_array().unwrap().iter().map(|entry| entry["name"].as_str().unwrap().to_owned()));
        cursor = page["nextCursor"].clone();
        if cursor.is_null() {
            break;
        }
        // What it stands behind may be gone by then.
        let last = names.last().unwrap();
        std::fs::remove_file(world.granted().join(last)).unwrap();
    }
    assert_eq!(names, (0..25).map(|number| format!("sub/{number:02}.txt")).collect::<Vec<_>>());
    let other = json!({"path": "box", "limit": 1});
    let first: Value = serde_json::from_str(&world.call("ListFiles", &other).outcome.unwrap()).unwrap();
    let crossed = json!({"path": "box/sub", "cursor": first["nextCursor"]});
    assert_eq!(refusal(&world.call("ListFiles", &crossed)).0, ErrorKind::InvalidInput);
}

/// What every tool that writes does to the file `inside.txt`.
fn replacements() -> [(&'static str, Value); 2] {
    [
        ("WriteFile", json!({"filePath": "box/inside.txt", "content": "new\n"})),
        ("CodePatch", json!({"filePath": "box/inside.txt", "oldContent": "new", "newContent": "newer"})),
    ]
}

#[test]
fn replaced_file_keeps_every_mode_and_loses_set_id_bits() {
    for mode in [0o644, 0o600, 0o444, 0o755, 0o4755, 0o2755, 0o6777, 0o1644] {
        let world = World::new(Access::ReadWrite);
        let path = world.granted().join("inside.txt");
        for (tool, input) in replacements() {
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
            world.call(tool, &input).outcome.unwrap();
            assert_eq!(std::fs::metadata(&path).unwrap().mode() & 0o7777, mode & 0o777, "{tool} {mode:o}");
        }
    }
}
