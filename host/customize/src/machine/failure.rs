//! The failure that a run has not got past yet.

use serde::{Deserialize, Serialize};

use super::{Customizations, EditScope, ErrorCode, NotLandedCause, Place};

/// What is being attempted or validated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Phase {
    /// A regeneration and build without an attempt, because the classifier called the request done already.
    Verification,
    /// TypeSpec customization.
    A,
    /// Code customization.
    B,
}

/// What failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum FailureKind {
    /// An attempt ended without landing.
    NotLanded(NotLandedCause),
    /// Regeneration.
    Regeneration(Place),
    /// The build.
    Build,
    /// The drift check.
    Drift,
}

/// Why the phase that failed is not tried again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Blocked {
    /// The same error twice running.
    Stall,
    /// No attempt is left.
    Limit,
}

/// The last failure since a validation passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Failure {
    /// The phase it happened in.
    pub phase: Phase,
    /// What failed.
    pub kind: FailureKind,
    /// Why the phase is not tried again, if it is not.
    pub blocked: Option<Blocked>,
    /// Whether there were customization files to repair.
    pub customizations: Customizations,
}

impl Failure {
    /// The code of a run that ends with this failure.
    ///
    /// A stall is named before a limit, and a refusal by the gate before the limit that it used up: it says more.
    pub(super) fn code(self, scope: EditScope) -> ErrorCode {
        match (self.blocked, self.kind, self.phase) {
            (Some(Blocked::Stall), _, _) => ErrorCode::StallDetected,
            (_, FailureKind::NotLanded(NotLandedCause::RefusedByGate), _) => ErrorCode::RefusedByGate,
            (Some(Blocked::Limit), _, Phase::B) => ErrorCode::PhaseBLimit,
            (Some(Blocked::Limit), _, Phase::A) => ErrorCode::PhaseALimit,
            _ => self.specific_code(scope),
        }
    }

    fn specific_code(self, scope: EditScope) -> ErrorCode {
        match (self.kind, self.phase) {
            (FailureKind::NotLanded(NotLandedCause::AgentFailed), Phase::B) => ErrorCode::PatchesFailed,
            (FailureKind::NotLanded(_), _) => ErrorCode::TypespecCustomizationFailed,
            (_, Phase::A) if self.repair_excluded(scope) => ErrorCode::CustomCodeChangeRequired,
            (FailureKind::Regeneration(_), Phase::B) => ErrorCode::RegenerateAfterPatchesFailed,
            (FailureKind::Regeneration(_), _) => ErrorCode::RegenerateFailed,
            (FailureKind::Drift, _) => ErrorCode::DriftCheckFailed,
            (FailureKind::Build, Phase::B) => ErrorCode::BuildAfterPatchesFailed,
            (FailureKind::Build, _) if self.customizations == Customizations::Absent => {
                ErrorCode::BuildNoCustomizationsFailed
            }
            (FailureKind::Build, _) => ErrorCode::BuildFailed,
        }
    }

    /// Whether a repair of customization files is what this failure calls for: the package regenerated (or the
    /// generator failed inside a customization), the validation failed, and there are such files.
    pub(super) fn calls_for_repair(self) -> bool {
        let repairable = match self.kind {
            FailureKind::Build => true,
            // Two additions to the seed, which knows only the build: see design 7.3.
            FailureKind::Drift | FailureKind::Regeneration(Place::Customization) => true,
            FailureKind::Regeneration(Place::Generator) | FailureKind::NotLanded(_) => false,
        };
        repairable && self.customizations == Customizations::Present
    }

    /// Whether a repair is called for and the edit scope forbids it.
    pub(super) fn repair_excluded(self, scope: EditScope) -> bool {
        self.calls_for_repair() && !scope.edits_code()
    }
}
