//! Edits of names, and doubts about places.

use std::collections::BTreeSet;
use std::ops::Range;

use tree_sitter::Node;

use super::source::{Source, line, statement_lines};

/// A place in which one name stands for another.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Edit {
    /// Which file, as its position in the package.
    pub(crate) file: usize,
    pub(crate) span: Range2,
    pub(crate) new: String,
    /// The line it stands on, from 1.
    pub(crate) line: u32,
    /// The lines of the statement around it.
    pub(crate) statement: (u32, u32),
}

/// A range that can be ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Range2 {
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl From<Range<usize>> for Range2 {
    fn from(range: Range<usize>) -> Self {
        Self { start: range.start, end: range.end }
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

/// What a look through all files found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Findings {
    pub(crate) edits: BTreeSet<Edit>,
    pub(crate) doubts: Vec<Doubt>,
}

impl Findings {
    /// Replaces a whole node.
    pub(crate) fn replace(&mut self, file: usize, node: Node<'_>, new: &str) {
        self.replace_span(file, node, node.byte_range(), new);
    }

    /// Replaces bytes inside a node.
    pub(crate) fn replace_span(&mut self, file: usize, node: Node<'_>, span: Range<usize>, new: &str) {
        self.edits.insert(Edit {
            file,
            span: span.into(),
            new: new.to_owned(),
            line: line(node),
            statement: statement_lines(node),
        });
    }

    /// Records a doubt.
    pub(crate) fn doubt(&mut self, source: &Source, node: Node<'_>, issue: impl Into<String>) {
        self.doubts.push(Doubt { issue: issue.into(), places: vec![source.place(node)] });
    }
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
