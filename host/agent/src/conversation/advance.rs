//! From one state to the next.

use std::time::Duration;

use serde_json::Value;

use super::answer::sort;
use super::{Conversation, Ending, Event, Misplaced, REMINDER, Reminder, Slot, SlotState, Step};
use crate::backend::{BackendError, TurnResponse};
use crate::definition::Definition;
use crate::message::Message;
use crate::toolbox::{ToolEffect, ToolFailure, ToolReply, kind};
use crate::transcript::Entry;
use crate::validation::Validation;

impl Conversation {
    /// Takes in what happened. `took` is the time since the event before. Returns what belongs in the transcript.
    ///
    /// # Errors
    /// When the event answers nothing that the conversation waits for; the state is then unchanged.
    pub fn advance(&mut self, definition: &Definition, event: Event, took: Duration) -> Result<Vec<Entry>, Misplaced> {
        let misplaced = Misplaced { event: event.name(), waits_for: self.waits_for() };
        let mut entries = Vec::new();
        // The time is written down only once the event turned out to be in place.
        let wall = self.totals.wall.saturating_add(took);
        match (event, &mut self.step) {
            (Event::Answered(response), Step::Model) => {
                self.totals.wall = wall;
                self.answered(definition, response, took, &mut entries);
            }
            (Event::BackendFailed(error), Step::Model) => {
                self.totals.wall = wall;
                self.backend_failed(definition, &error, &mut entries);
            }
            (Event::Begun { slot }, Step::Calls(slots)) => {
                let next = slots.iter().position(Slot::is_open).filter(|next| *next == slot);
                let begun = next.and_then(|next| slots.get_mut(next)).ok_or(misplaced)?;
                if begun.state != SlotState::Ready(ToolEffect::Writes) {
                    return Err(misplaced);
                }
                begun.state = SlotState::Begun;
                self.totals.wall = wall;
            }
            (Event::Lost { slot }, Step::Calls(slots)) => {
                let lost = slots.get_mut(slot).filter(|slot| slot.state == SlotState::Begun).ok_or(misplaced)?;
                let message = "the program was stopped while this call ran, so it may have been done, in part or not at \
                               all; look before you do it again";
                let result = lost.fail(&ToolFailure::new(kind::OUTCOME_UNKNOWN, message));
                entries.push(Entry::Result { result, cost: Value::Null });
                self.totals.wall = wall;
                self.settle(definition, &mut entries);
            }
            (Event::Called { slot, reply, took }, Step::Calls(slots)) => {
                let ready = slots.get_mut(slot).filter(|slot| slot.is_open());
                let slot = ready.ok_or(misplaced)?;
                entries.push(called(slot, reply));
                self.totals.wall = wall;
                self.totals.tool_time = self.totals.tool_time.saturating_add(took);
                self.settle(definition, &mut entries);
            }
            (Event::Judged(verdict), Step::Calls(slots)) => {
                let to_run = slots.iter().any(Slot::is_open);
                let exit = slots.iter_mut().find(|slot| slot.state == SlotState::Exit);
                let exit = exit.filter(|_| !to_run).ok_or(misplaced)?;
                entries.push(Entry::Validation { call_id: exit.call.id.clone(), verdict: verdict.clone() });
                self.totals.wall = wall;
                match verdict {
                    Validation::Accepted => {
                        let result = exit.call.arguments.take();
                        self.accepted(definition, result, &mut entries);
                    }
                    Validation::Refused { reason } => {
                        exit.fail(&refusal(&reason));
                        self.settle(definition, &mut entries);
                    }
                }
            }
            (Event::TimeUp, Step::Model | Step::Calls(_)) => {
                self.totals.wall = wall;
                self.end(Ending::Exceeded(definition.budget().out_of_time()), &mut entries);
            }
            _ => return Err(misplaced),
        }
        if self.step == Step::Model {
            self.compact(definition, &mut entries);
        }
        Ok(entries)
    }

    fn answered(&mut self, definition: &Definition, response: TurnResponse, took: Duration, entries: &mut Vec<Entry>) {
        let TurnResponse { text, mut calls, usage } = response;
        self.totals.turns += 1;
        self.totals.usage.add(usage);
        self.measure(definition, usage);
        self.name_calls(&mut calls);
        let (turn, cost) = (self.totals.turns, definition.cost(&usage));
        entries.push(Entry::Turn { turn, calls: calls.len(), usage, cost, took, text: text.clone() });
        entries.extend(calls.iter().cloned().map(Entry::Call));

        let budget = definition.budget();
        if let Some(exceeded) = definition.overspent(&self.totals) {
            return self.end(Ending::Exceeded(exceeded), entries);
        }
        if calls.is_empty() {
            return self.without_call(text, entries);
        }
        match u32::try_from(calls.len()) {
            Ok(asked) if asked <= budget.calls_left(&self.totals) => self.totals.tool_calls += asked,
            _ => return self.end(Ending::Exceeded(budget.out_of_calls()), entries),
        }
        self.request.messages.push(Message::Assistant { text, calls: calls.clone() });
        let slots = sort(definition, calls);
        for slot in &slots {
            if let SlotState::Done(result) = &slot.state {
                entries.push(Entry::Result { result: result.clone(), cost: Value::Null });
            }
        }
        self.step = Step::Calls(slots);
        self.settle(definition, entries);
    }

    fn without_call(&mut self, text: String, entries: &mut Vec<Entry>) {
        match self.reminder {
            Reminder::Given => self.end(Ending::NoToolCall, entries),
            Reminder::Unused => {
                self.reminder = Reminder::Given;
                self.request.messages.push(Message::Assistant { text, calls: Vec::new() });
                self.request.messages.push(Message::User(REMINDER.into()));
                entries.push(Entry::Reminder);
            }
        }
    }

    fn backend_failed(&mut self, definition: &Definition, error: &BackendError, entries: &mut Vec<Entry>) {
        self.totals.usage.add(error.usage());
        entries.push(Entry::BackendFailed { usage: error.usage(), message: error.to_string() });
        if let Some(exceeded) = definition.overspent(&self.totals) {
            self.end(Ending::Exceeded(exceeded), entries);
        }
    }

    fn accepted(&mut self, definition: &Definition, result: Value, entries: &mut Vec<Entry>) {
        let ending = match definition.overspent(&self.totals) {
            Some(exceeded) => Ending::Exceeded(exceeded),
            None => Ending::Completed(result),
        };
        self.end(ending, entries);
    }

    /// Looks whether the turn's calls are all dealt with, and goes on to `Exit` or to the model.
    pub(super) fn settle(&mut self, definition: &Definition, entries: &mut Vec<Entry>) {
        let Step::Calls(slots) = &mut self.step else { return };
        let failed = |slot: &Slot| matches!(&slot.state, SlotState::Done(result) if result.is_error);
        let any_failed = slots.iter().any(failed);
        if slots.iter().any(Slot::is_open) {
            return;
        }
        let budget = definition.budget();
        if let Some(exceeded) = definition.overspent(&self.totals) {
            return self.end(Ending::Exceeded(exceeded), entries);
        }
        if let Some(exit) = slots.iter_mut().find(|slot| slot.state == SlotState::Exit) {
            if !any_failed {
                return;
            }
            let message =
                "a call beside `Exit` failed, so the result was not taken; read its error, then hand in a result";
            let result = exit.fail(&ToolFailure::new(kind::UNSEEN_FAILURE, message));
            entries.push(Entry::Result { result, cost: Value::Null });
        }
        let results = slots.drain(..).filter_map(|slot| match slot.state {
            SlotState::Done(result) => Some(result),
            SlotState::Ready(_) | SlotState::Begun | SlotState::Exit => None,
        });
        self.request.messages.push(Message::ToolResults(results.collect()));
        self.step = Step::Model;
        if budget.calls_left(&self.totals) == 0 {
            self.end(Ending::Exceeded(budget.out_of_calls()), entries);
        }
    }

    fn end(&mut self, ending: Ending, entries: &mut Vec<Entry>) {
        entries.push(Entry::ended(&ending, self.totals));
        self.step = Step::Ended(ending);
    }
}

fn called(slot: &mut Slot, reply: ToolReply) -> Entry {
    let result = match reply.outcome {
        Ok(content) => slot.done(content),
        Err(failure) => slot.fail(&failure),
    };
    Entry::Result { result, cost: reply.cost }
}

fn refusal(reason: &Value) -> ToolFailure {
    let reason = match reason {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    ToolFailure::new(
        kind::REFUSED,
        format!("the result did not pass validation: {reason}; correct it and call `Exit` again"),
    )
}
