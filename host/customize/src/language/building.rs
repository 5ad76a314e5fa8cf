//! A package to build, and what came of it.

use std::path::Path;
use std::time::{Duration, Instant};

use bailiwick_sdk::tasks::Diagnostic;

use super::{Checks, Judged};

/// A package to build.
#[derive(Debug, Clone, Copy)]
pub struct BuildRequest<'a> {
    /// The package directory, canonical.
    pub package: &'a Path,
    /// Where it stands in its repository: `package` itself, unless that is a copy.
    pub place: &'a Path,
    /// Which errors are asked for.
    pub errors: Errors,
    /// What the repository says about the checks of the package.
    pub checks: &'a Checks,
    /// By what the package is judged.
    pub judged: Judged,
    /// A directory outside the repositories for caches and temporary files; `build` below it is used. Kept between the
    /// builds of one run, it makes them quicker.
    pub work: &'a Path,
}

/// Which errors a build reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Errors {
    /// Those that it shows by itself.
    Shown,
    /// Also those that a compiler leaves out behind others, in a language with such a compiler.
    All,
}

/// Whether a build passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// No error was reported.
    Passed,
    /// At least one error was reported.
    Failed,
}

/// A build that ran.
#[derive(Debug, Clone)]
pub struct Built {
    /// Whether it passed.
    pub verdict: Verdict,
    /// What was reported, errors and warnings, files named `sdk/<path in the package>`.
    pub diagnostics: Vec<Diagnostic>,
    /// Everything that was printed.
    pub log: String,
    /// Time it took.
    pub wall: Duration,
}

impl Built {
    /// The build that printed `log` and reported these, begun at `started`. An error fails it, whatever the exit code was.
    #[must_use]
    pub fn reporting(diagnostics: Vec<Diagnostic>, log: String, started: Instant) -> Self {
        let failed = diagnostics.iter().any(Diagnostic::is_error);
        let verdict = if failed { Verdict::Failed } else { Verdict::Passed };
        Self { verdict, diagnostics, log, wall: started.elapsed() }
    }
}
