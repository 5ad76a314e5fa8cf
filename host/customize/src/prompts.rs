//! The prompts of the product: template files in `host/customize/prompts`, embedded and checked.

use std::fmt;
use std::sync::LazyLock;

use bailiwick_agent::templates::{RenderError, Rendered, Template, TemplateError, Values};

/// The prompts that come with the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PromptId {
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

/// In the order of [`PromptId::ALL`].
static EMBEDDED: LazyLock<[Result<Template, TemplateError>; 5]> =
    LazyLock::new(|| PromptId::ALL.map(|id| Template::parse(id.source())));

impl PromptId {
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
    /// When the file is not a valid template, which the tests rule out.
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
            Self::Classification => include_str!("../prompts/classification.md"),
            Self::TypespecCustomization => include_str!("../prompts/typespec-customization.md"),
            Self::CodePatch => include_str!("../prompts/code-patch.md"),
            Self::ReadmeGeneration => include_str!("../prompts/readme-generation.md"),
            Self::Spelling => include_str!("../prompts/spelling.md"),
        }
    }
}

impl fmt::Display for PromptId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// Checks every prompt that comes with the program, so that a run fails before it begins and not in the middle.
///
/// # Errors
/// The first prompt that is not a valid template.
pub fn check() -> Result<(), TemplateError> {
    PromptId::ALL.into_iter().try_for_each(|id| id.template().map(drop).map_err(Clone::clone))
}

/// Renders a prompt that comes with the program.
///
/// # Errors
/// When a value is missing, unknown or of the wrong kind; see [`RenderError`].
pub fn render(id: PromptId, values: &Values) -> Result<Rendered, RenderError> {
    id.template().map_err(|error| RenderError::Template(error.clone()))?.render(values)
}
