//! The structured answer.

use std::collections::BTreeMap;

use bailiwick_agent::Spent;
use bailiwick_sdk::tasks::{CodePatchDetail, ManualGuidance, TypeSpecChange};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::machine::{ErrorCode, Outcome};
use crate::plan::PlannedAction;
use crate::surface::Surface;

/// The answer of `azsdk_package_customize_code`. Every field is always present but `candidates`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Response {
    /// What the run came to.
    pub outcome: Outcome,
    /// Whether everything asked for is done and validated.
    pub success: bool,
    /// Why it is not; null exactly on success.
    pub error_code: Option<ErrorCode>,
    /// One sentence for people.
    pub message: String,
    /// The run, for `bailiwick run show`, `approve` and `revert`.
    pub run_id: String,
    /// What was changed or is to be changed by hand, one line each.
    pub changes_summary: Vec<String>,
    /// Decorators that were added, changed or removed and are in the repository.
    pub type_spec_changes: Vec<TypeSpecChange>,
    /// Patches of customization files that are in the repository.
    pub code_patches: Vec<CodePatchDetail>,
    /// How the public surface of the client changed, each change with its cause; null where no name changed, and for what
    /// was put back.
    #[serde(default)]
    pub public_surface: Option<Surface>,
    /// Pieces of the request that ask for nothing, verbatim: what was read as background.
    #[serde(default)]
    pub background: Vec<String>,
    /// What the request may ask for and does not say for certain, in the form of a list of directives; empty on
    /// success. Nothing of it was done: give what is meant as directives.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<PlannedAction>,
    /// Every file that differs from before the run, of both repositories, with its grant: `spec/client.tsp`.
    pub modified_files: Vec<String>,
    /// The directory of each grant that the paths here begin with: `sdk`, `spec`.
    #[serde(default)]
    pub directories: BTreeMap<String, String>,
    /// The last build of what was last generated; null when there was none.
    pub build_result: Option<BuildResult>,
    /// Attempts of TypeSpec customization that were started.
    pub phase_a_attempts: u8,
    /// Attempts of code customization that were started.
    pub phase_b_attempts: u8,
    /// Items that need the specification, which the edit scope excludes.
    pub spec_change_required: Vec<String>,
    /// Errors that need customization files, which the edit scope excludes.
    pub custom_code_change_required: Vec<String>,
    /// What is to be done by hand; empty exactly on success.
    pub manual_guidance: Vec<ManualGuidance>,
    /// What to do next.
    pub next_steps: Vec<String>,
    /// What its agents took, those that failed included.
    #[serde(default)]
    pub usage: Spent,
    /// A unified diff of the editable files, with generated files summed up in comments.
    pub diff: String,
}

/// How a build ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BuildResult {
    /// Whether it passed.
    pub success: bool,
    /// Its errors, each as `path:line: error [code] message`.
    pub error_messages: Vec<String>,
    /// Its warnings, likewise.
    pub warning_messages: Vec<String>,
    /// Errors that the package had before the run, on lines that have not changed, likewise. They do not count.
    #[serde(default)]
    pub known_messages: Vec<String>,
}
