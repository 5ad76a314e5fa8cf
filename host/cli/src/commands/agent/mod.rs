//! `bailiwick agent run`: anyone's agent, from a file.
//!
//! A file from somebody else is a request. What it gets by itself: to read beneath its own directory, to read beneath the
//! working directory what the input names, and the built-in tools. What it never gets by itself: another directory, to
//! write anywhere, a sensitive place, a model at an address of its own. All of this is settled before anything runs.

mod beneath;
mod grants;
mod narrate;
mod source;

use super::text;
use crate::arguments::AgentRun;
use crate::exit::{Code, Error, Result};
use crate::{model, output, places, runtime};
use bailiwick_agent::sandboxed::SandboxedTools;
use bailiwick_agent::{AgentError, Backend, Completed, Microagent, Toolbox, Transcript};
use bailiwick_audit::printable;
use bailiwick_runs::RunId;
use bailiwick_sandbox::{Audit, Sandbox, Tool};
use grants::Allowed;
use narrate::Narrated;
use serde_json::{Value, json};
use source::Source;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::sync::Arc;

/// The model that is built in, and only knows customizations.
const MECHANIC: &str = "mechanic";

/// How much text one field of a transcript may have.
const TRANSCRIPT_FIELD_BYTES: usize = 64 << 10;

/// Everything that is settled before an agent runs.
struct Prepared {
    source: Source,
    agent: Microagent<Value>,
    allowed: Allowed,
    backend: Arc<dyn Backend>,
}

pub(crate) fn execute(run: &AgentRun, as_json: bool) -> Result<Code> {
    // Paths and names of somebody else's file stand in what is said, and go to a terminal.
    go(run, as_json).map_err(|error| Error {
        message: printable(&error.message).into_owned(),
        hint: error.hint.map(|hint| printable(&hint).into_owned()),
        code: error.code,
    })
}

fn go(run: &AgentRun, as_json: bool) -> Result<Code> {
    let prepared = prepare(run)?;
    let audit = if run.dry_run || prepared.allowed.lacks.is_some() { Audit::Off } else { runtime::audit()? };
    runtime::block_on(async {
        let sandbox = runtime::sandbox(audit)?;
        let tools = choose(&prepared.source, &runtime::builtin_tools(&sandbox).await?)?;
        if run.dry_run {
            output::json(&plan(&prepared, &tools));
        }
        match prepared.allowed.lacks {
            Some(error) => Err(error),
            None if run.dry_run => Ok(Code::Done),
            None => start(prepared, sandbox, tools, as_json).await,
        }
    })?
}

fn prepare(run: &AgentRun) -> Result<Prepared> {
    let source = Source::read(&run.file)?;
    let input = match &run.input {
        Some(input) => Some(text::read("input", input)?),
        None => None,
    };
    let input = source.input(input.as_deref())?;
    let agent = source.microagent(&input)?;
    let backend = backend(&source, run.model.as_deref())?;
    let allowed = grants::open(&source, &input, run)?;
    Ok(Prepared { source, agent, allowed, backend })
}

/// The model: the command line's, then the file's.
fn backend(source: &Source, chosen: Option<&str>) -> Result<Arc<dyn Backend>> {
    let of_file = source.agent.model.as_deref();
    if let Some(model) = chosen {
        return match model.strip_prefix("script:") {
            Some(script) => Ok(Arc::new(source::script_of_person(script)?)),
            None => known(Some(model)),
        };
    }
    match of_file {
        Some(model) if model.starts_with("script:") => {
            Ok(Arc::new(source.script(model.trim_start_matches("script:"))?))
        }
        // What the agent reads goes to its model, and so may a key.
        Some(model) if model.contains("://") || model.contains('@') => {
            Err(Error::refused(format!("`model`: the agent file names an address, `{}`", model.escape_debug()))
                .hint("if what the agent reads may go there, choose it with `--model`"))
        }
        named => known(named),
    }
}

fn known(named: Option<&str>) -> Result<Arc<dyn Backend>> {
    let configured = std::env::var_os("BAILIWICK_MODEL").filter(|name| !name.is_empty());
    match named {
        Some(MECHANIC) => {
            Err(Error::usage("`mechanic` only customizes packages, so it cannot run an agent from a file")
                .hint("choose another model with `--model`"))
        }
        None if configured.is_none_or(|name| name == MECHANIC) => {
            Err(Error::usage("no model is chosen: the agent file names none")
                .hint("choose one with `--model`, or write `model = \"…\"` in the agent file"))
        }
        named => model::backend(named),
    }
}

/// The tools that the file asks for, in its order.
fn choose(source: &Source, tools: &[Tool]) -> Result<Vec<Tool>> {
    let names: Vec<&str> = tools.iter().map(|tool| tool.descriptor().name.as_str()).collect();
    source.agent.check_tools(&names).map_err(|error| source.wrong(&error))?;
    let asked = &source.agent.tools;
    Ok(asked.iter().filter_map(|name| tools.iter().find(|tool| tool.descriptor().name == *name).cloned()).collect())
}

/// What the agent would get, for `--dry-run`.
fn plan(prepared: &Prepared, tools: &[Tool]) -> Value {
    let agent = &prepared.source.agent;
    json!({
        "agent": agent.name,
        "description": agent.description,
        "model": prepared.backend.name(),
        "tools": tools.iter().map(|tool| &tool.descriptor().name).collect::<Vec<_>>(),
        "grants": prepared.allowed.shown,
        "limits": {
            "toolCalls": agent.budget.max_tool_calls,
            "tokens": agent.budget.tokens,
            "seconds": agent.budget.wall.as_secs(),
        },
        "task": prepared.agent.task,
    })
}

async fn start(prepared: Prepared, sandbox: Arc<Sandbox>, tools: Vec<Tool>, as_json: bool) -> Result<Code> {
    let Prepared { source, agent, allowed, backend } = prepared;
    let id = RunId::unrecorded().map_err(|error| Error::failed(format!("no run can be named: {error}")))?;
    let toolbox = SandboxedTools::new(sandbox, tools, allowed.grants, source.agent.call_limits.clone());
    let toolbox = Narrated(toolbox.of_run(id.as_str()));
    let mut transcript = transcript(&id)?;
    let say = |text: String| output::progress(&printable(&text));
    say(format!("agent `{}`, run {id}, model `{}`", source.agent.name, backend.name()));
    for grant in &allowed.shown {
        say(format!("  {} = {} ({})", grant.name, grant.path.display(), grant.access));
    }
    let outcome = tokio::select! {
        outcome = bailiwick_agent::run(&agent, &toolbox as &dyn Toolbox, backend.as_ref(), &mut transcript) => outcome,
        () = runtime::interrupted() => {
            return Err(Error::failed("interrupted; what the agent wrote so far is there")
                .hint(format!("`bailiwick audit show --run {id}` shows its calls")));
        }
    };
    let usage = transcript.spent();
    let Completed { result, totals } = match outcome {
        Ok(completed) => completed,
        Err(error) => {
            output::progress(&format!("usage: {usage}"));
            return Err(failure(&error, &id));
        }
    };
    if as_json {
        let run = json!({ "runId": id, "agent": source.agent.name, "model": backend.name() });
        output::json(&json!({ "run": run, "usage": usage, "result": result }));
    } else {
        output::json(&result);
    }
    output::progress(&format!(
        "done in {:.1} s; `bailiwick audit show --run {id}` shows the calls\nusage: {usage}",
        totals.wall.as_secs_f64()
    ));
    Ok(Code::Done)
}

fn failure(error: &AgentError, id: &RunId) -> Error {
    let code = if matches!(error, AgentError::Definition(_)) { Code::Usage } else { Code::NoSuccess };
    let shows = format!("`bailiwick audit show --run {id}` shows what it called");
    let hint = match error.hint() {
        Some(hint) => format!("{hint}; {shows}"),
        None => shows,
    };
    Error { message: error.to_string(), hint: Some(hint), code }
}

/// Begins the transcript of a run, in the state directory, where no tool reaches.
fn transcript(id: &RunId) -> Result<Transcript> {
    let directory = places::state()?.join("agent-runs");
    let unwritable = |error: std::io::Error| Error::failed(format!("the transcript cannot be written: {error}"));
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&directory).map_err(unwritable)?;
    let file = directory.join(format!("{id}.jsonl"));
    let file = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(file).map_err(unwritable)?;
    Ok(Transcript::new(file, TRANSCRIPT_FIELD_BYTES))
}
