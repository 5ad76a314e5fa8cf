//! Everything that can be asked for by name.

use crate::call::Call;
use crate::caller::Caller;
use crate::failure::Failure;
use crate::prompts::{Filled, Prompter};
use crate::refusal::Refusal;
use crate::registry::Registry;
use crate::resources::Library;
use crate::roots::Directories;
use rmcp::model::{GetPromptResponse, Prompt, Resource, ResourceContents, ResourceTemplate};
use std::collections::HashSet;
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
    /// The resources and prompts as one client has them.
    pub(super) fn sources(&self, directories: &Directories, caller: &Caller) -> Sources {
        Sources {
            libraries: self.libraries.iter().map(|one| one.clone().for_client(directories, caller)).collect(),
            prompters: self.prompters.iter().map(|one| one.clone().for_client(directories)).collect(),
        }
    }
}

/// The resources and prompts of one client.
pub(super) struct Sources {
    pub(super) libraries: Vec<Arc<dyn Library>>,
    prompters: Vec<Arc<dyn Prompter>>,
}

impl Sources {
    pub(super) async fn resources(&self) -> Result<Vec<Resource>, Failure> {
        let mut all = Vec::new();
        for (place, library) in self.libraries.iter().enumerate() {
            all.extend(unless_added(place, library.list().await)?);
        }
        Ok(first_of_each(all, |one: &Resource| one.uri.clone()))
    }

    pub(super) async fn templates(&self) -> Result<Vec<ResourceTemplate>, Failure> {
        let mut all = Vec::new();
        for (place, library) in self.libraries.iter().enumerate() {
            all.extend(unless_added(place, library.templates().await)?);
        }
        Ok(first_of_each(all, |one: &ResourceTemplate| one.uri_template.clone()))
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
        let mut all = first_of_each(all, |one: &Prompt| one.name.clone());
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

    /// What an argument of a prompt could be, given how it begins; `None` if its source has nothing to say about it.
    pub(super) async fn complete(&self, given: [&str; 3]) -> Result<Option<Vec<String>>, Refusal> {
        for prompter in &self.prompters {
            if let Some(values) = prompter.complete(given).await? {
                return Ok(Some(values));
            }
        }
        Ok(None)
    }

    /// Whether a prompt has an argument.
    pub(super) async fn has_argument(&self, prompt: &str, argument: &str) -> Result<bool, Refusal> {
        let found = self.prompts().await?.into_iter().find(|one| one.name == prompt);
        let found = found.ok_or_else(|| Refusal::Invalid(format!("there is no prompt `{prompt}`")))?;
        Ok(found.arguments.is_some_and(|arguments| arguments.iter().any(|one| one.name == argument)))
    }
}

/// The first source that has a name wins, in lists and in answers: a later source cannot take the name over.
fn first_of_each<T>(all: Vec<T>, name: impl Fn(&T) -> String) -> Vec<T> {
    let mut seen = HashSet::new();
    all.into_iter().filter(|one| seen.insert(name(one))).collect()
}

/// A component that cannot list what it has takes nothing away from the others. The first source is the server itself.
fn unless_added<T>(place: usize, listed: Result<Vec<T>, Failure>) -> Result<Vec<T>, Failure> {
    match listed {
        Err(failure) if place > 0 => {
            tracing::warn!(reason = failure.message, "an added component cannot list what it offers");
            Ok(Vec::new())
        }
        listed => listed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn added_component_that_cannot_list_hides_nothing_and_the_server_itself_is_heard() {
        let failed = || Err::<Vec<u8>, _>(Failure::new("it trapped"));
        assert!(unless_added(0, failed()).is_err());
        assert_eq!(unless_added(1, failed()), Ok(Vec::new()));
        assert_eq!(unless_added(1, Ok(vec![1])), Ok(vec![1]));
    }
}
