//! Why a text cannot be read as TypeSpec, and how large what it holds may be.

use super::super::Rule;

/// Interpolations, namespace blocks and brackets inside one another, each counted for itself.
///
/// Reading goes as deep as the text does, and a text is written by a model or a client: without a bound 60 KB of it
/// exhaust a thread's stack, which ends the process. What people write is
/// seldom ten deep, and unoptimised code needs 4 KB of stack for a level.
pub(super) const DEEPEST: usize = 64;

/// Bytes of a declaration's full name, which is repeated for everything declared in it.
pub(super) const LONGEST_NAME: usize = 2048;

/// Why source cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub(super) struct Unreadable {
    /// Where, from 1.
    pub(super) line: u32,
    pub(super) what: What,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum What {
    #[error("{0}")]
    Syntax(&'static str),
    #[error("the text is nested more than {DEEPEST} levels deep; nest it less")]
    TooDeep,
}

impl Unreadable {
    pub(super) fn syntax(line: u32, what: &'static str) -> Self {
        Self { line, what: What::Syntax(what) }
    }

    pub(super) fn too_deep(line: u32) -> Self {
        Self { line, what: What::TooDeep }
    }

    /// The rule of the gate that it breaks.
    pub(super) fn rule(&self) -> Rule {
        match self.what {
            What::Syntax(_) => Rule::UnreadableTypespec,
            What::TooDeep => Rule::NestedTooDeeply,
        }
    }
}
