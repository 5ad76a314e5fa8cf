//! Drives a conversation: performs its effects, reports the events, writes the transcript.

mod batch;
mod observe;
mod recorder;

use std::io;
use std::time::Duration;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::time::{Instant, timeout};
use tracing::Instrument as _;

use crate::backend::Backend;
use crate::budget::Totals;
use crate::conversation::{Conversation, Effect, Ending, Event};
use crate::definition::Definition;
use crate::error::AgentError;
use crate::exit;
use crate::message::ToolCall;
use crate::microagent::Microagent;
use crate::toolbox::{ToolEffect, Toolbox};
use crate::transcript::Transcript;
use crate::validation::Validation;

use batch::Batch;
use recorder::Recorder;

/// What an agent came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Completed<T> {
    /// The result, valid by its schema and by the agent's validator.
    pub result: T,
    /// What it took.
    pub totals: Totals,
}

/// Is told the state after every event, to save it.
pub type Save<'a> = dyn FnMut(&Conversation) -> io::Result<()> + Send + 'a;

/// Runs an agent from the beginning to its result. Needs a tokio runtime with time enabled.
///
/// Dropping the future cancels it at once: the turn or the calls under way are dropped, and the transcript ends with
/// the outcome `interrupted`.
///
/// # Errors
/// See [`AgentError`]. Nothing is sent to the backend before the definition was checked.
pub async fn run<T: DeserializeOwned + JsonSchema + Send + Sync>(
    agent: &Microagent<T>,
    toolbox: &dyn Toolbox,
    backend: &dyn Backend,
    transcript: &mut Transcript,
) -> Result<Completed<T>, AgentError> {
    let mut conversation = agent.define(toolbox)?.begin();
    drive(agent, &mut conversation, toolbox, backend, transcript, &mut |_| Ok(())).await
}

/// Runs an agent on from where a conversation stands: one just begun with [`Definition::begin`], or one that was saved.
///
/// `save` is called after every event. After an error, or after the future was dropped, `conversation` is as it was
/// after the last event; it can be resumed unless it ended. A write that was under way is then not run again: the model
/// is told that its outcome is unknown.
///
/// # Errors
/// See [`AgentError`]. Nothing is sent to the backend before definition and conversation were checked.
pub async fn drive<T: DeserializeOwned + JsonSchema + Send + Sync>(
    agent: &Microagent<T>,
    conversation: &mut Conversation,
    toolbox: &dyn Toolbox,
    backend: &dyn Backend,
    transcript: &mut Transcript,
    save: &mut Save<'_>,
) -> Result<Completed<T>, AgentError> {
    let before = *conversation.totals();
    let span = observe::agent(agent.shown_name(), backend.name());
    let work = work(agent, conversation, toolbox, backend, transcript, save);
    let outcome = work.instrument(span.clone()).await;
    observe::agent_ended(&span, before, *conversation.totals(), outcome.as_ref().err());
    outcome
}

async fn work<T: DeserializeOwned + JsonSchema + Send + Sync>(
    agent: &Microagent<T>,
    conversation: &mut Conversation,
    toolbox: &dyn Toolbox,
    backend: &dyn Backend,
    transcript: &mut Transcript,
    save: &mut Save<'_>,
) -> Result<Completed<T>, AgentError> {
    let definition = agent.define(toolbox)?.on(backend)?;
    definition.admits(conversation)?;
    let template = agent.template.as_ref();
    let recorder = Recorder::begin(transcript, conversation, backend.name(), template, &definition)?;
    let mut session = Session { definition: &definition, conversation, recorder, save, last: Instant::now() };
    loop {
        match session.next() {
            Next::Turn => session.turn(backend).await?,
            Next::Calls(calls) => session.calls(toolbox, &calls).await?,
            // A call of this stretch of work is reported before anything else is asked, so this one is of an earlier one.
            Next::Lost(slot) => session.report(Event::Lost { slot })?,
            Next::Verdict(arguments) => session.verdict(agent, &arguments).await?,
            Next::Ended(ending) => {
                let totals = *session.conversation.totals();
                return match ending {
                    Ending::Completed(arguments) => {
                        exit::decode(&arguments).map(|result| Completed { result, totals }).map_err(AgentError::Result)
                    }
                    Ending::Exceeded(exceeded) => Err(exceeded.into()),
                    Ending::NoToolCall => Err(AgentError::NoToolCall),
                };
            }
        }
    }
}

/// One stretch of work on a conversation.
struct Session<'a> {
    definition: &'a Definition,
    conversation: &'a mut Conversation,
    recorder: Recorder<'a>,
    save: &'a mut Save<'a>,
    /// When the last event was reported.
    last: Instant,
}

/// An effect without its borrow of the conversation, which changes while calls are under way.
enum Next {
    Turn,
    Calls(Vec<(usize, ToolCall)>),
    /// A write that was begun and whose result is unknown.
    Lost(usize),
    Verdict(Value),
    Ended(Ending),
}

impl Session<'_> {
    fn next(&self) -> Next {
        match self.conversation.effect() {
            Effect::AskModel(_) => Next::Turn,
            Effect::Call(planned) => Next::Calls(planned.iter().map(|one| (one.slot, one.call.clone())).collect()),
            Effect::Await(planned) => Next::Lost(planned.slot),
            Effect::Judge(arguments) => Next::Verdict(arguments.clone()),
            Effect::Finish(ending) => Next::Ended(ending.clone()),
        }
    }

    async fn turn(&mut self, backend: &dyn Backend) -> Result<(), AgentError> {
        let span = observe::turn(backend.name());
        let asked = backend.turn(self.conversation.request()).instrument(span.clone());
        let answer = within(self.time_left(), asked).await;
        observe::answered(&span, answer.as_ref());
        drop(span);
        match answer {
            None => self.report(Event::TimeUp),
            Some(Ok(response)) => self.report(Event::Answered(response)),
            Some(Err(source)) => {
                self.report(Event::BackendFailed(source.clone()))?;
                self.recorder.close();
                Err(AgentError::Backend { backend: backend.name().into(), source })
            }
        }
    }

    async fn calls(&mut self, toolbox: &dyn Toolbox, calls: &[(usize, ToolCall)]) -> Result<(), AgentError> {
        if let [(slot, call)] = calls
            && self.definition.tool(&call.name).is_some_and(|tool| tool.effect == ToolEffect::Writes)
        {
            self.report(Event::Begun { slot: *slot })?;
        }
        let mut batch = Batch::start(toolbox, calls);
        while !batch.is_empty() {
            match within(self.time_left(), batch.next()).await {
                Some((slot, reply, took)) => self.report(Event::Called { slot, reply, took })?,
                None => return self.report(Event::TimeUp),
            }
        }
        Ok(())
    }

    async fn verdict<T: DeserializeOwned + Send + Sync>(
        &mut self,
        agent: &Microagent<T>,
        arguments: &Value,
    ) -> Result<(), AgentError> {
        let verdict = match (exit::decode::<T>(arguments), &agent.validator) {
            // A type may ask more of its JSON than a schema can say.
            (Err(error), _) => Validation::refused(error.to_string()),
            (Ok(_), None) => Validation::Accepted,
            (Ok(result), Some(validator)) => match within(self.time_left(), validator.validate(&result)).await {
                Some(verdict) => verdict,
                None => return self.report(Event::TimeUp),
            },
        };
        self.report(Event::Judged(verdict))
    }

    fn time_left(&self) -> Duration {
        let spent = self.conversation.totals().wall + self.last.elapsed();
        self.definition.budget().wall.saturating_sub(spent)
    }

    fn report(&mut self, event: Event) -> Result<(), AgentError> {
        let now = Instant::now();
        let took = now - self.last;
        self.last = now;
        let call = match &event {
            Event::Called { took, .. } => Some(*took),
            _ => None,
        };
        let entries = self.conversation.advance(self.definition, event, took)?;
        observe::told(&entries, call);
        self.recorder.record(&entries, *self.conversation.totals())?;
        (self.save)(self.conversation).map_err(AgentError::Save)
    }
}

/// Waits no longer than `left`. Nothing is begun when no time is left.
async fn within<O>(left: Duration, work: impl Future<Output = O>) -> Option<O> {
    if left == Duration::ZERO { None } else { timeout(left, work).await.ok() }
}
