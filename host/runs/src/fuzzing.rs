//! Files of a run as a disk or another program may have left them.

use bailiwick_fuzz::Target;
use serde_json::Value;

use crate::RunRecord;
use crate::tree::Manifest;

#[test]
fn run_records() {
    const WORDS: &[&str] = &[
        "\"schema\":1",
        "\"path\":\"",
        "\"type\":\"dir\"",
        "\"entries\":[",
        "\"status\":\"",
        "a/",
        "/",
        "\\u0000",
        "\"roots\":[",
        "\"facts\":",
        "[[[[",
        "{\"a\":",
    ];
    Target { name: "runs", words: WORDS }.run(|bytes| {
        let _ = serde_json::from_slice::<RunRecord>(bytes);
        if let Ok(manifest) = serde_json::from_slice::<Manifest>(bytes) {
            let _ = serde_json::to_vec(&manifest);
        }
        for line in bytes.split(|byte| *byte == b'\n') {
            let _ = serde_json::from_slice::<Value>(line);
        }
    });
}

#[test]
fn manifest_that_is_nested_without_end_is_damaged() {
    let path = |depth: usize| vec!["a"; depth].join("/");
    let entries: Vec<Value> =
        (0..1_000).map(|depth| serde_json::json!({ "path": path(depth), "type": "dir" })).collect();
    let manifest = serde_json::json!({ "schema": 1, "taken": 0, "roots": [{ "name": "sdk", "entries": entries }] });
    let read = bailiwick_fuzz::on_small_stack(move || serde_json::from_value::<Manifest>(manifest).is_ok());
    assert!(!read);
}
