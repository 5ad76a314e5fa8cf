//! What a line holds, and what it can never hold.

use crate::common::{Scratch, append, lines, try_append_path};
use bailiwick_audit::{AuditError, Denied, Entry, GrantEntry, LONGEST_PATH, Lines, Outcome, verify};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::process::Command;

fn only_line(scratch: &Scratch) -> Value {
    let lines = lines(&scratch.file(1));
    assert_eq!(lines.len(), 1);
    serde_json::from_str(&lines[0]).unwrap()
}

#[test]
fn line_has_every_field_of_the_call() {
    let scratch = Scratch::new();
    append(&scratch.open(1 << 20), 7);
    let line = only_line(&scratch);
    let names: Vec<_> = line.as_object().unwrap().keys().map(String::as_str).collect();
    let call = ["run", "tool", "component", "grants", "arguments", "outcome", "cost", "denied"];
    assert_eq!(names, [&["seq", "prev", "time", "kind"][..], &call, &["hash"]].concat());
    assert_eq!((&line["seq"], &line["kind"], &line["cost"]), (&json!(1), &json!("call"), &json!([7])));
    assert_eq!(line["prev"], "0".repeat(64));
    assert_eq!(line["outcome"]["status"], "done");
    assert_eq!(line["grants"][0]["access"], "read-write");
    assert_eq!(line["denied"][0], json!({"operation": "open", "path": "../../etc/passwd", "reason": "outside"}));
}

#[test]
fn outcomes_are_told_apart() {
    let scratch = Scratch::new();
    let log = scratch.open(1 << 20);
    for outcome in [
        Outcome::Done { output: None },
        Outcome::ToolError { kind: "not-permitted" },
        Outcome::HostFailure { kind: "deadline" },
    ] {
        let (run, grants, denied) = (None, &[], &[]);
        log.append(&Entry { run, tool: "T", component: "", grants, arguments: "", outcome, cost: &(), denied })
            .unwrap();
    }
    let written: Vec<Value> = lines(&scratch.file(1))
        .iter()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["outcome"].clone())
        .collect();
    let expected = [
        json!({"status": "done"}),
        json!({"status": "toolError", "kind": "not-permitted"}),
        json!({"status": "hostFailure", "kind": "deadline"}),
    ];
    assert_eq!(written, expected);
}

#[test]
fn line_can_be_checked_with_other_tools() {
    let scratch = Scratch::new();
    append(&scratch.open(1 << 20), 0);
    // As the documentation of the crate says.
    let command = r#"head -n 1 "$0" | sed 's/,"hash":"[0-9a-f]*"}$//' | tr -d '\n' | sha256sum"#;
    let output = Command::new("sh").args(["-c", command]).arg(scratch.file(1)).output().unwrap();
    let sum = String::from_utf8(output.stdout).unwrap();
    assert_eq!(only_line(&scratch)["hash"], sum.split_whitespace().next().unwrap());
}

#[test]
fn path_of_the_guest_cannot_steer_a_terminal_break_a_line_or_forge_one() {
    let forged = "x\n{\"seq\":2,\"prev\":\"00\"},\"hash\":\"";
    for path in
        [forged, "\u{1b}]0;x\u{7}\r\0\u{7f}", "\u{9b}2J", "\u{202e}txt.exe\u{2066}\u{200b}\u{feff}\u{e0041}\u{2028}"]
    {
        let scratch = Scratch::new();
        try_append_path(&scratch.open(1 << 20), 0, path).unwrap();
        let text = &lines(&scratch.file(1))[0];
        assert!(text.bytes().all(|byte| (0x20..0x7f).contains(&byte)), "{text}");
        assert_eq!(only_line(&scratch)["denied"][0]["path"], path);
        assert_eq!(verify(&scratch.log(), None).unwrap().lines, 1);
    }
}

#[test]
fn path_of_the_guest_is_kept_as_far_as_it_is_allowed_to_be_long() {
    for (path, kept) in [
        ("a".repeat(LONGEST_PATH), None),
        ("a".repeat(LONGEST_PATH + 1), Some(LONGEST_PATH)),
        ("é".repeat(9000), Some(LONGEST_PATH)),
        (format!("a{}", "é".repeat(9000)), Some(LONGEST_PATH - 1)),
    ] {
        let scratch = Scratch::new();
        try_append_path(&scratch.open(1 << 20), 0, &path).unwrap();
        let denied = &only_line(&scratch)["denied"][0];
        assert_eq!(denied["path"].as_str().unwrap(), &path[..kept.unwrap_or(path.len())]);
        assert_eq!(denied["pathBytes"], kept.map_or(Value::Null, |_| json!(path.len())));
    }
}

#[test]
fn line_that_is_too_long_or_no_json_is_refused_and_leaves_no_trace() {
    let scratch = Scratch::new();
    let log = scratch.open(1 << 20);
    let name = "x".repeat(2 << 20);
    let (outcome, arguments) = (Outcome::Done { output: None }, "");
    let mut entry = Entry {
        run: None,
        tool: &name,
        component: "",
        grants: &[] as &[GrantEntry],
        arguments,
        outcome,
        cost: &std::collections::BTreeMap::from([([1, 2], 3)]),
        denied: &[] as &[Denied<'_>],
    };
    assert!(matches!(log.append(&entry), Err(AuditError::NoJson(_))));
    let cost = std::collections::BTreeMap::new();
    entry.cost = &cost;
    assert!(matches!(log.append(&entry), Err(AuditError::TooLong { .. })));
    append(&log, 0);
    assert_eq!(verify(&scratch.log(), None).unwrap().lines, 1);
}

#[test]
fn lines_are_read_in_order_over_all_files_and_unreadable_ones_are_said() {
    let scratch = Scratch::new();
    for call in 0..5 {
        append(&scratch.open(1500), call);
    }
    let mut text = std::fs::read_to_string(scratch.file(1)).unwrap();
    text.replace_range(0..1, "[");
    std::fs::write(scratch.file(1), text).unwrap();
    let mut reader = Lines::open(&scratch.log()).unwrap();
    let mut found = Vec::new();
    while let Some(line) = reader.next_line().unwrap() {
        found.push(line.text.map(|text| serde_json::from_str::<Value>(text).unwrap()["cost"][0].as_u64().unwrap()));
    }
    assert_eq!(found, [None, Some(1), Some(2), Some(3), Some(4)]);
    assert!(Lines::open(&scratch.log().join("none")).unwrap().next_line().unwrap().is_none());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: bailiwick_fuzz::cases(200), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_path_makes_one_line_that_is_read_back_the_same(path in any::<String>()) {
        let scratch = Scratch::new();
        try_append_path(&scratch.open(1 << 20), 0, &path).unwrap();
        let line = only_line(&scratch);
        prop_assert!(path.starts_with(line["denied"][0]["path"].as_str().unwrap()));
        prop_assert_eq!(verify(&scratch.log(), None).unwrap().lines, 1);
    }
}
