//! Huge strings in and out, and floods.

use super::alone::{alone, peak, peak_from_here};
use super::guest::Guest;
use super::{ANSWER, SLACK, assert_unharmed, call, granted, host_failure, load, once, said};
use crate::common::{World, block_on, limits, sandbox};
use bailiwick_sandbox::{Access, CallError, ErrorKind, Grants, HostFailure, Limits};
use serde_json::json;
use std::time::Duration;

const NAME_TOO_LONG: u32 = 18;
const QUOTA: u32 = 6;

#[test]
fn input_beyond_the_limit_never_reaches_the_tool() {
    let small = Limits { input_bytes: 1, ..limits() };
    let failure = host_failure(once(&sandbox(), "(unreachable)", None, &small));
    assert_eq!(failure, HostFailure::Input { length: 2, limit: 1 });
}

#[test]
fn output_beyond_the_limit_is_named_whether_a_little_or_a_lot() {
    let sandbox = sandbox();
    let small = Limits { output_bytes: 64 * 1024, ..limits() };
    for length in [64 * 1024 + 1, 100 * 1024, 2 << 20, 40 << 20] {
        let flood = format!(
            "(drop (memory.grow (i32.const 700))) (memory.fill (i32.const 8192) (i32.const 32) (i32.const {length}))
            (i32.store (i32.const 132) (i32.const 8192)) (i32.store (i32.const 136) (i32.const {length})) (i32.const 128)"
        );
        let failure = host_failure(once(&sandbox, &flood, None, &small));
        assert_eq!(failure, HostFailure::Output { limit: 64 * 1024 }, "{length}");
    }
    // The message of an error is an answer, too.
    let message = "(drop (memory.grow (i32.const 2))) (memory.fill (i32.const 8192) (i32.const 32) (i32.const 65537))
        (i32.store8 (i32.const 128) (i32.const 1)) (i32.store8 (i32.const 132) (i32.const 8))
        (i32.store (i32.const 136) (i32.const 8192)) (i32.store (i32.const 140) (i32.const 65537)) (i32.const 128)";
    assert_eq!(host_failure(once(&sandbox, message, None, &small)), HostFailure::Output { limit: 64 * 1024 });
    assert_unharmed(&sandbox);
}

#[test]
fn answer_that_is_not_json_is_off_schema() {
    let bad = "(i32.store (i32.const 132) (i32.const 256)) (i32.store (i32.const 136) (i32.const 7)) (i32.const 128)";
    assert!(matches!(host_failure(once(&sandbox(), bad, None, &limits())), HostFailure::OffSchema(_)));
}

/// Opens a path of so many bytes at the start of memory and says the error.
fn open(length: u32) -> String {
    format!(
        "(local.set $a (call $root)) (drop (memory.grow (i32.const 900)))
        (memory.fill (i32.const 8192) (i32.const 97) (i32.const {}))
        (call $open (local.get $a) (i32.const 0) (i32.const 8192) (i32.const {length}) (i32.const 0) (i32.const 1)
            (i32.const 1032))
        (call $say (i32.load8_u (i32.const 1036)))",
        length.min(50 << 20)
    )
}

#[test]
fn huge_path_is_refused_and_one_beyond_what_the_host_copies_ends_the_call() {
    let (sandbox, directory) = (sandbox(), tempfile::tempdir().unwrap());
    let place = Some(directory.path());
    for length in [256, 5000, 1 << 20] {
        assert_eq!(said(once(&sandbox, &open(length), place, &limits())), NAME_TOO_LONG, "{length}");
    }
    let failure = host_failure(once(&sandbox, &open(50 << 20), place, &limits()));
    assert_eq!(failure, HostFailure::Output { limit: limits().output_bytes });
    // A gibibyte is beyond the guest's memory as well; either way nothing of it is copied.
    let failure = host_failure(once(&sandbox, &open(1 << 30), place, &limits()));
    assert!(matches!(failure, HostFailure::Trap(_) | HostFailure::Output { .. }), "{failure:?}");
    assert_unharmed(&sandbox);
}

#[test]
fn flood_of_writes_ends_in_the_quota_with_no_more_on_disk() {
    let (sandbox, directory) = (sandbox(), tempfile::tempdir().unwrap());
    let flood = "(local.set $a (call $make (call $root)))
        (loop
            (call $write (local.get $a) (i32.const 0) (i32.const 65536) (i64.extend_i32_u (local.get $b)) (i32.const 1040))
            (local.set $b (i32.add (local.get $b) (i32.const 65536)))
            (br_if 0 (i32.eqz (i32.load8_u (i32.const 1040)))))
        (call $say (i32.load8_u (i32.const 1048)))";
    let small = Limits { written_bytes: 1 << 20, ..limits() };
    let report = once(&sandbox, flood, Some(directory.path()), &small);
    assert_eq!(report.cost.written_bytes, 1 << 20);
    assert_eq!(said(report), QUOTA);
    assert_eq!(std::fs::metadata(directory.path().join("file.txt")).unwrap().len(), 1 << 20);
    assert_unharmed(&sandbox);
}

/// A terabyte that takes no space until it is written to.
#[test]
fn sparse_terabyte_is_not_made_by_size_nor_by_a_write_far_out() {
    let (sandbox, directory) = (sandbox(), tempfile::tempdir().unwrap());
    let resize = "(local.set $a (call $make (call $root)))
        (call $resize (local.get $a) (i64.const 0x10000000000) (i32.const 1040))
        (call $say (i32.load8_u (i32.const 1041)))";
    let write = "(local.set $a (call $make (call $root)))
        (call $write (local.get $a) (i32.const 256) (i32.const 1) (i64.const 0x10000000000) (i32.const 1040))
        (call $say (i32.load8_u (i32.const 1048)))";
    for attempt in [resize, write] {
        assert_eq!(said(once(&sandbox, attempt, Some(directory.path()), &limits())), QUOTA, "{attempt}");
        assert_eq!(std::fs::metadata(directory.path().join("file.txt")).unwrap().len(), 0, "{attempt}");
    }
}

#[test]
fn sparse_terabyte_that_is_there_is_not_read_whole() {
    alone("limits::strings::sparse_terabyte_that_is_there_is_not_read_whole", || {
        let world = World::new(Access::ReadWrite);
        std::fs::File::create(world.granted().join("huge.txt")).unwrap().set_len(1 << 40).unwrap();
        world.call("ReadFile", &json!({"filePath": "inside.txt"})).outcome.unwrap();
        let before = peak_from_here();
        let calls = [
            ("ReadFile", json!({"filePath": "huge.txt"})),
            ("ReadFile", json!({"filePath": "huge.txt", "startLine": 1, "endLine": 2})),
            ("CodePatch", json!({"filePath": "huge.txt", "oldContent": "a", "newContent": "b"})),
        ];
        // Looking for a range takes a while on a busy machine, and its deadline is not what this is about.
        let patient = Limits { deadline: Duration::from_secs(120), ..limits() };
        for (tool, input) in calls {
            let text = input.to_string();
            let report = block_on(world.sandbox.call(world.tool(tool), &world.grants, &text, &patient));
            let Err(CallError::Tool(error)) = &report.outcome else { panic!("{tool}: {:?}", report.outcome) };
            assert!(matches!(error.kind, ErrorKind::TooLarge | ErrorKind::NotText), "{tool}: {error:?}");
            // A range is looked for, up to a bound of the tool's own.
            assert!(input.get("startLine").is_some() || report.cost.wall < SLACK, "{tool} {input}: {report:?}");
        }
        // Once in the guest and once on its way there.
        assert!(peak() - before < 128 << 20, "{} MiB more", (peak() - before) >> 20);
        assert_eq!(world.sandbox.stuck(), 0);
    });
}

#[test]
fn host_calls_without_end_stop_at_the_deadline() {
    let (sandbox, directory) = (sandbox(), tempfile::tempdir().unwrap());
    std::fs::write(directory.path().join("file.txt"), vec![b'x'; 1 << 20]).unwrap();
    let short = Limits { deadline: Duration::from_millis(200), ..limits() };
    let grants = granted(directory.path());
    let bodies = [
        "(local.set $a (call $root)) (loop (call $drop (call $file (local.get $a))) (br 0)) (unreachable)",
        // A mebibyte of copying each, and the guest's memory is used over and over.
        "(local.set $a (call $file (call $root))) (drop (memory.grow (i32.const 200)))
        (loop (global.set $free (i32.const 8192))
            (call $read (local.get $a) (i64.const -1) (i64.const 0) (i32.const 1040)) (br 0)) (unreachable)",
    ];
    for body in bodies {
        let report = call(&sandbox, &load(&sandbox, &Guest::new(body)), &grants, &short);
        assert!(report.cost.host_calls > 2, "{report:?}");
        assert_eq!(host_failure(report), HostFailure::Deadline(short.deadline));
        assert_unharmed(&sandbox);
    }
}

#[test]
fn honest_tool_answers() {
    let sandbox = sandbox();
    let report = call(&sandbox, &load(&sandbox, &Guest::new(ANSWER)), &Grants::none(), &limits());
    assert_eq!(report.outcome.unwrap(), r#"{"type":"object"}"#);
}
