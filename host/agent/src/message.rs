//! What passes between the loop and a model.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One message of a conversation. The instructions and the task stand apart, in the turn request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "role", content = "content", rename_all = "camelCase")]
pub enum Message {
    /// What the model said.
    Assistant {
        /// Its text; may be empty.
        text: String,
        /// The calls it asked for, in its order; may be empty.
        calls: Vec<ToolCall>,
    },
    /// The results of all calls of the assistant message before, in the order of the calls.
    ToolResults(Vec<ToolResult>),
    /// What the loop said (the reminder that a result is due).
    User(String),
}

/// A call that a model asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolCall {
    /// Unique in a conversation. A backend may leave it empty: the loop gives such a call an id.
    pub id: String,
    /// The tool's name, as the model wrote it.
    pub name: String,
    /// The arguments, not yet checked against anything.
    pub arguments: Value,
}

/// What came of a call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolResult {
    /// The id of the call.
    pub call_id: String,
    /// The name of the tool that was called.
    pub name: String,
    /// The tool's output, or `{"kind": …, "message": …}` ([`crate::ToolFailure`]) if `is_error`.
    pub content: Value,
    /// Whether the call failed.
    pub is_error: bool,
}

/// Tokens of one turn, or of many added up. All zero where a backend has no tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// Tokens sent, cached ones included.
    pub input_tokens: u64,
    /// How many of the tokens sent were read from the provider's cache.
    pub cached_input_tokens: u64,
    /// Tokens received, those of hidden reasoning included.
    pub output_tokens: u64,
}

impl Usage {
    /// Tokens sent and received together: what a token budget counts.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.input_tokens.saturating_add(self.output_tokens)
    }

    /// The tokens that came to `earlier` since.
    pub(crate) fn since(&self, earlier: Self) -> Self {
        Self {
            input_tokens: self.input_tokens.saturating_sub(earlier.input_tokens),
            cached_input_tokens: self.cached_input_tokens.saturating_sub(earlier.cached_input_tokens),
            output_tokens: self.output_tokens.saturating_sub(earlier.output_tokens),
        }
    }

    /// Adds the tokens of another turn.
    pub fn add(&mut self, other: Self) {
        self.input_tokens = self.input_tokens.saturating_add(other.input_tokens);
        self.cached_input_tokens = self.cached_input_tokens.saturating_add(other.cached_input_tokens);
        self.output_tokens = self.output_tokens.saturating_add(other.output_tokens);
    }
}
