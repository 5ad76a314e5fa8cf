//! Starts attempts. An attempt counts from here on, whatever becomes of it.

use bailiwick_sdk::tasks::Diagnostic;

use super::{Effect, ErrorCode, Phase, State};

impl State {
    /// Starts an attempt of Phase A. Under `CustomCode` it edits nothing: the package is regenerated as it stands.
    pub(super) fn start_customization(&mut self) {
        if self.context.overflow().is_some() {
            self.end(ErrorCode::ContextLimitExceeded);
            return;
        }
        let feedback = match &self.report {
            Some(report) if !report.succeeded => report.diagnostics.clone(),
            _ => Vec::new(),
        };
        self.phase = Phase::A;
        self.attempts.phase_a += 1;
        self.awaiting = if self.scope.edits_specification() {
            Effect::EditTypespec { attempt: self.attempts.phase_a, items: self.items_for_phase_a(), feedback }
        } else {
            Effect::Regenerate
        };
    }

    /// Starts an attempt of Phase B, for the errors of the validation that failed.
    pub(super) fn start_repair(&mut self, diagnostics: Vec<Diagnostic>) {
        if self.context.overflow().is_some() {
            self.end(ErrorCode::ContextLimitExceeded);
            return;
        }
        self.phase = Phase::B;
        self.attempts.phase_b += 1;
        self.awaiting = Effect::PatchCode {
            attempt: self.attempts.phase_b,
            diagnostics,
            typespec_changes: self.typespec_changes.clone(),
            renames: self.renames.clone(),
        };
    }
}
