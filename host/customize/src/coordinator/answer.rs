//! What a caller is told after each call.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::instruct::TOOL;
use super::report::Report;
use super::{Phase, Progress, Status, Workflow};
use crate::surface::Surface;

/// The answer to one call, in the names of the protocol.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Answer {
    /// Where the workflow stands.
    pub phase: Phase,
    /// That in a sentence.
    pub message: String,
    /// What the caller is to do, in words.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub instruction: Option<String>,
    /// The JSON Schema of the next `result`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(with = "Map<String, Value>")]
    pub expected_result: Option<Value>,
    /// A subagent that the caller had best start.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub use_subagent: Option<Subagent>,
    /// A tool that the caller is to call.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub run_tool: Option<RunTool>,
    /// What the next call names.
    pub workflow_id: String,
    /// The run that keeps it, which a person approves or reverts in the end.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(with = "String")]
    pub run_id: Option<String>,
    /// Whether it is over.
    pub is_complete: bool,
    /// How it ended.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub status: Option<Status>,
    /// All that happened, as Markdown.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub summary: Option<String>,
    /// Whether the caller has to call again.
    pub continuation_required: bool,
    /// How.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub continuation_instruction: Option<String>,
    /// How far it is.
    pub progress: Progress,
    /// How the public surface of the client changed since the workflow began, once the package builds with it; left out
    /// where no name and no signature changed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(with = "Surface")]
    pub public_surface: Option<Surface>,
    /// Changes of the caller that were refused, a sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub refused_changes: Vec<String>,
}

/// A subagent and what it is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Subagent {
    /// `typespec`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Its task.
    pub prompt: String,
}

/// A tool and its arguments.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RunTool {
    /// Its name.
    pub name: String,
    /// Its arguments, complete.
    #[schemars(with = "Map<String, Value>")]
    pub arguments: Value,
}

impl Answer {
    /// The same for a caller who is told before the work is done: nothing is asked but to call again.
    #[must_use]
    pub fn meanwhile(self, message: &str) -> Self {
        Self {
            message: message.to_owned(),
            instruction: None,
            expected_result: None,
            use_subagent: None,
            run_tool: None,
            continuation_required: true,
            continuation_instruction: Some(ask_again(&self.workflow_id)),
            ..self
        }
    }
}

/// How a caller waits.
pub(super) fn ask_again(id: &str) -> String {
    format!("Call `{TOOL}` with `workflowId`: \"{id}\" and no `result` until the answer is another.")
}

impl Workflow {
    /// What a caller is told now. Asking changes nothing, so that a lost answer can be asked for again.
    #[must_use]
    pub fn answer(&self) -> Answer {
        let complete = self.phase.is_terminal();
        let expected = if self.checking.is_some() { None } else { Report::schema(self.phase) };
        Answer {
            phase: self.phase,
            message: self.message.clone(),
            instruction: self.instruction(),
            expected_result: expected,
            use_subagent: self.subagent(),
            run_tool: self.run_tool(),
            workflow_id: self.id.clone(),
            run_id: self.run.clone(),
            is_complete: complete,
            status: self.status(),
            summary: self.summary(),
            continuation_required: !complete,
            continuation_instruction: self.continuation(),
            progress: self.progress(),
            public_surface: self.surface.clone(),
            refused_changes: self.refused.clone(),
        }
    }
}
