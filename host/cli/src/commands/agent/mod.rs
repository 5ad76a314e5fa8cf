//! `bailiwick agent`: an agent from a file.
//!
//! An agent file is only a request. Without further options it reads beneath its own directory and the files of the
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
pub(crate) mod resume;
pub(crate) mod run;
mod session;
mod source;
mod transcript;
mod work;

use self::resume::AgentResume;
use self::run::AgentRun;
use crate::exit::{Code, Error, Result};
use bailiwick_audit::printable;
use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum Agent {
    /// Run an agent: its result is printed as JSON, what it does goes to stderr and on record.
    ///
    /// The file asks for directories and tools; it gets no more than is allowed here. By itself it may read beneath its
    /// own directory, and what its input names beneath the working directory. Everything else, and writing anywhere,
    /// takes a word on the command line.
    Run(Box<AgentRun>),
    /// List the runs that were stopped before their end, newest first, and those that were kept.
    List,
    /// Go on with a run that was killed, interrupted, or got no answer from its model.
    ///
    /// The agent has to be the same: its file, input, schemas, template, tools and directories. What was allowed when it
    /// began is still allowed. A call that wrote when the run was stopped is not made again: the model is told that
    /// its outcome is unknown.
    Resume(AgentResume),
}

impl Agent {
    /// The command's name, for logs and traces.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Run(_) => "agent run",
            Self::List => "agent list",
            Self::Resume(_) => "agent resume",
        }
    }
}

pub(crate) fn execute(agent: &Agent, as_json: bool) -> Result<Code> {
    let outcome = match agent {
        Agent::Run(run) => run::execute(run, as_json),
        Agent::Resume(resume) => resume::execute(resume, as_json),
        Agent::List => list::execute(as_json),
    };
    // Messages contain paths and names from the file, which may be hostile, and go to a terminal.
    outcome.map_err(|error| Error {
        message: printable(&error.message).into_owned(),
        hint: error.hint.map(|hint| printable(&hint).into_owned()),
        code: error.code,
    })
}
