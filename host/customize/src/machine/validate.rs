//! What follows a failure: the stall, the limits, and the one rule that starts Phase B.

use bailiwick_sdk::tasks::{Diagnostic, ValidationReport};

use super::context::diagnostic_line;
use super::{
    Blocked, Customizations, ErrorCode, Failure, FailureKind, MAX_ATTEMPTS, NotLanded, NotLandedCause, Phase, State,
    error_key,
};

/// A validation that failed.
pub(super) struct Validation {
    pub(super) kind: FailureKind,
    /// For the history, for example `build failed`.
    pub(super) what: &'static str,
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl State {
    /// An attempt ended and nothing is in the repository.
    pub(super) fn not_landed(&mut self, ended: NotLanded) {
        let what = match ended.cause {
            NotLandedCause::RefusedByGate => "refused by the gate",
            NotLandedCause::DoesNotCompile => "what was written does not compile",
            NotLandedCause::AgentFailed => "the agent changed nothing",
        };
        // An agent that says what a person should do has judged that it cannot be done automatically.
        if let Some(guidance) = ended.guidance {
            self.context.append(self.title(what), vec![guidance.reason.clone()], &[]);
            self.guidance.push(guidance);
            self.end(ErrorCode::ManualGuidance);
            return;
        }
        self.validation_failed(Validation {
            kind: FailureKind::NotLanded(ended.cause),
            what,
            diagnostics: ended.diagnostics,
        });
    }

    /// Records a failure and goes on: to Phase B by rule, else back to the classifier.
    pub(super) fn validation_failed(&mut self, validation: Validation) {
        let Validation { kind, what, diagnostics } = validation;
        let errors: Vec<Diagnostic> = diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).cloned().collect();
        self.context.append(self.title(what), Vec::new(), &errors);
        let mut failure = Failure { phase: self.phase, kind, blocked: None, customizations: self.customizations };
        // Judged before the limit, so that a run that does not move says so.
        if self.same_error_twice(kind, &diagnostics) {
            failure.blocked = Some(Blocked::Stall);
        } else if self.attempts_left() == 0 {
            failure.blocked = Some(Blocked::Limit);
        }
        self.report = Some(ValidationReport { succeeded: false, diagnostics });
        self.failure = Some(failure);

        let stalled = failure.blocked == Some(Blocked::Stall);
        if !stalled && self.repair_is_due(failure) {
            self.start_repair(errors);
            return;
        }
        if self.phase == Phase::A && failure.repair_excluded(self.scope) {
            self.custom_code_change_required = errors.iter().map(diagnostic_line).collect();
        }
        self.classify();
    }

    /// Whether Phase B starts, or starts again. The classifier has no say in it.
    fn repair_is_due(&self, failure: Failure) -> bool {
        let due = match self.phase {
            // Only an attempt of Phase A leads here, never a mere verification.
            Phase::Verification => false,
            Phase::A => failure.calls_for_repair(),
            // A repair that left no customization has left nothing to repair.
            Phase::B => failure.customizations == Customizations::Present,
        };
        due && self.scope.edits_code() && self.attempts.phase_b < MAX_ATTEMPTS
    }

    /// Compares with the last error of this phase and remembers the new one. The other phase's is left alone.
    fn same_error_twice(&mut self, kind: FailureKind, diagnostics: &[Diagnostic]) -> bool {
        let key = format!("{kind:?}\n{}", error_key(diagnostics));
        let last = match self.phase {
            Phase::Verification => return false,
            Phase::A => &mut self.last_error_phase_a,
            Phase::B => &mut self.last_error_phase_b,
        };
        let same = last.as_ref() == Some(&key);
        *last = Some(key);
        same
    }

    fn attempts_left(&self) -> u8 {
        match self.phase {
            Phase::Verification => MAX_ATTEMPTS,
            Phase::A => MAX_ATTEMPTS.saturating_sub(self.attempts.phase_a),
            Phase::B => MAX_ATTEMPTS.saturating_sub(self.attempts.phase_b),
        }
    }
}
