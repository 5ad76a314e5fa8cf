//! Calls go on record or do not happen: the log is asked before a call, and the line is written before its answer is
//! handed over, on the thread that has it. A caller that no longer waits changes nothing about that.

use crate::call::{Answer, Reply};
use crate::cost::Cost;
use crate::denial::Denial;
use crate::error::{CallError, HostFailure};
use crate::grant::Grants;
use bailiwick_audit::{Denied, Entry, Log, Outcome};
use std::sync::Arc;
use tokio::sync::oneshot;

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

/// The caller that waits for a reply, and the log that gets it first.
pub(crate) struct ReplyTo {
    pub(crate) sender: oneshot::Sender<Reply>,
    pub(crate) record: Option<Record>,
}

impl ReplyTo {
    /// Whether the caller has stopped waiting.
    pub(crate) fn is_closed(&self) -> bool {
        self.sender.is_closed()
    }

    /// Whether the reply could be put on record now.
    pub(crate) fn check(&self) -> Result<(), HostFailure> {
        self.record.as_ref().map_or(Ok(()), Record::check)
    }

    /// Puts the reply on record and hands it over. A reply that cannot be put on record is a failure.
    pub(crate) fn send(self, mut reply: Reply) {
        let refused = matches!(reply.outcome, Err(CallError::Host(HostFailure::NotRecordable(_))));
        if let Some(record) = self.record.as_ref().filter(|_| !refused)
            && let Err(failure) = record.write(&reply.outcome, &reply.cost, &reply.denials)
        {
            reply.outcome = Err::<Answer, _>(failure.into());
        }
        // A caller that has gone is not a failure: the call is on record.
        let _ = self.sender.send(reply);
    }
}
