//! What the host does between two calls of the caller, and what comes of it.

use bailiwick_sdk::tasks::Diagnostic;
use serde::{Deserialize, Serialize};

use super::FixType;

/// What the driver is to perform, in this order: compare both repositories with their before-images and let the gate
/// judge the difference; regenerate, after an edit of the specification and wherever the language applies its
/// customizations at generation; build; look for drift.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Check {
    /// What the caller says that it edited: all else that it changed is refused.
    pub after: FixType,
}

/// What came of a [`Check`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "result", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Checked {
    /// The gate refuses what the caller changed. Nothing was regenerated or built.
    EditsRefused {
        /// What was refused and why, a sentence each.
        violations: Vec<String>,
    },
    /// Nothing differs from before the report: the claimed edit was not made.
    NothingEdited,
    /// Regeneration failed.
    RegenerationFailed {
        /// Its errors.
        diagnostics: Vec<Diagnostic>,
    },
    /// The build or the drift check failed.
    BuildFailed {
        /// Their errors.
        diagnostics: Vec<Diagnostic>,
    },
    /// All of it passed, after the last edit.
    Passed,
}
