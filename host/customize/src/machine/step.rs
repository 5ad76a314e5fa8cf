//! One event, one effect.

use bailiwick_sdk::tasks::{ItemVerdict, Rename, Route, TypeSpecChange, ValidationReport};

use super::validate::Validation;
use super::{
    Check, Checked, Claims, CodePatch, Effect, ErrorCode, Event, FailureKind, Phase, Place, Proof, Regeneration, State,
    TypespecEdit, verdicts,
};

/// Takes in what came of the awaited effect and gives the next one. Total: an event that does not answer the awaited
/// effect ends the run with [`ErrorCode::UnexpectedError`], and after the end nothing changes any more.
#[must_use]
pub fn step(mut state: State, event: Event) -> (State, Effect) {
    if state.ending().is_none() {
        state.take(event);
    }
    let effect = state.awaiting.clone();
    (state, effect)
}

impl State {
    fn take(&mut self, event: Event) {
        match (&self.awaiting, event) {
            (_, Event::Aborted { code, message }) => self.fail(code, message),
            (Effect::Classify { .. }, Event::Classified { classification }) => {
                self.items = verdicts::merge(&self.items, self.context.request(), classification);
                self.note_verdicts();
                self.decide();
            }
            (Effect::Classify { .. }, Event::ClassifierFailed { message }) => {
                self.items = verdicts::unanswered(&self.items, self.context.request(), &message);
                self.note_verdicts();
                self.decide();
            }
            (Effect::CheckProof, Event::ProofChecked { proof }) => self.proof_checked(proof),
            (Effect::EditTypespec { .. }, Event::TypespecEdited { edit }) => {
                self.typespec_edited(edit);
            }
            (Effect::Regenerate, Event::Regenerated { regeneration }) => {
                self.regenerated(regeneration);
            }
            (Effect::Build, Event::Built { build, before }) => {
                self.before = before;
                self.built(build);
            }
            (Effect::Regenerate | Effect::Build, Event::Disturbed { message }) => self.disturbed(message),
            (Effect::CheckDrift, Event::DriftChecked { drift }) => self.drift_checked(drift),
            (Effect::PatchCode { .. }, Event::CodePatched { patch }) => self.code_patched(patch),
            (Effect::CheckClaims { .. }, Event::ClaimsChecked { claims }) => {
                self.claims_checked(claims);
            }
            (awaited, event) => {
                let message = format!("event `{}` does not answer `{}`", event.name(), awaited.name());
                self.fail(ErrorCode::UnexpectedError, message);
            }
        }
    }

    fn note_verdicts(&mut self) {
        let line = |item: &ItemVerdict| {
            let route = match item.route {
                Route::PhaseA => "PHASE_A",
                Route::Success => "SUCCESS",
                Route::Failure => "FAILURE",
            };
            format!("[{}] {route}: {}", item.id, item.reason)
        };
        let lines = self.items.iter().map(line).collect();
        self.context.append("classification".to_owned(), lines, &[]);
    }

    fn proof_checked(&mut self, proof: Proof) {
        self.proof = Some(proof);
        match proof {
            Proof::Valid => self.succeed(),
            Proof::Missing => self.verify(),
        }
    }

    fn typespec_edited(&mut self, edit: TypespecEdit) {
        match edit {
            TypespecEdit::Landed { changes, renames } => {
                let line = |change: &TypeSpecChange| {
                    format!("landed: @@{} on {} for {}", change.decorator_name, change.target, change.scope)
                };
                let lines = changes.iter().map(line).collect();
                self.context.append(self.title("edited"), lines, &[]);
                self.typespec_landed = true;
                self.landed();
                self.typespec_changes = changes;
                self.remember(renames);
                self.awaiting = Effect::Regenerate;
            }
            TypespecEdit::NotNeeded { renames } => {
                self.context.append(self.title("no edit needed"), Vec::new(), &[]);
                self.remember(renames);
                self.awaiting = Effect::Regenerate;
            }
            TypespecEdit::NotLanded(ended) => self.not_landed(ended),
        }
    }

    fn remember(&mut self, renames: Vec<Rename>) {
        for rename in renames {
            if !self.renames.contains(&rename) {
                self.renames.push(rename);
            }
        }
    }

    fn code_patched(&mut self, patch: CodePatch) {
        match patch {
            CodePatch::Landed { patches } => {
                let lines = patches.iter().map(|patch| format!("landed: {} changed", patch.file_path)).collect();
                self.context.append(self.title("patched"), lines, &[]);
                self.code_landed = true;
                self.landed();
                self.code_patches = patches;
                self.awaiting = Effect::Regenerate;
            }
            CodePatch::Guidance(guidance) => {
                self.guidance.push(guidance);
                self.end(ErrorCode::ManualGuidance);
            }
            CodePatch::NotLanded(ended) => self.not_landed(ended),
        }
    }

    fn landed(&mut self) {
        self.checks.landed();
        self.build = None;
    }

    fn regenerated(&mut self, regeneration: Regeneration) {
        self.build = None;
        match regeneration {
            Regeneration::Succeeded { customizations, .. } => {
                self.checks.regenerated(Check::Passed);
                self.customizations = customizations;
                self.awaiting = Effect::Build;
            }
            Regeneration::Failed { place, customizations, diagnostics } => {
                self.checks.regenerated(Check::Failed);
                self.customizations = customizations;
                let what = match place {
                    Place::Generator => "regeneration failed",
                    Place::Customization => "regeneration failed inside a customization",
                };
                self.validation_failed(Validation { kind: FailureKind::Regeneration(place), what, diagnostics });
            }
        }
    }

    fn built(&mut self, build: Checked) {
        self.build = Some(build.clone());
        match build {
            Checked::Passed { .. } => {
                self.checks.built(Check::Passed);
                self.awaiting = Effect::CheckDrift;
            }
            Checked::Failed { diagnostics } => {
                self.checks.built(Check::Failed);
                self.validation_failed(Validation { kind: FailureKind::Build, what: "build failed", diagnostics });
            }
        }
    }

    fn drift_checked(&mut self, drift: Checked) {
        match drift {
            Checked::Passed { diagnostics } => {
                self.checks.drift_checked(Check::Passed);
                self.failure = None;
                self.last_error_phase_a = None;
                self.last_error_phase_b = None;
                self.report = Some(ValidationReport { succeeded: true, diagnostics });
                let title = self.title("regeneration, build and drift check passed");
                self.context.append(title, Vec::new(), &[]);
                self.classify();
            }
            Checked::Failed { diagnostics } => {
                self.checks.drift_checked(Check::Failed);
                self.validation_failed(Validation {
                    kind: FailureKind::Drift,
                    what: "drift check failed",
                    diagnostics,
                });
            }
        }
    }

    fn claims_checked(&mut self, claims: Claims) {
        match claims {
            Claims::AllInDiff => {
                if let Some(ending) = self.candidate.take() {
                    self.awaiting = Effect::Finish { ending };
                }
            }
            Claims::Missing { claims } => {
                let message = format!("claimed but not in the difference: {}", claims.join("; "));
                self.fail(ErrorCode::ClaimNotInDiff, message);
            }
        }
    }

    /// A history title: `phase A, attempt 1: build failed`.
    pub(super) fn title(&self, what: &str) -> String {
        match self.phase {
            Phase::Verification => format!("verification: {what}"),
            Phase::A => format!("phase A, attempt {}: {what}", self.attempts.phase_a),
            Phase::B => format!("phase B, attempt {}: {what}", self.attempts.phase_b),
        }
    }
}
