//! What follows a classification, and how a run ends.

use bailiwick_sdk::tasks::{ItemVerdict, Route};

use super::guidance::{fallback, message};
use super::{Check, Effect, Ending, ErrorCode, Keep, MAX_ATTEMPTS, Outcome, Phase, Proof, State};

impl State {
    /// Routes by the last verdicts. The three routes are the classifier's; whether they can be taken is decided here.
    pub(super) fn decide(&mut self) {
        let any = |route: Route| self.items.iter().any(|item| item.route == route);
        if any(Route::PhaseA) {
            self.customize();
        } else if any(Route::Failure) {
            let code = self.failure.map_or(ErrorCode::ManualGuidance, |failure| failure.code(self.scope));
            self.end(code);
        } else {
            self.verify_success();
        }
    }

    pub(super) fn items_for_phase_a(&self) -> Vec<ItemVerdict> {
        self.items.iter().filter(|item| item.route == Route::PhaseA).cloned().collect()
    }

    fn customize(&mut self) {
        // Without an edit a second attempt would only repeat the first.
        let limit = if self.scope.edits_specification() { MAX_ATTEMPTS } else { 1 };
        if self.attempts.phase_a < limit {
            self.start_customization();
        } else if self.scope.edits_specification() {
            let code = self.failure.map_or(ErrorCode::PhaseALimit, |failure| failure.code(self.scope));
            self.end(code);
        } else {
            self.spec_change_required = self.items_for_phase_a().into_iter().map(|item| item.text).collect();
            self.end(ErrorCode::SpecChangeRequired);
        }
    }

    /// The classifier called everything done. It is done only if a validation of the files as they are now says so.
    fn verify_success(&mut self) {
        let nothing_landed = !self.typespec_landed && !self.code_landed;
        if self.checks.all_passed() {
            self.succeed();
        } else if nothing_landed && self.checks.none_ran() {
            match self.proof {
                None => self.awaiting = Effect::CheckProof,
                Some(Proof::Valid) => self.succeed(),
                Some(Proof::Missing) => self.verify(),
            }
        } else {
            self.end(ErrorCode::UnverifiedSuccess);
        }
    }

    /// A repair succeeded when its last validation did; only the checks decide.
    pub(super) fn end_repair(&mut self) {
        if self.checks.all_passed() {
            self.succeed();
        } else {
            self.end(self.failure.map_or(ErrorCode::ManualGuidance, |failure| failure.code(self.scope)));
        }
    }

    pub(super) fn verify(&mut self) {
        self.phase = Phase::Verification;
        self.awaiting = Effect::Regenerate;
    }

    pub(super) fn succeed(&mut self) {
        let builds = match self.before.known.len() {
            0 => "the regenerated package builds".to_owned(),
            1 => "the regenerated package builds no worse than before: 1 known error, none new".to_owned(),
            known => format!("the regenerated package builds no worse than before: {known} known errors, none new"),
        };
        let message = if self.typespec_landed || self.code_landed {
            format!("the request is carried out, and {builds}")
        } else if self.rests_on_recorded_proof() {
            "nothing to do: the request is satisfied already, by the record of an earlier regeneration, and the package builds now"
                .to_owned()
        } else {
            format!("nothing to do: the request is satisfied already, and {builds}")
        };
        self.propose(Ending { outcome: Outcome::Success, code: None, message });
    }

    /// Ends the run without success, for a reason the machine knows.
    pub(super) fn end(&mut self, code: ErrorCode) {
        let mut text = message(code, self);
        if let Some(first) = self.before.broken.first() {
            let (errors, they) = match self.before.broken.len() {
                1 => ("1 error".to_owned(), "it"),
                many => (format!("{many} errors"), "them"),
            };
            text.push_str(&format!(
                "; the package could not be built before this run either: correct {errors} of then and ask again, because a \
                 compiler may not say what stands behind {they}; the first: {}: {}",
                first.place(),
                first.message
            ));
        }
        let outcome = self.outcome_without_success(code, self.keep);
        if outcome == Outcome::Failure && self.outcome_without_success(code, Keep::Partial) == Outcome::Partial {
            text.push_str("; the package does not build with the changed specification, so the change does not stay");
        }
        self.collect_guidance(code, &text);
        self.propose(Ending { outcome, code: Some(code), message: text });
    }

    /// Ends the run because files changed beside it: nothing shows what stands there now. It stays, whatever it is: it may be
    /// a person's, who does not expect it to be put back.
    pub(super) fn disturbed(&mut self, text: String) {
        self.build = None;
        self.collect_guidance(ErrorCode::ChangedMeanwhile, &text);
        let (outcome, code) = (Outcome::Partial, Some(ErrorCode::ChangedMeanwhile));
        self.awaiting = Effect::Finish { ending: Ending { outcome, code, message: text } };
    }

    /// Ends the run as a failure, for a reason the driver knows.
    pub(super) fn fail(&mut self, code: ErrorCode, text: String) {
        self.collect_guidance(code, &text);
        let ending = Ending { outcome: Outcome::Failure, code: Some(code), message: text };
        self.awaiting = Effect::Finish { ending };
    }

    /// Takes an ending, after the claims are checked where it keeps changes.
    fn propose(&mut self, ending: Ending) {
        let claims = !self.typespec_changes.is_empty() || !self.code_patches.is_empty();
        if ending.outcome == Outcome::Failure || !claims {
            self.awaiting = Effect::Finish { ending };
        } else {
            self.candidate = Some(ending);
            self.awaiting = Effect::CheckClaims {
                typespec_changes: self.typespec_changes.clone(),
                code_patches: self.code_patches.clone(),
            };
        }
    }

    /// Whether what landed is worth keeping. It must be regenerated; patches of code must also build, and so must a changed
    /// specification unless `keep` says otherwise.
    fn outcome_without_success(&self, code: ErrorCode, keep: Keep) -> Outcome {
        let validated = self.checks.all_passed();
        let landed = self.typespec_landed || self.code_landed;
        let regenerated = self.checks.regeneration == Check::Passed;
        let worth_keeping = match code {
            ErrorCode::ManualGuidance | ErrorCode::SpecChangeRequired => {
                validated || (!self.code_landed && keep != Keep::WhatBuilds)
            }
            // Who asked for the specification alone knows that the rest is to be done by hand.
            ErrorCode::CustomCodeChangeRequired => validated || !self.code_landed,
            // Attempts ran out with every check passed: what is there is sound, only not all of it.
            ErrorCode::PhaseALimit => validated,
            _ => false,
        };
        if landed && regenerated && worth_keeping { Outcome::Partial } else { Outcome::Failure }
    }

    /// Every ending without success tells a person what to do.
    fn collect_guidance(&mut self, code: ErrorCode, reason: &str) {
        let of_items: Vec<_> = self.items.iter().filter_map(|item| item.guidance.clone()).collect();
        for one in of_items {
            if !self.guidance.contains(&one) {
                self.guidance.push(one);
            }
        }
        if self.guidance.is_empty() || code != ErrorCode::ManualGuidance {
            let diagnostics = match &self.report {
                Some(report) if !report.succeeded => report.diagnostics.as_slice(),
                _ => &[],
            };
            self.guidance.push(fallback(code, reason, diagnostics));
        }
    }
}
