//! The escape matrix: no built-in tool leaves the granted directory, by any name, link, kind of file or grant. A canary
//! outside says so, not the error text. One module for each group of situations, one test for each situation.

mod grants;
mod hard_links;
mod hidden;
mod lexical;
mod metadata;
mod mounts;
mod names;
mod permissions;
mod sensitive;
mod siblings;
mod sizes;
mod special_files;
mod symlinks;

use crate::common::World;
use bailiwick_sandbox::{Access, CallError, CallReport, ErrorKind, Grant, Grants, Reserved};
use serde_json::{Value, json};
use std::path::Path;

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

/// [`attempts`] and the tool that takes a directory.
fn all_attempts(path: &str) -> Vec<(&'static str, Value)> {
    let mut all = attempts(path);
    all.push(("ListFiles", json!({"path": path, "recursive": true})));
    all
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
        assert_tells_nothing(world, &report, path, tool);
    }
    world.assert_outside_untouched();
}

/// The answer has nothing of the secret in it, nor a path of the host that the caller did not give.
fn assert_tells_nothing(world: &World, report: &CallReport, path: &str, tool: &str) {
    let text = format!("{:?}", report.outcome);
    assert!(!text.contains("canary\\n"), "{tool} showed the secret: {text}");
    let host = world.base.path().to_str().unwrap();
    assert!(path.contains(host) || !text.contains(host), "{tool} shows a host path: {text}");
}

fn read(world: &World, path: &str) -> Result<String, ErrorKind> {
    let report = world.call("ReadFile", &json!({"filePath": path}));
    match report.outcome {
        Ok(answer) => {
            let answer: Value = serde_json::from_str(&answer).unwrap();
            Ok(answer["content"].as_str().unwrap().to_owned())
        }
        Err(_) => Err(refused(&report)),
    }
}

fn write(world: &World, path: &str, content: &str) -> Result<(), ErrorKind> {
    let report = world.call("WriteFile", &json!({"filePath": path, "content": content}));
    if report.outcome.is_ok() { Ok(()) } else { Err(refused(&report)) }
}

fn patch(world: &World, path: &str, old: &str, new: &str) -> Result<(), ErrorKind> {
    let report = world.call("CodePatch", &json!({"filePath": path, "oldContent": old, "newContent": new}));
    if report.outcome.is_ok() { Ok(()) } else { Err(refused(&report)) }
}

/// The names and kinds that `ListFiles` shows, sorted.
fn list(world: &World, path: &str) -> Result<Vec<(String, String)>, ErrorKind> {
    let report = world.call("ListFiles", &json!({"path": path, "recursive": true}));
    let Ok(answer) = &report.outcome else { return Err(refused(&report)) };
    let answer: Value = serde_json::from_str(answer).unwrap();
    let text = |entry: &Value, key: &str| entry[key].as_str().unwrap().to_owned();
    Ok(answer["entries"].as_array().unwrap().iter().map(|entry| (text(entry, "name"), text(entry, "kind"))).collect())
}

fn grant(name: &str, path: &Path, access: Access) -> Grant {
    Grant::open(name, path, access, &Reserved::none()).unwrap()
}

/// [`World::new`] with other grants over its directories.
fn world_with(grants: impl FnOnce(&Path) -> Vec<Grant>) -> World {
    let mut world = World::new(Access::ReadWrite);
    world.grants = Grants::new(grants(world.base.path())).unwrap();
    world
}

/// Says why a test cannot run here. Where everything is meant to run it fails.
#[expect(clippy::print_stdout, reason = "what does not run is said where tests are read")]
fn cannot_run(why: &str) {
    println!("not run: {why}");
    assert!(std::env::var_os("CI").is_none(), "{why}");
}

/// Every name beneath `directory` that is left of a replacement.
fn leftovers(directory: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(directory).unwrap().map(Result::unwrap) {
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type().unwrap().is_dir() {
            found.extend(leftovers(&entry.path()));
        } else if name.starts_with(".bailiwick-tmp-") {
            found.push(name);
        }
    }
    found
}
