//! What answers a turn: a provider's model, the caller's model, or the embedded mechanic.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::message::{Message, ToolCall, Usage};
use crate::prices::Prices;
use crate::replay::ReplayError;
use crate::toolbox::ToolSpec;

/// A model, or what stands in for one. It keeps no state between turns: everything it may know is in the request.
#[async_trait]
pub trait Backend: Send + Sync {
    /// For people and transcripts: `mechanic`, `openai:gpt-5`.
    fn name(&self) -> &str;

    /// How many tokens a request and its answer may take together, if that is known. Old output of tools is left out
    /// of a conversation that comes near it.
    fn window(&self) -> Option<u64> {
        None
    }

    /// What its tokens cost, if that is known. An agent with a limit on money runs on no other backend.
    fn prices(&self) -> Option<Prices> {
        None
    }

    /// Answers one turn. Retries and their back-off are the backend's own; dropping the future must end the request.
    ///
    /// # Errors
    /// When there is no usable answer; see [`BackendError`]. The conversation stays where it was and can be resumed.
    async fn turn(&self, request: &TurnRequest) -> Result<TurnResponse, BackendError>;
}

/// Everything a model is told in one turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TurnRequest {
    /// The agent's instructions, for a model to read.
    pub instructions: String,
    /// The structured task, `{"kind": "…", …}`.
    pub task: Value,
    /// What was said so far; empty at the first turn.
    pub messages: Vec<Message>,
    /// The tools, [`crate::EXIT`] last.
    pub tools: Vec<ToolSpec>,
}

/// What a model answered.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TurnResponse {
    /// Its text; may be empty.
    pub text: String,
    /// The calls it asks for, in its order. The loop goes by these and by no stop reason.
    pub calls: Vec<ToolCall>,
    /// The tokens of this turn.
    pub usage: Usage,
}

/// Why a turn has no usable answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum BackendError {
    /// Overloaded, rate-limited or not reachable, and the backend's own retries are used up.
    #[error("the model is not available: {message}")]
    Unavailable {
        /// What happened, without keys.
        message: String,
        /// When the provider said to come back, counted from its answer.
        retry_after: Option<Duration>,
    },
    /// The answer was cut off at the output limit, so that its calls cannot be trusted.
    #[error("the model's answer was cut off at its output limit")]
    Truncated {
        /// The tokens it took all the same.
        usage: Usage,
    },
    /// The answer came whole and makes no sense.
    #[error("the model's answer cannot be read: {message}")]
    Malformed {
        /// What was wrong with it.
        message: String,
        /// The tokens it took all the same.
        usage: Usage,
    },
    /// The request will not be served however often it is sent: a bad key, an unknown model, a task of an unknown kind.
    #[error("the model refused the request: {message}")]
    Refused {
        /// What the backend said, without keys.
        message: String,
    },
    /// What was sent is not what was recorded, or more was asked for than was recorded.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// The turn could not be recorded, as was asked for.
    #[error("the conversation cannot be recorded: {message}")]
    Unrecorded {
        /// Why.
        message: String,
    },
}

/// A backend that several agents share.
#[async_trait]
impl<B: Backend + ?Sized> Backend for Arc<B> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn window(&self) -> Option<u64> {
        (**self).window()
    }

    fn prices(&self) -> Option<Prices> {
        (**self).prices()
    }

    async fn turn(&self, request: &TurnRequest) -> Result<TurnResponse, BackendError> {
        (**self).turn(request).await
    }
}

/// Whether the same request may be sent again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retry {
    /// It would fail again.
    Never,
    /// It may succeed, after this long if the provider said so.
    Later(Option<Duration>),
    /// It may succeed with a higher output limit.
    WithMoreOutput,
}

impl BackendError {
    /// Whether, and how, it is worth trying again.
    #[must_use]
    pub fn retry(&self) -> Retry {
        match self {
            Self::Unavailable { retry_after, .. } => Retry::Later(*retry_after),
            Self::Malformed { .. } => Retry::Later(None),
            Self::Truncated { .. } => Retry::WithMoreOutput,
            Self::Refused { .. } | Self::Replay(_) | Self::Unrecorded { .. } => Retry::Never,
        }
    }

    /// The tokens that the failed turn took.
    #[must_use]
    pub fn usage(&self) -> Usage {
        match self {
            Self::Truncated { usage } | Self::Malformed { usage, .. } => *usage,
            _ => Usage::default(),
        }
    }
}
