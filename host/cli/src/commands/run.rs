//! `bailiwick run`: what happened, and whether it stays.

use super::package::{store, store_failure};
use super::report;
use crate::arguments::Run as Command;
use crate::exit::{Code, Error, Result};
use crate::output;
use bailiwick_runs::{Owner, RunId, Store};
use serde_json::json;

pub(crate) fn execute(command: &Command, as_json: bool) -> Result<Code> {
    match command {
        Command::List => list(as_json),
        Command::Show { id } => show(id, as_json),
        Command::Approve { id } => approve(id, as_json),
        Command::Revert { id } => revert(id, as_json),
        Command::Report(asked) => report::execute(asked, as_json),
    }
}

fn list(as_json: bool) -> Result<Code> {
    let listed = store()?.list_all().map_err(|error| store_failure(&error))?;
    for (id, error) in &listed.damaged {
        output::progress(&format!("the run `{id}` cannot be shown: {error}"));
    }
    if as_json {
        output::json(&listed.runs);
        return Ok(Code::Done);
    }
    if listed.runs.is_empty() && listed.damaged.is_empty() {
        output::progress("there are no runs yet");
    }
    for run in listed.runs {
        let first_line = run.request.lines().next().unwrap_or_default();
        let request: String = first_line.chars().take(70).collect();
        output::line(&format!("{}  {:<24} {:>4} changed  {request}", run.id, run.status.to_string(), run.changed));
    }
    Ok(Code::Done)
}

fn show(id: &str, as_json: bool) -> Result<Code> {
    let store = store()?;
    let id = resolve(&store, id)?;
    let record = store.show(&id).map_err(|error| store_failure(&error))?;
    if as_json {
        output::json(&record);
        return Ok(Code::Done);
    }
    output::line(&format!("run        {}\nstatus     {}\nstarted    {}", record.id, record.status, record.started));
    if let Some(finished) = &record.finished {
        output::line(&format!("finished   {finished}"));
    }
    if let Owner::Subject { issuer, subject } = &record.owner {
        output::line(&format!("owner      {subject} of {issuer}"));
    }
    for root in &record.roots {
        output::line(&format!("{:<10} {}", root.name, root.directory.display()));
    }
    // A request of several lines must not look like what is said about it.
    output::line(&format!("request    {}", record.request.trim().replace('\n', "\n           ")));
    match serde_json::from_value::<bailiwick_customize::response::Response>(record.response.clone()) {
        Ok(response) => output::line(&format!("\n{}", response.format())),
        Err(_) if record.response.is_null() => {}
        Err(_) => output::line(&format!("\n{:#}", record.response)),
    }
    let directory = store.run_directory(&id).map_err(|error| store_failure(&error))?;
    output::line(&format!("\nlogs, events and transcript: {}", directory.display()));
    Ok(Code::Done)
}

fn approve(id: &str, as_json: bool) -> Result<Code> {
    let store = store()?;
    let id = resolve(&store, id)?;
    store.approve(&id).map_err(|error| store_failure(&error))?;
    if as_json {
        output::json(&json!({ "runId": id, "status": "approved" }));
    } else {
        output::line(&format!("approved {id}; its changes stay and can be committed"));
    }
    Ok(Code::Done)
}

fn revert(id: &str, as_json: bool) -> Result<Code> {
    let store = store()?;
    let id = resolve(&store, id)?;
    let reverted = store.revert(&id).map_err(|error| store_failure(&error))?;
    if as_json {
        output::json(&json!({ "runId": id, "status": "reverted", "reverted": reverted }));
    } else {
        output::line(&format!(
            "reverted {id}: {} restored, {} removed",
            reverted.restored.len(),
            reverted.removed.len()
        ));
    }
    Ok(Code::Done)
}

/// A run by its name or by an unambiguous beginning of it.
pub(super) fn resolve(store: &Store, text: &str) -> Result<RunId> {
    if let Ok(id) = text.parse() {
        return Ok(id);
    }
    let unknown = || Error::usage(format!("there is no run `{text}`")).hint("`bailiwick run list` shows the runs");
    if text.is_empty() {
        return Err(unknown());
    }
    let runs = store.list().map_err(|error| store_failure(&error))?;
    let mut matching = runs.into_iter().map(|run| run.id).filter(|id| id.as_str().starts_with(text));
    match (matching.next(), matching.next()) {
        (Some(id), None) => Ok(id),
        (Some(_), Some(_)) => {
            Err(Error::usage(format!("more than one run begins with `{text}`")).hint("write more of its name"))
        }
        _ => Err(unknown()),
    }
}
