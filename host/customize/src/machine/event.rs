//! What the driver reports after it performed an effect.

use bailiwick_sdk::tasks::{Classification, CodePatchDetail, Diagnostic, ManualGuidance, Rename, TypeSpecChange};
use serde::{Deserialize, Serialize};

use super::ErrorCode;

/// What came of an effect. Each effect has its own event; one that answers another effect ends the run with
/// [`ErrorCode::UnexpectedError`] instead of being guessed at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Event {
    /// The classifier answered.
    Classified {
        /// Its answer.
        classification: Classification,
    },
    /// The classifier gave no usable answer. Everything asked for goes to a person.
    ClassifierFailed {
        /// Why, as one sentence.
        message: String,
    },
    /// The recorded proof of an earlier run was looked up.
    ProofChecked {
        /// What was found.
        proof: Proof,
    },
    /// An attempt of Phase A ended.
    TypespecEdited {
        /// How it ended.
        edit: TypespecEdit,
    },
    /// Regeneration ended.
    Regenerated {
        /// How it ended.
        regeneration: Regeneration,
    },
    /// The build ended.
    Built {
        /// How it ended, apart from what is known.
        build: Checked,
        /// What the package itself was like before the run, as far as it counts.
        #[serde(default)]
        before: Before,
    },
    /// Files changed while the package was generated or built, and again each time it was repeated.
    Disturbed {
        /// Which, as one sentence.
        message: String,
    },
    /// The drift check ended.
    DriftChecked {
        /// How it ended.
        drift: Checked,
    },
    /// An attempt of Phase B ended.
    CodePatched {
        /// How it ended.
        patch: CodePatch,
    },
    /// Every claimed change was looked for in the final difference.
    ClaimsChecked {
        /// What was found.
        claims: Claims,
    },
    /// The driver cannot go on: a cancellation, or a failure outside the workflow's outcomes.
    Aborted {
        /// Which of the two.
        code: ErrorCode,
        /// What happened, as one sentence.
        message: String,
    },
}

impl Event {
    /// The name as it serialises, for messages.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Classified { .. } => "classified",
            Self::ClassifierFailed { .. } => "classifierFailed",
            Self::ProofChecked { .. } => "proofChecked",
            Self::TypespecEdited { .. } => "typespecEdited",
            Self::Regenerated { .. } => "regenerated",
            Self::Built { .. } => "built",
            Self::Disturbed { .. } => "disturbed",
            Self::DriftChecked { .. } => "driftChecked",
            Self::CodePatched { .. } => "codePatched",
            Self::ClaimsChecked { .. } => "claimsChecked",
            Self::Aborted { .. } => "aborted",
        }
    }
}

/// Whether a regeneration and build of exactly these inputs is on record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Proof {
    /// It is, the hash of its inputs and of the generated files still matches, and the package was built now without an error.
    Valid,
    /// It is not, or something changed since, or the package does not build now.
    Missing,
}

/// How an attempt of Phase A ended, before any regeneration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "camelCase")]
pub enum TypespecEdit {
    /// The edited `client.tsp` compiles, passed the gate and is in the repository.
    Landed {
        /// What the difference between the file and its before-image of the run shows: the changes of all attempts so
        /// far. They replace what an earlier attempt reported.
        changes: Vec<TypeSpecChange>,
        /// How names change in the generated client because of this attempt.
        renames: Vec<Rename>,
    },
    /// The specification already says what was asked.
    NotNeeded {
        /// How names have changed already, for the repair of what still uses the old ones.
        renames: Vec<Rename>,
    },
    /// The attempt ended and nothing is in the repository.
    NotLanded(NotLanded),
}

/// How an attempt of Phase B ended, before any regeneration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "camelCase")]
pub enum CodePatch {
    /// The patches passed the gate and are in the repository.
    Landed {
        /// What the difference between all customization files and their before-images of the run shows: the patches of
        /// all attempts so far. They replace what an earlier attempt reported.
        patches: Vec<CodePatchDetail>,
    },
    /// The agent judged the repair not feasible; nothing was edited.
    Guidance(ManualGuidance),
    /// The attempt ended and nothing is in the repository.
    NotLanded(NotLanded),
}

/// An attempt that ended without landing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NotLanded {
    /// Why.
    pub cause: NotLandedCause,
    /// The errors, in the form in which the next attempt and the classifier get them.
    pub diagnostics: Vec<Diagnostic>,
    /// What the agent would have a person do, if it said so. Then the run ends with it instead of trying again.
    pub guidance: Option<ManualGuidance>,
}

/// Why an attempt did not land.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum NotLandedCause {
    /// The gate refused the difference until the agent's budget was gone.
    RefusedByGate,
    /// What the agent wrote does not compile.
    DoesNotCompile,
    /// The agent failed, ran out of budget, or changed nothing.
    AgentFailed,
}

/// How a regeneration ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "result", rename_all = "camelCase")]
pub enum Regeneration {
    /// The package was generated.
    Succeeded {
        /// Whether the package has customization files now.
        customizations: Customizations,
        /// Warnings.
        diagnostics: Vec<Diagnostic>,
    },
    /// It was not.
    Failed {
        /// Where it failed.
        place: Place,
        /// Whether the package has customization files now.
        customizations: Customizations,
        /// Errors and warnings.
        diagnostics: Vec<Diagnostic>,
    },
}

/// Where a regeneration failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Place {
    /// In the compiler, the emitter or the tools around them.
    Generator,
    /// Inside a hand-written customization class that the generator runs (Java). Counts as a failed validation.
    Customization,
}

/// Whether a package has customization files, an emitter's untouched stubs not counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Customizations {
    /// It has.
    Present,
    /// It has none.
    Absent,
}

/// How a build or a drift check ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "result", rename_all = "camelCase")]
pub enum Checked {
    /// It passed, perhaps with warnings.
    Passed {
        /// Warnings.
        diagnostics: Vec<Diagnostic>,
    },
    /// It did not.
    Failed {
        /// Errors and warnings.
        diagnostics: Vec<Diagnostic>,
    },
}

/// What a build showed of the package as it was before the run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Before {
    /// Errors that were there before, on lines that have not changed: they do not count.
    pub known: Vec<Diagnostic>,
    /// Errors for which the package could not be imported or compiled at all. What is behind them was never seen, so they
    /// count.
    pub broken: Vec<Diagnostic>,
}

/// Whether every claimed change is in the final difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "result", rename_all = "camelCase")]
pub enum Claims {
    /// Each is.
    AllInDiff,
    /// Some are not.
    Missing {
        /// Those that are not, as text for people.
        claims: Vec<String>,
    },
}
