//! `bailiwick agent resume`: from where a run was stopped.

use super::prepare::prepare;
use super::session::{self, Session, fingerprint};
use super::work::Job;

use crate::exit::{Code, Error, Result};
use crate::model::Preflight;
use crate::{output, runtime};
use bailiwick_runs::RunId;
use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct AgentResume {
    /// The run's id, or an unambiguous beginning of it.
    #[arg(value_name = "RUN")]
    pub(crate) id: String,
    /// The model, in place of the one that the run began with.
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,
    /// Keep the conversation even when the run comes to its end.
    #[arg(long)]
    pub(crate) keep: bool,
}

pub(super) fn execute(resume: &AgentResume, as_json: bool) -> Result<Code> {
    let id = resolve(&resume.id)?;
    let (kept, record) = Session::take(&id)?;
    let stopped = kept.conversation(&id)?;
    let mut asked = record.asked.clone();
    if let Some(model) = &resume.model {
        asked.model = Some(model.clone());
    }
    let mut prepared = prepare(asked)
        .map_err(|error| Error { message: format!("the agent run `{id}` cannot go on: {}", error.message), ..error })?;
    if let Some(error) = prepared.allowed.lacks.take() {
        return Err(error);
    }
    let answering = prepared.answering(None, None, Preflight::Asked)?;
    let audit = runtime::audit()?;
    runtime::block_on(async {
        let (sandbox, tools) = prepared.tools(audit).await?;
        let changed = record.changed(&fingerprint(&prepared, &answering, &tools));
        if !changed.is_empty() {
            let changed = changed.join(", ");
            return Err(Error::refused(format!(
                "the agent run `{id}` cannot go on: changed since it began: {changed}"
            ))
            .hint(
                "put back what it was, or run the agent anew; a key in the input is not kept, and counts as changed",
            ));
        }
        let mut job = Job::new(id, prepared, answering, sandbox, tools);
        let mut conversation = job.define()?.resume(stopped, kept.secrets()).map_err(|error| {
            Error::refused(format!("the agent run `{}` cannot go on: {error}", job.id)).hint("run the agent anew")
        })?;
        let totals = conversation.totals();
        let begun_with = record.model;
        output::progress(&format!(
            "goes on after {} turns and {} tool calls; it began with the model `{begun_with}`",
            totals.turns, totals.tool_calls
        ));
        job.keep_in(kept, resume.keep);
        job.work(&mut conversation, as_json).await
    })?
}

/// A run by its name or by an unambiguous beginning of it.
fn resolve(text: &str) -> Result<RunId> {
    if let Ok(id) = text.parse() {
        return Ok(id);
    }
    let runs = session::all()?;
    let mut matching =
        runs.into_iter().map(|run| run.id).filter(|id| !text.is_empty() && id.as_str().starts_with(text));
    match (matching.next(), matching.next()) {
        (Some(id), None) => Ok(id),
        (Some(_), Some(_)) => {
            Err(Error::usage(format!("more than one agent run begins with `{}`", text.escape_debug()))
                .hint("write more of its name"))
        }
        _ => Err(Error::usage(format!("there is no agent run `{}` to resume", text.escape_debug()))
            .hint("`bailiwick agent list` shows those there are")),
    }
}
