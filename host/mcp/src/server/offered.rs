//! Everything that can be asked for by name.

use crate::call::Call;
use crate::failure::Failure;
use crate::prompts::{Filled, Prompter};
use crate::refusal::Refusal;
use crate::registry::Registry;
use crate::resources::Library;
use rmcp::model::{GetPromptResponse, Prompt, Resource, ResourceContents, ResourceTemplate};
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
        let mut all = Vec::new();
        for library in &self.libraries {
            all.extend(library.list().await?);
        }
        Ok(all)
    }

    pub(super) async fn templates(&self) -> Result<Vec<ResourceTemplate>, Failure> {
        let mut all = Vec::new();
        for library in &self.libraries {
            all.extend(library.templates().await?);
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
        for prompter in &self.prompters {
            all.extend(prompter.list().await?);
        }
        all.sort_by(|left, right| left.name.cmp(&right.name));
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

    /// Whether a prompt has an argument.
    pub(super) async fn has_argument(&self, prompt: &str, argument: &str) -> Result<bool, Refusal> {
        let found = self.prompts().await?.into_iter().find(|one| one.name == prompt);
        let found = found.ok_or_else(|| Refusal::Invalid(format!("there is no prompt `{prompt}`")))?;
        Ok(found.arguments.is_some_and(|arguments| arguments.iter().any(|one| one.name == argument)))
    }
}
