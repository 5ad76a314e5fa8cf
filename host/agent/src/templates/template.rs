//! A template, taken apart.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A template that was parsed and checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    pub(super) stamp: Stamp,
    pub(super) description: String,
    pub(super) parameters: Vec<Parameter>,
    pub(super) sections: Vec<Section>,
    pub(super) guidelines: Vec<Guideline>,
}

/// Which template, and which version of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    /// The template's id.
    pub id: String,
    /// The template's version.
    pub version: String,
}

impl fmt::Display for Stamp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", self.id, self.version)
    }
}

/// A parameter of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// What its values are.
    pub kind: Kind,
    /// Whether it needs a value.
    pub need: Need,
}

/// What the values of a parameter are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// One short line of the host's own, put in place as it is.
    Text,
    /// One of these.
    Choice(Vec<String>),
    /// Short lines of the host's own, one bullet each.
    List,
    /// Text from outside, fenced; at most so many characters of it.
    Data(usize),
    /// Entries from outside, numbered, in one fence; at most so many characters together.
    DataList(usize),
}

impl Kind {
    /// Whether its place is a line of its own.
    pub(super) fn stands_alone(&self) -> bool {
        matches!(self, Self::List | Self::Data(_) | Self::DataList(_))
    }

    /// Whether its values come from outside.
    pub(super) fn is_data(&self) -> bool {
        matches!(self, Self::Data(_) | Self::DataList(_))
    }
}

/// Whether a parameter needs a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// Always.
    Required,
    /// No: its blocks are left out without one. An empty text or list counts as no value.
    Optional,
}

/// A guideline of the safety section, with what enforces it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guideline {
    /// As it is rendered.
    pub text: String,
    /// The places in the program; empty where the template names none.
    pub enforced: Vec<Enforcement>,
}

/// A place in the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enforcement {
    /// The source file, from the root of the repository.
    pub file: String,
    /// What in it.
    pub symbol: String,
}

/// The sections, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SectionName {
    /// Who the model is.
    SystemRole,
    /// What it cannot do, and how it tells data apart.
    SafetyGuidelines,
    /// What is to be done.
    Task,
    /// Within which bounds.
    Constraints,
    /// How it is done well.
    Examples,
    /// What is to be handed in.
    OutputRequirements,
}

impl SectionName {
    /// All, in their order.
    pub const ALL: [Self; 6] = [
        Self::SystemRole,
        Self::SafetyGuidelines,
        Self::Task,
        Self::Constraints,
        Self::Examples,
        Self::OutputRequirements,
    ];

    /// The heading.
    #[must_use]
    pub fn heading(self) -> &'static str {
        match self {
            Self::SystemRole => "System role",
            Self::SafetyGuidelines => "Safety guidelines",
            Self::Task => "Task",
            Self::Constraints => "Constraints",
            Self::Examples => "Examples",
            Self::OutputRequirements => "Output requirements",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Section {
    pub(super) name: SectionName,
    /// The line of its heading.
    pub(super) line: usize,
    /// What stands before the first `##`, and then a block for each `##`.
    pub(super) blocks: Vec<Block>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Block {
    /// `None` for what stands before the first `##`.
    pub(super) title: Option<String>,
    pub(super) condition: Option<Condition>,
    pub(super) line: usize,
    pub(super) lines: Vec<Line>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Condition {
    /// The optional parameter has a value.
    Given(String),
    /// The choice is this one.
    Is(String, String),
}

impl fmt::Display for Condition {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Given(name) => write!(formatter, "{{{name}}}"),
            Self::Is(name, value) => write!(formatter, "{{{name} = {value}}}"),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) number: usize,
    pub(super) content: Content,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Content {
    Text(Vec<Piece>),
    /// A placeholder that stands alone on its line.
    Alone(String),
    FenceRule,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    Literal(String),
    Value(String),
}

impl Template {
    /// Id and version.
    #[must_use]
    pub fn stamp(&self) -> &Stamp {
        &self.stamp
    }

    /// What it is for, in one line.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Its parameters, in the order of the file.
    #[must_use]
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// What its safety section says, bullet by bullet, and what enforces it.
    #[must_use]
    pub fn guidelines(&self) -> &[Guideline] {
        &self.guidelines
    }

    pub(super) fn parameter(&self, name: &str) -> Option<&Parameter> {
        self.parameters.iter().find(|parameter| parameter.name == name)
    }
}
