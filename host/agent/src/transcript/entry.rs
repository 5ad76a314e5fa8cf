//! The kinds of line in a transcript.

use std::time::Duration;

use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::budget::{Budget, Totals};
use crate::conversation::Ending;
use crate::message::{ToolCall, ToolResult, Usage};
use crate::templates::Stamp;
use crate::validation::Validation;

/// One line of a transcript; `entry` names its kind in camel case. Times are in milliseconds.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "entry", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Entry {
    /// A conversation begins, or goes on after it was saved.
    Begin {
        /// The backend's name.
        backend: String,
        /// The template the instructions come from, and its version; absent if they come from none.
        #[serde(skip_serializing_if = "Option::is_none")]
        template: Option<Stamp>,
        /// What the agent may spend.
        budget: Budget,
        /// What a saved conversation had spent already.
        totals: Totals,
        /// The names of the tools, `Exit` included.
        tools: Vec<String>,
        /// The task.
        task: Value,
        /// The instructions.
        instructions: String,
    },
    /// The model answered.
    Turn {
        /// Its number, from 1.
        turn: u64,
        /// How many calls it asked for; each has a line of its own.
        calls: usize,
        /// The tokens of this turn.
        usage: Usage,
        /// What they cost in millionths of one unit of money, where prices are known.
        #[serde(skip_serializing_if = "Option::is_none")]
        cost: Option<u64>,
        /// How long it took.
        #[serde(rename = "tookMs", serialize_with = "milliseconds")]
        took: Duration,
        /// What it said.
        text: String,
    },
    /// A call that the model asked for.
    Call(ToolCall),
    /// What came of a call.
    Result {
        /// As the model gets it.
        #[serde(flatten)]
        result: ToolResult,
        /// What it took, in the toolbox's own terms; null for a call that was not run.
        cost: Value,
    },
    /// The verdict on a result that fits its schema.
    Validation {
        /// The call of `Exit`.
        call_id: String,
        /// The verdict.
        #[serde(flatten)]
        verdict: Validation,
    },
    /// The model was reminded to call a tool.
    Reminder,
    /// Old output of tools was left out of what the model is sent from now on.
    Compacted {
        /// How many results.
        results: u64,
        /// How many bytes of JSON they had.
        bytes: u64,
        /// The model's window in tokens.
        window: u64,
    },
    /// The model did not answer. The conversation can be resumed.
    BackendFailed {
        /// The tokens it took all the same.
        usage: Usage,
        /// Why.
        message: String,
    },
    /// The conversation ended, or its caller stopped waiting.
    End {
        /// How.
        outcome: Outcome,
        /// What it spent. For an interrupted conversation: without what was under way.
        totals: Totals,
        /// Why, where there is something to say.
        message: Option<String>,
    },
}

/// How the work on a conversation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    /// With a result.
    Completed,
    /// Over its budget.
    Exceeded,
    /// The model called no tool, though reminded.
    NoToolCall,
    /// It was cancelled, or the program that drove it failed; nothing is known of the calls without a result.
    Interrupted,
}

impl Entry {
    pub(crate) fn ended(ending: &Ending, totals: Totals) -> Self {
        let (outcome, message) = match ending {
            Ending::Completed(_) => (Outcome::Completed, None),
            Ending::Exceeded(exceeded) => (Outcome::Exceeded, Some(exceeded.to_string())),
            Ending::NoToolCall => (Outcome::NoToolCall, None),
        };
        Self::End { outcome, totals, message }
    }
}

fn milliseconds<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
}
