//! What the supervisor tells of itself: a span for each child, and how it ended. Of the environment nothing is told, of
//! the arguments only at level trace.

use tracing::field::Empty;
use tracing::{Span, debug, info, info_span, trace};

use crate::command::{Command, Confinement};
use crate::error::ProcessError;
use crate::outcome::{Exit, Finished};

/// `child`: from the start of a child until nothing of it is left.
pub(crate) fn child(command: &Command) -> Span {
    let name = command.program.file_name().unwrap_or(command.program.as_os_str());
    info_span!(
        "child",
        process.executable.name = %name.display(),
        process.exit.code = Empty,
        "error.type" = Empty,
    )
}

/// A child is about to be started.
pub(crate) fn starts(command: &Command) {
    let confined = matches!(command.confinement, Confinement::Confined(_));
    let deadline_ms = u64::try_from(command.limits.deadline.as_millis()).unwrap_or(u64::MAX);
    debug!(
        program = %command.program.display(),
        directory = %command.directory.display(),
        arguments = command.arguments.len(),
        confined,
        deadline_ms,
        "child starts"
    );
    trace!(arguments = ?command.arguments, "arguments");
}

/// A child ended, was killed, or was never there.
pub(crate) fn ended(span: &Span, outcome: &Result<Finished, ProcessError>) {
    let _within = span.enter();
    match outcome {
        Ok(Finished { exit, stdout, stderr, wall }) => {
            let took_ms = u64::try_from(wall.as_millis()).unwrap_or(u64::MAX);
            let omitted_bytes = stdout.omitted_bytes.saturating_add(stderr.omitted_bytes);
            match exit {
                Exit::Code(code) => {
                    span.record("process.exit.code", code);
                    if *code != 0 {
                        span.record("error.type", "exit_code");
                    }
                    info!(code, took_ms, omitted_bytes, "child ended");
                }
                Exit::Signal(signal) => {
                    span.record("error.type", "signal");
                    info!(signal, took_ms, omitted_bytes, "child ended");
                }
            }
        }
        Err(error) => {
            let kind = kind(error);
            span.record("error.type", kind);
            if let ProcessError::Deadline { after, .. } = error {
                info!(after_ms = u64::try_from(after.as_millis()).unwrap_or(u64::MAX), "child killed at its deadline");
            } else {
                info!(reason = kind, "child did not run");
            }
        }
    }
}

/// The values of `error.type` for a child.
fn kind(error: &ProcessError) -> &'static str {
    match error {
        ProcessError::NotFound { .. } => "not_found",
        ProcessError::NotPermitted { .. } => "not_permitted",
        ProcessError::Directory { .. } => "directory",
        ProcessError::Rule { .. } => "rule",
        ProcessError::Deadline { .. } => "timeout",
        ProcessError::Processes { .. } => "processes",
        ProcessError::Memory { .. } => "memory",
        ProcessError::FileSize { .. } => "file_size",
        ProcessError::Disk { .. } => "disk",
        ProcessError::CannotConfine { .. } => "cannot_confine",
        ProcessError::Start { .. } => "start",
        ProcessError::Survivors { .. } => "survivors",
        ProcessError::Planted { .. } => "planted",
        ProcessError::Left { .. } => "left",
        ProcessError::Helper { .. } => "helper",
    }
}
