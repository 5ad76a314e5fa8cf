//! The client languages and their TypeSpec scope tokens.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A language of the client library. Serialises as the scope token that TypeSpec decorators use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub enum Language {
    /// Python.
    #[serde(rename = "python")]
    Python,
    /// Java.
    #[serde(rename = "java")]
    Java,
    /// .NET.
    #[serde(rename = "csharp")]
    Dotnet,
    /// JavaScript and TypeScript.
    #[serde(rename = "javascript")]
    Javascript,
    /// Go.
    #[serde(rename = "go")]
    Go,
}

impl Language {
    /// Every language, in the order in which they are listed to people.
    pub const ALL: [Self; 5] = [Self::Python, Self::Java, Self::Dotnet, Self::Javascript, Self::Go];

    /// The token that stands in a decorator's scope argument, for example `csharp`.
    #[must_use]
    pub fn scope_token(self) -> &'static str {
        match self {
            Self::Python => "python",
            Self::Java => "java",
            Self::Dotnet => "csharp",
            Self::Javascript => "javascript",
            Self::Go => "go",
        }
    }

    /// The name that people read, for example `.NET`.
    #[must_use]
    pub fn display_name(self) -> &'static str {
        match self {
            Self::Python => "Python",
            Self::Java => "Java",
            Self::Dotnet => ".NET",
            Self::Javascript => "JavaScript",
            Self::Go => "Go",
        }
    }

    /// The language of a scope token, or `None` for a token that names no language of ours.
    #[must_use]
    pub fn from_scope_token(token: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|language| language.scope_token() == token)
    }
}

impl fmt::Display for Language {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.display_name())
    }
}
