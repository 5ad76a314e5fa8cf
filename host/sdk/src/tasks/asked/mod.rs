//! Directives as scripts write them: targets by any name, before they are looked up.

mod error;
mod list;
mod option;
mod unique;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ClientParameter, Decoration, Decorator, Scope};

pub use error::DirectiveError;

/// A directive with the names that a person wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedDirective {
    /// What is asked for.
    pub change: AskedChange,
    /// The languages; `None` stands for the package's alone.
    pub scope: Option<Scope>,
    /// As it was written, for answers.
    pub written: String,
}

/// What a directive asks for. Targets are TypeSpec names, whole or in part, or names in the package's language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AskedChange {
    /// Another name.
    Rename {
        /// What is renamed.
        target: String,
        /// The new name.
        name: String,
    },
    /// No longer public.
    Hide {
        /// What is hidden.
        target: String,
    },
    /// Public again.
    Show {
        /// What is shown.
        target: String,
    },
    /// Into another group of operations.
    Move {
        /// The operation.
        target: String,
        /// An interface, a client, or the name of a new group.
        to: String,
    },
    /// A client of its own.
    Client {
        /// Its name.
        name: String,
        /// Its operations.
        operations: Vec<String>,
        /// What it is initialized with.
        parameters: Vec<ClientParameter>,
    },
    /// A decorator with its arguments.
    Decorate {
        /// What is decorated.
        target: String,
        /// With what.
        decoration: Decoration,
    },
    /// A decorator of `client.tsp` less.
    Undecorate {
        /// What is decorated.
        target: String,
        /// The decorator.
        decorator: Decorator,
    },
    /// Regeneration, and repair of hand-written code.
    Repair {
        /// Files to begin with.
        files: Vec<String>,
    },
}

/// The kinds of directives, by the words of options and files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum AskedAction {
    /// `--rename TARGET=NAME`.
    Rename,
    /// `--hide TARGET`.
    Hide,
    /// `--show TARGET`.
    Show,
    /// `--move TARGET=CLIENT`.
    Move,
    /// `--decorate DECORATOR:TARGET=VALUE`.
    Decorate,
    /// `--undecorate DECORATOR:TARGET`.
    Undecorate,
    /// A client of its own; in files alone.
    Client,
    /// Regeneration and repair; in files alone.
    Repair,
}

/// Text without the space around it, if there is any.
fn filled(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}
