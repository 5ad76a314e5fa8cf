//! What an effect is called, and what its event says.

use bailiwick_customize::machine::{
    Checked, Claims, CodePatch, Effect, Event, NotLanded, NotLandedCause, Place, Proof, Regeneration, TypespecEdit,
};
use bailiwick_sdk::tasks::{Diagnostic, Route};

use crate::model::{DiagnosticLine, Mark, Step};
use crate::say;

/// What is done, in a word or two.
pub(super) fn name(effect: &Effect) -> &'static str {
    match effect {
        Effect::Classify { .. } => "classify",
        Effect::CheckProof => "look for a recorded proof",
        Effect::EditTypespec { .. } => "edit TypeSpec",
        Effect::Regenerate => "regenerate",
        Effect::Build => "build",
        Effect::CheckDrift => "check for drift",
        Effect::PatchCode { .. } => "patch code",
        Effect::CheckClaims { .. } => "check the claims",
        Effect::Finish { .. } => "finish",
    }
}

/// The step that an event ends.
pub(super) fn name_of(event: &Event) -> &'static str {
    match event {
        Event::Classified { .. } | Event::ClassifierFailed { .. } => "classify",
        Event::ProofChecked { .. } => "look for a recorded proof",
        Event::TypespecEdited { .. } => "edit TypeSpec",
        Event::Regenerated { .. } => "regenerate",
        Event::Built { .. } => "build",
        Event::Disturbed { .. } => "compare the files",
        Event::DriftChecked { .. } => "check for drift",
        Event::CodePatched { .. } => "patch code",
        Event::ClaimsChecked { .. } => "check the claims",
        Event::Aborted { .. } => "abort",
    }
}

/// A step as it ended.
pub(super) fn step(effect: &Effect, event: &Event) -> Step {
    Step { name: name(effect).to_owned(), ..ended(event) }
}

fn ended(event: &Event) -> Step {
    match event {
        Event::Classified { classification } => {
            let items = &classification.items;
            let routed = |route: Route| items.iter().filter(|item| item.route == route).count();
            let (spec, done, person) = (routed(Route::PhaseA), routed(Route::Success), routed(Route::Failure));
            let parts = [(spec, "for TypeSpec"), (done, "done"), (person, "for a person")];
            let parts: Vec<_> =
                parts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
            let notes = items.iter().map(|item| {
                let route = match item.route {
                    Route::PhaseA => "TypeSpec",
                    Route::Success => "done",
                    Route::Failure => "for a person",
                };
                format!("{route}: {} ({})", item.text, item.reason)
            });
            let mark = if person > 0 { Mark::Partly } else { Mark::Good };
            of(mark, parts.join(", ")).noted(notes)
        }
        Event::ClassifierFailed { message } => of(Mark::Bad, format!("no usable answer: {message}")),
        Event::ProofChecked { proof: Proof::Valid } => {
            of(Mark::Good, "a regeneration of exactly this is on record, and the package builds")
        }
        Event::ProofChecked { proof: Proof::Missing } => {
            of(Mark::Plain, "nothing that holds for the files as they are, or the package does not build")
        }
        Event::TypespecEdited { edit } => match edit {
            TypespecEdit::Landed { changes, renames } => {
                let changes = changes.iter().map(|change| {
                    let scope = if change.scope.is_empty() { "every language" } else { &change.scope };
                    format!(
                        "`@@{}` on `{}` for {scope}, in `{}`",
                        change.decorator_name, change.target, change.file_path
                    )
                });
                let renames = renames.iter().map(|rename| format!("`{}` became `{}`", rename.old, rename.new));
                let count = say::count(changes.len(), "decorator");
                of(Mark::Good, format!("landed: {count}")).noted(changes.chain(renames))
            }
            TypespecEdit::NotNeeded { renames } => {
                let renames = renames.iter().map(|rename| format!("`{}` became `{}`", rename.old, rename.new));
                of(Mark::Good, "the specification already says it").noted(renames)
            }
            TypespecEdit::NotLanded(reason) => not_landed(reason),
        },
        Event::Regenerated { regeneration } => match regeneration {
            Regeneration::Succeeded { diagnostics, .. } => passed(diagnostics),
            Regeneration::Failed { place, diagnostics, .. } => {
                let place = match place {
                    Place::Generator => "",
                    Place::Customization => " inside a customization class",
                };
                let failed = failed(diagnostics);
                Step { result: format!("{}{place}", failed.result), ..failed }
            }
        },
        Event::Built { build: checked, .. } | Event::DriftChecked { drift: checked } => match checked {
            Checked::Passed { diagnostics } => passed(diagnostics),
            Checked::Failed { diagnostics } => failed(diagnostics),
        },
        Event::Disturbed { message } => of(Mark::Bad, message.clone()),
        Event::CodePatched { patch } => match patch {
            CodePatch::Landed { patches } => {
                let notes = patches.iter().map(|patch| {
                    format!("`{}`: {}", patch.file_path, say::count(patch.replacement_count, "replacement"))
                });
                of(Mark::Good, format!("landed: {}", say::count(patches.len(), "patch").replace("patchs", "patches")))
                    .noted(notes)
            }
            CodePatch::Guidance(guidance) => {
                of(Mark::Partly, "left to a person").noted([format!("{}: {}", guidance.issue, guidance.reason)])
            }
            CodePatch::NotLanded(reason) => not_landed(reason),
        },
        Event::ClaimsChecked { claims: Claims::AllInDiff } => of(Mark::Good, "everything claimed is in the difference"),
        Event::ClaimsChecked { claims: Claims::Missing { claims } } => {
            of(Mark::Bad, "claimed and not in the difference").noted(claims.iter().cloned())
        }
        Event::Aborted { code, message } => of(Mark::Bad, format!("{code}: {message}")),
    }
}

fn of(mark: Mark, result: impl Into<String>) -> Step {
    Step { mark, result: result.into(), ..Step::default() }
}

fn not_landed(reason: &NotLanded) -> Step {
    let why = match reason.cause {
        NotLandedCause::RefusedByGate => "the gate refused the difference",
        NotLandedCause::DoesNotCompile => "what was written does not compile",
        NotLandedCause::AgentFailed => "the agent changed nothing that could be used",
    };
    let guidance = reason.guidance.iter().map(|guidance| format!("{}: {}", guidance.issue, guidance.reason));
    of(Mark::Bad, format!("nothing landed: {why}")).noted(guidance).with(&reason.diagnostics)
}

fn passed(diagnostics: &[Diagnostic]) -> Step {
    let warnings = diagnostics.iter().filter(|diagnostic| !diagnostic.is_error()).count();
    let warned = if warnings > 0 { format!(", {}", say::count(warnings, "warning")) } else { String::new() };
    of(Mark::Good, format!("passed{warned}")).with(diagnostics)
}

fn failed(diagnostics: &[Diagnostic]) -> Step {
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count();
    of(Mark::Bad, format!("failed with {}", say::count(errors, "error"))).with(diagnostics)
}

/// A diagnostic as a report shows it.
pub(super) fn diagnostic(diagnostic: &Diagnostic) -> DiagnosticLine {
    DiagnosticLine {
        error: diagnostic.is_error(),
        place: diagnostic.place(),
        code: diagnostic.code.clone(),
        message: diagnostic.message.clone(),
    }
}

impl Step {
    fn noted(mut self, notes: impl IntoIterator<Item = String>) -> Self {
        self.notes.extend(notes);
        self
    }

    fn with(mut self, diagnostics: &[Diagnostic]) -> Self {
        self.diagnostics.extend(diagnostics.iter().map(diagnostic));
        self
    }
}
