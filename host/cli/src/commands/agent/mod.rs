//! `bailiwick agent`: anyone's agent, from a file.
//!
//! A file from somebody else is a request. What it gets by itself: to read beneath its own directory, to read beneath the
//! working directory what the input names, and the built-in tools. What it never gets by itself: another directory, to
//! write anywhere, a sensitive place, a model at an address of its own. All of this is settled before anything runs.
//!
//! - [`asked`], [`source`], [`grants`], [`prepare`]: from the command line and the file to what the agent gets.
//! - [`run`], [`resume`], [`list`]: the commands. [`work`]: what running and resuming have in common.
//! - [`kept`]: the conversation on disk. [`narrate`], [`page`]: what people see, and what is on record.

mod added;
mod grants;
mod list;
mod open_beneath;
mod options;
mod prepare;
mod progress;
mod resume;
mod run;
mod session;
mod source;
mod transcript;
mod work;

use crate::arguments::Agent;
use crate::exit::{Code, Error, Result};
use bailiwick_audit::printable;

pub(crate) fn execute(agent: &Agent, as_json: bool) -> Result<Code> {
    let outcome = match agent {
        Agent::Run(run) => run::execute(run, as_json),
        Agent::Resume(resume) => resume::execute(resume, as_json),
        Agent::List => list::execute(as_json),
    };
    // Paths and names of somebody else's file stand in what is said, and go to a terminal.
    outcome.map_err(|error| Error {
        message: printable(&error.message).into_owned(),
        hint: error.hint.map(|hint| printable(&hint).into_owned()),
        code: error.code,
    })
}
