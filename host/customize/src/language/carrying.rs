//! What a generation means for hand-written files.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use bailiwick_base::files::Tree;
use bailiwick_sdk::tasks::Diagnostic;

use super::building::Verdict;
use super::javascript;

/// A package whose generated code was just written anew.
#[derive(Debug, Clone, Copy)]
pub struct CarryRequest<'a> {
    /// The package, open since before the generation.
    pub package: &'a Tree,
    /// The generated source files as they were before, by their path relative to the package.
    pub before: &'a BTreeMap<String, Vec<u8>>,
    /// A directory outside the repositories for temporary files.
    pub work: &'a Path,
}

/// What a generation meant for hand-written files.
#[derive(Debug, Clone)]
pub struct Carried {
    /// Whether all of it could be carried over. If not, no hand-written file was changed.
    pub verdict: Verdict,
    /// What could not, with the places in the hand-written files.
    pub diagnostics: Vec<Diagnostic>,
    /// The hand-written files that changed.
    pub files: Vec<CarriedFile>,
    /// What was printed.
    pub log: String,
}

/// A hand-written file into which a change of generated code was carried over. `None` means that there is no file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CarriedFile {
    /// The hand-written file, relative to the package.
    pub path: String,
    /// The generated file that it was copied from, before the generation.
    pub from: Option<Vec<u8>>,
    /// The same after it.
    pub to: Option<Vec<u8>>,
    /// The hand-written file before.
    pub before: Option<Vec<u8>>,
    /// The hand-written file now.
    pub after: Option<Vec<u8>>,
}

impl CarriedFile {
    /// What `original`, the file as it was when a run began, is with the same change carried over. With it the edits of
    /// an agent are told from what generation did. Where that cannot be told it stays what it was: then too much counts as
    /// an edit, never too little.
    #[must_use]
    pub fn carried_into(&self, original: Option<Vec<u8>>) -> Option<Vec<u8>> {
        if original == self.before {
            return self.after.clone();
        }
        let deadline = Instant::now().checked_add(javascript::PATIENCE);
        let carried = javascript::carry(self.from.as_deref(), self.to.as_deref(), original.as_deref(), deadline);
        carried.unwrap_or(original)
    }
}
