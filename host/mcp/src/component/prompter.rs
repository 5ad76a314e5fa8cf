//! The prompts of a component.

use super::asking::{Asker, Asking, Next, Refused};
use super::{Added, content, failure};
use crate::call::Call;
use crate::failure::Failure;
use crate::prompts::{Filled, Prompter};
use crate::refusal::Refusal;
use crate::roots::Directories;
use async_trait::async_trait;
use bailiwick_sandbox::rich::{Component, Role, prompts};
use bailiwick_sandbox::{CallError, ErrorKind};
use rmcp::model::{GetPromptResponse, GetPromptResult, Prompt, PromptArgument, PromptMessage, Role as Spoken};
use std::sync::Arc;

pub(super) struct Guest {
    added: Added,
    component: Component,
    asking: Arc<Asking>,
    directories: Directories,
}

impl Guest {
    /// With all that the operator granted it.
    pub(super) fn new(added: Added, component: Component, asking: Arc<Asking>) -> Self {
        Self { added, component, asking, directories: Directories::unasked() }
    }

    async fn prompts(&self) -> Result<Vec<prompts::Prompt>, Failure> {
        let grants = self.added.grants_for(&self.directories).await?;
        let report = self.added.sandbox.list_prompts(&self.component, self.added.conditions(&grants, None)).await;
        report.outcome.map_err(failure)
    }
}

#[async_trait]
impl Prompter for Guest {
    fn for_client(self: Arc<Self>, directories: &Directories) -> Arc<dyn Prompter> {
        let (added, component, asking) = (self.added.clone(), self.component.clone(), self.asking.clone());
        Arc::new(Self { added, component, asking, directories: directories.clone() })
    }

    async fn list(&self) -> Result<Vec<Prompt>, Failure> {
        Ok(self.prompts().await?.into_iter().map(listed).collect())
    }

    async fn get(&self, name: &str, filled: &Filled, call: &Call) -> Result<Option<GetPromptResponse>, Refusal> {
        let Some(prompt) = self.prompts().await?.into_iter().find(|prompt| prompt.name == name) else {
            return Ok(None);
        };
        check(&prompt, filled)?;
        let arguments: Vec<_> = filled.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
        let exactly = format!("prompts/get {} {name} {filled:?}", self.component.digest());
        let asker = Asker { name, exactly: &exactly, call };
        let grants = self.added.grants_for(&self.directories).await?;
        let mut round = self.asking.begin(&asker).map_err(refusal)?;
        loop {
            let one = prompts::Call {
                prompt: name.to_owned(),
                arguments: arguments.clone(),
                can: call.reach.can,
                again: round.again.clone(),
            };
            let work = self.added.sandbox.get_prompt(&self.component, one, self.added.conditions(&grants, None));
            let report = tokio::select! {
                report = work => report,
                () = call.taken_back() => return Err(Refusal::Invalid("the request was taken back".into())),
            };
            match report.outcome.map_err(unanswered)? {
                prompts::Outcome::Got(got) => return Ok(Some(result(got).into())),
                prompts::Outcome::Asks(asks) => match self.asking.next(asks, &round, &asker).await.map_err(refusal)? {
                    Next::Again(next) => round = next,
                    Next::Ask(ask) => return Ok(Some((*ask).into())),
                },
            }
        }
    }

    async fn complete(&self, [prompt, argument, value]: [&str; 3]) -> Result<Option<Vec<String>>, Refusal> {
        if !self.prompts().await?.iter().any(|one| one.name == prompt) {
            return Ok(None);
        }
        let given = [prompt, argument, value];
        let grants = self.added.grants_for(&self.directories).await?;
        let report = self.added.sandbox.complete(&self.component, given, self.added.conditions(&grants, None)).await;
        report.outcome.map(Some).map_err(unanswered)
    }
}

/// What was filled in is what the prompt says it takes.
fn check(prompt: &prompts::Prompt, filled: &Filled) -> Result<(), Refusal> {
    let known = |name: &String| prompt.arguments.iter().any(|argument| argument.name == *name);
    if let Some(other) = filled.keys().find(|name| !known(name)) {
        return Err(Refusal::Invalid(format!("the prompt `{}` has no argument `{other}`", prompt.name)));
    }
    match prompt.arguments.iter().find(|argument| argument.required && !filled.contains_key(&argument.name)) {
        Some(missing) => Err(Refusal::Invalid(format!("the argument `{}` is missing", missing.name))),
        None => Ok(()),
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

fn result(got: prompts::Got) -> GetPromptResult {
    let messages = got.messages.into_iter().map(|message| {
        let role = match message.role {
            Role::User => Spoken::User,
            Role::Assistant => Spoken::Assistant,
        };
        PromptMessage::new(role, content::block(message.content))
    });
    let mut result = GetPromptResult::new(messages.collect());
    result.description = got.description;
    result
}

fn refusal(refused: Refused) -> Refusal {
    match refused {
        Refused::Failure(failure) => Refusal::Failed(failure),
        Refused::Protocol(error) => Refusal::Protocol(error),
    }
}

/// What the guest has to say about what was sent is the client's to put right.
fn unanswered(error: CallError) -> Refusal {
    match error {
        CallError::Tool(error) if matches!(error.kind, ErrorKind::InvalidInput | ErrorKind::NotFound) => {
            Refusal::Invalid(error.message)
        }
        other => Refusal::Failed(failure(other)),
    }
}
