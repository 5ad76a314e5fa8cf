//! Going through a tree for paths that fit.

use bailiwick_tool_sdk::{EntryKind, ErrorKind, ToolError};
use file_kit::path_glob::PathGlob;
use file_kit::tree::{LeftOut, Tree, is_skipped};

/// The most paths of one answer.
const MOST_FOUND: usize = 5_000;
/// The most names that are looked at.
const MOST_SEEN: usize = 200_000;

/// A search and what it has found so far.
pub(crate) struct Search {
    /// What found paths begin with.
    base: String,
    pattern: PathGlob,
    exclude: Vec<PathGlob>,
    found: Vec<String>,
    seen: usize,
    left_out: LeftOut,
}

impl Search {
    /// A search beneath the directory that its caller calls `path`.
    pub(crate) fn new(path: &str, pattern: PathGlob, exclude: Vec<PathGlob>) -> Self {
        // `.` is no name that has to stand before others.
        let base = match path.trim_end_matches('/') {
            "" if path.starts_with('/') => "/".to_owned(),
            "" | "." => String::new(),
            path => format!("{path}/"),
        };
        Self { base, pattern, exclude, found: Vec::new(), seen: 0, left_out: LeftOut::default() }
    }

    /// The paths, in order, and what was left out.
    pub(crate) fn finish(self) -> (Vec<String>, LeftOut) {
        (self.found, self.left_out)
    }

    /// Looks through `directory`, whose paths beneath the start begin with `prefix`.
    ///
    /// # Errors
    /// When it cannot be read. One beneath it is noted.
    pub(crate) fn directory<T: Tree>(&mut self, directory: &T, prefix: &str, depth: usize) -> Result<(), ToolError> {
        let names = directory.names(&format!("{}{prefix}", self.base))?;
        self.left_out.undecodable = self.left_out.undecodable.saturating_add(names.undecodable);
        self.left_out.hidden = self.left_out.hidden.saturating_add(names.hidden);
        for entry in names.entries {
            if self.is_over() {
                return Ok(());
            }
            let path = format!("{prefix}{}", entry.name);
            if self.exclude.iter().any(|exclude| exclude.matches(&path)) {
                continue;
            }
            if self.pattern.matches(&path) {
                self.found.push(format!("{}{path}", self.base));
            }
            if entry.kind != EntryKind::Directory {
                continue;
            }
            if is_skipped(&entry.name) {
                self.left_out.skipped.push(path);
                continue;
            }
            self.inner(directory, &entry.name, path, depth);
        }
        Ok(())
    }

    fn inner<T: Tree>(&mut self, directory: &T, name: &str, path: String, depth: usize) {
        let looked = match depth.checked_sub(1) {
            Some(depth) => {
                directory.inner(name, &path).and_then(|inner| self.directory(&inner, &format!("{path}/"), depth))
            }
            None => Err(ToolError::too_large("too deep")),
        };
        match looked {
            // Or removed since its name was read.
            Ok(()) => {}
            Err(error) if error.kind == ErrorKind::NotFound => {}
            Err(_) => self.left_out.unreadable.push(path),
        }
    }

    fn is_over(&mut self) -> bool {
        self.seen += 1;
        if self.left_out.ended.is_none() {
            if self.found.len() >= MOST_FOUND {
                self.left_out.ended = Some(format!(
                    "the search ended after {MOST_FOUND} matches; narrow the pattern or search a directory in it"
                ));
            } else if self.seen > MOST_SEEN {
                self.left_out.ended = Some(format!(
                    "the search ended after {MOST_SEEN} names; search a directory in it, or exclude some"
                ));
            }
        }
        self.left_out.ended.is_some()
    }
}
