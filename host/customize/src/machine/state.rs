//! Everything a run is, between two steps.

use bailiwick_sdk::tasks::{CodePatchDetail, ItemVerdict, ManualGuidance, Rename, TypeSpecChange, ValidationReport};
use serde::{Deserialize, Serialize};

use super::{
    Before, Checked, Checks, Context, Customizations, EditScope, Effect, Ending, ErrorCode, Failure, Outcome, Phase,
    Proof,
};

/// What a run starts from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Input {
    /// The customization request as the person wrote it.
    pub request: String,
    /// What the run may edit.
    pub scope: EditScope,
    /// What stays of it when it does not succeed.
    pub keep: Keep,
}

/// What stays of a run that does not succeed. Each variant keeps what the one before it keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Keep {
    /// A partial result with which the package builds, or whose repair the edit scope excludes.
    WhatBuilds,
    /// A partial result, also where the package does not build.
    Partial,
    /// Everything, for a look. It can be reverted later.
    Failed,
}

/// What a run is after.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Aim {
    /// What a person asked for: the classifier routes it, and has the last word on success.
    Request,
    /// That the package validates as the specification stands: a validation without an edit, then Phase B by its rule.
    /// There is nothing to classify.
    Repair,
}

/// Attempts started so far. They are counted when an attempt starts and never reset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Attempts {
    /// Of TypeSpec customization.
    pub phase_a: u8,
    /// Of code customization.
    pub phase_b: u8,
}

/// The state of a run. It changes only in [`step`](super::step()).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct State {
    pub(super) aim: Aim,
    pub(super) scope: EditScope,
    pub(super) keep: Keep,
    pub(super) context: Context,
    pub(super) items: Vec<ItemVerdict>,
    pub(super) attempts: Attempts,
    /// What the attempt or validation under way belongs to.
    pub(super) phase: Phase,
    pub(super) checks: Checks,
    pub(super) proof: Option<Proof>,
    /// Whether the last regeneration found customization files.
    pub(super) customizations: Customizations,
    /// The keys of the last error of each phase since a validation passed.
    pub(super) last_error_phase_a: Option<String>,
    pub(super) last_error_phase_b: Option<String>,
    pub(super) failure: Option<Failure>,
    pub(super) report: Option<ValidationReport>,
    /// The last build, as long as nothing landed or was regenerated since.
    pub(super) build: Option<Checked>,
    /// What the last build showed of the package before the run.
    pub(super) before: Before,
    pub(super) typespec_landed: bool,
    pub(super) code_landed: bool,
    pub(super) typespec_changes: Vec<TypeSpecChange>,
    pub(super) renames: Vec<Rename>,
    pub(super) code_patches: Vec<CodePatchDetail>,
    pub(super) guidance: Vec<ManualGuidance>,
    pub(super) spec_change_required: Vec<String>,
    pub(super) custom_code_change_required: Vec<String>,
    /// The ending that holds if the claims do.
    pub(super) candidate: Option<Ending>,
    pub(super) awaiting: Effect,
}

impl State {
    /// A new run and its first effect: the classification, or the end when the request itself is too large.
    #[must_use]
    pub fn begin(input: &Input) -> (Self, Effect) {
        let mut state = Self::new(input, Aim::Request);
        state.classify();
        let effect = state.awaiting.clone();
        (state, effect)
    }

    /// A run that repairs customization code and nothing else. Its first effect is the regeneration of the package as it
    /// stands, which counts as the one attempt of Phase A; `errors` is what a person saw, for the record.
    #[must_use]
    pub fn begin_repair(errors: &str) -> (Self, Effect) {
        let input = Input { request: errors.to_owned(), scope: EditScope::CustomCode, keep: Keep::WhatBuilds };
        let mut state = Self::new(&input, Aim::Repair);
        state.start_customization();
        let effect = state.awaiting.clone();
        (state, effect)
    }

    fn new(input: &Input, aim: Aim) -> Self {
        Self {
            aim,
            scope: input.scope,
            keep: input.keep,
            context: Context::new(&input.request),
            items: Vec::new(),
            attempts: Attempts { phase_a: 0, phase_b: 0 },
            phase: Phase::Verification,
            checks: Checks::NONE,
            proof: None,
            customizations: Customizations::Absent,
            last_error_phase_a: None,
            last_error_phase_b: None,
            failure: None,
            report: None,
            build: None,
            before: Before::default(),
            typespec_landed: false,
            code_landed: false,
            typespec_changes: Vec::new(),
            renames: Vec::new(),
            code_patches: Vec::new(),
            guidance: Vec::new(),
            spec_change_required: Vec::new(),
            custom_code_change_required: Vec::new(),
            candidate: None,
            awaiting: Effect::Classify { validation: None },
        }
    }

    /// Tells a run that edits no specification which names the specification gives otherwise than it declares them:
    /// hand-written code may still use the declared ones. To be called before the first step.
    pub fn knows_renames(&mut self, renames: Vec<Rename>) {
        self.renames = renames;
    }

    /// The effect whose event the machine waits for; after the end, the end.
    #[must_use]
    pub fn awaiting(&self) -> &Effect {
        &self.awaiting
    }

    /// How the run ended, once it has.
    #[must_use]
    pub fn ending(&self) -> Option<&Ending> {
        match &self.awaiting {
            Effect::Finish { ending } => Some(ending),
            _ => None,
        }
    }

    /// The request as agents are given it: the original, or what was left of an oversized one.
    #[must_use]
    pub fn request(&self) -> &str {
        self.context.request()
    }

    /// What happened so far, as text for the classifier.
    #[must_use]
    pub fn history(&self) -> String {
        self.context.history()
    }

    /// The bounded context with its entries.
    #[must_use]
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// What the run may edit.
    #[must_use]
    pub fn scope(&self) -> EditScope {
        self.scope
    }

    /// What the run is after.
    #[must_use]
    pub fn aim(&self) -> Aim {
        self.aim
    }

    /// Whether a repair of customization code landed.
    #[must_use]
    pub fn code_landed(&self) -> bool {
        self.code_landed
    }

    /// What stays of the run when it does not succeed.
    #[must_use]
    pub fn keep(&self) -> Keep {
        self.keep
    }

    /// Attempts started so far.
    #[must_use]
    pub fn attempts(&self) -> Attempts {
        self.attempts
    }

    /// The items of the request with their last verdicts.
    #[must_use]
    pub fn items(&self) -> &[ItemVerdict] {
        &self.items
    }

    /// Which checks hold for the files as they are now.
    #[must_use]
    pub fn checks(&self) -> Checks {
        self.checks
    }

    /// The last failure since a validation passed.
    #[must_use]
    pub fn failure(&self) -> Option<Failure> {
        self.failure
    }

    /// The last validation.
    #[must_use]
    pub fn report(&self) -> Option<&ValidationReport> {
        self.report.as_ref()
    }

    /// The last build, unless something landed or was regenerated since.
    #[must_use]
    pub fn build(&self) -> Option<&Checked> {
        self.build.as_ref()
    }

    /// What the last build showed of the package as it was before the run.
    #[must_use]
    pub fn before(&self) -> &Before {
        &self.before
    }

    /// Whether success rests on the record of an earlier run.
    #[must_use]
    pub fn rests_on_recorded_proof(&self) -> bool {
        self.checks.none_ran() && self.proof == Some(Proof::Valid)
    }

    /// Decorators that Phase A added or changed.
    #[must_use]
    pub fn typespec_changes(&self) -> &[TypeSpecChange] {
        &self.typespec_changes
    }

    /// How names change in the generated client.
    #[must_use]
    pub fn renames(&self) -> &[Rename] {
        &self.renames
    }

    /// Patches that Phase B landed.
    #[must_use]
    pub fn code_patches(&self) -> &[CodePatchDetail] {
        &self.code_patches
    }

    /// What is left for a person; empty exactly when the run succeeded or has not ended.
    #[must_use]
    pub fn guidance(&self) -> &[ManualGuidance] {
        &self.guidance
    }

    /// Items that need the specification, which the edit scope excludes.
    #[must_use]
    pub fn spec_change_required(&self) -> &[String] {
        &self.spec_change_required
    }

    /// Errors that need customization files, which the edit scope excludes.
    #[must_use]
    pub fn custom_code_change_required(&self) -> &[String] {
        &self.custom_code_change_required
    }

    /// Takes a success back: files changed after they were generated and built. Nothing else is changed by it.
    #[must_use]
    pub fn changed_since(mut self, message: String) -> Self {
        if self.ending().is_some_and(|ending| ending.outcome == Outcome::Success) {
            self.disturbed(message);
        }
        self
    }

    /// Asks the classifier, unless the context is full.
    pub(super) fn classify(&mut self) {
        if self.context.overflow().is_some() {
            self.end(ErrorCode::ContextLimitExceeded);
        } else if self.aim == Aim::Repair {
            self.end_repair();
        } else {
            self.awaiting = Effect::Classify { validation: self.report.clone() };
        }
    }
}
