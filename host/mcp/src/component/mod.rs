//! Components that a person added to this machine, as tools of the server.
//!
//! | module | subject |
//! |---|---|
//! | `tool` | a call: the guest's answer, its questions, and the guest once more |
//! | `library`, `prompter` | its resources and prompts |
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

pub(crate) use asking::put_to;
pub use content::block;
pub use reach::Reach;
pub(crate) use reach::Way;

use crate::failure::Failure;
use crate::keys::Keys;
use crate::limits::ServerLimits;
use crate::roots::Directories;
use crate::server::Offered;
use asking::Asking;
use bailiwick_sandbox::rich::{NoticeLimits, Notices};
use bailiwick_sandbox::{CallError, Conditions, Grants, Limits, Program, Sandbox};
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

impl Added {
    /// What of its grants a client may use. A component of a third party is told no path of this machine.
    async fn grants_for(&self, directories: &Directories) -> Result<Grants, Failure> {
        Ok(directories.scope(&self.grants).await?.grants.uncalled())
    }

    /// With what it is asked for something.
    fn conditions<'a>(&'a self, grants: &'a Grants, notices: Option<Notices>) -> Conditions<'a> {
        Conditions { grants, limits: &self.limits, notices }
    }
}

/// Why a guest gave no answer, as a model reads it. The guest's own words know no path but the caller's.
fn failure(error: CallError) -> Failure {
    match error {
        CallError::Tool(error) => Failure::new(error.message),
        CallError::Host(failure) => Failure::new(failure.to_string()),
    }
}

/// Offers all that the components have.
///
/// # Errors
/// A tool's name is taken, its schema cannot be checked within bounds, or see [`Asking::new`].
pub(crate) fn offer(
    added: &[Added],
    (limits, keys): (&ServerLimits, &Keys),
    offered: &mut Offered,
) -> Result<(), Failure> {
    if added.is_empty() {
        return Ok(());
    }
    let asking = Arc::new(Asking::new(limits, keys)?);
    for one in added {
        for tool in tool::tools(one, &asking) {
            offered.registry.add(tool)?;
        }
        let Program::Rich(component) = &one.program else { continue };
        if component.offers().resources {
            offered.libraries.push(Arc::new(library::Shelf::new(one.clone(), component.clone())));
        }
        if component.offers().prompts {
            offered.prompters.push(Arc::new(prompter::Guest::new(one.clone(), component.clone(), asking.clone())));
        }
    }
    Ok(())
}
