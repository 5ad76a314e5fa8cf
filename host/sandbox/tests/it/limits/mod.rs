//! Each limit ends a call in its own typed failure, in time, and the next call on the same sandbox is unharmed.

mod alone;
mod announced;
mod cache;
mod caller;
mod describing;
mod directories;
mod guest;
mod handles;
mod loading;
mod running;
mod strings;

use crate::common::{block_on, limits};
use bailiwick_sandbox::{
    Access, CallError, CallReport, Capabilities, Grant, Grants, HostFailure, Limits, Reserved, Sandbox, Tool,
};
use guest::Guest;
use std::path::Path;
use std::time::{Duration, Instant};

/// The answer that [`Guest`] has ready.
const ANSWER: &str = "(i32.const 128)";

/// How much later than its deadline a call may end: a tick, and what a busy machine needs to schedule a thread. What is
/// ended here would go on for ever.
const SLACK: Duration = Duration::from_secs(5);

fn load(sandbox: &Sandbox, guest: &Guest<'_>) -> Tool {
    block_on(sandbox.load(&guest.component(), &Capabilities::files())).unwrap()
}

fn call(sandbox: &Sandbox, tool: &Tool, grants: &Grants, limits: &Limits) -> CallReport {
    let started = Instant::now();
    let report = block_on(sandbox.call(tool, grants, "{}", limits));
    let took = started.elapsed();
    assert!(took < limits.deadline.saturating_add(SLACK), "{took:?} is too long for {:?}", limits.deadline);
    report
}

/// One call of a tool with this `invoke`, over a grant of `directory` if there is one.
fn once(sandbox: &Sandbox, invoke: &str, directory: Option<&Path>, limits: &Limits) -> CallReport {
    let grants = directory.map_or_else(Grants::none, granted);
    call(sandbox, &load(sandbox, &Guest::new(invoke)), &grants, limits)
}

fn granted(directory: &Path) -> Grants {
    Grants::new(vec![Grant::open("d", directory, Access::ReadWrite, &Reserved::none()).unwrap()]).unwrap()
}

fn host_failure(report: CallReport) -> HostFailure {
    match report.outcome {
        Err(CallError::Host(failure)) => failure,
        other => panic!("expected a host failure, got {other:?}"),
    }
}

/// The number that a guest said.
fn said(report: CallReport) -> u32 {
    let answer: serde_json::Value = serde_json::from_str(&report.outcome.unwrap()).unwrap();
    answer["n"].as_str().unwrap().parse().unwrap()
}

/// The next call on a sandbox answers, in time.
fn assert_unharmed(sandbox: &Sandbox) {
    let tool = load(sandbox, &Guest::new(ANSWER));
    let report = call(sandbox, &tool, &Grants::none(), &limits());
    assert_eq!(report.outcome.unwrap(), r#"{"type":"object"}"#);
    assert_eq!(sandbox.stuck(), 0);
}
