//! From a model's answer to the calls of a turn.

use std::collections::HashSet;

use serde_json::Value;

use super::{Conversation, Slot, SlotState};
use crate::definition::Definition;
use crate::exit::EXIT;
use crate::message::{Message, ToolCall, ToolResult};
use crate::toolbox::{ToolFailure, kind};

impl ToolResult {
    /// The result of a call that failed.
    fn failed(call: &ToolCall, failure: &ToolFailure) -> Self {
        let ToolFailure { kind, message } = failure;
        let content = serde_json::json!({ "kind": kind, "message": message });
        Self { call_id: call.id.clone(), name: call.name.clone(), content, is_error: true }
    }
}

impl Slot {
    /// Whether it is to be run, or runs.
    pub(super) fn is_open(&self) -> bool {
        matches!(self.state, SlotState::Ready(_) | SlotState::Begun)
    }

    /// Gives this call the tool's answer as its result.
    pub(super) fn done(&mut self, content: Value) -> ToolResult {
        let ToolCall { id, name, .. } = &self.call;
        self.close(ToolResult { call_id: id.clone(), name: name.clone(), content, is_error: false })
    }

    /// Gives this call an error as its result.
    pub(super) fn fail(&mut self, failure: &ToolFailure) -> ToolResult {
        self.close(ToolResult::failed(&self.call, failure))
    }

    fn close(&mut self, result: ToolResult) -> ToolResult {
        self.state = SlotState::Done(result.clone());
        result
    }
}

/// Sorts the calls of a turn into those to run, those that cannot be run, and `Exit`.
pub(super) fn sort(definition: &Definition, calls: Vec<ToolCall>) -> Vec<Slot> {
    let exits = calls.iter().filter(|call| call.name == EXIT).count();
    calls
        .into_iter()
        .map(|call| {
            let state = match inspect(definition, &call, exits) {
                Ok(state) => state,
                Err(failure) => SlotState::Done(ToolResult::failed(&call, &failure)),
            };
            Slot { call, state }
        })
        .collect()
}

fn inspect(definition: &Definition, call: &ToolCall, exits: usize) -> Result<SlotState, ToolFailure> {
    let Some(tool) = definition.tool(&call.name) else {
        return Err(ToolFailure::new(kind::UNKNOWN_TOOL, "there is no tool of this name; use one of those described"));
    };
    let is_exit = call.name == EXIT;
    if is_exit && exits > 1 {
        let message = "`Exit` was called more than once in one turn, so no result was taken; call it once";
        return Err(ToolFailure::new(kind::AMBIGUOUS_EXIT, message));
    }
    tool.schema.check(&call.arguments).map_err(|complaint| {
        let message = format!("the arguments do not fit the schema of `{}`: {complaint}", call.name);
        ToolFailure::new(kind::INVALID_INPUT, message)
    })?;
    Ok(if is_exit { SlotState::Exit } else { SlotState::Ready(tool.effect) })
}

impl Conversation {
    /// Gives an id to every call that has none, or one that was used before: some providers send none, and results
    /// are matched by it.
    pub(super) fn name_calls(&self, calls: &mut [ToolCall]) {
        let mut used: HashSet<String> =
            self.request.messages.iter().flat_map(calls_of).map(|call| call.id.clone()).collect();
        let mut next = used.len();
        for call in calls {
            while call.id.is_empty() || !used.insert(call.id.clone()) {
                next += 1;
                call.id = format!("call-{next}");
            }
        }
    }
}

fn calls_of(message: &Message) -> &[ToolCall] {
    match message {
        Message::Assistant { calls, .. } => calls,
        Message::ToolResults(_) | Message::User(_) => &[],
    }
}
