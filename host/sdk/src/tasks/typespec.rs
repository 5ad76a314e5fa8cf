//! The task and result of the agent that edits `client.tsp`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Diagnostic, EntityKind, ItemVerdict, Language, ManualGuidance, SpecIndex};

/// What the TypeSpec agent is given. It reads through the `spec` grant and may change only the client file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TypespecTask {
    /// The items to carry out: those that were routed to Phase A.
    pub items: Vec<ItemVerdict>,
    /// The whole request, for context.
    pub request: String,
    /// The language of the package.
    pub language: Language,
    /// The project as it stands now.
    pub index: SpecIndex,
    /// The file to edit, with its grant: `spec/client.tsp`. It may not exist yet.
    pub client_file: String,
    /// The service's entry point as a fresh client file imports it, relative to the client file: `main.tsp`.
    pub main_file: String,
    /// What the validation of an earlier attempt reported; empty at the first.
    #[serde(default)]
    pub feedback: Vec<Diagnostic>,
}

/// What the TypeSpec agent returns.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TypespecResult {
    /// The decorators that were added or changed.
    #[serde(default)]
    pub changes: Vec<TypeSpecChange>,
    /// True when the specification already says what was asked, so that only regeneration is needed.
    #[serde(default)]
    pub no_edit_needed: bool,
    /// Why nothing was edited, when nothing could be.
    #[serde(default)]
    pub failure: Option<ManualGuidance>,
    /// How names change in the generated client because of the edits.
    #[serde(default)]
    pub renames: Vec<Rename>,
}

/// One decorator that was added or changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TypeSpecChange {
    /// The decorator without `@`, for example `access`.
    pub decorator_name: String,
    /// The full reference of its target.
    pub target: String,
    /// The scope, for example `python`.
    pub scope: String,
    /// The file that was edited, with its grant.
    pub file_path: String,
}

/// A name that changes in the client. For Python: types in PascalCase, members in snake_case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Rename {
    /// What is renamed.
    pub kind: EntityKind,
    /// The class, as the client's code names it, that has the member; `None` for types.
    #[serde(default)]
    pub container: Option<String>,
    /// The name before.
    pub old: String,
    /// The name after.
    pub new: String,
}
