//! Requests that people make often, as prompts that a client offers them by name.
//!
//! A prompt only writes the request down: what is done with it, and how far it may go, is the tools' affair. What a person
//! fills in stands in it as JSON text, so that it cannot be mistaken for an instruction of the prompt itself.

mod own;

pub use own::Own;

use crate::call::Call;
use crate::failure::Failure;
use crate::refusal::Refusal;
use crate::roots::Directories;
use async_trait::async_trait;
use rmcp::model::{GetPromptResponse, Prompt};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What a person filled in, by the names of a prompt's arguments.
pub type Filled = BTreeMap<String, String>;

/// A source of prompts.
#[async_trait]
pub trait Prompter: Send + Sync {
    /// The same for one client, whose directories may be fewer than the operator's. A source that reads no directories stays as it is.
    fn for_client(self: Arc<Self>, directories: &Directories) -> Arc<dyn Prompter>;

    /// All of them, always in the same order.
    ///
    /// # Errors
    /// They cannot be listed.
    async fn list(&self) -> Result<Vec<Prompt>, Failure>;

    /// The prompt of this name with what was filled in; `None` if there is none.
    ///
    /// # Errors
    /// Something is missing or too much, or it cannot be written.
    async fn get(&self, name: &str, filled: &Filled, call: &Call) -> Result<Option<GetPromptResponse>, Refusal>;

    /// What an argument could be: the prompt's name, the argument's, and how its value begins. `None` if the prompt is
    /// not here, or what is common to all arguments of that name is meant.
    ///
    /// # Errors
    /// It cannot be told.
    async fn complete(&self, given: [&str; 3]) -> Result<Option<Vec<String>>, Refusal> {
        let _ = given;
        Ok(None)
    }
}
