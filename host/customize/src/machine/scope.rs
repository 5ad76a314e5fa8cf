//! What a run may edit.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// What a run may edit. Serialises as `All`, `SpecInputs` and `CustomCode`, the names of seed 000's successor tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum EditScope {
    /// `client.tsp` in Phase A and customization files in Phase B.
    All,
    /// Only the TypeSpec project: there is no Phase B.
    SpecInputs,
    /// Only customization files: Phase A regenerates and validates but edits nothing.
    CustomCode,
}

impl EditScope {
    /// Whether Phase A may edit `client.tsp`.
    #[must_use]
    pub fn edits_specification(self) -> bool {
        self != Self::CustomCode
    }

    /// Whether Phase B may run.
    #[must_use]
    pub fn edits_code(self) -> bool {
        self != Self::SpecInputs
    }
}

impl fmt::Display for EditScope {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::All => "All",
            Self::SpecInputs => "SpecInputs",
            Self::CustomCode => "CustomCode",
        })
    }
}

/// The text names no edit scope.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown edit scope `{0}`, expected `All`, `SpecInputs` or `CustomCode`")]
pub struct UnknownEditScope(pub String);

impl FromStr for EditScope {
    type Err = UnknownEditScope;

    /// Reads a scope in any letter case, with or without hyphens.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.replace('-', "").to_ascii_lowercase().as_str() {
            "all" => Ok(Self::All),
            "specinputs" => Ok(Self::SpecInputs),
            "customcode" => Ok(Self::CustomCode),
            _ => Err(UnknownEditScope(text.to_owned())),
        }
    }
}
