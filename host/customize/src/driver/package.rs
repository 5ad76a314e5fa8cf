//! A package on its own: building and testing it take neither its specification nor its emitter.

use std::path::{Path, PathBuf};

use bailiwick_toolchains::{EmitterPackage, refuse_shell_characters};

use crate::language::{LanguageError, LanguageService, service_for, service_for_files};
use crate::scripts::{Purpose, SdkConfiguration};
use crate::typespec::{TspLocation, TypespecError, git_root};

use super::CustomizeError;

/// A package with what its repository says about it. Nothing was started to find it out.
pub struct Package {
    /// The package directory, canonical.
    pub directory: PathBuf,
    /// The root of the SDK repository; the package directory where no repository is around it.
    pub repository: PathBuf,
    /// The emitter that the SDK repository names, which need not be installed.
    pub emitter: Option<EmitterPackage>,
    /// The language service.
    pub language: Box<dyn LanguageService>,
    /// What the SDK repository configures; nothing where there is no repository.
    pub configuration: SdkConfiguration,
}

impl Package {
    /// Finds a package. Its language is that of the repository's emitter, which need not be installed, or else that of the
    /// project files in it.
    ///
    /// # Errors
    /// The directory is not there, its language cannot be told, or what the repository configures cannot be used.
    pub fn discover(package: &Path) -> Result<Self, CustomizeError> {
        let directory = package.canonicalize().ok().filter(|directory| directory.is_dir());
        let directory = directory.ok_or_else(|| TypespecError::NoPackage { path: package.to_owned() })?;
        refuse_shell_characters(&directory)?;
        let (repository, configuration) = match git_root(&directory) {
            Ok(root) => {
                let configuration = SdkConfiguration::read(&root)?;
                // What is wrong with it is found now and not after a build has begun.
                configuration.script(Purpose::Build)?;
                (root, configuration)
            }
            Err(_) => (directory.clone(), SdkConfiguration::default()),
        };
        let location = TspLocation::read(&directory).ok();
        let path = location.as_ref().and_then(|location| location.emitter_package_json_path.as_deref());
        // An emitter that cannot be used is told where something is generated.
        let emitter = EmitterPackage::read(&repository, path).ok();
        let language = language_of(&directory, &repository, emitter.as_ref())?;
        let language = language.for_package(&directory).unwrap_or(language);
        Ok(Self { directory, repository, emitter, language, configuration })
    }
}

fn language_of(
    package: &Path,
    repository: &Path,
    emitter: Option<&EmitterPackage>,
) -> Result<Box<dyn LanguageService>, CustomizeError> {
    if let Some(language) = emitter.and_then(|emitter| service_for(&emitter.emitter).ok()) {
        return Ok(language);
    }
    let unknown = || LanguageError::Unknown { package: package.to_owned() };
    Ok(service_for_files(package, repository)?.ok_or_else(unknown)?)
}
