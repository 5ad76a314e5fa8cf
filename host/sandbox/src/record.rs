//! Calls go on record or do not happen: the log is asked before a call, and the line is written before its answer is
//! handed over, on the thread that has it. A caller that no longer waits changes nothing about that.

use crate::cost::Cost;
use crate::denial::Denial;
use crate::error::{CallError, HostFailure};
use crate::grant::Grants;
use bailiwick_audit::{Denied, Entry, Log, Outcome};
use std::sync::Arc;

/// Where calls are put on record.
#[derive(Clone)]
pub enum Audit {
    /// Nowhere: for tests and measurements.
    Off,
    /// In this log.
    Log(Arc<Log>),
}

impl std::fmt::Debug for Audit {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Off => "Off",
            Self::Log(_) => "Log",
        })
    }
}

/// What was called, as the log has it.
pub(crate) trait Recorded: Send + Sync {
    fn name(&self) -> &str;
    /// SHA-256 of the component, in hexadecimal.
    fn digest(&self) -> &str;
}

/// What is known of a call before it is made.
pub(crate) struct Record {
    pub(crate) log: Arc<Log>,
    pub(crate) tool: Arc<dyn Recorded>,
    pub(crate) grants: Grants,
    pub(crate) run: Option<String>,
    /// SHA-256 of the input, in hexadecimal.
    pub(crate) arguments: String,
}

impl Record {
    /// Whether a call could be put on record now.
    pub(crate) fn check(&self) -> Result<(), HostFailure> {
        self.log.check_again().map_err(|error| HostFailure::NotRecordable(error.to_string()))
    }

    /// Puts a call that came to `outcome` on record.
    pub(crate) fn write<T>(
        &self,
        outcome: &Result<T, CallError>,
        cost: &Cost,
        denials: &[Denial],
    ) -> Result<(), HostFailure> {
        let denied: Vec<Denied<'_>> = denials
            .iter()
            .map(|denial| Denied { operation: denial.operation, path: &denial.path, reason: denial.reason.name() })
            .collect();
        let entry = Entry {
            run: self.run.as_deref(),
            tool: self.tool.name(),
            component: self.tool.digest(),
            grants: self.grants.entries(),
            arguments: &self.arguments,
            outcome: match outcome {
                Ok(_) => Outcome::Done { output: None },
                Err(CallError::Tool(error)) => Outcome::ToolError { kind: error.kind.name() },
                Err(CallError::Host(failure)) => Outcome::HostFailure { kind: failure.name() },
            },
            cost,
            denied: &denied,
        };
        self.log.append(&entry).map_err(|error| HostFailure::Unrecorded(error.to_string()))
    }
}
