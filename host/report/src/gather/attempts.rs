//! Effects and their events, put together to attempts.

use std::path::Path;

use bailiwick_agent::KnownSecrets;
use bailiwick_agent::transcript::scrubbed;
use bailiwick_customize::coordinator::{HistoryEntry, HistoryResult};
use bailiwick_customize::machine::{Effect, Event as Outcome, MAX_ATTEMPTS};
use bailiwick_runs::Status;
use serde::Deserialize as _;
use serde_json::Value;

use super::events::Event;
use super::{is_over, steps};
use crate::model::{Attempt, Mark, Step};

/// What became of an effect, for the timeline.
#[derive(Debug)]
pub(super) struct Said {
    /// The index of the event that tells it.
    pub(super) index: usize,
    pub(super) mark: Mark,
    pub(super) text: String,
}

/// The attempts of a run.
#[derive(Debug, Default)]
pub(super) struct Attempts {
    pub(super) attempts: Vec<Attempt>,
    pub(super) said: Vec<Said>,
    phase_a: u8,
}

impl Attempts {
    /// Puts effects and events together. `sent_back` has why results were sent back, by time.
    pub(super) fn read(events: &[Event], sent_back: &[(u64, Vec<String>)], status: Status) -> Self {
        let mut all = Self::default();
        let mut under_way: Option<(usize, Effect)> = None;
        for (index, event) in events.iter().enumerate() {
            match event.kind.as_str() {
                "effect" => match Effect::deserialize(&event.data) {
                    Ok(Effect::Finish { ending }) => {
                        all.say(index, Mark::Plain, format!("the end: {}", ending.message));
                    }
                    Ok(effect) => under_way = Some((index, effect)),
                    Err(_) => all.unreadable(index, event, "effect"),
                },
                "event" => match (Outcome::deserialize(&event.data), under_way.take()) {
                    (Ok(outcome), Some((began, effect))) => {
                        let (from, to) = (events[began].milliseconds(), event.milliseconds());
                        let mut step = steps::step(&effect, &outcome);
                        step.took_ms = from.zip(to).map(|(from, to)| to.saturating_sub(from));
                        if let Some((from, to)) = from.zip(to) {
                            let within = sent_back.iter().filter(|(at, _)| (from..=to).contains(at));
                            step.notes.splice(0..0, within.flat_map(|(_, reasons)| reasons.clone()));
                        }
                        all.say(index, step.mark, format!("{}: {}", step.name, step.result));
                        all.add(&effect, step);
                    }
                    (Ok(outcome), None) => {
                        all.say(index, Mark::Plain, format!("{} without an effect", steps::name_of(&outcome)));
                    }
                    (Err(_), _) => all.unreadable(index, event, "event"),
                },
                _ => {}
            }
        }
        if let Some((index, effect)) = under_way {
            let (mark, result) = if is_over(status) {
                (Mark::Bad, "broken off before it came to an end")
            } else {
                (Mark::Plain, "under way, or broken off")
            };
            let name = steps::name(&effect).to_owned();
            all.say(index, mark, format!("{name}: {result}"));
            all.add(&effect, Step { name, mark, result: result.to_owned(), ..Step::default() });
        }
        all.said.sort_by_key(|said| said.index);
        all
    }

    fn say(&mut self, index: usize, mark: Mark, text: String) {
        self.said.push(Said { index, mark, text });
    }

    /// Written by another version: its name is all that is certain.
    fn unreadable(&mut self, index: usize, event: &Event, field: &str) {
        let name = event.data.get(field).and_then(Value::as_str).unwrap_or("unknown");
        self.say(index, Mark::Plain, format!("{field} `{name}`, in a form that this version does not know"));
    }

    fn add(&mut self, effect: &Effect, step: Step) {
        if let Some(title) = self.title(effect) {
            self.attempts.push(Attempt { title, ..Attempt::default() });
        }
        if let Some(attempt) = self.attempts.last_mut() {
            attempt.mark = step.mark;
            attempt.steps.push(step);
        }
    }

    /// The title of what begins with this effect; `None` when it belongs to what came before.
    fn title(&mut self, effect: &Effect) -> Option<String> {
        let of = |phase: &str, attempt: u8, what: &str| format!("{phase}, attempt {attempt} of {MAX_ATTEMPTS}: {what}");
        let last = self.attempts.last();
        match effect {
            Effect::Classify { .. } => Some("Classification".to_owned()),
            Effect::CheckProof => Some("What is on record".to_owned()),
            Effect::EditTypespec { attempt, .. } => {
                self.phase_a = *attempt;
                Some(of("Phase A", *attempt, "TypeSpec"))
            }
            Effect::PatchCode { attempt, .. } => Some(of("Phase B", *attempt, "customization code")),
            // After a classification alone: an attempt that edits nothing.
            Effect::Regenerate if last.is_none_or(|last| last.title == "Classification") => {
                self.phase_a += 1;
                Some(of("Phase A", self.phase_a, "without an edit"))
            }
            Effect::CheckClaims { .. } => Some("Claims".to_owned()),
            Effect::Regenerate | Effect::Build | Effect::CheckDrift | Effect::Finish { .. } => {
                last.is_none().then(|| "Validation".to_owned())
            }
        }
    }
}

/// What a coordinated workflow keeps of its own steps; none for other runs.
pub(super) fn of_workflow(path: &Path, secrets: &KnownSecrets) -> Vec<Attempt> {
    let read = std::fs::read(path).ok().and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok());
    let history = read.and_then(|mut kept| kept.pointer_mut("/workflow/history").map(Value::take));
    let history: Option<Vec<HistoryEntry>> =
        history.and_then(|history| serde_json::from_value(scrubbed(history, secrets)).ok());
    let mut attempts: Vec<Attempt> = Vec::new();
    for entry in history.unwrap_or_default() {
        let title = format!("Iteration {}", entry.iteration);
        if attempts.last().is_none_or(|last| last.title != title) {
            attempts.push(Attempt { title, ..Attempt::default() });
        }
        let (mark, result) = match entry.result {
            HistoryResult::Success => (Mark::Good, "success"),
            HistoryResult::Failure => (Mark::Bad, "failure"),
            HistoryResult::Skipped => (Mark::Plain, "skipped"),
        };
        if let Some(attempt) = attempts.last_mut() {
            attempt.mark = mark;
            attempt.steps.push(Step {
                name: entry.action,
                mark,
                result: format!("{result}, in {}", entry.phase),
                notes: entry.details.into_iter().collect(),
                ..Step::default()
            });
        }
    }
    attempts
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn events(list: &[(&str, Value)]) -> Vec<Event> {
        let event = |(number, (kind, data)): (usize, &(&str, Value))| Event {
            time: format!("2026-11-20T13:04:{number:02}.000Z"),
            kind: (*kind).to_owned(),
            data: data.clone(),
        };
        list.iter().enumerate().map(event).collect()
    }

    #[test]
    fn what_a_process_did_not_finish_is_said_to_be_broken_off() {
        let events = events(&[("effect", json!({"effect": "build"}))]);
        let read = Attempts::read(&events, &[], Status::Reverted);
        assert_eq!(read.attempts[0].steps[0].result, "broken off before it came to an end");
        assert_eq!(read.attempts[0].steps[0].mark, Mark::Bad);
        let read = Attempts::read(&events, &[], Status::Running);
        assert_eq!(read.attempts[0].steps[0].result, "under way, or broken off");
    }

    #[test]
    fn what_the_gate_refused_stands_with_the_step_it_belongs_to() {
        let events = events(&[
            ("effect", json!({"effect": "editTypespec", "attempt": 1, "items": [], "feedback": []})),
            ("event", json!({"event": "typespecEdited", "edit": {"outcome": "notNeeded", "renames": []}})),
            ("effect", json!({"effect": "future", "x": 1})),
        ]);
        let at = events[0].milliseconds().unwrap() + 10;
        let sent_back = [(at, vec!["mine".to_owned()]), (at + 60_000, vec!["of another step".to_owned()])];
        let read = Attempts::read(&events, &sent_back, Status::Running);
        let step = &read.attempts[0].steps[0];
        assert_eq!(read.attempts[0].title, "Phase A, attempt 1 of 2: TypeSpec");
        assert_eq!((&step.notes[..], step.took_ms), (&["mine".to_owned()][..], Some(1_000)));
        assert!(read.said[1].text.contains("`future`, in a form that this version does not know"));
    }
}
