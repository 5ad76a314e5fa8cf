//! Builds the answer from what the machine and the run know.

use std::collections::BTreeMap;

use bailiwick_agent::Spent;
use bailiwick_sdk::tasks::{CodePatchDetail, Diagnostic, TypeSpecChange};

use super::diff::{ChangedFile, Origin, unified};
use super::model::{BuildResult, Response};
use super::steps::next_steps;
use crate::machine::{Before, Checked, Ending, ErrorCode, Outcome, State, diagnostic_line};
use crate::plan::PlannedAction;
use crate::surface::Surface;

/// Characters of a preview (seed 000).
const PREVIEW: usize = 100;

/// What became of the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Disposition {
    /// They are changed and wait for a person.
    Pending,
    /// Nothing was changed.
    Unchanged,
    /// They were changed and are as they were before.
    Reverted,
    /// They are changed although the run failed, because the caller asked for it.
    Kept,
}

/// What the driver knows and the machine does not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunFacts {
    /// The run's id.
    pub run_id: String,
    /// What became of the files.
    pub disposition: Disposition,
    /// The files that differ from before the run now: none for a reverted run.
    pub files: Vec<ChangedFile>,
    /// The directory of each grant.
    pub directories: BTreeMap<String, String>,
    /// How the public surface changed.
    pub surface: Option<Surface>,
    /// Pieces of the request that ask for nothing.
    pub background: Vec<String>,
    /// What the request may ask for beside what was done.
    pub candidates: Vec<PlannedAction>,
    /// Where files that no build looks at still use a name that changed, a sentence each.
    pub leftovers: Vec<String>,
    /// The patch of what was put back, if something was.
    pub put_back: Option<String>,
    /// What the agents took.
    pub usage: Spent,
}

impl Response {
    /// The answer of a run. A run that has not ended is answered as an unexpected error.
    #[must_use]
    pub fn new(state: &State, facts: &RunFacts) -> Self {
        let ending = state.ending().cloned().unwrap_or_else(|| Ending {
            outcome: Outcome::Failure,
            code: Some(ErrorCode::UnexpectedError),
            message: format!("the run stopped while it waited for `{}`", state.awaiting().name()),
        });
        let reverted = facts.disposition == Disposition::Reverted;
        let success = ending.outcome == Outcome::Success;
        Self {
            outcome: ending.outcome,
            success,
            error_code: ending.code,
            message: ending.message,
            run_id: facts.run_id.clone(),
            changes_summary: summary(state, facts),
            // A change that was taken back is not claimed.
            type_spec_changes: if reverted { Vec::new() } else { state.typespec_changes().to_vec() },
            code_patches: if reverted { Vec::new() } else { previews(state.code_patches()) },
            public_surface: facts.surface.clone(),
            background: facts.background.clone(),
            candidates: if success { Vec::new() } else { facts.candidates.clone() },
            modified_files: facts.files.iter().map(|file| file.path.clone()).collect(),
            directories: facts.directories.clone(),
            build_result: state.build().map(|build| build_result(build, state.before())),
            phase_a_attempts: state.attempts().phase_a,
            phase_b_attempts: state.attempts().phase_b,
            spec_change_required: state.spec_change_required().to_vec(),
            custom_code_change_required: state.custom_code_change_required().to_vec(),
            manual_guidance: if success { Vec::new() } else { state.guidance().to_vec() },
            next_steps: next_steps(ending.outcome, facts),
            usage: facts.usage.clone(),
            diff: unified(&facts.files),
        }
    }
}

fn summary(state: &State, facts: &RunFacts) -> Vec<String> {
    let taken_back = if facts.disposition == Disposition::Reverted { "tried and taken back: " } else { "" };
    let decorator = |change: &TypeSpecChange| {
        let scope = if change.scope.is_empty() { "every language" } else { &change.scope };
        format!("{taken_back}{}: `@@{}` on `{}` for {scope}", change.file_path, change.decorator_name, change.target)
    };
    let patch = |patch: &CodePatchDetail| {
        let (old, new) = (on_one_line(&patch.old_content_preview), on_one_line(&patch.new_content_preview));
        let what = match (old.is_empty(), new.is_empty()) {
            (true, _) => format!("added `{new}`"),
            (_, true) => format!("removed `{old}`"),
            _ => format!("`{old}` became `{new}`"),
        };
        let places = match patch.replacement_count {
            0 | 1 => String::new(),
            count => format!(" in {count} places"),
        };
        format!("{taken_back}{}: {what}{places}", patch.file_path)
    };
    let mut lines: Vec<String> = state.typespec_changes().iter().map(decorator).collect();
    lines.extend(state.code_patches().iter().map(patch));
    let generated = facts.files.iter().filter(|file| file.origin == Origin::Generator).count();
    if generated > 0 {
        lines.push(format!("{generated} generated files changed"));
    }
    lines.extend(state.guidance().iter().map(|guidance| format!("by hand: {}", on_one_line(&guidance.issue))));
    lines
}

/// White space made single, and no longer than a preview.
fn on_one_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    preview(&line)
}

fn preview(text: &str) -> String {
    text.chars().take(PREVIEW).collect()
}

fn previews(patches: &[CodePatchDetail]) -> Vec<CodePatchDetail> {
    let shortened = |patch: &CodePatchDetail| CodePatchDetail {
        old_content_preview: preview(&patch.old_content_preview),
        new_content_preview: preview(&patch.new_content_preview),
        ..patch.clone()
    };
    patches.iter().map(shortened).collect()
}

fn build_result(build: &Checked, before: &Before) -> BuildResult {
    let (success, diagnostics) = match build {
        Checked::Passed { diagnostics } => (true, diagnostics),
        Checked::Failed { diagnostics } => (false, diagnostics),
    };
    let lines = |errors: bool| -> Vec<String> {
        let wanted = |diagnostic: &&Diagnostic| diagnostic.is_error() == errors;
        diagnostics.iter().filter(wanted).map(diagnostic_line).collect()
    };
    BuildResult {
        success,
        error_messages: lines(true),
        warning_messages: lines(false),
        known_messages: before.known.iter().map(diagnostic_line).collect(),
    }
}
