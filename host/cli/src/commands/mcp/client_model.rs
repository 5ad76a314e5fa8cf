//! The model of the client that asks (`--model client`).

use async_trait::async_trait;
use bailiwick_agent::{BackendError, Usage};
use bailiwick_mcp::Sampling;
use bailiwick_mcp::sampling::{NoCompletion, Prompt, Speaker};
use bailiwick_models::{TextAnswer, TextMessage, TextModel, TextPrompt};

/// Names it on the command line, in answers and in transcripts.
pub(super) const NAME: &str = "client";

/// Asks the client of one run.
pub(super) struct ClientModel(pub(super) Sampling);

#[async_trait]
impl TextModel for ClientModel {
    fn name(&self) -> &str {
        NAME
    }

    async fn complete(&self, prompt: TextPrompt) -> Result<TextAnswer, BackendError> {
        let TextPrompt { system, messages, output_limit } = prompt;
        let messages = messages.into_iter().map(|message| match message {
            TextMessage::User(text) => (Speaker::User, text),
            TextMessage::Assistant(text) => (Speaker::Assistant, text),
        });
        match self.0.complete(Prompt { system, messages: messages.collect(), output_limit }).await {
            Ok(completion) if completion.is_cut => Ok(TextAnswer::Cut),
            Ok(completion) => Ok(TextAnswer::Whole(completion.text)),
            Err(error @ NoCompletion::NoText) => {
                Err(BackendError::Malformed { message: error.to_string(), usage: Usage::default() })
            }
            // Asking again would ask a person again who said no, or who is not there.
            Err(error @ (NoCompletion::Late { .. } | NoCompletion::Refused(_))) => {
                Err(BackendError::Refused { message: error.to_string() })
            }
        }
    }
}
