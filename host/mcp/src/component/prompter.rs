//! Prompts of an added component.

use super::asking::{Asker, Asking, Next, Refused};
use super::tool::failed;
use super::{Added, content};
use crate::call::Call;
use crate::completion::bounded;
use crate::failure::Failure;
use crate::prompts::{Filled, Prompter};
use crate::refusal::Refusal;
use async_trait::async_trait;
use bailiwick_sandbox::rich::{Component, Role, prompts};
use bailiwick_sandbox::{CallError, Conditions};
use rmcp::model::{
    CompletionInfo, GetPromptResponse, GetPromptResult, Prompt, PromptArgument, PromptMessage, Role as SaidBy,
};
use std::sync::Arc;

/// The prompts of one component.
pub(crate) struct AddedPrompter {
    added: Added,
    component: Component,
    asking: Arc<Asking>,
}

impl AddedPrompter {
    pub(crate) fn new(added: &Added, component: &Component, asking: &Arc<Asking>) -> Self {
        Self { added: added.clone(), component: component.clone(), asking: asking.clone() }
    }

    fn conditions(&self) -> Conditions<'_> {
        Conditions { grants: &self.added.grants, limits: &self.added.limits, notices: None }
    }

    async fn offered(&self) -> Result<Vec<prompts::Prompt>, Failure> {
        self.added.sandbox.list_prompts(&self.component, self.conditions()).await.outcome.map_err(failed)
    }

    /// The prompt of this name, and that nothing else than its arguments is filled in.
    async fn find(&self, name: &str, filled: &Filled) -> Result<Option<prompts::Prompt>, Refusal> {
        let Some(prompt) = self.offered().await?.into_iter().find(|prompt| prompt.name == name) else {
            return Ok(None);
        };
        if let Some(unknown) = filled.keys().find(|given| prompt.arguments.iter().all(|one| one.name != **given)) {
            return Err(Refusal::Invalid(format!("the prompt `{name}` has no argument `{unknown}`")));
        }
        match prompt.arguments.iter().find(|one| one.required && !filled.contains_key(&one.name)) {
            Some(missing) => Err(Refusal::Invalid(format!("the argument `{}` of `{name}` is missing", missing.name))),
            None => Ok(Some(prompt)),
        }
    }
}

#[async_trait]
impl Prompter for AddedPrompter {
    async fn list(&self) -> Result<Vec<Prompt>, Failure> {
        Ok(self.offered().await?.into_iter().map(listed).collect())
    }

    async fn get(&self, name: &str, filled: &Filled, call: &Call) -> Result<Option<GetPromptResponse>, Refusal> {
        if self.find(name, filled).await?.is_none() {
            return Ok(None);
        }
        let exactly = format!("prompts/get {} {name} {filled:?}", self.component.digest());
        let asker = Asker { name, exactly: &exactly, call };
        let mut round = self.asking.begin(&asker)?;
        loop {
            let one = prompts::Call {
                prompt: name.to_owned(),
                arguments: filled.iter().map(|(name, value)| (name.clone(), value.clone())).collect(),
                can: call.reach.can,
                again: round.again.clone(),
            };
            let got = self.added.sandbox.get_prompt(&self.component, one, self.conditions()).await.outcome;
            match got {
                Ok(prompts::Outcome::Got(got)) => {
                    let messages = got.messages.into_iter().map(|message| {
                        let role = match message.role {
                            Role::User => SaidBy::User,
                            Role::Assistant => SaidBy::Assistant,
                        };
                        PromptMessage::new(role, content::block(message.content))
                    });
                    let mut result = GetPromptResult::new(messages.collect());
                    result.description = got.description;
                    return Ok(Some(result.into()));
                }
                Ok(prompts::Outcome::Asks(asks)) => match self.asking.next(asks, &round, &asker).await? {
                    Next::Again(next) => round = next,
                    Next::Ask(ask) => return Ok(Some((*ask).into())),
                },
                // What a guest says of its arguments is the caller's to read.
                Err(CallError::Tool(error)) => return Err(Refusal::Invalid(error.message)),
                Err(error) => return Err(failed(error).into()),
            }
        }
    }

    async fn complete(&self, name: &str, argument: &str, value: &str) -> Result<Option<CompletionInfo>, Refusal> {
        let Some(prompt) = self.offered().await?.into_iter().find(|prompt| prompt.name == name) else {
            return Ok(None);
        };
        if prompt.arguments.iter().all(|one| one.name != argument) {
            return Err(Refusal::Invalid(format!("the prompt `{name}` has no argument `{argument}`")));
        }
        let values = self.added.sandbox.complete(&self.component, [name, argument, value], self.conditions()).await;
        Ok(Some(bounded(values.outcome.map_err(failed)?)))
    }
}

fn listed(prompt: prompts::Prompt) -> Prompt {
    let arguments = prompt.arguments.into_iter().map(|one| {
        let mut argument = PromptArgument::new(one.name).with_required(one.required);
        argument.description = one.description;
        argument
    });
    let mut listed = Prompt::new(prompt.name, prompt.description, Some(arguments.collect()));
    listed.title = prompt.title;
    listed
}

impl From<Refused> for Refusal {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Failure(failure) => Self::Invalid(failure.message),
            Refused::Protocol(error) => Self::Protocol(error),
        }
    }
}
