//! Changes, and doubts about places.

use std::ops::Range;

use crate::repair::{self, Doubt};
use bailiwick_sdk::java::{Source, Use, uses};

/// What a change does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// One name stands for another.
    Renamed,
    /// Whole lines go.
    Removed,
}

/// A change of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) kind: Kind,
    /// Which file, as its position.
    pub(super) file: usize,
    pub(super) span: Range<usize>,
    pub(super) new: String,
    /// The name it is about.
    pub(super) name: String,
    /// The generated class it is about; `None` for types.
    pub(super) owner: Option<String>,
    /// Lines of the statement and of the method around it.
    pub(super) statement: (u32, u32),
    pub(super) method: (u32, u32),
}

impl Change {
    /// The change without what it was judged by.
    pub(super) fn plain(self) -> repair::Change {
        repair::Change::new(self.file, self.span, self.new)
    }
}

/// A customization file with its strings.
pub(super) struct File {
    pub(super) source: Source,
    pub(super) uses: Vec<Use>,
}

impl File {
    pub(super) fn parse(path: &str, text: &str) -> Option<Self> {
        let source = Source::parse(path, text)?;
        let uses = uses(&source);
        Some(Self { source, uses })
    }
}

/// What a look through all files found.
#[derive(Debug, Default)]
pub(super) struct Findings {
    pub(super) changes: Vec<Change>,
    /// Changes of documentation, which no build asks for.
    pub(super) documented: Vec<repair::Change>,
    pub(super) doubts: Vec<Doubt>,
}

impl Findings {
    pub(super) fn rename(&mut self, file: usize, one: &Use, span: Range<usize>, new: &str, owner: Option<&str>) {
        let change = Change {
            kind: Kind::Renamed,
            file,
            span,
            new: new.to_owned(),
            name: one.name.clone(),
            owner: owner.map(str::to_owned),
            statement: one.statement,
            method: one.method,
        };
        if !self.changes.contains(&change) {
            self.changes.push(change);
        }
    }

    pub(super) fn doubt(&mut self, file: &File, line: u32, issue: impl Into<String>) {
        self.doubts.push(Doubt { issue: issue.into(), places: vec![format!("{}:{line}", file.source.path)] });
    }
}
