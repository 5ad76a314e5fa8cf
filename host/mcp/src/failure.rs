//! Errors as a model reads them: one lower-case sentence, and what to do about it.

use bailiwick_customize::checkout::CheckoutError;
use bailiwick_customize::driver::{CoordinateError, CustomizeError, with_sources};
use bailiwick_customize::language::LanguageError;
use bailiwick_customize::typespec::TypespecError;
use bailiwick_runs::StoreError;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Why a tool gave no answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// One lower-case sentence without a full stop.
    pub message: String,
    /// What to do about it, where there is something.
    pub hint: Option<String>,
}

impl Failure {
    /// Without a hint.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None }
    }

    /// With a hint.
    #[must_use]
    pub fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }

    /// As a model reads it.
    #[must_use]
    pub fn text(&self) -> String {
        match &self.hint {
            Some(hint) => format!("{}\n\nhint: {hint}", self.message),
            None => self.message.clone(),
        }
    }
}

impl From<&CustomizeError> for Failure {
    fn from(error: &CustomizeError) -> Self {
        // What a path that holds no package is otherwise, or whether it is anything, is not for a client to learn.
        let none = |path: &Path, file: &str| format!("`{}` is not a directory with a `{file}`", path.display());
        let message = match error {
            CustomizeError::Typespec(
                TypespecError::NoPackage { path } | TypespecError::NoLocation { package: path },
            )
            | CustomizeError::Language(LanguageError::Unknown { package: path }) => none(path, "tsp-location.yaml"),
            CustomizeError::Typespec(
                TypespecError::NoProject { path } | TypespecError::NoConfig { path, instead: None },
            ) => none(path, "tspconfig.yaml"),
            _ => return Self { message: with_sources(error), hint: error.hint().as_deref().map(for_a_model) },
        };
        Self::new(message).hint("give the whole path of the directory as it is on the machine of this server")
    }
}

impl From<&CheckoutError> for Failure {
    fn from(error: &CheckoutError) -> Self {
        Self { message: with_sources(error), hint: error.hint().as_deref().map(for_a_model) }
    }
}

impl From<&CoordinateError> for Failure {
    fn from(error: &CoordinateError) -> Self {
        Self { message: with_sources(error), hint: error.hint().as_deref().map(for_a_model) }
    }
}

impl From<CoordinateError> for Failure {
    fn from(error: CoordinateError) -> Self {
        Self::from(&error)
    }
}

impl From<&StoreError> for Failure {
    fn from(error: &StoreError) -> Self {
        Self { message: with_sources(error), hint: error.hint().as_deref().map(for_a_model) }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::from(&error)
    }
}

/// A hint that names a command, with the tool that a client has instead.
fn for_a_model(hint: &str) -> String {
    hint.replace("`bailiwick run list`", "`azsdk_run_list`")
}
