//! How a conversation ends.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::budget::Exceeded;

/// How a conversation ended. It never changes again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Ending {
    /// A result was accepted: the arguments of `Exit`, `{"result": …}`.
    Completed(Value),
    /// A part of the budget was exceeded.
    Exceeded(Exceeded),
    /// The model called no tool, was reminded once, and called none again.
    NoToolCall,
}
