//! How a run ends.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Why a run ended without success. Names are stable and serialise as written; where the C# tool has the same
/// situation its name is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub enum ErrorCode {
    /// The input of the run is unusable; nothing was started.
    InvalidInput,
    /// No language service knows the package.
    NoLanguageService,
    /// The TypeSpec edit could not be made or did not compile.
    #[serde(rename = "TypeSpecCustomizationFailed")]
    TypespecCustomizationFailed,
    /// Regeneration from TypeSpec failed.
    RegenerateFailed,
    /// Regeneration failed after customization files were patched.
    RegenerateAfterPatchesFailed,
    /// The build failed.
    BuildFailed,
    /// The build failed and the package has no customization files to repair.
    BuildNoCustomizationsFailed,
    /// The build still fails after customization files were patched.
    BuildAfterPatchesFailed,
    /// A customization names something that the generated code no longer has.
    DriftCheckFailed,
    /// The repair agent produced no patch.
    PatchesFailed,
    /// The gate refused what the agent did, and no attempt is left.
    RefusedByGate,
    /// The same error came twice running within one phase.
    StallDetected,
    /// Phase A used its attempts.
    #[serde(rename = "PhaseALimit")]
    PhaseALimit,
    /// Phase B used its attempts.
    #[serde(rename = "PhaseBLimit")]
    PhaseBLimit,
    /// Request and history have outgrown what the classifier is given.
    ContextLimitExceeded,
    /// The rest is for a person; the response says what to do.
    ManualGuidance,
    /// The edit scope excludes the specification, and the request needs it.
    SpecChangeRequired,
    /// The edit scope excludes customization files, and the request needs them.
    CustomCodeChangeRequired,
    /// The classifier called the request done while the last validation says otherwise.
    UnverifiedSuccess,
    /// A change was claimed that is not in the difference.
    ClaimNotInDiff,
    /// Somebody changed files while the run worked: what stands there is not what was generated and built.
    ChangedMeanwhile,
    /// The run was cancelled.
    Cancelled,
    /// A failure outside the workflow's outcomes.
    UnexpectedError,
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TypespecCustomizationFailed => formatter.write_str("TypeSpecCustomizationFailed"),
            // The variants are named as they serialise.
            other => write!(formatter, "{other:?}"),
        }
    }
}

/// What a run came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    /// Everything asked for is done and validated.
    Success,
    /// Changes landed and regenerated; the rest is guidance. They are kept until a person decides.
    Partial,
    /// Nothing is to be kept.
    Failure,
}

/// The end of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Ending {
    /// What the run came to.
    pub outcome: Outcome,
    /// Why it did not succeed; `None` exactly when it did.
    pub code: Option<ErrorCode>,
    /// One lower-case sentence for people, without a full stop.
    pub message: String,
}
