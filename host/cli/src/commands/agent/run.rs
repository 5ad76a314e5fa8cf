//! `bailiwick agent run`: from the beginning.

use super::options::Options;
use super::prepare::{Answering, Prepared, prepare};
use super::session::{self, Record, Session, Standing};
use super::work::{Job, failed};

use crate::configuration::amount;
use crate::exit::{Code, Error, Result};
use crate::model::Preflight;
use crate::visible::Visible;
use crate::{output, runtime};
use bailiwick_agent::sandboxed::Equipped;
use bailiwick_runs::RunId;
use bailiwick_sandbox::Audit;
use clap::Args;
use serde_json::{Value, json};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct AgentRun {
    /// The agent file.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Which directory the agent gets under a name it asks for; `:rw` allows it to write there, `:ro` does not.
    #[arg(long = "grant", value_name = "NAME=PATH[:ro|:rw]")]
    pub(crate) grants: Vec<String>,
    /// Allow the agent to write in every directory where it asks to.
    #[arg(long)]
    pub(crate) yes: bool,
    /// Allow the agent to write a sensitive place that it asks for, such as `.vscode/cspell.json`.
    #[arg(long, value_name = "PLACE")]
    pub(crate) allow_sensitive: Vec<String>,
    #[command(flatten)]
    pub(crate) visible: Visible,
    /// The input: JSON text, @FILE, or - for stdin.
    #[arg(long, value_name = "JSON|@FILE|-", allow_hyphen_values = true)]
    pub(crate) input: Option<String>,
    /// The input as text, @FILE, or - for stdin: the list of its lines. For the output of another program.
    #[arg(long, value_name = "TEXT|@FILE|-", allow_hyphen_values = true, conflicts_with = "input")]
    pub(crate) input_lines: Option<String>,
    /// The model, in place of the one that the file names; `script:FILE` follows written steps and is no model.
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,
    /// The most that the agent may cost, such as `0.50`, at the prices of `bailiwick.toml`.
    #[arg(long, value_name = "AMOUNT", value_parser = amount)]
    pub(crate) max_cost: Option<u64>,
    /// Keep the conversation with the model in a new file, which only you can read. Secrets are taken out as far as
    /// they are known.
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Answer from a recorded conversation instead of a model, without a network, and fail if anything else is sent.
    #[arg(long, value_name = "FILE", conflicts_with = "model")]
    pub(crate) replay: Option<PathBuf>,
    /// Keep the state of the conversation even when the run comes to its end.
    #[arg(long)]
    pub(crate) keep: bool,
    /// Print what the agent would get, and run nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
}

pub(super) fn execute(run: &AgentRun, as_json: bool) -> Result<Code> {
    let mut prepared = prepare(Options::of(run)?)?;
    let preflight = if run.dry_run { Preflight::Skipped } else { Preflight::Asked };
    let answering = prepared.answering(run.record.as_deref(), run.replay.as_deref(), preflight)?;
    let audit = if run.dry_run || prepared.allowed.lacks.is_some() { Audit::Off } else { runtime::audit()? };
    runtime::block_on(async {
        let (sandbox, tools) = prepared.tools(audit).await?;
        if run.dry_run {
            output::json(&plan(&prepared, &answering, &tools));
        }
        match prepared.allowed.lacks.take() {
            Some(error) => return Err(error),
            None if run.dry_run => return Ok(Code::Done),
            None => {}
        }
        let id = RunId::unrecorded().map_err(|error| Error::failed(format!("no run can be named: {error}")))?;
        let record = Record::new(&prepared, &answering, &tools);
        let mut job = Job::new(id, prepared, answering, sandbox, tools);
        let mut conversation = job.define()?.begin();
        // What is replayed is begun anew with its file.
        if run.replay.is_none() {
            session::prune()?;
            say_of_stopped(&record);
            let mut kept = Session::begin(&job.id, &record)?;
            kept.save(&conversation)
                .map_err(|error| failed(&bailiwick_agent::AgentError::Save(error), &job.id, None))?;
            job.keep_in(kept, run.keep);
        }
        job.work(&mut conversation, as_json).await
    })?
}

/// What the agent would get, for `--dry-run`.
fn plan(prepared: &Prepared, answering: &Answering, tools: &[Equipped]) -> Value {
    let agent = &prepared.source.agent;
    json!({
        "agent": agent.name,
        "description": agent.description,
        "model": answering.conversation.backend().name(),
        "tools": tools.iter().map(|equipped| &equipped.tool.descriptor().name).collect::<Vec<_>>(),
        "grants": prepared.allowed.shown,
        "limits": {
            "toolCalls": agent.budget.max_tool_calls,
            "tokens": agent.budget.tokens,
            "seconds": agent.budget.wall.as_secs(),
            "money": prepared.money.map(|millionths| format!("{}.{:06}", millionths / 1_000_000, millionths % 1_000_000)),
        },
        "task": prepared.agent.task,
    })
}

/// A run that was killed could not say itself how it goes on.
fn say_of_stopped(record: &Record) {
    const MOST: usize = 3;
    let stopped = session::all().unwrap_or_default().into_iter();
    let stopped = stopped.filter(|run| run.standing == Standing::Stopped && run.file == record.asked.file);
    for run in stopped.take(MOST) {
        output::progress(&format!(
            "an earlier run of this agent was stopped after {} turns; `bailiwick agent resume {}` goes on with it",
            run.turns, run.id
        ));
    }
}
