//! Everything that can be asked for by name.

use crate::call::Call;
use crate::failure::Failure;
use crate::prompts::{Filled, Prompter};
use crate::refusal::Refusal;
use crate::registry::Registry;
use crate::resources::Library;
use rmcp::model::{CompletionInfo, GetPromptResponse, Prompt, Resource, ResourceContents, ResourceTemplate};
use std::sync::Arc;

/// Tools, resources and prompts. Of the last two there may be several sources; what the first one has counts.
pub struct Offered {
    /// The tools.
    pub registry: Registry,
    /// Who has resources.
    pub libraries: Vec<Arc<dyn Library>>,
    /// Who has prompts.
    pub prompters: Vec<Arc<dyn Prompter>>,
}

impl Offered {
    pub(super) async fn resources(&self) -> Result<Vec<Resource>, Failure> {
        let mut all: Vec<Resource> = Vec::new();
        for (place, library) in self.libraries.iter().enumerate() {
            for resource in unless_added(place, library.list().await)? {
                if all.iter().all(|other| other.uri != resource.uri) {
                    all.push(resource);
                }
            }
        }
        Ok(all)
    }

    pub(super) async fn templates(&self) -> Result<Vec<ResourceTemplate>, Failure> {
        let mut all: Vec<ResourceTemplate> = Vec::new();
        for (place, library) in self.libraries.iter().enumerate() {
            for template in unless_added(place, library.templates().await)? {
                if all.iter().all(|other| other.uri_template != template.uri_template) {
                    all.push(template);
                }
            }
        }
        Ok(all)
    }

    pub(super) async fn read(&self, uri: &str) -> Result<Vec<ResourceContents>, Refusal> {
        for library in &self.libraries {
            if let Some(contents) = library.read(uri).await? {
                return Ok(contents);
            }
        }
        Err(Refusal::NoResource(uri.to_owned()))
    }

    pub(super) async fn prompts(&self) -> Result<Vec<Prompt>, Failure> {
        let mut all = Vec::new();
        for (place, prompter) in self.prompters.iter().enumerate() {
            all.extend(unless_added(place, prompter.list().await)?);
        }
        // Of two of one name the server's own comes first, and stays.
        all.sort_by(|left, right| left.name.cmp(&right.name));
        all.dedup_by(|left, right| left.name == right.name);
        Ok(all)
    }

    pub(super) async fn prompt(&self, name: &str, filled: &Filled, call: &Call) -> Result<GetPromptResponse, Refusal> {
        for prompter in &self.prompters {
            if let Some(prompt) = prompter.get(name, filled, call).await? {
                return Ok(prompt);
            }
        }
        Err(Refusal::Invalid(format!("there is no prompt `{name}`")))
    }

    /// What an argument of a prompt could be.
    pub(super) async fn of_prompt(&self, prompt: &str, argument: &str, value: &str) -> Result<CompletionInfo, Refusal> {
        for prompter in &self.prompters {
            if let Some(values) = prompter.complete(prompt, argument, value).await? {
                return Ok(values);
            }
        }
        Err(Refusal::Invalid(format!("there is no prompt `{prompt}`")))
    }

    /// Whether addresses have this form.
    pub(super) async fn has_template(&self, uri: &str) -> Result<bool, Failure> {
        Ok(self.templates().await?.iter().any(|template| template.uri_template == uri))
    }
}

/// A component that cannot list what it has takes nothing away from the others. The first is the server itself.
fn unless_added<T>(place: usize, listed: Result<Vec<T>, Failure>) -> Result<Vec<T>, Failure> {
    match listed {
        Err(failure) if place > 0 => {
            tracing::warn!(reason = failure.message, "an added component cannot list what it offers");
            Ok(Vec::new())
        }
        listed => listed,
    }
}
