//! What can happen in a conversation.

use std::time::Duration;

use crate::backend::{BackendError, TurnResponse};
use crate::toolbox::ToolReply;
use crate::validation::Validation;

/// Something that happened outside the state machine.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// The model answered.
    Answered(TurnResponse),
    /// The model did not answer. The conversation waits for it as before, and counts the tokens.
    BackendFailed(BackendError),
    /// A write is about to be run. Reported before it is: a state that was saved without it, and says that the write
    /// is still to be run, is right.
    Begun {
        /// [`crate::PlannedCall::slot`].
        slot: usize,
    },
    /// The process that ran a write stopped before the reply. The write may have been done, in part or not at all.
    Lost {
        /// [`crate::PlannedCall::slot`].
        slot: usize,
    },
    /// A call was run.
    Called {
        /// [`crate::PlannedCall::slot`].
        slot: usize,
        /// What came of it.
        reply: ToolReply,
        /// How long it took by itself.
        took: Duration,
    },
    /// The result was judged.
    Judged(Validation),
    /// The time is up and what was under way was stopped.
    TimeUp,
}

/// An event that does not answer what the conversation waits for: a fault of the program that drives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the conversation was told of {event} when it waits for {waits_for}")]
pub struct Misplaced {
    /// What it was told of.
    pub event: &'static str,
    /// What it waits for.
    pub waits_for: &'static str,
}

impl Event {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Answered(_) => "an answer of the model",
            Self::BackendFailed(_) => "a failure of the model",
            Self::Begun { .. } => "the beginning of a call",
            Self::Lost { .. } => "the loss of a call",
            Self::Called { .. } => "a call's reply",
            Self::Judged(_) => "a verdict",
            Self::TimeUp => "the end of its time",
        }
    }
}
