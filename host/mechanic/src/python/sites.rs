//! Edits of names, and doubts about places.

use std::collections::BTreeSet;
use std::ops::Range;

use tree_sitter::Node;

use super::source::{Source, line, statement_lines};
pub(crate) use crate::repair::{Change, Doubt, has_word, words};

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

impl Edit {
    /// The name that it replaces, the first of several; `None` if it only adds text.
    pub(crate) fn replaced<'s>(&self, source: &'s Source) -> Option<&'s str> {
        let text = source.text.get(self.span.start..self.span.end)?;
        text.split(|c: char| !(c.is_alphanumeric() || c == '_')).find(|word| !word.is_empty())
    }

    /// The change without what it was judged by.
    pub(crate) fn plain(&self) -> Change {
        Change::new(self.file, self.span.start..self.span.end, self.new.clone())
    }
}

impl From<Range<usize>> for Range2 {
    fn from(range: Range<usize>) -> Self {
        Self { start: range.start, end: range.end }
    }
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
