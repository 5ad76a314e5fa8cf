//! What a customization tells of itself: a span for the whole and for each of its steps, and how each step ended.
//!
//! Requests, diagnostics and differences are not in it: those stand in the run.

use tracing::field::Empty;
use tracing::{Span, info, info_span};

use crate::gate::{Verdict, Violation};
use crate::machine::{
    Checked, Claims, CodePatch, Effect, Ending, Event, NotLanded, Outcome, Regeneration, TypespecEdit,
};

/// `invoke_workflow`: one customization, by the conventions of OpenTelemetry for generative AI.
pub(super) fn customization() -> Span {
    info_span!(
        "invoke_workflow",
        gen_ai.operation.name = "invoke_workflow",
        gen_ai.workflow.name = "customize",
        run_id = Empty,
        language = Empty,
        outcome = Empty,
        "error.type" = Empty,
    )
}

/// The customization has a run.
pub(super) fn begun(run_id: &str, language: &str) {
    let span = Span::current();
    span.record("run_id", run_id);
    span.record("language", language);
}

/// The workflow came to its end.
pub(super) fn finished(ending: &Ending) {
    let outcome = match ending.outcome {
        Outcome::Success => "success",
        Outcome::Partial => "partial",
        Outcome::Failure => "failure",
    };
    let code = ending.code.map(|code| code.to_string());
    let span = Span::current();
    span.record("outcome", outcome);
    if let (Outcome::Failure, Some(code)) = (ending.outcome, &code) {
        span.record("error.type", code.as_str());
    }
    info!(outcome, code, "customization ended");
}

/// The span of one step.
pub(super) fn step(effect: &Effect) -> Span {
    match effect {
        Effect::Classify { .. } => info_span!("classify"),
        Effect::CheckProof => info_span!("check_proof"),
        Effect::EditTypespec { attempt, .. } => info_span!("edit_typespec", phase = "a", attempt),
        Effect::Regenerate => regenerate(),
        Effect::Build => build(),
        Effect::CheckDrift => info_span!("check_drift"),
        Effect::PatchCode { attempt, .. } => info_span!("patch_code", phase = "b", attempt),
        Effect::CheckClaims { .. } => info_span!("check_claims"),
        Effect::Finish { .. } => info_span!("finish"),
    }
}

/// The span of a regeneration.
pub(super) fn regenerate() -> Span {
    info_span!("regenerate")
}

/// The span of a build.
pub(super) fn build() -> Span {
    info_span!("build")
}

/// How a step ended.
pub(super) fn ended(event: &Event) {
    match event {
        Event::Classified { classification } => info!(items = classification.items.len(), "classified"),
        Event::ClassifierFailed { .. } => info!("no classification"),
        Event::ProofChecked { proof } => info!(?proof, "proof checked"),
        Event::TypespecEdited { edit } => match edit {
            TypespecEdit::Landed { changes, renames } => {
                info!(changes = changes.len(), renames = renames.len(), "TypeSpec edit landed");
            }
            TypespecEdit::NotNeeded { .. } => info!("no TypeSpec edit needed"),
            TypespecEdit::NotLanded(reason) => not_landed(reason),
        },
        Event::Regenerated { regeneration } => match regeneration {
            Regeneration::Succeeded { .. } => info!("regenerated"),
            Regeneration::Failed { place, diagnostics, .. } => {
                info!(?place, diagnostics = diagnostics.len(), "regeneration failed");
            }
        },
        Event::Built { build, .. } => checked(build, "build"),
        Event::Disturbed { .. } => info!("files changed meanwhile"),
        Event::DriftChecked { drift } => checked(drift, "drift"),
        Event::CodePatched { patch } => match patch {
            CodePatch::Landed { patches } => info!(patches = patches.len(), "code patch landed"),
            CodePatch::Guidance(_) => info!("guidance in place of a code patch"),
            CodePatch::NotLanded(reason) => not_landed(reason),
        },
        Event::ClaimsChecked { claims } => {
            let missing = match claims {
                Claims::AllInDiff => 0,
                Claims::Missing { claims } => claims.len(),
            };
            info!(missing, "claims checked");
        }
        Event::Aborted { code, .. } => info!(%code, "aborted"),
    }
}

/// What the gate said to a difference.
pub(super) fn gate(verdict: &Verdict) {
    match verdict {
        Verdict::Lands(landings) => info!(verdict = "lands", files = landings.len(), "gate"),
        Verdict::Refused(violations) => refused(violations),
    }
}

/// What the gate refused a difference for.
pub(super) fn refused(violations: &[Violation]) {
    let rules: Vec<&str> = violations.iter().map(|violation| violation.rule.name()).collect();
    info!(verdict = "refused", ?rules, "gate");
}

fn not_landed(reason: &NotLanded) {
    info!(cause = ?reason.cause, diagnostics = reason.diagnostics.len(), "nothing landed");
}

fn checked(checked: &Checked, check: &str) {
    match checked {
        Checked::Passed { .. } => info!(check, verdict = "passed", "checked"),
        Checked::Failed { diagnostics } => {
            info!(check, verdict = "failed", diagnostics = diagnostics.len(), "checked");
        }
    }
}
