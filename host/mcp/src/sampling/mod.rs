//! The model of a client (sampling): what a run asks it, and how the answer comes back.
//!
//! A prompt waits for a call of the same subject that waits for the run: the one that began it, or `azsdk_run_wait`. Up to
//! 2025-11-25 that client is asked by a request of ours. From 2026-07-28 the call is answered with the prompt and made
//! again with the model's answer; what binds the two is sealed for that subject and holds once.

#![expect(deprecated, reason = "sampling is for clients that still offer it")]

mod sampler;
#[cfg(test)]
mod tests;

pub(crate) use sampler::{Redeemed, Sampler, Waited};

use crate::limits::ServerLimits;
use bailiwick_runs::Owner;
use rmcp::model::{CreateMessageRequestParams, Role, SamplingMessage, SamplingMessageContentBlock};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{Notify, oneshot};

/// Whose model classifies and edits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelOf {
    /// The one that this server was started with.
    Host,
    /// The client's own, by sampling.
    Client,
}

/// Who said a message of a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speaker {
    /// This server.
    User,
    /// The model, before.
    Assistant,
}

/// What a client's model is asked.
#[derive(Debug, Clone)]
pub struct Prompt {
    /// The instructions.
    pub system: String,
    /// The conversation, oldest first.
    pub messages: Vec<(Speaker, String)>,
    /// The most tokens of the answer.
    pub output_limit: u32,
}

/// What a client's model answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// Its text.
    pub text: String,
    /// Whether it ended at the output limit.
    pub is_cut: bool,
}

/// Why there is no completion.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoCompletion {
    /// No call waited for the run, or the client's person or model took too long.
    #[error("the client's model did not answer within {} s", within.as_secs())]
    Late {
        /// How long it had.
        within: Duration,
    },
    /// The client, or its person, said no, or is gone.
    #[error("the client refused to ask its model: {0}")]
    Refused(String),
    /// The answer has no text.
    #[error("the client's model answered without a text")]
    NoText,
}

/// What one run, or one step of a workflow, asks the model of its client.
#[derive(Clone)]
pub struct Sampling {
    /// Whose model is asked.
    owner: Owner,
    within: Duration,
    prompts: Arc<Prompts>,
}

#[derive(Default)]
struct Prompts {
    waiting: Mutex<VecDeque<Asked>>,
    more: Notify,
}

/// A prompt that waits for its answer.
struct Asked {
    params: CreateMessageRequestParams,
    reply: Reply,
}

type Reply = oneshot::Sender<Result<Completion, NoCompletion>>;

impl Sampling {
    pub(crate) fn new(owner: Owner, limits: &ServerLimits) -> Self {
        Self { owner, within: limits.answer, prompts: Arc::default() }
    }

    /// Asks the client's model, once a call waits for this run.
    ///
    /// # Errors
    /// There is no answer: see [`NoCompletion`].
    pub async fn complete(&self, prompt: Prompt) -> Result<Completion, NoCompletion> {
        let messages = prompt.messages.into_iter().map(|(speaker, text)| {
            let role = match speaker {
                Speaker::User => Role::User,
                Speaker::Assistant => Role::Assistant,
            };
            SamplingMessage::new(role, SamplingMessageContentBlock::text(text))
        });
        let params =
            CreateMessageRequestParams::new(messages.collect(), prompt.output_limit).with_system_prompt(prompt.system);
        let (reply, answer) = oneshot::channel();
        self.waiting().push_back(Asked { params, reply });
        self.prompts.more.notify_one();
        match tokio::time::timeout(self.within, answer).await {
            Ok(Ok(answer)) => answer,
            // The prompt was given to a client that is gone.
            Ok(Err(_)) => Err(NoCompletion::Refused("it is gone".into())),
            Err(_) => Err(NoCompletion::Late { within: self.within }),
        }
    }

    /// The next prompt whose answer is still waited for.
    async fn next(&self) -> Asked {
        loop {
            let found = {
                let mut waiting = self.waiting();
                waiting.retain(|asked| !asked.reply.is_closed());
                waiting.pop_front()
            };
            match found {
                Some(asked) => return asked,
                None => self.prompts.more.notified().await,
            }
        }
    }

    fn waiting(&self) -> MutexGuard<'_, VecDeque<Asked>> {
        self.prompts.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
