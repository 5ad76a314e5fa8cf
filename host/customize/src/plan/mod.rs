//! What would be done about a request, before anything is done.
//!
//! A [`Plan`] is made of a classification and of the edit that follows from it. It is the same value on the command line,
//! over MCP and before a run regenerates; it says what was understood, on which words that rests, and what is left for a
//! person.

mod build;
mod confirm;
#[cfg(test)]
mod tests;
mod text;

pub use build::{EditedFile, PlannedEdit};
pub use confirm::confirmed;
pub(crate) use text::{CANDIDATES, counted, offers};

use bailiwick_sdk::tasks::{ClientParameter, Decorator, ManualGuidance};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use crate::surface::{LanguageEffect, Surface};

/// The JSON schema of a decorator's arguments. Which of these types a decorator takes is checked when it is read.
#[must_use]
pub fn decorator_value(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": ["array", "boolean", "number", "object", "string"] })
}

/// What would be done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Plan {
    /// What the request comes to.
    pub outcome: PlanOutcome,
    /// What would be done, in the order of the request.
    pub actions: Vec<PlannedAction>,
    /// Pieces of the request that ask for nothing, verbatim.
    pub background: Vec<String>,
    /// What the request may ask for and does not say for certain. Nothing of it would be done: give what is meant as
    /// directives, in this form.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<PlannedAction>,
    /// What a person has to do or decide; it may stand beside actions.
    pub guidance: Vec<ManualGuidance>,
    /// What needs no change, and why: one sentence each.
    pub settled: Vec<String>,
    /// The change of `client.tsp` as a unified diff; empty if the file does not change.
    pub diff: String,
    /// What `--scope` has to allow for it: the languages that the actions change, where that is more than the caller allows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub needs_scope: Option<String>,
    /// What keeps the actions from being carried out, where that is known before anything is started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub obstacle: Option<String>,
    /// How the public surface of the package's client would change; left out where no name changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Surface")]
    pub public_surface: Option<Surface>,
    /// The same for each language, where a specification is customized without a package; left out where there is one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<LanguageEffect>,
    /// Whether the compiler has read the edited `client.tsp`. A dry run does not start it: the gate has accepted the text,
    /// and the effect on the client is judged when the request is carried out.
    pub compiled: bool,
}

/// What a request comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum PlanOutcome {
    /// There is something that would be done.
    Planned,
    /// Nothing would be done, and a person has something to do or to decide.
    Guidance,
    /// Nothing is asked for, or all of it is so already.
    Nothing,
}

/// One thing that would be done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlannedAction {
    /// What is done.
    pub action: ActionKind,
    /// What the target is: `operation`, `model`, `property`, `parameter`, `enum`, `member`, `union`, `interface`,
    /// `namespace` or `scalar`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub kind: Option<String>,
    /// The full TypeSpec name of what is changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub target: Option<String>,
    /// The new name, or the name of the client.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub name: Option<String>,
    /// Where an operation goes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub to: Option<String>,
    /// The decorator that is written or taken away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Decorator")]
    pub decorator: Option<Decorator>,
    /// Its arguments: `true`, `["input", "json"]`, `"Contoso.Models"`; left out for a decorator that has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "decorator_value")]
    pub value: Option<serde_json::Value>,
    /// The operations of a client, by their full TypeSpec names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub operations: Vec<String>,
    /// The parameters of its operations that a client is initialized with.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<ClientParameter>,
    /// The hand-written files that a repair begins with, as far as they are known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// The languages whose client changes: `python, java`, `!csharp` or `all`. Left out for the package's language alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub scope: Option<String>,
    /// The words of the request that the action rests on, verbatim; empty for a directive.
    pub basis: String,
}

/// What is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum ActionKind {
    /// Another name in the client.
    Rename,
    /// No longer public.
    Hide,
    /// Public again.
    Show,
    /// Into another group of operations.
    Move,
    /// A decorator with its arguments.
    Decorate,
    /// A decorator less.
    Undecorate,
    /// A client of its own for some operations.
    Client,
    /// Hand-written code follows the generated code; the specification stays.
    Repair,
    /// An edit of `client.tsp` that the classifier of a model did not describe further.
    Edit,
}
