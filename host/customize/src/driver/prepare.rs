//! Everything that can be said about the input before anything is started or written.

use std::path::Path;

use crate::language::{LanguageService, service_for};
use crate::scripts::{Purpose, SdkConfiguration};
use crate::typespec::{Project, SpecLookup, TypespecError, customization_class, editable_client_file};

use super::{CustomizeError, Request};

/// A package whose surroundings were found to be usable.
pub struct Prepared {
    /// The package and its specification.
    pub project: Project,
    /// The language service of its emitter.
    pub language: Box<dyn LanguageService>,
    /// What the SDK repository configures, read before anything is started.
    pub configuration: SdkConfiguration,
}

/// Checks a request: the text, the package, `tsp-location.yaml`, the TypeSpec project, git and the emitter.
///
/// # Errors
/// The first thing that is not usable.
pub fn prepare(request: &Request) -> Result<Prepared, CustomizeError> {
    let prepared = prepare_plan(request)?;
    customization_class(&prepared.project)?;
    Ok(prepared)
}

/// The same for a request that is only planned: what its generation needs is not looked for.
///
/// # Errors
/// As for [`prepare`].
pub fn prepare_plan(request: &Request) -> Result<Prepared, CustomizeError> {
    if request.text.trim().is_empty() && request.directives.is_empty() {
        return Err(CustomizeError::EmptyRequest);
    }
    let prepared = discover(&request.package, request.project.as_deref())?;
    if request.scope.edits_specification() {
        editable_client_file(&prepared.project.directory, Some(&prepared.project.location))?;
    }
    Ok(prepared)
}

/// A package that is to be generated, with everything that its generation needs of it.
pub(super) fn generating(package: &Path, project: Option<&Path>) -> Result<Prepared, CustomizeError> {
    let prepared = discover(package, project)?;
    customization_class(&prepared.project)?;
    Ok(prepared)
}

/// Why the package cannot be generated, where that is known before anything is started.
pub(super) fn obstacle(prepared: &Prepared) -> Result<Option<String>, CustomizeError> {
    match customization_class(&prepared.project) {
        Ok(()) => Ok(None),
        Err(error @ TypespecError::NoCustomizationClass { .. }) => Ok(Some(error.to_string())),
        Err(error) => Err(error.into()),
    }
}

pub(super) fn discover(package: &Path, project: Option<&Path>) -> Result<Prepared, CustomizeError> {
    let lookup = SpecLookup { project: project.map(Path::to_owned), clone: None };
    let project = Project::discover(package, &lookup)?;
    let language = service_for(&project.emitter.emitter)?;
    let language = language.for_package(&project.package).unwrap_or(language);
    let configuration = SdkConfiguration::read(&project.sdk_root)?;
    // What is wrong with it is found now and not after an edit.
    configuration.script(Purpose::Build)?;
    Ok(Prepared { project, language, configuration })
}
