//! `tool approve` and `tool revoke`: a person's acts.
//!
//! The question is asked at a terminal, after all that is asked for was shown there. `--yes` answers it in advance, and
//! only at a terminal too. Without one, `--reviewed DIGEST` approves just what a person looked at before. Nothing that
//! speaks MCP, and no agent, comes here.

use super::review::{Review, warn};

use crate::exit::{Code, Error, Result};
use crate::grant_argument::GrantArgument;
use crate::installed::{ThisProgram, store};
use crate::{output, places, runtime};
use bailiwick_sandbox::{Access, Audit, Grant, Outline};
use bailiwick_tools::approval::How;
use bailiwick_tools::downgrade::Downgrade;
use bailiwick_tools::installed::Candidate;
use bailiwick_tools::installed::fetch::settle;
use bailiwick_tools::store::asked_about;
use bailiwick_tools::{Approval, Binding, Entry, Release, Standing, manifest};
use clap::Args;
use serde_json::json;
use std::collections::BTreeMap;
use std::io::{BufRead, IsTerminal};
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

#[derive(Debug, Args)]
pub(crate) struct ApproveTool {
    /// What it was added as.
    pub(crate) name: String,
    /// Which directory is meant by a name that the tool asks for, once and for all. Without it each use says so.
    #[arg(long = "grant", value_name = "NAME=PATH")]
    pub(crate) grants: Vec<String>,
    /// Approve without being asked. Only at a terminal, where what is approved is shown.
    #[arg(long, conflicts_with = "reviewed")]
    pub(crate) yes: bool,
    /// Approve without a terminal what a person reviewed: refused if it is not what this digest was printed for.
    #[arg(long, value_name = "DIGEST")]
    pub(crate) reviewed: Option<String>,
}

pub(super) fn execute(approve: &ApproveTool, as_json: bool) -> Result<Code> {
    let name = approve.name.as_str();
    let entry = store()?.entry(name)?;
    let (release, binding) = match asked_about(&entry) {
        Some((release, binding)) => (release.clone(), binding),
        // Approved already: once more, to say which directories are meant.
        None => match entry.current.binding() {
            Some(binding) if entry.current.asks() && !approve.grants.is_empty() => (entry.current.clone(), binding),
            _ => return unasking(name, &entry, as_json),
        },
    };
    let pins = pins(name, &release, &approve.grants)?;
    let how = how(approve, &binding)?;
    show(name, &entry, &release, &pins)?;
    if how == How::Terminal && !approve.yes && !answered(name)? {
        return Err(Error::refused(format!("`{name}` was not approved")));
    }
    let at = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let store = store()?;
    let entry = store.approve(name, Approval { binding, at, how, pins })?;
    store.answered(name)?;
    settle(&ThisProgram, name)?;
    told("approved", name, &entry, as_json)
}

pub(super) fn revoke(name: &str, as_json: bool) -> Result<Code> {
    let entry = store()?.revoke(name)?;
    told("revoked", name, &entry, as_json)
}

fn told(what: &str, name: &str, entry: &Entry, as_json: bool) -> Result<Code> {
    if as_json {
        output::json(&json!({ what: name, "digest": entry.current.digest.hex(), "state": entry.standing().name() }));
    } else {
        output::line(&format!("{what} {name}"));
    }
    Ok(Code::Done)
}

/// What asks for nothing has no approval; after a revocation a person lets it be used again.
fn unasking(name: &str, entry: &Entry, as_json: bool) -> Result<Code> {
    match entry.standing() {
        Standing::Revoked => {
            let entry = store()?.reinstate(name, &entry.current.digest)?;
            told("approved", name, &entry, as_json)
        }
        Standing::Approved => Err(Error::usage(format!("`{name}` is approved already"))),
        _ => Err(Error::usage(format!("`{name}` asks for nothing, so there is nothing to approve"))),
    }
}

/// How the answer comes, if it can come at all.
fn how(approve: &ApproveTool, binding: &Binding) -> Result<How> {
    let name = &approve.name;
    if let Some(reviewed) = &approve.reviewed {
        let found = binding.digest().to_string();
        if *reviewed != found {
            return Err(Error::refused(format!("`{name}` is not what was reviewed: its review is {found}"))
                .hint(format!("look at it with `bailiwick tool inspect {name}`")));
        }
        return Ok(How::Flag);
    }
    if std::io::stdin().is_terminal() && std::io::stderr().is_terminal() {
        return Ok(How::Terminal);
    }
    Err(Error::refused("there is no terminal to ask a person at").hint(format!(
        "approve it at a terminal, or look at it with `bailiwick tool inspect {name}` and give the digest that it prints: \
         `--reviewed DIGEST`"
    )))
}

/// Which directories are meant once and for all: those that the person says now.
fn pins(name: &str, release: &Release, grants: &[String]) -> Result<BTreeMap<String, PathBuf>> {
    let asked = release.manifest.as_ref().map(|manifest| manifest.directories.as_slice()).unwrap_or_default();
    let mut pins = BTreeMap::new();
    for argument in GrantArgument::all(grants)? {
        let access = argument.access().unwrap_or(Access::ReadOnly);
        let (directory, path) = (argument.name.as_str(), argument.path.as_path());
        let one = asked
            .iter()
            .find(|one| one.name == directory)
            .ok_or_else(|| Error::usage(format!("`{name}` asks for no directory `{}`", directory.escape_debug())))?;
        if access == Access::ReadWrite && one.access == manifest::Access::Read {
            return Err(Error::usage(format!("`{name}` asks to read `{directory}` and not to write there")));
        }
        let path = std::path::absolute(path).map_err(|error| Error::usage(error.to_string()))?;
        // What could not be granted is not promised either.
        Grant::open(directory, &path, access, &places::reserved()?).map_err(|error| Error::from(&error))?;
        if pins.insert(directory.to_owned(), path).is_some() {
            return Err(Error::usage(format!("`{directory}` is given twice")));
        }
    }
    Ok(pins)
}

/// Shows, on stderr, all that the decision is about.
fn show(name: &str, entry: &Entry, release: &Release, pins: &BTreeMap<String, PathBuf>) -> Result<()> {
    let candidate = Candidate::kept(&ThisProgram, name, release)?;
    let outline = Outline::of(&candidate.bytes).map_err(|error| Error::usage(error.to_string()))?;
    let sandbox = runtime::sandbox(Audit::Off)?;
    let program = runtime::block_on(async { candidate.look(&ThisProgram, &sandbox).await })??;
    if candidate.release(&program).words != release.words {
        return Err(Error::refused(format!("the tools of `{name}` describe themselves in other words each time")));
    }
    let review = Review::new(name, release.clone(), Some(entry.standing()), &program).with(&outline);
    review.lines(candidate.bytes.len()).iter().for_each(|line| output::progress(line));
    for (directory, path) in pins {
        output::progress(&format!("`{directory}` is {}", path.display()));
    }
    if entry.update.is_some() {
        output::progress("in the place of what is used now:");
        let lines = bailiwick_tools::change::differences(&entry.current, release);
        lines.iter().for_each(|line| output::progress(&format!("  {line}")));
        if let Some(back) = Downgrade::of(entry, release) {
            output::progress(&format!("warning: {back}"));
        }
    }
    warn(&review.warnings);
    Ok(())
}

/// Asks at the terminal. Everything but `yes` is no.
fn answered(name: &str) -> Result<bool> {
    output::progress(&format!("approve `{name}`? type `yes` to approve:"));
    let mut answer = String::new();
    std::io::stdin()
        .lock()
        .read_line(&mut answer)
        .map_err(|error| Error::failed(format!("the answer cannot be read: {error}")))?;
    Ok(answer.trim() == "yes")
}
