//! Where a workflow stands, in the words of its protocol.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where a workflow stands. Regeneration and build happen inside a call, so that no caller ever sees them as a phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub enum Phase {
    /// The caller is to say whether TypeSpec can help.
    Classify,
    /// The caller is to edit `client.tsp`.
    AttemptTspFix,
    /// The caller is to have the customization code repaired.
    AttemptSdkFix,
    /// Over: the package builds.
    Success,
    /// Over: the build fails, or the check could not be made.
    Failure,
}

impl Phase {
    /// Whether nothing comes after it.
    #[must_use]
    pub fn is_terminal(self) -> bool {
        matches!(self, Self::Success | Self::Failure)
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The variants are named as they serialise.
        write!(formatter, "{self:?}")
    }
}

/// What a workflow was started with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EntryType {
    /// The output of a build that failed.
    BuildError,
    /// A wish in a person's words.
    UserRequest,
}

/// Text that names no entry type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("`requestType` has to be `build_error` or `user_request`")]
pub struct UnknownEntryType;

impl FromStr for EntryType {
    type Err = UnknownEntryType;

    fn from_str(text: &str) -> Result<Self, UnknownEntryType> {
        match text {
            "build_error" => Ok(Self::BuildError),
            "user_request" => Ok(Self::UserRequest),
            _ => Err(UnknownEntryType),
        }
    }
}

/// What was edited last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum FixType {
    /// The specification.
    Tsp,
    /// Customization code.
    Sdk,
}

/// How a workflow ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// The last build, after the last edit, passed.
    Success,
    /// It did not, or there was none.
    Failure,
}
