//! What a language brings to the frame.

use super::change::{Doubt, Hunk, Limits};
use bailiwick_sdk::tasks::{Diagnostic, Language, PatchTask, Rename};

/// A file that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Text {
    /// With its grant: `sdk/azure/widget/_patch.py`.
    pub(crate) path: String,
    pub(crate) text: String,
}

/// Everything a repair is decided from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Case<'a> {
    /// The hand-written files.
    pub(crate) files: &'a [Text],
    /// The generated files that the reader wanted to see and that exist.
    pub(crate) generated: &'a [Text],
    /// The package's name.
    pub(crate) package: &'a str,
    pub(crate) renames: &'a [Rename],
    pub(crate) diagnostics: &'a [Diagnostic],
    pub(crate) limits: Limits,
}

/// Something to be read before a decision, generated code mostly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// A file; it need not exist.
    File(String),
    /// The files of this name, or of this pattern, in a directory and beneath it.
    Named { directory: String, pattern: String },
}

/// A language's way to tell what is certain.
pub(crate) trait Reader: Sync {
    /// Whether there is nothing that this language's repairs could begin with, so that no file need be read.
    fn is_hopeless(&self, task: &PatchTask) -> bool;

    /// Whether the repair has to read this one of the hand-written files.
    fn reads(&self, _task: &PatchTask, _path: &str) -> bool {
        true
    }

    /// What to read beside the hand-written files, told from the task and from them.
    fn wanted(&self, task: &PatchTask, files: &[Text]) -> Vec<Wanted>;

    /// The patches for all errors together, or every reason why there are none.
    fn repair(&self, case: &Case<'_>) -> Result<Vec<Hunk>, Vec<Doubt>>;
}

/// The reader of a language.
pub(super) fn of(language: Language) -> &'static dyn Reader {
    use super::super::{compiled_languages, java, python};
    match language {
        Language::Python => &python::Python,
        Language::Java => &java::Java,
        Language::Dotnet => &compiled_languages::CSHARP,
        Language::Javascript => &compiled_languages::TYPESCRIPT,
        Language::Go => &compiled_languages::GO,
    }
}
