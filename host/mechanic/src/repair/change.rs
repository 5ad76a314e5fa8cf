//! Changes, doubts about places, and patches.

use std::ops::Range;

/// A change of one file: bytes that go, and the text in their place. Lines come and go as whole lines.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Change {
    /// Which file, as its position among the files of the case.
    pub(crate) file: usize,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) new: String,
}

impl Change {
    pub(crate) fn new(file: usize, span: Range<usize>, new: impl Into<String>) -> Self {
        Self { file, start: span.start, end: span.end, new: new.into() }
    }
}

/// A reason not to edit anything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Doubt {
    /// What was found, as a clause.
    pub(crate) issue: String,
    /// Where, as `path:line`.
    pub(crate) places: Vec<String>,
}

impl Doubt {
    pub(crate) fn new(issue: impl Into<String>, places: Vec<String>) -> Self {
        Self { issue: issue.into(), places }
    }
}

/// How large a repair may be.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) lines: usize,
    pub(crate) files: usize,
}

/// Lines of one file that are replaced together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hunk {
    pub(crate) path: String,
    /// The lines, from 1, both included.
    pub(crate) first: u32,
    pub(crate) last: u32,
    /// The lines as they are and as they shall be, without the end of the last.
    pub(crate) old: String,
    pub(crate) new: String,
    /// How many places change in them.
    pub(crate) count: u32,
}

/// Whether a text holds a name as a word of its own.
pub(crate) fn has_word(text: &str, word: &str) -> bool {
    !words(text, word).is_empty()
}

/// Where a name stands in a text as a word of its own.
pub(crate) fn words(text: &str, word: &str) -> Vec<Range<usize>> {
    let part_of_name = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word)
        .filter(|(at, _)| !text[..*at].ends_with(part_of_name) && !text[at + word.len()..].starts_with(part_of_name))
        .map(|(at, _)| at..at + word.len())
        .collect()
}
