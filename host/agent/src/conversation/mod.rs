//! The loop as a state machine without I/O: what happened goes in as an [`Event`], what is to be done next can be
//! asked as an [`Effect`]. The state serialises between any two events.
//!
//! # Rules
//! - A turn with calls is answered with one result per call, in the order of the calls. Reads that follow each other
//!   run in parallel; a write runs alone, after everything asked for before it.
//! - An unknown tool, arguments off the schema and a tool's failure are error results. They cost a call like any other.
//! - `Exit` is judged after the calls beside it, whatever its place among them. If one of those failed, the result is
//!   refused unjudged: the model decided on it before it could know of the failure. More than one `Exit` in a turn: all
//!   are refused. A refused `Exit` is an error result with the reason.
//! - A turn that asks for more calls than are left ends the conversation, and none of its calls is run. So does the
//!   last call, if it was not an accepted `Exit`.
//! - A turn without a call is answered with a reminder once in a conversation; the second ends it.
//! - A conversation that nears the model's window loses its oldest tool output first; a remark stands in its place, and
//!   the transcript has an entry.
//! - Tokens, money and time are judged after each answer of the model, after each group of calls and after each verdict; the
//!   driver stops what is under way when the time is up.
//!
//! # Going on after a stop
//! A write is marked as begun, and the state saved, before it runs. Where no process is left to report its result, the
//! model is told that its outcome is unknown, and it is not run again. Turns, reads and verdicts that were under way are
//! done again.

mod advance;
mod answer;
mod begin;
mod compact;
mod effect;
mod ending;
mod event;
mod kept;

use serde::{Deserialize, Serialize};

use crate::backend::TurnRequest;
use crate::budget::Totals;
use crate::message::{ToolCall, ToolResult};
use crate::toolbox::ToolEffect;

pub use begin::ResumeError;
use compact::Measured;
pub use effect::{Effect, PlannedCall};
pub use ending::Ending;
pub use event::{Event, Misplaced};

/// The form of the serialised state; counted up when it changes.
const FORMAT: u32 = 2;

/// What the model is told when it answers without a call.
const REMINDER: &str = "You answered without calling a tool. Go on with the task by calling a tool, or hand in the \
                        result by calling `Exit`. This reminder is given once; without a call the work ends.";

/// Everything a conversation remembers. Begun by [`crate::Definition::begin`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Conversation {
    format: u32,
    /// The next turn's request: what never changes, and the messages so far.
    request: TurnRequest,
    totals: Totals,
    reminder: Reminder,
    /// Only where the model's window is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    measured: Option<Measured>,
    step: Step,
}

/// Whether the one reminder was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Reminder {
    Unused,
    Given,
}

/// What the conversation waits for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Step {
    /// For an answer of the model.
    Model,
    /// For the calls of the last answer, in its order. At least one of them is open.
    Calls(Vec<Slot>),
    /// For nothing.
    Ended(Ending),
}

/// One call of a turn, on its way to a result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Slot {
    call: ToolCall,
    state: SlotState,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum SlotState {
    /// To be run.
    Ready(ToolEffect),
    /// A write that was begun, and of which nothing is known since.
    Begun,
    /// The one `Exit` of the turn, to be judged when nothing is to be run any more.
    Exit,
    Done(ToolResult),
}

impl Conversation {
    pub(crate) fn new(request: TurnRequest) -> Self {
        let (totals, reminder) = (Totals::default(), Reminder::Unused);
        Self { format: FORMAT, request, totals, reminder, measured: None, step: Step::Model }
    }

    /// The request of the next turn: instructions, task, tools and the messages so far.
    #[must_use]
    pub fn request(&self) -> &TurnRequest {
        &self.request
    }

    /// What was spent so far.
    #[must_use]
    pub fn totals(&self) -> &Totals {
        &self.totals
    }

    /// How it ended, if it did.
    #[must_use]
    pub fn ending(&self) -> Option<&Ending> {
        match &self.step {
            Step::Ended(ending) => Some(ending),
            Step::Model | Step::Calls(_) => None,
        }
    }

    pub(crate) fn check_format(&self) -> Result<(), ResumeError> {
        if self.format == FORMAT { Ok(()) } else { Err(ResumeError::Format { found: self.format, expected: FORMAT }) }
    }
}
