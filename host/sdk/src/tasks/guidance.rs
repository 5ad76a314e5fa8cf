//! What a person is told when the work is not done automatically.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The four parts of manual guidance. None of them is ever empty text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ManualGuidance {
    /// What was asked or what conflict was found.
    pub issue: String,
    /// The files concerned, as `path` or `path:line`.
    pub files: Vec<String>,
    /// The steps to take by hand.
    pub approach: String,
    /// Why it was not done automatically.
    pub reason: String,
}
