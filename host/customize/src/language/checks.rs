//! What a repository says about the checks of a package, and by what a build judges.

use std::collections::BTreeMap;
use std::path::Path;

use super::{BuildRequest, Errors};
use crate::recorded::InCommit;

/// A line of a file in which something is said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// `sdk/<path in the package>` or `repository/<path in the repository>`.
    pub file: String,
    /// From 1.
    pub line: u32,
}

/// A version that the repository pins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pinned {
    /// The version.
    pub version: String,
    /// Where it is pinned.
    pub said: Said,
}

/// The files of a package that tell a compiler what to compile.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Configured {
    /// The one that the compiler is given.
    pub first: String,
    /// Their texts, by their paths in the package.
    pub texts: BTreeMap<String, String>,
}

/// What files of the recorded commit say about the checks of a package. Nothing by default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Checks {
    /// Where the package leaves the type checker out.
    pub left_out: Option<Said>,
    /// The type checker that the repository runs.
    pub pinned: Option<Pinned>,
    /// The package's own build script, where its language has such scripts.
    pub script: InCommit,
    /// The patterns of sources that the package's project file leaves out, where its language has such a file.
    pub left_out_sources: Option<Vec<String>>,
    /// The configurations of the compiler that the commit has, where its language has such files.
    pub configured: Option<Configured>,
    /// What a person is told where git does not answer: then each check counts.
    pub unknown: Option<String>,
}

/// Nothing said about checks.
static PLAIN: Checks = Checks {
    left_out: None,
    pinned: None,
    script: InCommit::Unknown,
    left_out_sources: None,
    configured: None,
    unknown: None,
};

/// By what a build judges a package.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judged {
    /// As its repository does: a check that the package leaves out fails nothing.
    AsItStands,
    /// As what a run made of it: of a check that the package leaves out, errors in hand-written code count where that code
    /// may do something else when it runs. Whoever left the check out did not ask for broken code.
    AfterEdits,
}

impl<'a> BuildRequest<'a> {
    /// A package in its own place, of which nothing is said.
    #[must_use]
    pub fn plain(package: &'a Path, work: &'a Path) -> Self {
        let (errors, judged) = (Errors::Shown, Judged::AsItStands);
        Self { package, place: package, errors, checks: &PLAIN, judged, work }
    }
}
