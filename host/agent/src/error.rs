//! Why an agent came to no result.

use std::io;

use crate::backend::BackendError;
use crate::budget::Exceeded;
use crate::conversation::Misplaced;
use crate::conversation::ResumeError;
use crate::definition::DefinitionError;

/// Why an agent came to no result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AgentError {
    /// The agent cannot be run as it is defined; no model was asked.
    #[error("the agent is not well defined: {0}")]
    Definition(#[from] DefinitionError),
    /// A saved conversation does not belong to the agent; no model was asked.
    #[error("the conversation cannot be resumed: {0}")]
    Resume(#[from] ResumeError),
    /// A part of the budget was exceeded.
    #[error(transparent)]
    Exceeded(#[from] Exceeded),
    /// The model called no tool, was reminded once, and called none again.
    #[error("the model ended without handing in a result, though it was reminded")]
    NoToolCall,
    /// The model did not answer. The conversation is as it was before the turn and can be resumed.
    #[error("no answer from `{backend}`: {source}")]
    Backend {
        /// The backend's name.
        backend: String,
        /// Why.
        source: BackendError,
    },
    /// The transcript cannot be written. Nothing is done that is not on record.
    #[error("the transcript cannot be written: {0}")]
    Transcript(#[source] io::Error),
    /// The state of the conversation cannot be saved.
    #[error("the conversation cannot be saved: {0}")]
    Save(#[source] io::Error),
    /// A completed conversation that was saved earlier holds a result of another agent.
    #[error("the result of the saved conversation cannot be read: {0}")]
    Result(#[source] serde_json::Error),
    /// A fault of this crate.
    #[error("fault in the agent loop: {0}")]
    Misplaced(#[from] Misplaced),
}

impl AgentError {
    /// What the reader can do about it, where there is something.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Exceeded(Exceeded::ToolCalls { .. }) => Some("allow more tool calls, or make the task smaller"),
            Self::Exceeded(Exceeded::Tokens { .. }) => Some("allow more tokens, or make the task smaller"),
            Self::Exceeded(Exceeded::Money { .. }) => Some("allow more money, or make the task smaller"),
            Self::Exceeded(Exceeded::WallClock { .. }) => Some("allow more time, or make the task smaller"),
            Self::Resume(_) => Some("start the agent anew"),
            Self::NoToolCall => Some("choose a model that calls tools"),
            Self::Backend { source: BackendError::Unavailable { .. }, .. } => Some("try again later"),
            Self::Backend { source: BackendError::Truncated { .. }, .. } => Some("raise the model's output limit"),
            _ => None,
        }
    }
}
