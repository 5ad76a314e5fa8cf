//! What became of a package.

use std::fmt;

use bailiwick_base::time::Moment;
use serde::{Deserialize, Serialize};

use crate::manifest::{Job, Key};

/// What became of a package. Each has exactly one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It is done; nothing had to be repaired.
    Succeeded,
    /// It is done after customization code was repaired.
    Repaired,
    /// A person has to do something, and is told what.
    Guidance,
    /// It was not done.
    Failed,
    /// It was not done in its time.
    TimedOut,
    /// It was not begun, for a reason that stands in the manifest.
    Skipped,
    /// A person took it back.
    Cancelled,
    /// The worker died of it as often as is tried, or left no result.
    KilledItsWorker,
    /// Its patch does not apply to where it was to be collected.
    Conflict,
}

impl Verdict {
    /// Every verdict, in the order of reports.
    pub const ALL: [Self; 9] = [
        Self::Succeeded,
        Self::Repaired,
        Self::Guidance,
        Self::Failed,
        Self::TimedOut,
        Self::Skipped,
        Self::Cancelled,
        Self::KilledItsWorker,
        Self::Conflict,
    ];

    /// As it stands in files: `timed-out`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Succeeded => "succeeded",
            Self::Repaired => "repaired",
            Self::Guidance => "guidance",
            Self::Failed => "failed",
            Self::TimedOut => "timed-out",
            Self::Skipped => "skipped",
            Self::Cancelled => "cancelled",
            Self::KilledItsWorker => "killed-its-worker",
            Self::Conflict => "conflict",
        }
    }

    /// Whether the package is what was asked for.
    #[must_use]
    pub fn is_done(self) -> bool {
        matches!(self, Self::Succeeded | Self::Repaired)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.name().replace('-', " "))
    }
}

/// Why a package is not done: what a compiler, a gate or the fleet itself said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Cause {
    /// Who said it: `mypy`, `gate`, `fleet`.
    pub tool: String,
    /// Its code or rule, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The words, on one line.
    pub message: String,
}

/// A difference that a job left, beside its result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Patch {
    /// What it is of: see the constants.
    pub of: String,
    /// The commit that it applies to; empty where it applies to another patch's result.
    pub base: String,
    /// SHA-256 of its bytes, in hexadecimal digits.
    pub digest: String,
    /// Files that it touches.
    pub files: usize,
    /// Lines that it adds and removes; of binary files none.
    pub lines: usize,
}

impl Patch {
    /// The package, as it is to be.
    pub const PACKAGE: &'static str = "package";
    /// The specification, where a customization edits it.
    pub const SPECIFICATION: &'static str = "specification";
    /// What a newer commit of the specification changes on top of the package's patch.
    pub const NEWER_SPECIFICATION: &'static str = "newer-specification";
}

/// The one result of a job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct JobResult {
    /// The job.
    pub key: Key,
    /// Its package, for readers.
    pub package: String,
    /// What became of it.
    pub verdict: Verdict,
    /// Which attempt it was, from 1; 0 where it was never begun.
    pub attempt: u32,
    /// How long the attempt took.
    pub seconds: f64,
    /// When it ended, RFC 3339 in UTC.
    pub finished: String,
    /// One sentence.
    pub message: String,
    /// Why it is not done.
    #[serde(default)]
    pub causes: Vec<Cause>,
    /// What a person has to do.
    #[serde(default)]
    pub guidance: Vec<String>,
    /// The differences that it left.
    #[serde(default)]
    pub patches: Vec<Patch>,
    /// The commit onto which its patch does not apply, where its verdict is [`Verdict::Conflict`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub onto: Option<String>,
}

impl JobResult {
    /// A result that the fleet itself gives, because no attempt left one.
    #[must_use]
    pub fn of_fleet(job: &Job, verdict: Verdict, attempt: u32, message: &str) -> Self {
        let code = Some(verdict.name().to_owned());
        Self {
            key: job.key.clone(),
            package: job.name(),
            verdict,
            attempt,
            seconds: 0.0,
            finished: Moment::now().rfc3339(),
            message: message.to_owned(),
            causes: vec![Cause { tool: "fleet".into(), code, message: message.to_owned() }],
            guidance: Vec::new(),
            patches: Vec::new(),
            onto: None,
        }
    }

    /// Its difference of this kind.
    #[must_use]
    pub fn patch(&self, of: &str) -> Option<&Patch> {
        self.patches.iter().find(|patch| patch.of == of)
    }
}
