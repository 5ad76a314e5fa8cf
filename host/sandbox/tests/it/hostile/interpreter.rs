//! The interpreter of the hostile guest, which carries the differential fuzzing, and the calls that no component gets.

use super::world::World;
use crate::common;
use bailiwick_sandbox::{Capabilities, LoadError};
use serde_json::{Value, json};

#[test]
fn each_operation_answers_and_none_stops_the_others() {
    let world = World::usual();
    let cases = [
        (json!(["get-type", 0]), json!({"ok": "directory"})),
        (json!(["get-flags", 0]), json!({"ok": "rm"})),
        (json!(["get-flags", 1]), json!({"ok": "r"})),
        (json!(["open-at", 0, "new.txt", "crw"]), json!({"ok": 3})),
        (json!(["write", 3, "abcdef", 0]), json!({"ok": 6})),
        (json!(["read", 3, 3, 1]), json!({"ok": ["bcd", false]})),
        (json!(["read", 3, 100, 0]), json!({"ok": ["abcdef", true]})),
        (json!(["set-size", 3, 2]), json!({"ok": null})),
        (json!(["sync", 3]), json!({"ok": null})),
        (json!(["sync-data", 3]), json!({"ok": null})),
        (json!(["advise", 3, 0, 10]), json!({"ok": null})),
        (json!(["open-at", 0, "new.txt", "r"]), json!({"ok": 4})),
        (json!(["read", 4, 100, 0]), json!({"ok": ["ab", true]})),
        (json!(["is-same-object", 3, 4]), json!({"ok": true})),
        (json!(["is-same-object", 0, 1]), json!({"ok": false})),
        (json!(["drop", 3]), json!({"ok": null})),
        (json!(["read", 3, 1, 0]), json!({"err": "guest: no such descriptor"})),
        (json!(["create-directory-at", 0, "made"]), json!({"ok": null})),
        (json!(["rename-at", 0, "new.txt", 0, "made/moved.txt"]), json!({"ok": null})),
        (json!(["open-at", 0, "made", "dr"]), json!({"ok": 5})),
        (json!(["readdir", 5]), json!({"ok": [["moved.txt", "regular-file"]]})),
        (json!(["unlink-file-at", 5, "moved.txt"]), json!({"ok": null})),
        (json!(["remove-directory-at", 0, "made"]), json!({"ok": null})),
        (json!(["open-at", 0, "missing", "f"]), json!({"err": "no-entry"})),
        (json!(["open-at", 0, "a\0b", "f"]), json!({"err": "invalid"})),
        (json!(["open-at", 0, "../outside", "dr"]), json!({"err": "not-permitted"})),
        (json!(["readlink-at", 0, "inside.txt"]), json!({"err": "invalid"})),
        (json!(["symlink-at", 0, "a", "b"]), json!({"err": "not-permitted"})),
        (json!(["link-at", 0, "inside.txt", "", 0, "b"]), json!({"err": "not-permitted"})),
        (json!(["set-times", 0, "keep", [1, 2]]), json!({"err": "not-permitted"})),
        (json!(["set-times-at", 0, "inside.txt", "f", "now", "keep"]), json!({"err": "not-permitted"})),
        (json!(["open-at", 0, "x", "z"]), json!({"err": "guest: no such flag"})),
        (json!(["no-such", 0]), json!({"err": "guest: no such operation"})),
        (json!([]), json!({"err": "guest: an operation has a name"})),
        (json!(7), json!({"err": "guest: an operation is an array"})),
        (json!(["get-type", 0]), json!({"ok": "directory"})),
    ];
    let operations: Vec<&Value> = cases.iter().map(|(operation, _)| operation).collect();
    let answers = world.operate(&json!(operations));
    assert_eq!(answers.len(), cases.len());
    for ((operation, expected), answer) in cases.iter().zip(&answers) {
        assert_eq!(answer, expected, "{operation}");
    }
}

#[test]
fn metadata_is_told_as_documented() {
    let world = World::usual();
    let answers = world.operate(&json!([
        ["stat-at", 0, "inside.txt", ""],
        ["metadata-hash-at", 0, "inside.txt", "f"],
        ["open-at", 0, "inside.txt", "r"],
        ["stat", 3],
        ["metadata-hash", 3],
    ]));
    let stat = answers[0]["ok"].as_array().unwrap();
    assert_eq!(stat[..3], [json!("regular-file"), json!(1), json!(7)]);
    assert!(stat[3..].iter().all(|time| time.as_array().is_some_and(|time| time.len() == 2)), "{stat:?}");
    assert_eq!(answers[0], answers[3]);
    assert_eq!(answers[1], answers[4]);
}

/// `read-via-stream` and its like give resources of `wasi:io`, which no policy grants: a component that could hold one
/// is not loaded. So there is nothing to be tried when it runs.
#[test]
fn component_that_wants_streams_is_not_loaded() {
    let bytes = wat::parse_str(
        r#"(component
            (import "wasi:io/streams@0.2.12" (instance (export "input-stream" (type (sub resource))))))"#,
    )
    .unwrap();
    let loaded = common::block_on(common::sandbox().load(&bytes, &Capabilities::files()));
    assert!(matches!(loaded, Err(LoadError::Invalid(_) | LoadError::NotGranted(_))), "{loaded:?}");
}
