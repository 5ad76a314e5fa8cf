//! Patterns of a person's for what a grant hides: globs, without regard to letter case.
//!
//! Without a `/` a pattern is about names at any depth. With one it is about the path from the root of the grant; `**`
//! stands for any number of directories. Either way a directory that it is about takes along all that is in it.

// A person or a component writes the pattern, and a disk the path.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use crate::names::{Name, folded};
use globset::{GlobBuilder, GlobMatcher};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use thiserror::Error;

/// The most bytes of one pattern.
pub const LONGEST_PATTERN: usize = 256;

/// Why something cannot be a pattern of a grant.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PatternError {
    /// There is nothing in it.
    #[error("it is empty")]
    Empty,
    /// It has more bytes than a pattern may have.
    #[error("it has more than {most} bytes")]
    TooLong {
        /// As many as one may have.
        most: usize,
    },
    /// A component is `.` or `..` or empty, or there is a control character.
    #[error("a pattern is a name or a path below the grant, without `.`, `..`, `//` and control characters")]
    NotBelow,
    /// The glob cannot be read.
    #[error("it cannot be read as a glob: {0}")]
    Glob(String),
    /// The grant has as many as it may have.
    #[error("a grant has at most {most} of them")]
    TooMany {
        /// As many as it may have.
        most: usize,
    },
    /// It is to show what is not hidden by default.
    #[error("nothing of that name is hidden by default")]
    NotHidden,
}

/// One pattern.
#[derive(Debug, Clone)]
pub(crate) struct Pattern {
    text: String,
    whole: GlobMatcher,
    /// About the path from the root, and not about names.
    path: bool,
    /// For what leads to the pattern: its first component, its first two, and so on without the last.
    leading: Vec<GlobMatcher>,
}

impl Pattern {
    pub(crate) fn new(text: &str) -> Result<Self, PatternError> {
        if text.is_empty() {
            return Err(PatternError::Empty);
        }
        if text.len() > LONGEST_PATTERN {
            return Err(PatternError::TooLong { most: LONGEST_PATTERN });
        }
        let path = text.trim_end_matches('/').contains('/');
        let bare = text.strip_prefix('/').unwrap_or(text);
        let bare = bare.strip_suffix('/').unwrap_or(bare);
        let parts: Vec<&str> = bare.split('/').collect();
        if parts.iter().any(|part| matches!(*part, "" | "." | "..")) || text.chars().any(char::is_control) {
            return Err(PatternError::NotBelow);
        }
        let whole = glob(bare)?;
        let mut leading = Vec::new();
        for first in (1..parts.len()).filter_map(|count| parts.get(..count)) {
            // `**/` at the start says "at any depth", which stays so when a directory moves.
            if first.iter().any(|part| *part != "**") {
                // A `/` within brackets or braces parts no components; what leads there is not told apart.
                leading.push(glob(&first.join("/")).or_else(|_| glob("**"))?);
            }
        }
        Ok(Self { text: text.to_owned(), whole, path, leading })
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn is_path(&self) -> bool {
        self.path
    }

    /// Whether it is about the component at `last`, after those before it.
    pub(crate) fn is_about(&self, all: &[Name<'_>], last: usize) -> bool {
        if self.path {
            all.get(..=last).is_some_and(|up_to| matches(&self.whole, &joined(up_to)))
        } else {
            all.get(last).is_some_and(|name| matches(&self.whole, &name.to_ascii_lowercase()))
        }
    }

    /// Whether a directory at `all` may hold what it is about only because it lies there.
    pub(crate) fn leads_from(&self, all: &[Name<'_>]) -> bool {
        let path = joined(all);
        self.leading.iter().any(|leading| matches(leading, &path))
    }
}

fn glob(text: &str) -> Result<GlobMatcher, PatternError> {
    let folded = String::from_utf8_lossy(&folded(text.as_bytes())).to_ascii_lowercase();
    let glob = GlobBuilder::new(&folded).literal_separator(true).backslash_escape(true).build();
    glob.map(|glob| glob.compile_matcher()).map_err(|error| PatternError::Glob(error.kind().to_string()))
}

fn joined(names: &[Name<'_>]) -> Vec<u8> {
    names.join(&b'/').to_ascii_lowercase()
}

fn matches(glob: &GlobMatcher, path: &[u8]) -> bool {
    glob.is_match(Path::new(OsStr::from_bytes(path)))
}
