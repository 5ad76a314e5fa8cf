//! The verdict on a result that already fits its schema.

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Whether a result is good enough.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "camelCase")]
pub enum Validation {
    /// The conversation ends with this result.
    Accepted,
    /// The reason goes back to the model, which may try again as long as its budget lasts.
    Refused {
        /// Why: a sentence, or any JSON (it is then shown as JSON).
        reason: Value,
    },
}

impl Validation {
    /// Refuses, with the reason that the model is to read.
    pub fn refused(reason: impl Into<Value>) -> Self {
        Self::Refused { reason: reason.into() }
    }
}

/// Judges results. A closure `Fn(&T) -> Validation` is one; implement the trait to wait for something.
#[async_trait]
pub trait Validator<T>: Send + Sync {
    /// Judges one result. Must not change anything that a second call would see: a resumed conversation may ask again.
    async fn validate(&self, result: &T) -> Validation;
}

#[async_trait]
impl<T: Sync, F: Fn(&T) -> Validation + Send + Sync> Validator<T> for F {
    async fn validate(&self, result: &T) -> Validation {
        self(result)
    }
}
