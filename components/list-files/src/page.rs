//! One page of a sorted list of names.

use crate::{Entry, Output};
use bailiwick_tool_sdk::EntryKind;
use file_kit::glob::Glob;

/// Collects the names after the cursor that the filter takes, until the page is full.
pub(crate) struct Page {
    limit: usize,
    /// The last name of the page before.
    after: Option<String>,
    glob: Option<Glob>,
    entries: Vec<Entry>,
    more: bool,
    /// Directories that were not looked into.
    pub(crate) skipped: Vec<String>,
    /// Directories that could not be.
    pub(crate) unreadable: Vec<String>,
    /// How many names are not text.
    pub(crate) undecodable: u32,
    /// How many names the grant hides.
    pub(crate) hidden: u32,
}

impl Page {
    /// A page of at most `limit` names.
    pub(crate) fn new(limit: usize, after: Option<String>, glob: Option<Glob>) -> Self {
        Self {
            limit,
            after,
            glob,
            entries: Vec::new(),
            more: false,
            skipped: Vec::new(),
            unreadable: Vec::new(),
            undecodable: 0,
            hidden: 0,
        }
    }

    /// Offers the next name in order: its `path` beneath the grant and its last part, `name`.
    pub(crate) fn offer(&mut self, path: &str, name: &str, kind: EntryKind) {
        if self.is_before(path) || self.glob.as_ref().is_some_and(|glob| !glob.matches(name)) {
            return;
        }
        if self.entries.len() == self.limit {
            self.more = true;
            return;
        }
        let kind = match kind {
            EntryKind::File => "file",
            EntryKind::Directory => "directory",
            EntryKind::Link => "link",
            EntryKind::Other => "other",
        };
        self.entries.push(Entry { name: path.to_owned(), kind: kind.to_owned() });
    }

    /// Whether everything beneath `directory` was on the pages before.
    pub(crate) fn is_past(&self, directory: &str) -> bool {
        self.after.as_deref().is_some_and(|after| {
            let inside = after.strip_prefix(directory).is_some_and(|rest| rest.starts_with('/'));
            !inside && format!("{directory}/").as_str() <= after
        })
    }

    /// Whether `path` was on the pages before.
    pub(crate) fn is_before(&self, path: &str) -> bool {
        self.after.as_deref().is_some_and(|after| path <= after)
    }

    /// Whether nothing more can go on the page.
    pub(crate) fn is_full(&self) -> bool {
        self.more
    }

    /// The answer.
    pub(crate) fn into_output(self, grant: Option<String>) -> Output {
        let next_cursor = if self.more { self.entries.last().map(|entry| entry.name.clone()) } else { None };
        Output {
            grant,
            entries: self.entries,
            next_cursor,
            skipped: self.skipped,
            unreadable: self.unreadable,
            undecodable: self.undecodable,
            hidden: self.hidden,
        }
    }
}
