//! A run as plain data, before anything is decided about how it looks. Texts are as they were recorded: the program that shows them
//! makes them harmless.

use bailiwick_customize::timings::Timings;
use serde::Serialize;

/// Everything that a report says.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The run's id.
    pub run: String,
    /// The run's kind: `customize`, `workflow`, `generate`…
    pub kind: String,
    /// The last part of the package's path; empty where there is none.
    pub package: String,
    /// The language whose package it is, if it is on record.
    pub language: Option<String>,
    /// The model that classified and edited, if it is on record.
    pub model: Option<String>,
    /// How far the run is, in the store's words.
    pub status: String,
    /// What came of it.
    pub verdict: Verdict,
    /// Why it did not succeed, as a stable name.
    pub error_code: Option<String>,
    /// The directories it worked on.
    pub places: Vec<Place>,
    /// When it began, RFC 3339 in UTC.
    pub started: String,
    /// When it ended or was last decided about.
    pub finished: Option<String>,
    /// From the first event to the last of the work itself, in milliseconds.
    pub took_ms: Option<u64>,
    /// The request in the user's words.
    pub request: String,
    /// What cannot be told because the record is damaged; a sentence each.
    pub damaged: Vec<String>,
    /// What is to be done by hand.
    pub guidance: Vec<Guidance>,
    /// What was changed or tried, a line each; what stands between backticks is code.
    pub changes: Vec<String>,
    /// How the public surface of the client changed, in words; empty where no name changed.
    pub surface: Vec<String>,
    /// Decorators in the repository now.
    pub decorators: Vec<Decorator>,
    /// Classification, attempts and checks in the order in which they ran.
    pub attempts: Vec<Attempt>,
    /// How the last build ended, in words; `None` when there was none.
    pub build: Option<String>,
    /// What the last build said.
    pub diagnostics: Vec<DiagnosticLine>,
    /// Differences of the files that people and agents edit.
    pub diff: Vec<FileDiff>,
    /// Files that the emitter wrote.
    pub generated: Vec<GeneratedFile>,
    /// How many generated files are not listed.
    pub more_generated: u64,
    /// Everything that happened.
    pub timeline: Vec<Moment>,
    /// What each conversation with a model took.
    pub agents: Vec<Agent>,
    /// What all of them took.
    pub totals: Option<Totals>,
    /// Where the time went, of runs that keep it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timings: Option<Timings>,
    /// What a person can do now.
    pub decision: Decision,
}

/// Whether something is as it should be. Shown as a sign and a word, never as a colour alone.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Mark {
    /// It is.
    Good,
    /// In part, or with a warning.
    Partly,
    /// It is not.
    Bad,
    /// Neither: something was found out, or is still going on.
    #[default]
    Plain,
}

/// What came of the run, in one line.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// How good that is.
    pub mark: Mark,
    /// In a word or two.
    pub label: String,
    /// In a sentence without a full stop: the run's own words and what became of the files.
    pub sentence: String,
}

/// A directory that the run worked on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Place {
    /// Its name in the run: `sdk`, `spec`.
    pub name: String,
    /// Where it is.
    pub directory: String,
}

/// What is to be done by hand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Guidance {
    /// What was asked or what stands against it.
    pub issue: String,
    /// Where, as `path` or `path:line`.
    pub files: Vec<String>,
    /// What to do.
    pub approach: String,
    /// Why it was not done.
    pub reason: String,
}

/// A decorator that is in the repository.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Decorator {
    /// Its name, without `@@`.
    pub name: String,
    /// What it is on.
    pub target: String,
    /// The languages it is for; empty for all.
    pub scope: String,
    /// The file it stands in.
    pub file: String,
}

/// Steps that belong together.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Attempt {
    /// `classification`, `Phase A, attempt 1 of 2`…
    pub title: String,
    /// How its last step ended.
    pub mark: Mark,
    /// What was done.
    pub steps: Vec<Step>,
}

/// One thing that was done.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Step {
    /// What: `edit TypeSpec`, `regenerate`, `build`.
    pub name: String,
    /// How it ended.
    pub mark: Mark,
    /// The same in words.
    pub result: String,
    /// How long it took, in milliseconds, if its end is on record.
    pub took_ms: Option<u64>,
    /// More about it, a line each; what stands between backticks is code.
    pub notes: Vec<String>,
    /// What it reported.
    pub diagnostics: Vec<DiagnosticLine>,
}

/// One diagnostic.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DiagnosticLine {
    /// Whether it is an error and not a warning.
    pub error: bool,
    /// The file and line, or the tool where there is no file.
    pub place: String,
    /// The tool's own code.
    pub code: Option<String>,
    /// What it says.
    pub message: String,
}

/// How one file differs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FileDiff {
    /// The path, with its grant.
    pub path: String,
    /// `added`, `removed`, `changed`.
    pub change: String,
    /// Lines added.
    pub added: usize,
    /// Lines removed.
    pub removed: usize,
    /// Both sides, line by line.
    pub rows: Vec<Row>,
}

/// One row of a difference, both sides beside each other. Numbers are 1-based.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "row", rename_all = "camelCase")]
pub enum Row {
    /// Lines are left out before this.
    Gap {
        /// The numbers of the next line, before and after.
        at: (usize, usize),
    },
    /// On both sides.
    Same {
        /// The line's numbers, before and after.
        at: (usize, usize),
        /// The line.
        text: String,
    },
    /// Differs: at least one side is there.
    Differs {
        /// Before.
        old: Option<(usize, String)>,
        /// After.
        new: Option<(usize, String)>,
    },
}

/// A file that the emitter wrote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GeneratedFile {
    /// Its path, with its grant.
    pub path: String,
    /// What became of it, in words: `changed, +2 -1 lines`.
    pub change: String,
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Moment {
    /// When, RFC 3339 in UTC.
    pub time: String,
    /// Since the run began, in milliseconds.
    pub since_ms: Option<u64>,
    /// How good it is.
    pub mark: Mark,
    /// What.
    pub what: String,
}

/// One conversation with a model.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Agent {
    /// What for: the id of its instructions.
    pub task: String,
    /// The model.
    pub model: String,
    /// What it took.
    #[serde(flatten)]
    pub totals: Totals,
    /// How it ended: `completed`, `exceeded`…
    pub outcome: String,
    /// How often the gate or a check sent its result back.
    pub sent_back: u64,
}

/// What conversations took.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Totals {
    /// Answers of the model.
    pub turns: u64,
    /// Calls of tools.
    pub tool_calls: u64,
    /// Tokens sent, cached ones included.
    pub input_tokens: u64,
    /// How many of them came from the provider's cache.
    pub cached_input_tokens: u64,
    /// Tokens received.
    pub output_tokens: u64,
    /// In millionths of one unit of money; `None` where prices are not known.
    pub cost_millionths: Option<u64>,
    /// How long the model took, in milliseconds; `None` where that was not counted.
    pub model_ms: Option<u64>,
}

/// What a person can do now.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Decision {
    /// How things stand, in a sentence.
    pub stands: String,
    /// Commands, each with what it does.
    pub commands: Vec<(String, String)>,
}
