//! `bailiwick agent`: an agent from a file.
//!
//! A file from somebody else is a request. Without further options it reads beneath its own directory and the files of the
//! working directory that the input names, and uses the built-in tools. It gets no other directory, no write access, no
//! sensitive place and no model at an address of its own. All of this is settled before anything runs.
//!
//! - [`options`], [`source`], [`grants`], [`prepare`]: from the command line and the file to what the agent gets.
//! - [`run`], [`resume`], [`list`]: the commands. [`work`]: what running and resuming have in common.
//! - [`session`]: the conversation on disk. [`progress`], [`transcript`]: what people see, and what is on record.

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
