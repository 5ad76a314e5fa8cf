//! The tagged union of all tasks, as a backend receives it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{ClassifyTask, PatchTask, TypespecTask};

/// A task of one of the customization agents. Serialises as the task's own fields plus `"kind"`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum AgentTask {
    /// Routes every item of a request; the result is a [`super::Classification`].
    Classify(ClassifyTask),
    /// Edits `client.tsp`; the result is a [`super::TypespecResult`].
    CustomizeTypespec(TypespecTask),
    /// Repairs hand-written customization files; the result is a [`super::PatchResult`].
    PatchCode(PatchTask),
}

impl AgentTask {
    /// The task as the JSON value that a turn request carries.
    ///
    /// # Errors
    /// Never for the types of this module (their maps have string keys); the error is passed on rather than hidden.
    pub fn to_value(&self) -> Result<Value, serde_json::Error> {
        serde_json::to_value(self)
    }

    /// Reads a task back from a turn request.
    ///
    /// # Errors
    /// When `kind` is missing or unknown, or a field is missing or of the wrong type.
    pub fn from_value(value: &Value) -> Result<Self, serde_json::Error> {
        Self::deserialize(value)
    }
}

impl From<ClassifyTask> for AgentTask {
    fn from(task: ClassifyTask) -> Self {
        Self::Classify(task)
    }
}

impl From<TypespecTask> for AgentTask {
    fn from(task: TypespecTask) -> Self {
        Self::CustomizeTypespec(task)
    }
}

impl From<PatchTask> for AgentTask {
    fn from(task: PatchTask) -> Self {
        Self::PatchCode(task)
    }
}
