//! Each limit ends a call in its own typed failure, and the next call is unharmed.

#![expect(clippy::unwrap_used, reason = "helpers of tests stop at the first surprise")]

mod common;

use bailiwick_sandbox::{CallError, CallReport, Grants, HostFailure, Limits, LoadError, Policy, Sandbox};
use common::{block_on, hostile, hostile_with, limits, sandbox};
use std::time::{Duration, Instant};

const ANSWER: &str = "(i32.const 128)";

fn call(sandbox: &Sandbox, invoke: &str, limits: &Limits) -> CallReport {
    block_on(async {
        let tool = sandbox.load(&hostile(invoke), Policy::Files).await.unwrap();
        sandbox.call(&tool, &Grants::none(), "{}", limits).await
    })
}

fn host_failure(report: CallReport) -> HostFailure {
    match report.outcome {
        Err(CallError::Host(failure)) => failure,
        other => panic!("expected a host failure, got {other:?}"),
    }
}

#[test]
fn honest_tool_answers() {
    let report = call(&sandbox(), ANSWER, &limits());
    assert_eq!(report.outcome.unwrap(), r#"{"type":"object"}"#);
}

#[test]
fn endless_loop_ends_at_the_deadline_and_the_next_call_works() {
    let sandbox = sandbox();
    let short = Limits { deadline: Duration::from_millis(200), ..limits() };
    let started = Instant::now();
    let failure = host_failure(call(&sandbox, "(loop (br 0)) (unreachable)", &short));
    assert_eq!(failure, HostFailure::Deadline(Duration::from_millis(200)));
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
    block_on(async {
        let tool = sandbox.load(&hostile(ANSWER), Policy::Files).await.unwrap();
        let report = sandbox.invoke(&tool, &Grants::none(), "{}".into(), &limits()).await;
        assert_eq!(report.outcome.unwrap(), r#"{"type":"object"}"#);
    });
}

#[test]
fn tool_that_never_describes_itself_is_refused_at_load() {
    let bytes = hostile_with("(loop (br 0)) (unreachable)", ANSWER);
    let refused = block_on(sandbox().load(&bytes, Policy::Files)).unwrap_err();
    assert!(matches!(refused, LoadError::Undescribed(_)), "{refused}");
}

#[test]
fn tool_without_a_usable_name_is_refused_at_load() {
    // The descriptor starts in zeroes: empty name, empty schemas.
    let refused = block_on(sandbox().load(&hostile_with("(i32.const 512)", ANSWER), Policy::Files)).unwrap_err();
    assert!(matches!(refused, LoadError::Undescribed(_)), "{refused}");
}

#[test]
fn endless_recursion_traps() {
    let failure = host_failure(call(&sandbox(), "(call $invoke (local.get $in) (local.get $len))", &limits()));
    assert!(matches!(failure, HostFailure::Trap(_)), "{failure:?}");
}

#[test]
fn memory_beyond_the_limit_is_named() {
    let small = Limits { memory_bytes: 1 << 20, ..limits() };
    let grow = "(drop (memory.grow (i32.const 100))) (unreachable)";
    assert_eq!(host_failure(call(&sandbox(), grow, &small)), HostFailure::Memory { limit: 1 << 20 });
}

#[test]
fn output_beyond_the_limit_is_named() {
    let small = Limits { output_bytes: 64 * 1024, ..limits() };
    // A string of two mebibytes.
    let flood = "(drop (memory.grow (i32.const 40)))
        (i32.store (i32.const 132) (i32.const 0)) (i32.store (i32.const 136) (i32.const 2097152)) (i32.const 128)";
    assert_eq!(host_failure(call(&sandbox(), flood, &small)), HostFailure::Output { limit: 64 * 1024 });
}

#[test]
fn input_beyond_the_limit_never_reaches_the_tool() {
    let sandbox = sandbox();
    let small = Limits { input_bytes: 1, ..limits() };
    assert_eq!(host_failure(call(&sandbox, "(unreachable)", &small)), HostFailure::Input { length: 2, limit: 1 });
}

#[test]
fn answer_that_is_not_json_is_off_schema() {
    let bad = "(i32.store (i32.const 132) (i32.const 256)) (i32.store (i32.const 136) (i32.const 7)) (i32.const 128)";
    assert!(matches!(host_failure(call(&sandbox(), bad, &limits())), HostFailure::OffSchema(_)));
}

#[test]
fn trap_is_told_apart_and_drops_the_store() {
    let sandbox = sandbox();
    for _ in 0..20 {
        assert!(matches!(host_failure(call(&sandbox, "(unreachable)", &limits())), HostFailure::Trap(_)));
    }
}

#[test]
fn bytes_that_are_no_component_are_refused() {
    let refused = block_on(sandbox().load(b"\0asm nonsense", Policy::Files)).unwrap_err();
    assert!(matches!(refused, LoadError::Invalid(_)), "{refused}");
}
