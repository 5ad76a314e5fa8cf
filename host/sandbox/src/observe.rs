//! What the sandbox tells of itself at level debug, and of refused attempts at level info.
//!
//! A call is short, so it has no span of its own: one event after it says what it came to. Without a listener, a call
//! pays for the comparison of two levels: the fields of an event are evaluated behind it.

use crate::CallReport;
use crate::call::Reply;
use crate::description::Known;
use crate::error::{CallError, LoadError};
use crate::tool::Loaded;
use std::time::Duration;
use tracing::{Level, debug, enabled, info};

/// A component was loaded, or was not.
pub(crate) fn loaded(outcome: Result<&Known, &LoadError>, took: Duration) {
    let took_us = micros(took);
    match outcome {
        Ok(known) => debug!(
            tool = known.tool(),
            component = known.digest,
            imports = ?known.imports,
            took_us,
            "loaded"
        ),
        Err(error) => debug!(%error, took_us, "not loaded"),
    }
}

/// A request to a rich component came to an end.
pub(crate) fn component_called(name: &str, reply: &Reply) {
    let outcome = match &reply.outcome {
        Ok(_) => "done",
        Err(error) => failed(error),
    };
    debug!(tool = name, outcome, wall_us = micros(reply.cost.wall), denied = reply.cost.denied, "call");
    if let Some(first) = reply.denials.first() {
        info!(tool = name, denied = reply.cost.denied, reason = first.reason.name(), "attempts refused");
    }
}

/// A call came to an end, wherever it ended.
pub(crate) fn called(tool: &Loaded, run: Option<&str>, report: &CallReport) {
    let name = tool.descriptor.name.as_str();
    debug!(
        tool = name,
        run_id = run,
        outcome = outcome(report),
        wall_us = micros(report.cost.wall),
        memory_bytes = report.cost.memory_bytes,
        read_bytes = report.cost.read_bytes,
        written_bytes = report.cost.written_bytes,
        host_calls = report.cost.host_calls,
        denied = report.cost.denied,
        "call"
    );
    let Some(first) = report.denials.first() else { return };
    info!(tool = name, run_id = run, denied = report.cost.denied, reason = first.reason.name(), "attempts refused");
    if enabled!(Level::DEBUG) {
        for denial in &report.denials {
            debug!(
                tool = name,
                operation = denial.operation,
                path = denial.path,
                reason = denial.reason.name(),
                "refused"
            );
        }
    }
}

fn outcome(report: &CallReport) -> &'static str {
    match &report.outcome {
        Ok(_) => "done",
        Err(error) => failed(error),
    }
}

fn failed(error: &CallError) -> &'static str {
    match error {
        CallError::Tool(error) => error.kind.name(),
        CallError::Host(failure) => failure.name(),
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}
