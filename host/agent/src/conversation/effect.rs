//! What a conversation wants done next.

use serde_json::Value;

use super::{Conversation, Ending, SlotState, Step};
use crate::backend::TurnRequest;
use crate::message::ToolCall;
use crate::toolbox::ToolEffect;

/// What is to be done next. Asking twice gives the same answer until an event is reported.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect<'a> {
    /// Ask the model, then report [`super::Event::Answered`] or [`super::Event::BackendFailed`].
    AskModel(&'a TurnRequest),
    /// Run these calls at the same time and report [`super::Event::Called`] for each, in any order.
    /// Either reads, as many as follow each other, or a single write, of which [`super::Event::Begun`] is reported first
    /// by the code that saves the state. Never empty.
    Call(Vec<PlannedCall<'a>>),
    /// Wait for a write that was begun: report [`super::Event::Called`] when its reply comes, or
    /// [`super::Event::Lost`] when no process is left to report it.
    Await(PlannedCall<'a>),
    /// Judge the arguments of `Exit`, which fit its schema, then report [`super::Event::Judged`].
    Judge(&'a Value),
    /// Nothing: it ended.
    Finish(&'a Ending),
}

/// A call that is to be run. Its tool exists and its arguments fit the tool's schema.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlannedCall<'a> {
    /// Its place in the turn, to report the reply under.
    pub slot: usize,
    /// The call.
    pub call: &'a ToolCall,
}

impl Conversation {
    /// What is to be done next.
    #[must_use]
    pub fn effect(&self) -> Effect<'_> {
        let slots = match &self.step {
            Step::Model => return Effect::AskModel(&self.request),
            Step::Ended(ending) => return Effect::Finish(ending),
            Step::Calls(slots) => slots,
        };
        let mut batch = Vec::new();
        for (slot, open) in slots.iter().enumerate() {
            match open.state {
                SlotState::Ready(ToolEffect::Reads) => batch.push(PlannedCall { slot, call: &open.call }),
                SlotState::Ready(ToolEffect::Writes) if batch.is_empty() => {
                    return Effect::Call(vec![PlannedCall { slot, call: &open.call }]);
                }
                SlotState::Begun if batch.is_empty() => {
                    return Effect::Await(PlannedCall { slot, call: &open.call });
                }
                // A write waits for the reads before it, and what follows waits for the write.
                SlotState::Ready(ToolEffect::Writes) | SlotState::Begun => break,
                SlotState::Exit | SlotState::Done(_) => {}
            }
        }
        match slots.iter().find(|slot| slot.state == SlotState::Exit) {
            Some(exit) if batch.is_empty() => Effect::Judge(&exit.call.arguments),
            _ => Effect::Call(batch),
        }
    }

    pub(super) fn waits_for(&self) -> &'static str {
        match self.effect() {
            Effect::AskModel(_) => "the model",
            Effect::Call(_) => "its calls",
            Effect::Await(_) => "a call that was begun",
            Effect::Judge(_) => "a verdict",
            Effect::Finish(_) => "nothing",
        }
    }
}
