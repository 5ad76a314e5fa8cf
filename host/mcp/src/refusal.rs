//! Why a request other than a tool call was refused, and the protocol's error for it.

use crate::failure::Failure;
use crate::path_redaction::PathRedaction;
use rmcp::model::ErrorData;
use serde_json::json;

/// Why there is no answer.
#[derive(Debug)]
pub enum Refusal {
    /// Nothing has this address.
    NoResource(String),
    /// What was sent cannot be used, in one sentence.
    Invalid(String),
    /// What the protocol demands.
    Protocol(Box<ErrorData>),
    /// It could be used, and yet there is no answer.
    Failed(Failure),
}

impl Refusal {
    /// As the protocol has it. What a client wrote itself it may read again; of this machine it reads nothing.
    #[must_use]
    pub fn error(self, conceal: &PathRedaction) -> ErrorData {
        match self {
            // The protocol's own code for it changed with 2026-07-28; rmcp sends the one of the client's version.
            Self::NoResource(uri) => {
                ErrorData::resource_not_found(format!("there is no resource `{uri}`"), Some(json!({ "uri": uri })))
            }
            Self::Invalid(message) => ErrorData::invalid_params(message, None),
            Self::Protocol(error) => *error,
            Self::Failed(failure) => ErrorData::internal_error(conceal.everything(&failure.message), None),
        }
    }
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}
