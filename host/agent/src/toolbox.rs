//! What an agent's tools look like to the loop: their descriptions, one call, one reply.

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The tools of one agent. The code that builds the toolbox decides what a tool may touch, never by the agent.
#[async_trait]
pub trait Toolbox: Send + Sync {
    /// The tools, described for a model. The same answer at every call.
    fn specs(&self) -> Vec<ToolSpec>;

    /// Runs one tool. `arguments` fit the tool's input schema. The loop calls tools that only read in parallel.
    ///
    /// Dropping the returned future must stop the call.
    async fn call(&self, name: &str, arguments: &Value) -> ToolReply;
}

/// One tool as a model sees it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolSpec {
    /// Letters, digits, `_` and `-`, at most 64; unique in a toolbox whatever the letter case.
    pub name: String,
    /// What the tool does, for a model to read.
    pub description: String,
    /// JSON Schema 2020-12 of the arguments.
    pub input_schema: Value,
    /// Whether calls may run beside each other.
    pub effect: ToolEffect,
}

/// What a call of a tool leaves behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ToolEffect {
    /// Nothing: such calls run in parallel.
    Reads,
    /// Something: such a call runs alone, in the order the model asked.
    Writes,
}

/// What came of a call that was run.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolReply {
    /// The tool's answer, or a failure the model is to read.
    pub outcome: Result<Value, ToolFailure>,
    /// What the call took (time, memory, bytes, denied attempts); goes into the transcript, not to the model.
    pub cost: Value,
}

/// Why a call failed. It is the content of an error result that goes back to the model, so it names no host paths.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "camelCase")]
#[error("{message}")]
pub struct ToolFailure {
    /// What kind, in kebab case: the tool's own (`not-found`, `no-match`, …) or one of the loop's in [`kind`].
    pub kind: String,
    /// One sentence.
    pub message: String,
}

impl ToolFailure {
    /// A failure of the given kind.
    pub fn new(kind: impl Into<String>, message: impl Into<String>) -> Self {
        Self { kind: kind.into(), message: message.into() }
    }
}

/// The kinds of failure that the loop itself reports to a model.
pub mod kind {
    /// No tool has that name.
    pub const UNKNOWN_TOOL: &str = "unknown-tool";
    /// The arguments of a tool, or the result given to `Exit`, do not fit the schema.
    pub const INVALID_INPUT: &str = "invalid-input";
    /// The validator refused the result.
    pub const REFUSED: &str = "refused";
    /// `Exit` was called more than once in one turn.
    pub const AMBIGUOUS_EXIT: &str = "ambiguous-exit";
    /// The program was stopped while a write ran, and its result is unknown.
    pub const OUTCOME_UNKNOWN: &str = "outcome-unknown";
    /// The program was stopped before a call whose arguments held a secret, which is not kept, so it cannot be run.
    pub const NOT_KEPT: &str = "not-kept";
    /// A call beside `Exit` failed, so the result was not judged.
    pub const UNSEEN_FAILURE: &str = "unseen-failure";
}
