//! A request about a specification alone.

use std::path::PathBuf;

use bailiwick_sdk::tasks::{AskedDirective, Classification, Language, Scope};

use crate::driver::CustomizeError;
use crate::typespec::{SpecProject, editable_client_file};

/// One customization of a specification without a package.
#[derive(Debug, Clone)]
pub struct SpecificationRequest {
    /// The TypeSpec project.
    pub project: PathBuf,
    /// What to do, in a person's words. Where there are directives, it only stands in the record.
    pub text: String,
    /// What to do, without words in between. One without a scope is for every language of the request.
    pub directives: Vec<AskedDirective>,
    /// What was understood before: see [`crate::driver::Planner::review_specification`].
    pub classified: Option<Classification>,
    /// The languages whose clients may change, the first of which names are looked up for.
    pub languages: Vec<Language>,
}

/// What a request is about, once it was found to be usable.
pub(in crate::driver) struct Subject {
    pub(in crate::driver) project: SpecProject,
    pub(in crate::driver) languages: Vec<Language>,
}

impl SpecificationRequest {
    /// Checks everything that can be said before anything is started or written.
    ///
    /// # Errors
    /// The first thing that is not usable.
    pub fn validate(&self) -> Result<SpecProject, CustomizeError> {
        self.prepare().map(|subject| subject.project)
    }

    pub(in crate::driver) fn prepare(&self) -> Result<Subject, CustomizeError> {
        if self.text.trim().is_empty() && self.directives.is_empty() {
            return Err(CustomizeError::EmptyRequest);
        }
        if self.languages.is_empty() {
            return Err(CustomizeError::NoLanguage);
        }
        let project = SpecProject::discover(&self.project)?;
        if project.detached {
            return Err(CustomizeError::Detached);
        }
        editable_client_file(&project.directory, None)?;
        Ok(Subject { project, languages: self.languages.clone() })
    }

    /// The same, with a scope on every directive.
    #[must_use]
    pub fn with_scopes(mut self) -> Self {
        let all = Scope::Only(self.languages.clone());
        let all = if self.languages.len() == Language::ALL.len() { Scope::All } else { all };
        for directive in &mut self.directives {
            directive.scope.get_or_insert_with(|| all.clone());
        }
        self
    }
}
