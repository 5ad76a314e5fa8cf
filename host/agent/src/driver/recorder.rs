//! Keeps the transcript of one stretch of work, however it ends.

use crate::budget::Totals;
use crate::conversation::Conversation;
use crate::definition::Definition;
use crate::error::AgentError;
use crate::templates::Stamp;
use crate::transcript::{Entry, Outcome, Transcript};

/// Writes entries; dropped before an ending was written, it writes that the work was interrupted.
pub(super) struct Recorder<'a> {
    transcript: &'a mut Transcript,
    definition: &'a Definition,
    totals: Totals,
    state: State,
}

#[derive(PartialEq)]
enum State {
    Open,
    Closed,
}

impl<'a> Recorder<'a> {
    pub(super) fn begin(
        transcript: &'a mut Transcript,
        conversation: &Conversation,
        backend: &str,
        template: Option<&Stamp>,
        definition: &'a Definition,
    ) -> Result<Self, AgentError> {
        let (request, totals) = (conversation.request(), *conversation.totals());
        let begin = Entry::Begin {
            backend: backend.into(),
            template: template.cloned(),
            budget: definition.budget().clone(),
            totals,
            tools: request.tools.iter().map(|tool| tool.name.clone()).collect(),
            task: request.task.clone(),
            instructions: request.instructions.clone(),
        };
        let mut recorder = Self { transcript, definition, totals, state: State::Open };
        recorder.record(&[begin], totals)?;
        if let Some(ending) = conversation.ending() {
            recorder.record(&[Entry::ended(ending, totals)], totals)?;
        }
        Ok(recorder)
    }

    pub(super) fn record(&mut self, entries: &[Entry], totals: Totals) -> Result<(), AgentError> {
        self.transcript.spent.add(&self.totals, &totals, &|usage| self.definition.cost(usage));
        self.totals = totals;
        for entry in entries {
            self.transcript.record(entry).map_err(AgentError::Transcript)?;
            if matches!(entry, Entry::End { .. }) {
                self.close();
            }
        }
        Ok(())
    }

    /// Says that nothing is to be added any more.
    pub(super) fn close(&mut self) {
        self.state = State::Closed;
    }
}

impl Drop for Recorder<'_> {
    fn drop(&mut self) {
        if self.state == State::Open {
            let end = Entry::End { outcome: Outcome::Interrupted, totals: self.totals, message: None };
            // A failure here cannot be reported.
            let _ = self.transcript.record(&end);
        }
    }
}
