//! Components that a person added to this machine, as tools of the server.
//!
//! | module | subject |
//! |---|---|
//! | `tool` | a call: the guest's answer, its questions, and the guest once more |
//! | `library`, `prompter` | its resources and prompts, beside those of the server |
//! | `asking` | questions to the client in both eras of the protocol, and what binds an answer to its question |
//! | `reach` | what the client of a request can be asked for, and how |
//! | `content` | a guest's answers as the protocol has them |
//! | `notices` | a guest's progress and log lines on their way to the client |
//!
//! A guest never waits for an answer: its instance is gone while a person thinks, and it is called again. Up to 2025-11-25
//! the questions are requests of ours; from 2026-07-28 the call is answered with them, and the client calls again.

mod asking;
mod content;
mod library;
mod notices;
mod prompter;
mod reach;
mod tool;

pub(crate) use asking::Asking;
pub use content::block;
pub(crate) use library::AddedLibrary;
pub(crate) use prompter::AddedPrompter;
pub use reach::Reach;
pub(crate) use tool::tools;

use bailiwick_sandbox::rich::{Component, NoticeLimits};
use bailiwick_sandbox::{Grants, Limits, Sandbox, Tool};
use std::sync::Arc;

/// A component as the operator offers it.
#[derive(Clone)]
pub struct Added {
    /// What it was added as.
    pub name: String,
    /// What is run.
    pub program: Program,
    /// Runs it.
    pub sandbox: Arc<Sandbox>,
    /// What it may touch.
    pub grants: Grants,
    /// What one call may spend.
    pub limits: Limits,
    /// What one call may say on the way.
    pub notices: NoticeLimits,
}

/// Which contract a component has.
#[derive(Clone)]
pub enum Program {
    /// One tool, JSON in and JSON out.
    Plain(Tool),
    /// Tools that answer in parts or ask, resources, prompts.
    Rich(Component),
}

/// Whether an address is the server's own, which no component has anything to say about.
fn is_reserved(uri: &str) -> bool {
    uri.get(.."bailiwick:".len()).is_some_and(|scheme| scheme.eq_ignore_ascii_case("bailiwick:"))
}
