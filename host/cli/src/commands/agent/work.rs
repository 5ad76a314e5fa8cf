//! An agent at work, from wherever its conversation stands.

use super::prepare::{Answering, Prepared};
use super::progress::WithProgress;
use super::session::Session;
use super::transcript;
use crate::exit::{Code, Error, Result};
use crate::{output, runtime};
use bailiwick_agent::sandboxed::{Equipped, SandboxedTools};
use bailiwick_agent::{AgentError, Backend, Completed, Conversation, Definition, Microagent, Spent, drive};
use bailiwick_audit::printable;
use bailiwick_runs::RunId;
use bailiwick_sandbox::Sandbox;
use serde_json::{Value, json};
use std::sync::Arc;

/// An agent with its tools over its grants, and what answers it.
pub(super) struct Job {
    pub(super) id: RunId,
    name: String,
    agent: Microagent<Value>,
    toolbox: WithProgress<SandboxedTools>,
    answering: Answering,
    grants: Vec<String>,
    kept: Option<Session>,
    keep: Keep,
}

/// What becomes of the conversation when the run comes to its end.
#[derive(PartialEq)]
enum Keep {
    UntilTheEnd,
    Always,
}

impl Job {
    pub(super) fn new(
        id: RunId,
        prepared: Prepared,
        answering: Answering,
        sandbox: Arc<Sandbox>,
        tools: Vec<Equipped>,
    ) -> Self {
        let Prepared { source, agent, allowed, money, .. } = prepared;
        let agent = match money {
            Some(limit) => agent.with_cost_limit(limit),
            None => agent,
        };
        let shown = allowed.shown.iter();
        let grants =
            shown.map(|grant| format!("  {} = {} ({})", grant.name, grant.path.display(), grant.access)).collect();
        let toolbox = SandboxedTools::equipped(sandbox, tools);
        let toolbox = WithProgress(toolbox.of_run(id.as_str()));
        Self { id, name: source.agent.name, agent, toolbox, answering, grants, kept: None, keep: Keep::UntilTheEnd }
    }

    /// Checks the agent together with its tools and its model.
    pub(super) fn define(&self) -> Result<Definition> {
        let definition = self.agent.define(&self.toolbox).and_then(|definition| {
            let backend = self.answering.conversation.backend();
            definition.on(backend.as_ref())
        });
        definition.map_err(|error| failed(&AgentError::Definition(error), &self.id, None))
    }

    pub(super) fn keep_in(&mut self, kept: Session, always: bool) {
        self.kept = Some(kept);
        self.keep = if always { Keep::Always } else { Keep::UntilTheEnd };
    }

    pub(super) async fn work(mut self, conversation: &mut Conversation, as_json: bool) -> Result<Code> {
        let backend = self.answering.conversation.backend();
        let mut transcript = transcript::open(&self.id)?;
        let say = |text: String| output::progress(&printable(&text));
        say(format!("agent `{}`, run {}, model `{}`", self.name, self.id, backend.name()));
        self.grants.iter().cloned().for_each(say);
        let kept = &mut self.kept;
        let mut save = |state: &Conversation| kept.as_mut().map_or(Ok(()), |kept| kept.save(state));
        let outcome = tokio::select! {
            outcome = drive(&self.agent, conversation, &self.toolbox, backend.as_ref(), &mut transcript, &mut save) => Some(outcome),
            () = runtime::interrupted() => None,
        };
        if outcome.is_none() {
            runtime::end_when_interrupted_again();
        }
        let conversed = self.answering.conversation.finish();
        let Some(outcome) = outcome else {
            let error = Error::interrupted("interrupted; what the agent wrote so far is there");
            return Err(error.hint(hints(&[], &self.id, self.kept.as_ref())));
        };
        let ended = conversation.ending().is_some();
        let outcome = match outcome {
            Ok(completed) => conversed.map(|()| completed),
            Err(error) if ended => Err(failed(&error, &self.id, None)),
            Err(error) => Err(failed(&error, &self.id, self.kept.as_ref())),
        };
        match &outcome {
            Ok(completed) => self.show(completed, transcript.spent(), backend.as_ref(), as_json),
            Err(_) => output::progress(&format!("usage: {}", transcript.spent())),
        }
        // A result that could not be printed is not thrown away.
        let lost = outcome.is_ok() && output::settled(Code::Done) != Code::Done;
        if ended
            && !lost
            && self.keep == Keep::UntilTheEnd
            && let Some(kept) = self.kept
        {
            kept.remove();
        }
        outcome.map(|_| Code::Done)
    }

    fn show(&self, completed: &Completed<Value>, usage: &Spent, backend: &dyn Backend, as_json: bool) {
        let Completed { result, totals } = completed;
        if as_json {
            let run = json!({ "runId": self.id, "agent": self.name, "model": backend.name() });
            output::json(&json!({ "run": run, "usage": usage, "result": result }));
        } else {
            output::json(result);
        }
        output::progress(&format!(
            "done in {:.1} s; `bailiwick audit show --run {}` shows the calls",
            totals.wall.as_secs_f64(),
            self.id
        ));
        output::progress(&format!("usage: {usage}"));
    }
}

/// An agent's failure for people. `kept` is what it can go on from.
pub(super) fn failed(error: &AgentError, id: &RunId, kept: Option<&Session>) -> Error {
    let code = if matches!(error, AgentError::Definition(_)) { Code::Usage } else { Code::NoSuccess };
    let hint = match (error, error.hint()) {
        (AgentError::Definition(_), _) => "correct the agent file, or choose another model with `--model`".to_owned(),
        (_, own) => hints(own.as_slice(), id, kept),
    };
    Error { message: error.to_string(), hint: Some(hint), code }
}

fn hints(first: &[&str], id: &RunId, kept: Option<&Session>) -> String {
    let mut hints: Vec<String> = first.iter().map(|&hint| hint.to_owned()).collect();
    if kept.is_some_and(Session::can_go_on) {
        hints.push(format!("`bailiwick agent resume {id}` goes on with it"));
    }
    hints.push(format!("`bailiwick audit show --run {id}` shows what it called"));
    hints.join("; ")
}
