//! Why a call to the coordinator was not taken.

use bailiwick_runs::Status;
use thiserror::Error;

use super::super::{Blame, CustomizeError};
use crate::coordinator::{BeginError, Rejected, ReportError};

/// A call that changed nothing: the workflow, if there is one, is as before.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CoordinateError {
    /// The input of a new workflow cannot be used.
    #[error(transparent)]
    Begin(#[from] BeginError),
    /// The `result` cannot be read.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// The `result` is not what the workflow waits for.
    #[error(transparent)]
    Rejected(#[from] Rejected),
    /// There is none of this name.
    #[error("there is no workflow `{0}`")]
    Unknown(String),
    /// Its run was approved or reverted in the meantime.
    #[error("workflow `{id}` cannot go on: its run is {status}")]
    Closed {
        /// The workflow.
        id: String,
        /// What became of its run.
        status: Status,
    },
    /// A code fix was asked for where none is due.
    #[error("workflow `{0}` does not wait for a fix of customization code")]
    NotDue(String),
    /// What names the emitter is not what it was when the workflow began.
    #[error("workflow `{id}` cannot go on: its emitter is not the one it began with, by `{}`", path.display())]
    EmitterChanged {
        /// The workflow.
        id: String,
        /// The package file that names the emitter now.
        path: std::path::PathBuf,
    },
    /// An earlier version began it, which did not keep what emitter it began with.
    #[error("workflow `{0}` cannot go on: an earlier version began it, and its emitter is not known")]
    NotPinned(String),
    /// A failure outside the workflow's outcomes.
    #[error(transparent)]
    Customize(#[from] CustomizeError),
}

impl CoordinateError {
    /// What the caller can do about it, where there is something.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Begin(_) => None,
            Self::Report(_) | Self::Rejected(Rejected::WrongType { .. }) | Self::NotDue(_) => {
                Some("call again with `workflowId` alone to hear what is expected".into())
            }
            Self::Rejected(Rejected::Over { .. }) | Self::Closed { .. } => Some("start a new workflow".into()),
            Self::Rejected(Rejected::Expired { .. }) => {
                Some("start a new workflow; what stood there is kept in the directory `aside` of its run".into())
            }
            Self::Rejected(Rejected::Checking { .. }) => {
                Some("call again with `workflowId` alone, a little later".into())
            }
            Self::Unknown(_) => Some("`bailiwick run list` names every run; start a new workflow".into()),
            Self::EmitterChanged { .. } => Some(
                "put that file, its lock file and `tsp-location.yaml` of the package back as they were, or give the \
                 workflow up and start a new one"
                    .into(),
            ),
            Self::NotPinned(id) => Some(format!(
                "give it up with `bailiwick package workflow --workflow-id {id} --abandon`, and start a new one"
            )),
            Self::Customize(error) => error.hint(),
        }
    }

    /// Who can do something about it.
    #[must_use]
    pub fn blame(&self) -> Blame {
        match self {
            Self::Customize(error) => error.blame(),
            Self::EmitterChanged { .. } => Blame::Policy,
            _ => Blame::Input,
        }
    }
}
