//! `bailiwick audit`: every tool call is on record, and the record cannot be changed unseen.

use bailiwick_tests::{Answer, World};
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;

fn call(world: &World, name: &str, input: &Value) -> Answer {
    let grant = format!("sdk={}", world.package().display());
    world.bailiwick(&["tool", "call", name, "--grant", &grant, "--input", &input.to_string()])
}

/// Two calls: one that reads a file, and one that reaches for another outside.
fn two_calls() -> World {
    let world = World::without_generated_code();
    let _ = call(&world, "ReadFile", &json!({"filePath": "sdk/tsp-location.yaml"})).exits(0);
    let _ = call(&world, "WriteFile", &json!({"filePath": "sdk/secret-name.txt", "content": "hunter2"})).exits(3);
    world
}

fn file(world: &World) -> PathBuf {
    world.state().join("audit/audit-000001.jsonl")
}

fn lines(world: &World) -> Vec<String> {
    fs::read_to_string(file(world)).unwrap().lines().map(str::to_owned).collect()
}

fn verify(world: &World) -> Answer {
    world.bailiwick(&["audit", "verify"])
}

/// Writes these lines in place of the log's, and expects this to be said about it.
#[track_caller]
fn broken(world: &World, lines: &[String], line: u64, fault: &str) {
    fs::write(file(world), lines.iter().flat_map(|line| [line, "\n"]).collect::<String>()).unwrap();
    let answer = verify(world).exits(1);
    let place = format!("error: the audit log is broken in `audit-000001.jsonl`, line {line}: ");
    assert!(answer.stderr.starts_with(&place), "{}", answer.stderr);
    assert!(answer.stderr.contains("\nhint: "), "{}", answer.stderr);
    assert!(answer.stdout.is_empty(), "{}", answer.stdout);
    let error = world.bailiwick(&["--json", "audit", "verify"]).exits(1).json()["error"].take();
    assert_eq!((&error["file"], &error["line"]), (&json!("audit-000001.jsonl"), &json!(line)));
    assert_eq!(error["exitCode"], 1);
    assert!(fault.split('|').any(|fault| error["fault"]["kind"] == fault), "{error}");
}

#[test]
fn every_call_is_on_record_with_what_it_was_given_and_what_was_refused() {
    let world = two_calls();
    let records: Vec<Value> = lines(&world).iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(records.len(), 2);
    assert_eq!((&records[0]["tool"], &records[0]["outcome"]["status"]), (&json!("ReadFile"), &json!("done")));
    assert_eq!(records[0]["denied"], json!([]));
    assert_eq!(records[0]["grants"][0]["name"], "sdk");
    assert_eq!(records[0]["grants"][0]["access"], "read-only");
    assert_eq!((&records[1]["tool"], &records[1]["outcome"]["status"]), (&json!("WriteFile"), &json!("toolError")));
    assert_eq!(records[1]["outcome"]["kind"], "not-permitted");
    assert!(!records[1]["denied"].as_array().unwrap().is_empty());
    for record in &records {
        for digest in ["component", "arguments", "hash"] {
            assert_eq!(record[digest].as_str().unwrap().len(), 64, "{digest}");
        }
    }
    assert!(!lines(&world).concat().contains("hunter2"), "what was to be written is not on record");
}

#[test]
fn untouched_log_is_intact_and_its_head_is_found_again_later() {
    let world = World::without_generated_code();
    let none = verify(&world).exits(0);
    assert_eq!(none.stdout, "intact: no calls yet\n");
    assert!(!world.state().join("audit").exists(), "looking makes no log");

    let world = two_calls();
    let intact = verify(&world).exits(0);
    assert!(intact.stdout.starts_with("intact: 2 lines in 1 file, from "), "{}", intact.stdout);
    let head = world.bailiwick(&["--json", "audit", "verify"]).exits(0).json()["head"].as_str().unwrap().to_owned();
    assert!(intact.stdout.contains(&head));
    let _ = call(&world, "ListFiles", &json!({"path": "sdk"})).exits(0);
    let _ = world.bailiwick(&["audit", "verify", "--head", &head]).exits(0);

    // A log that was put back as a whole is a chain like any other; only the hash kept elsewhere tells.
    fs::remove_dir_all(world.state().join("audit")).unwrap();
    let _ = call(&world, "ListFiles", &json!({"path": "sdk"})).exits(0);
    let _ = verify(&world).exits(0);
    let _ = world.bailiwick(&["audit", "verify", "--head", &head]).exits(1);
}

#[test]
fn altered_removed_and_swapped_lines_are_named() {
    let world = two_calls();
    let _ = call(&world, "ListFiles", &json!({"path": "sdk"})).exits(0);
    let original = lines(&world);
    let [first, second, third] = original.clone().try_into().unwrap();
    let altered = second.replace("WriteFile", "WriteFilm");
    broken(&world, &[first.clone(), altered, third.clone()], 2, "altered");
    broken(&world, &[first.clone(), third.clone()], 2, "removed");
    broken(&world, &[second.clone(), first.clone(), third.clone()], 1, "reordered");
    // Where the file ends is what the head says, so a line that is one too many may be cut off within.
    broken(&world, &[first.clone(), second.clone(), second.clone(), third], 3, "inserted|altered");
    broken(&world, &[first, second], 3, "truncated");
    fs::write(file(&world), original.join("\n") + "\n").unwrap();
    let _ = verify(&world).exits(0);
}

#[test]
fn tool_is_not_called_when_the_call_cannot_be_put_on_record() {
    let world = two_calls();
    let left = lines(&world)[0].clone() + "\n";
    fs::write(file(&world), &left).unwrap();
    let answer = call(&world, "ReadFile", &json!({"filePath": "sdk/tsp-location.yaml"}));
    assert_ne!(answer.code, 0);
    assert!(answer.stdout.is_empty(), "{}", answer.stdout);
    assert_eq!(fs::read_to_string(file(&world)).unwrap(), left);
}

#[test]
fn torn_line_is_a_warning_and_does_not_stop_anything() {
    let world = two_calls();
    let mut bytes = fs::read(file(&world)).unwrap();
    bytes.extend(b"{\"seq\":3,\"prev\":");
    fs::write(file(&world), &bytes).unwrap();
    for _ in 0..2 {
        let answer = verify(&world).exits(0);
        assert!(answer.stderr.starts_with("warning: `audit-000001.jsonl` line 3 is torn"), "{}", answer.stderr);
        let _ = call(&world, "ListFiles", &json!({"path": "sdk"})).exits(0);
    }
    assert!(fs::read(file(&world)).unwrap().starts_with(&bytes));
}

#[test]
fn calls_are_shown_one_a_line_with_what_was_denied() {
    let world = two_calls();
    let _ = call(&world, "ReadFile", &json!({"filePath": "sdk/\u{1b}[2J\u{202e}/../../../outside"}));
    let shown = world.bailiwick(&["audit", "show"]).exits(0);
    let rows: Vec<_> = shown.stdout.lines().collect();
    assert_eq!(rows.len(), 3, "{}", shown.stdout);
    assert!(rows[0].contains("  ReadFile ") && rows[0].contains(" done ") && !rows[0].contains("DENIED"));
    assert!(rows[1].contains("failed: not-permitted") && rows[1].contains("  DENIED "), "{}", rows[1]);
    assert!(!shown.stdout.contains(['\u{1b}', '\u{202e}']), "{:?}", shown.stdout);

    let last = world.bailiwick(&["audit", "show", "--last", "2"]).exits(0);
    assert_eq!(last.stdout.lines().collect::<Vec<_>>(), rows[1..]);
    let none = world.bailiwick(&["audit", "show", "--run", "20200101"]).exits(0);
    assert!(none.stdout.is_empty(), "{}", none.stdout);
    let raw = world.bailiwick(&["--json", "audit", "show", "--last", "1"]).exits(0);
    assert_eq!(raw.stdout.trim_end(), lines(&world)[2]);
}

#[test]
fn unusable_arguments_are_a_usage_error() {
    let world = World::without_generated_code();
    for arguments in [
        &["audit", "verify", "--head", "abc"][..],
        &["audit", "verify", "--head", ""],
        &["audit", "show", "--last", "-1"],
        &["audit", "show", "--last", "many"],
        &["audit"],
    ] {
        let _ = world.bailiwick(arguments).exits(2);
    }
}

#[test]
fn something_else_in_place_of_the_log_is_said_and_not_waited_for() {
    let world = two_calls();
    fs::remove_file(file(&world)).unwrap();
    let made = std::process::Command::new("mkfifo").arg(file(&world)).status().unwrap();
    assert!(made.success());
    for command in ["verify", "show"] {
        let answer = world.bailiwick(&["audit", command]).exits(1);
        assert!(answer.stderr.contains("it is not a regular file"), "{}", answer.stderr);
    }
    let answer = call(&world, "ReadFile", &json!({"filePath": "sdk/tsp-location.yaml"}));
    assert_ne!(answer.code, 0);
}
