//! The task and result of the agent that repairs customization files.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Diagnostic, Language, ManualGuidance, Rename, TypeSpecChange};

/// What the repair agent is given. It reads through the `sdk` grant and may change only the customization files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PatchTask {
    /// The language of the package.
    pub language: Language,
    /// The package's name, for example `azure-widget`.
    pub package: String,
    /// What regeneration and build reported.
    pub diagnostics: Vec<Diagnostic>,
    /// The files that may be changed, with their grant: `sdk/azure/widget/_patch.py`.
    pub customization_files: Vec<String>,
    /// What Phase A changed.
    #[serde(default)]
    pub typespec_changes: Vec<TypeSpecChange>,
    /// How names changed in the generated client.
    #[serde(default)]
    pub renames: Vec<Rename>,
    /// Lines that may change in all files together.
    pub line_limit: u32,
    /// Files that may change.
    pub file_limit: u32,
}

/// What the repair agent returns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "outcome", rename_all = "camelCase")]
pub enum PatchResult {
    /// The files were changed.
    Patched {
        /// Every change, in the order in which it was made.
        patches: Vec<CodePatchDetail>,
    },
    /// Nothing was changed; this is for a person.
    Guidance(ManualGuidance),
}

/// One change to one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CodePatchDetail {
    /// The file, with its grant.
    pub file_path: String,
    /// The first 100 characters of what was there.
    pub old_content_preview: String,
    /// The first 100 characters of what is there now.
    pub new_content_preview: String,
    /// How many places were replaced.
    pub replacement_count: u32,
}
