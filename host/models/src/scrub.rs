//! Takes the key out of whatever a provider sends back: an endpoint may repeat what it was sent.

use bailiwick_agent::{BackendError, ToolCall, TurnResponse};
use serde_json::Value;

use crate::provider::Provider;

impl Provider {
    pub(crate) fn scrub(&self, text: String) -> String {
        match &self.key {
            Some(key) => key.scrub(text),
            None => text,
        }
    }

    pub(crate) fn scrub_value(&self, value: Value) -> Value {
        match &self.key {
            Some(key) => key.scrub_value(value),
            None => value,
        }
    }

    /// An endpoint may repeat the key it was sent, in an answer as in an error.
    pub(crate) fn scrub_response(&self, response: TurnResponse) -> TurnResponse {
        let calls = response.calls.into_iter().map(|call| ToolCall {
            id: self.scrub(call.id),
            name: self.scrub(call.name),
            arguments: self.scrub_value(call.arguments),
        });
        TurnResponse { text: self.scrub(response.text), calls: calls.collect(), usage: response.usage }
    }

    pub(crate) fn scrub_error(&self, error: BackendError) -> BackendError {
        match error {
            BackendError::Unavailable { message, retry_after } => {
                BackendError::Unavailable { message: self.scrub(message), retry_after }
            }
            BackendError::Malformed { message, usage } => {
                BackendError::Malformed { message: self.scrub(message), usage }
            }
            BackendError::Refused { message } => BackendError::Refused { message: self.scrub(message) },
            other => other,
        }
    }
}
