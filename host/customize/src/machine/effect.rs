//! What the driver is to do next.

use bailiwick_sdk::tasks::{CodePatchDetail, Diagnostic, ItemVerdict, Rename, TypeSpecChange, ValidationReport};
use serde::{Deserialize, Serialize};

use super::Ending;

/// One thing to do. The driver performs it and reports the event of the same row:
///
/// | effect | event |
/// |---|---|
/// | `Classify` | `Classified` or `ClassifierFailed` |
/// | `CheckProof` | `ProofChecked` |
/// | `EditTypespec` | `TypespecEdited` |
/// | `Regenerate` | `Regenerated` |
/// | `Build` | `Built` |
/// | `CheckDrift` | `DriftChecked` |
/// | `PatchCode` | `CodePatched` |
/// | `CheckClaims` | `ClaimsChecked` |
/// | `Finish` | none |
///
/// `Aborted` answers any of them, and `Disturbed` answers `Regenerate` and `Build`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "effect", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Effect {
    /// Ask the classifier, with [`State::request`](super::State::request) and [`State::history`](super::State::history).
    Classify {
        /// The validation of the last attempt; `None` before the first.
        validation: Option<ValidationReport>,
    },
    /// Look for a recorded regeneration whose inputs and outputs still match; where they do, build the package again.
    CheckProof,
    /// Let the TypeSpec agent edit the stage, judge and land what it did.
    EditTypespec {
        /// 1 or 2.
        attempt: u8,
        /// The items routed to Phase A.
        items: Vec<ItemVerdict>,
        /// What the earlier attempt reported.
        feedback: Vec<Diagnostic>,
    },
    /// Regenerate the package from the specification as it stands.
    Regenerate,
    /// Build the package.
    Build,
    /// Look for customizations that name what the generated code no longer has.
    CheckDrift,
    /// Let the repair agent patch customization files in the stage, judge and land what it did.
    PatchCode {
        /// 1 or 2.
        attempt: u8,
        /// What the failed validation reported.
        diagnostics: Vec<Diagnostic>,
        /// What Phase A changed.
        typespec_changes: Vec<TypeSpecChange>,
        /// How names changed in the generated client.
        renames: Vec<Rename>,
    },
    /// Compare every claim with the difference between the repositories and the run's before-images.
    CheckClaims {
        /// Claimed decorators.
        typespec_changes: Vec<TypeSpecChange>,
        /// Claimed patches.
        code_patches: Vec<CodePatchDetail>,
    },
    /// The run is over.
    Finish {
        /// How it ended.
        ending: Ending,
    },
}

impl Effect {
    /// The name as it serialises, for progress and messages.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Classify { .. } => "classify",
            Self::CheckProof => "checkProof",
            Self::EditTypespec { .. } => "editTypespec",
            Self::Regenerate => "regenerate",
            Self::Build => "build",
            Self::CheckDrift => "checkDrift",
            Self::PatchCode { .. } => "patchCode",
            Self::CheckClaims { .. } => "checkClaims",
            Self::Finish { .. } => "finish",
        }
    }
}
