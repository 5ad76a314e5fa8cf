//! What a person is told when the machine, not an agent, ends a run.

use bailiwick_sdk::tasks::{Diagnostic, ManualGuidance};

use super::context::diagnostic_line;
use super::{CONTEXT_LIMIT, ErrorCode, MAX_ATTEMPTS, State};

/// How many diagnostics the text of a guidance repeats.
const QUOTED: usize = 5;

/// The sentence for an ending, lower case and without a full stop.
pub(super) fn message(code: ErrorCode, state: &State) -> String {
    let text = match code {
        ErrorCode::TypespecCustomizationFailed => "the TypeSpec edit could not be made",
        ErrorCode::RegenerateFailed => "the package could not be regenerated from TypeSpec",
        ErrorCode::RegenerateAfterPatchesFailed => {
            "the package could not be regenerated after its customization files were patched"
        }
        ErrorCode::BuildFailed => "the package does not build",
        ErrorCode::BuildNoCustomizationsFailed => {
            "the package does not build, and it has no customization files to repair"
        }
        ErrorCode::BuildAfterPatchesFailed => "the package does not build after its customization files were patched",
        ErrorCode::DriftCheckFailed => "customization files name members that the generated code no longer has",
        ErrorCode::PatchesFailed => "no repair of the customization files could be made",
        ErrorCode::RefusedByGate => "the gate refused every change that the agent made",
        ErrorCode::StallDetected => "the same error came twice running, so a further attempt would not help",
        ErrorCode::PhaseALimit => {
            return format!("TypeSpec customization used its {MAX_ATTEMPTS} attempts");
        }
        ErrorCode::PhaseBLimit => {
            return format!("code repair used its {MAX_ATTEMPTS} attempts");
        }
        ErrorCode::ContextLimitExceeded => {
            let size = state.context().overflow().unwrap_or_else(|| state.context().characters());
            return format!("request and history would take {size} characters, more than the limit of {CONTEXT_LIMIT}");
        }
        ErrorCode::ManualGuidance => "the request, or what is left of it, is to be done by hand",
        ErrorCode::SpecChangeRequired => "the request needs a change of `client.tsp`, which the edit scope excludes",
        ErrorCode::CustomCodeChangeRequired => {
            "the request needs a change of customization files, which the edit scope excludes"
        }
        ErrorCode::UnverifiedSuccess => "the classifier called the request done, but no validation shows it",
        ErrorCode::ClaimNotInDiff => "a change was claimed that is not in the difference",
        ErrorCode::ChangedMeanwhile => "files changed while the run worked",
        ErrorCode::InvalidInput => "the input is not usable",
        ErrorCode::NoLanguageService => "no language service knows this package",
        ErrorCode::Cancelled => "the run was cancelled",
        ErrorCode::UnexpectedError => "the run could not go on",
    };
    text.to_owned()
}

/// Guidance for an ending that no agent gave guidance for.
pub(super) fn fallback(code: ErrorCode, reason: &str, diagnostics: &[Diagnostic]) -> ManualGuidance {
    let errors: Vec<&Diagnostic> = diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).collect();
    let mut files = Vec::new();
    for error in &errors {
        if error.file.is_some() && !files.contains(&error.place()) {
            files.push(error.place());
        }
    }
    let issue = if errors.is_empty() {
        reason.to_owned()
    } else {
        let mut lines: Vec<String> = errors.iter().take(QUOTED).map(|error| diagnostic_line(error)).collect();
        if errors.len() > QUOTED {
            lines.push(format!("and {} more errors", errors.len() - QUOTED));
        }
        lines.join("\n")
    };
    ManualGuidance { issue, files, approach: approach(code).to_owned(), reason: reason.to_owned() }
}

fn approach(code: ErrorCode) -> &'static str {
    match code {
        ErrorCode::ContextLimitExceeded => "split the request, or paste only the errors that matter, and run it again",
        ErrorCode::SpecChangeRequired => "make the change in `client.tsp`, or allow it with `--edit-scope All`",
        ErrorCode::CustomCodeChangeRequired => {
            "change the customization files named here, or allow it with `--edit-scope All`"
        }
        ErrorCode::RegenerateFailed | ErrorCode::TypespecCustomizationFailed => {
            "correct `client.tsp` so that it compiles, then regenerate the package"
        }
        ErrorCode::ChangedMeanwhile => {
            "leave these files alone until the run has ended, and ask again to have what stands there generated and built"
        }
        ErrorCode::RefusedByGate => "make the change by hand if the rule that refused it does not apply to you",
        _ => "correct the files named here by hand, then regenerate and build the package",
    }
}
