//! `bailiwick run`: what happened, and whether it stays.

use super::package::{store, store_failure};
use super::report;
use super::report::Report;
use crate::exit::{Code, Error, Result};
use crate::output;
use bailiwick_customize::response::{Response, SpecificationResponse};
use bailiwick_customize::timings::Timings;
use bailiwick_runs::{Owner, RunId, RunRecord, Store};
use clap::Subcommand;
use serde::Deserialize as _;
use serde_json::json;

#[derive(Debug, Subcommand)]
pub(crate) enum Run {
    /// List runs, newest first.
    List,
    /// Show a run: what was asked, what happened, what changed.
    Show {
        /// Its id, or an unambiguous beginning of it.
        id: String,
        /// Show where its time went: each step, and the programs that the host waited for.
        #[arg(long)]
        timings: bool,
    },
    /// Accept what a run changed and close it.
    Approve {
        /// Its id, or an unambiguous beginning of it.
        id: String,
    },
    /// Put both repositories back to what they were before the run.
    Revert {
        /// Its id, or an unambiguous beginning of it.
        id: String,
    },
    /// Write what a run did as one HTML page, or as Markdown for a pull request.
    ///
    /// The page needs nothing but itself. Whatever requests, specifications, builds and models said is text in it and
    /// nothing else. `--json` prints the same as data.
    Report(Report),
}

impl Run {
    /// The command's name, for logs and traces.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::List => "run list",
            Self::Show { .. } => "run show",
            Self::Approve { .. } => "run approve",
            Self::Revert { .. } => "run revert",
            Self::Report(_) => "run report",
        }
    }
}

pub(crate) fn execute(command: &Run, as_json: bool) -> Result<Code> {
    match command {
        Run::List => list(as_json),
        Run::Show { id, timings } => show(id, *timings, as_json),
        Run::Approve { id } => approve(id, as_json),
        Run::Revert { id } => revert(id, as_json),
        Run::Report(asked) => report::execute(asked, as_json),
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

fn show(id: &str, timings: bool, as_json: bool) -> Result<Code> {
    let store = store()?;
    let id = resolve(&store, id)?;
    let record = store.show(&id).map_err(|error| store_failure(&error))?;
    let directory = store.run_directory(&id).map_err(|error| store_failure(&error))?;
    if timings {
        return show_timings(&record, Timings::read(&directory).as_ref(), as_json);
    }
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
    let response = record.response.clone();
    match Response::deserialize(&response).map(|response| response.format()) {
        _ if response.is_null() => {}
        Ok(text) => output::line(&format!("\n{text}")),
        Err(_) => match SpecificationResponse::deserialize(&response) {
            Ok(response) => output::line(&format!("\n{}", response.format())),
            Err(_) => output::line(&format!("\n{response:#}")),
        },
    }
    if let Some(sentence) = store.since(&id).sentence() {
        output::line(&format!("\n{sentence}"));
    }
    output::line(&format!("\nlogs, events and transcript: {}", directory.display()));
    Ok(Code::Done)
}

fn show_timings(record: &RunRecord, timings: Option<&Timings>, as_json: bool) -> Result<Code> {
    if as_json {
        output::json(&json!({ "id": record.id, "status": record.status, "timings": timings }));
        return Ok(Code::Done);
    }
    let Some(timings) = timings else {
        return Err(Error::usage(format!("the run `{}` has no timings", record.id))
            .hint("a run has them when its work has ended; runs of earlier versions have none"));
    };
    output::line(&timings.format());
    Ok(Code::Done)
}

fn approve(id: &str, as_json: bool) -> Result<Code> {
    let store = store()?;
    let id = resolve(&store, id)?;
    let since = store.approve(&id).map_err(|error| store_failure(&error))?;
    if as_json {
        output::json(&json!({ "runId": id, "status": "approved", "changedAfterRun": since }));
    } else {
        output::line(&format!("approved {id}; the repositories stay as they are now"));
        since.sentence().iter().for_each(|sentence| output::line(sentence));
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
        if let Some(aside) = &reverted.set_aside {
            output::line(&format!("what stood in the repositories is kept in `{}`", aside.display()));
        }
        if !reverted.unset.is_empty() {
            output::line(&format!(
                "owner, mode or time was left as it is where it belongs to another user: {}",
                reverted.unset.join(", ")
            ));
        }
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
