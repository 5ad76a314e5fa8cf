//! Everything a workflow is, between two calls.

use bailiwick_sdk::tasks::Diagnostic;
use serde::{Deserialize, Serialize};

use super::{EntryType, FixType, Phase, Rejected, Status};
use crate::knowledge::Owner;
use crate::machine::{CONTEXT_LIMIT, diagnostic_line, reduce_request};
use crate::surface::Surface;

/// How many iterations suit most work; what a caller gets that names no number.
pub const USUAL_ITERATIONS: u8 = 3;
/// More iterations than this cannot be asked for.
pub const MAX_ITERATIONS: u8 = 10;

/// A report that comes after more entries of history than this ends the workflow: a caller whose edits are refused again
/// and again does not get further. A report leaves one entry, and one more where something is checked.
pub const MAX_HISTORY: usize = 100;

/// What a workflow starts from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Begin {
    /// Names it in every later call. The driver makes it, and it cannot be guessed.
    pub id: String,
    /// The output of a build, or a wish.
    pub request: String,
    /// Which of the two.
    pub entry: EntryType,
    /// From 1 to [`MAX_ITERATIONS`].
    pub max_iterations: u8,
    /// The package, as the caller named it.
    pub package: String,
    /// The TypeSpec project, as it was found.
    pub project: String,
}

/// Why a workflow cannot begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BeginError {
    /// There is nothing to work on.
    #[error("`request` is empty")]
    EmptyRequest,
    /// Longer than what may be kept of it, even without what tools print about their progress.
    #[error("`request` has {0} characters where {CONTEXT_LIMIT} are allowed")]
    RequestTooLong(usize),
    /// Out of range.
    #[error("`maxIterations` has to be from 1 to {MAX_ITERATIONS}")]
    Iterations,
}

/// The state of a workflow. It changes only in [`Workflow::receive`] and [`Workflow::checked`], and serialises between
/// any two calls.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Workflow {
    pub(super) id: String,
    pub(super) phase: Phase,
    pub(super) entry: EntryType,
    pub(super) request: String,
    /// What is to be mended now: the request, then the errors of the last build.
    pub(super) errors: String,
    pub(super) last_fix: Option<FixType>,
    /// From 1.
    pub(super) iteration: u8,
    pub(super) max_iterations: u8,
    pub(super) package: String,
    pub(super) project: String,
    /// What the host is doing since the last report; no other is taken before it is done.
    pub(super) checking: Option<FixType>,
    /// What the caller said of the edit that is being checked.
    #[serde(default)]
    pub(super) reported: Option<String>,
    /// What was refused of the last report's edits, for the answer.
    pub(super) refused: Vec<String>,
    pub(super) message: String,
    pub(super) history: Vec<HistoryEntry>,
    /// The page about client customizations that the caller reads; without one in the repository, the page of this program.
    #[serde(default)]
    pub(super) page: Option<Owner>,
    /// The run that keeps it.
    #[serde(default)]
    pub(super) run: Option<String>,
    /// After how many hours without a step it expired.
    #[serde(default)]
    pub(super) expired: Option<u64>,
    /// How the public surface of the client changed, once the package builds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) surface: Option<Surface>,
}

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HistoryEntry {
    /// In which iteration, from 1.
    pub iteration: u8,
    /// In which phase.
    pub phase: Phase,
    /// What was done, as one line.
    pub action: String,
    /// How it ended.
    pub result: HistoryResult,
    /// More about it, as one line.
    pub details: Option<String>,
}

/// How one thing ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HistoryResult {
    /// It did what it was for.
    Success,
    /// It did not.
    Failure,
    /// It was not tried.
    Skipped,
}

impl Workflow {
    /// A new workflow. It asks for a classification.
    ///
    /// # Errors
    /// See [`BeginError`].
    pub fn begin(begin: Begin) -> Result<Self, BeginError> {
        if begin.request.trim().is_empty() {
            return Err(BeginError::EmptyRequest);
        }
        if begin.max_iterations == 0 || begin.max_iterations > MAX_ITERATIONS {
            return Err(BeginError::Iterations);
        }
        let fits = |text: &str| text.chars().count() <= CONTEXT_LIMIT;
        let request = if fits(&begin.request) { begin.request } else { reduce_request(&begin.request) };
        if !fits(&request) {
            return Err(BeginError::RequestTooLong(request.chars().count()));
        }
        Ok(Self {
            id: begin.id,
            phase: Phase::Classify,
            entry: begin.entry,
            errors: request.clone(),
            request,
            last_fix: None,
            iteration: 1,
            max_iterations: begin.max_iterations,
            package: begin.package,
            project: begin.project,
            checking: None,
            reported: None,
            refused: Vec::new(),
            message: "Whether TypeSpec can help is to be decided.".into(),
            history: Vec::new(),
            page: None,
            run: None,
            expired: None,
            surface: None,
        })
    }

    /// The same in this run, whose caller reads this page.
    #[must_use]
    pub fn in_run(self, run: &str, page: Option<Owner>) -> Self {
        Self { run: Some(run.to_owned()), page, ..self }
    }

    /// Remembers how the public surface of the client changed, for the answer.
    pub fn shows(&mut self, surface: Option<Surface>) {
        self.surface = surface;
    }

    /// Its name.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The package and the TypeSpec project, as they were named.
    #[must_use]
    pub fn places(&self) -> (&str, &str) {
        (&self.package, &self.project)
    }

    /// Where it stands.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// From 1.
    #[must_use]
    pub fn iteration(&self) -> u8 {
        self.iteration
    }

    /// Whether it was not continued in time.
    #[must_use]
    pub fn has_expired(&self) -> bool {
        self.expired.is_some()
    }

    /// Why it takes no further result; `None` while it does.
    #[must_use]
    pub fn over(&self) -> Option<Rejected> {
        let id = || self.id.clone();
        match self.expired {
            Some(hours) => Some(Rejected::Expired { id: id(), hours }),
            None => self.phase.is_terminal().then(|| Rejected::Over { id: id(), phase: self.phase }),
        }
    }

    /// What the host is checking, if it is.
    #[must_use]
    pub fn checking(&self) -> Option<FixType> {
        self.checking
    }

    /// What happened, in order.
    #[must_use]
    pub fn history(&self) -> &[HistoryEntry] {
        &self.history
    }

    /// How it ended, once it has.
    #[must_use]
    pub fn status(&self) -> Option<Status> {
        match self.phase {
            Phase::Success => Some(Status::Success),
            Phase::Failure => Some(Status::Failure),
            _ => None,
        }
    }

    /// The errors to be mended now: the request at first.
    #[must_use]
    pub fn errors(&self) -> &str {
        &self.errors
    }

    pub(super) fn note(&mut self, action: &str, result: HistoryResult, details: Option<&str>) {
        self.history.push(HistoryEntry {
            iteration: self.iteration,
            phase: self.phase,
            action: action.into(),
            result,
            details: details.map(one_line),
        });
    }

    pub(super) fn fail_with(&mut self, diagnostics: &[Diagnostic]) {
        let lines: Vec<String> =
            diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).map(diagnostic_line).collect();
        let mut errors = String::new();
        for line in lines {
            if errors.chars().count() + line.chars().count() > CONTEXT_LIMIT {
                errors.push_str("\n(more errors are left out)");
                break;
            }
            if !errors.is_empty() {
                errors.push('\n');
            }
            errors.push_str(&line);
        }
        self.errors = errors;
    }
}

/// What a summary shows of a caller's words.
fn one_line(text: &str) -> String {
    const CHARACTERS: usize = 300;
    let mut line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = line.char_indices().nth(CHARACTERS) {
        line.truncate(end);
        line.push('…');
    }
    line
}
