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
    /// Whether what leads there cannot be told.
    is_blurred: bool,
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
        let (mut leading, mut is_blurred) = (Vec::new(), false);
        for first in (1..parts.len()).filter_map(|count| parts.get(..count)) {
            // `**/` at the start says "at any depth", which stays so when a directory moves.
            if first.iter().any(|part| *part != "**") {
                // A `/` within brackets or braces parts no components; what leads there is not told apart.
                let told = glob(&first.join("/"));
                is_blurred |= told.is_err();
                leading.push(told.or_else(|_| glob("**"))?);
            }
        }
        Ok(Self { text: text.to_owned(), whole, path, leading, is_blurred })
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

    /// Whether it is about more of a directory at `to`, or of what is in it, than of the same at `from`.
    pub(crate) fn reaches_more(&self, from: &[Name<'_>], to: &[Name<'_>]) -> bool {
        let (from, to) = (joined(from), joined(to));
        // What is left of the pattern is about the same in the directory, wherever that lies.
        let newly = |glob: &GlobMatcher| matches(glob, &to) && (self.is_blurred || !matches(glob, &from));
        self.path && (newly(&self.whole) || self.leading.iter().any(newly))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names;

    /// Paths of up to so many of these parts.
    fn paths(parts: &[&str], most: usize) -> Vec<String> {
        let mut all = vec![String::new()];
        let mut last = all.clone();
        for _ in 0..most {
            let longer = |path: &String| parts.iter().map(|part| format!("{path}/{part}")).collect::<Vec<_>>();
            last = last.iter().flat_map(longer).collect();
            all.extend(last.clone());
        }
        all.iter().filter(|path| !path.is_empty()).map(|path| path[1..].to_owned()).collect()
    }

    #[test]
    fn what_a_pattern_is_about_in_a_directory_that_may_move_it_was_about_before() {
        let (places, inner) = (paths(&["a", "b"], 3), paths(&["a", "b"], 2));
        for text in paths(&["a", "*", "**"], 4).iter().filter(|text| text.contains('/')) {
            let pattern = Pattern::new(text).unwrap();
            let is_about = |place: &str, inner: &str| {
                let path = format!("{place}/{inner}");
                let all: Vec<Name<'_>> = names::of(Path::new(&path)).collect();
                pattern.is_about(&all, all.len() - 1)
            };
            for (from, to) in places.iter().flat_map(|from| places.iter().map(move |to| (from, to))) {
                let [before, after] = [from, to].map(|place| names::of(Path::new(place)).collect::<Vec<_>>());
                if !pattern.reaches_more(&before, &after) {
                    let more = inner.iter().find(|inner| is_about(to, inner) && !is_about(from, inner));
                    assert_eq!(more, None, "{text}: {from} to {to}");
                }
            }
        }
    }
}
