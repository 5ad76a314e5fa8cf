//! Prompt templates: files with an id, a version and six named sections, rendered with typed values.
//!
//! A template is Markdown with a front matter. It has no language: a value is put in a place, a list or a fenced block
//! is put on a line, and a block is left out when its parameter is. Everything else is an error, found when the template
//! is parsed or when it is rendered; nothing is ever left unfilled.
//!
//! ```text
//! ---
//! id: greeting                                       lower-case words joined by `-`
//! version: 1.0.0                                     three numbers; counted up whenever the text changes
//! description: Greets people                         one line
//! parameters:
//!   language: choice of english, german              one of these
//!   place: text                                      one short line of the host's own
//!   manners: list                                    such lines, one bullet each
//!   letter: data up to 2000 characters               text from outside, fenced
//!   people: optional data list up to 2000 characters entries from outside, fenced together
//! ---
//! # System role                                      the six sections, all of them, in this order:
//! You greet people in {{place}}.                     System role, Safety guidelines, Task, Constraints,
//! # Safety guidelines                                Examples, Output requirements
//! {{fence-rule}}                                     how to tell data apart; required here if there is any
//! # Task
//! {{letter}}                                         lists and data stand alone on their line
//! ## People {people}                                 only if `people` is given and not empty
//! {{people}}
//! ## German {language = german}                      only for this choice
//! …
//! ```
//!
//! A line `<!-- … -->` is a comment and is not rendered. In the safety guidelines a comment after each guideline names
//! what enforces it (`<!-- enforced: path symbol; path symbol -->`, see [`Guideline`]): no rule may live only in a
//! prompt. Headings within ```` ``` ```` are text.
//!
//! Rendering is deterministic, so that a conversation can be resumed and a recorded one replayed. Text from outside is
//! fenced by the rules of [`fence`].
//!
//! ```
//! use bailiwick_agent::templates::{TemplateId, Values};
//!
//! let values = Values::new().list("findings", ["README.md:3:7 - Unknown word (wigdet)"]);
//! let rendered = bailiwick_agent::templates::render(TemplateId::Spelling, &values)?;
//! assert_eq!(rendered.stamp.to_string(), "spelling 1.0.0");
//! assert!(rendered.text.contains("1. README.md:3:7 - Unknown word (wigdet)"));
//! # Ok::<(), bailiwick_agent::templates::RenderError>(())
//! ```

mod check;
mod error;
pub mod fence;
mod held;
mod parse;
mod render;
mod template;
mod values;
mod visible;

use std::fmt;
use std::sync::LazyLock;

pub use error::{Problem, RenderError, TemplateError};
pub use held::Held;
pub use render::Rendered;
pub use template::{Enforcement, Guideline, Kind, Need, Parameter, SectionName, Stamp, Template};
pub use values::{Value, Values};

/// The templates that come with the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TemplateId {
    /// Routes the items of a customization request.
    Classification,
    /// Edits `client.tsp`.
    TypespecCustomization,
    /// Repairs hand-written customization code; the language is a parameter.
    CodePatch,
    /// Writes the README of a package.
    ReadmeGeneration,
    /// Corrects what a spell checker reports.
    Spelling,
}

/// In the order of [`TemplateId::ALL`].
static EMBEDDED: LazyLock<[Result<Template, TemplateError>; 5]> =
    LazyLock::new(|| TemplateId::ALL.map(|id| Template::parse(id.source())));

impl TemplateId {
    /// Every template.
    pub const ALL: [Self; 5] =
        [Self::Classification, Self::TypespecCustomization, Self::CodePatch, Self::ReadmeGeneration, Self::Spelling];

    /// The id, as files name it: `code-patch`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Classification => "classification",
            Self::TypespecCustomization => "typespec-customization",
            Self::CodePatch => "code-patch",
            Self::ReadmeGeneration => "readme-generation",
            Self::Spelling => "spelling",
        }
    }

    /// The template of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|id| id.name() == name)
    }

    /// The template, parsed and checked.
    ///
    /// # Errors
    /// When the file is no template, which the tests rule out.
    pub fn template(self) -> Result<&'static Template, &'static TemplateError> {
        let [classification, typespec, patch, readme, spelling] = &*EMBEDDED;
        match self {
            Self::Classification => classification.as_ref(),
            Self::TypespecCustomization => typespec.as_ref(),
            Self::CodePatch => patch.as_ref(),
            Self::ReadmeGeneration => readme.as_ref(),
            Self::Spelling => spelling.as_ref(),
        }
    }

    /// The text of the file.
    #[must_use]
    pub fn source(self) -> &'static str {
        match self {
            Self::Classification => include_str!("../../templates/classification.md"),
            Self::TypespecCustomization => include_str!("../../templates/typespec-customization.md"),
            Self::CodePatch => include_str!("../../templates/code-patch.md"),
            Self::ReadmeGeneration => include_str!("../../templates/readme-generation.md"),
            Self::Spelling => include_str!("../../templates/spelling.md"),
        }
    }
}

impl fmt::Display for TemplateId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// Checks every template that comes with the program; for a start that would rather fail than be in the middle of work
/// when it finds out.
///
/// # Errors
/// The first template that is none.
pub fn check() -> Result<(), TemplateError> {
    TemplateId::ALL.into_iter().try_for_each(|id| id.template().map(drop).map_err(Clone::clone))
}

/// Renders a template that comes with the program.
///
/// # Errors
/// When a value is missing, unknown or of the wrong kind; see [`RenderError`].
pub fn render(id: TemplateId, values: &Values) -> Result<Rendered, RenderError> {
    id.template().map_err(|error| RenderError::Template(error.clone()))?.render(values)
}
