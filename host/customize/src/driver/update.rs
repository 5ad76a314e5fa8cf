//! The update scripts that an SDK repository configures: change log, version, metadata.

use std::path::Path;

use bailiwick_sdk::tasks::Diagnostic;

use crate::scripts::{self, Invocation, Purpose};

use super::building::keep_log;
use super::package::Package;
use super::package_run::PackageRun;
use super::run_kind::RunKind;
use super::{CustomizeError, Customizer, Step};
use crate::language::Needs;

/// Which script is run, with its values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Update {
    /// `updateChangelogContentScript`.
    Changelog,
    /// `updateVersionScript`. What is not given the script decides.
    Version {
        /// The new version.
        version: Option<String>,
        /// `beta` or `stable`.
        release_type: Option<String>,
        /// Year, month and day, with hyphens.
        release_date: Option<String>,
    },
    /// `updateMetadataScript`.
    Metadata,
}

impl Update {
    fn purpose(&self) -> Purpose {
        match self {
            Self::Changelog => Purpose::Changelog,
            Self::Version { .. } => Purpose::Version,
            Self::Metadata => Purpose::Metadata,
        }
    }

    fn kind(&self) -> RunKind {
        match self {
            Self::Changelog => RunKind::UpdateChangelog,
            Self::Version { .. } => RunKind::UpdateVersion,
            Self::Metadata => RunKind::UpdateMetadata,
        }
    }

    /// Every value has a name in every script for it; one that was not given is empty.
    fn values(&self, repository: &Path) -> Vec<(&'static str, String)> {
        let mut values = vec![("SdkRepoPath", repository.to_string_lossy().into_owned())];
        if let Self::Version { version, release_type, release_date } = self {
            for (name, value) in [("Version", version), ("ReleaseType", release_type), ("ReleaseDate", release_date)] {
                values.push((name, value.clone().unwrap_or_default()));
            }
        }
        values
    }
}

impl Customizer {
    /// Runs one of the repository's update scripts in a run of its own. The script may write the package and nothing
    /// else; one that fails leaves the package as it was.
    ///
    /// # Errors
    /// See [`CustomizeError`]; [`crate::scripts::ScriptError::NotConfigured`] where the repository has no such script.
    pub async fn update(&self, package: &Path, update: &Update) -> Result<Step, CustomizeError> {
        let package = Package::discover(package)?;
        let purpose = update.purpose();
        let script = package.configuration.required(purpose)?;
        let run = PackageRun::begin(self, update.kind(), Needs::Build, package).await?;
        let package = &run.package;
        self.progress.say(&format!("running {}", script.shown()));
        let invocation = Invocation {
            script: &script,
            key: purpose.key(),
            package: &package.directory,
            original: &package.directory,
            values: update.values(&package.repository),
            repository: &package.repository,
            write: vec![package.directory.clone()],
            scratch: &run.work.join("script"),
        };
        let ran = scripts::run(invocation, package.language.as_ref(), &run.tools, &run.children).await?;
        keep_log(run.run.directory(), "update", &format!("$ {}\n{}", ran.shown, ran.log))?;
        let mut diagnostics = Vec::new();
        if !ran.succeeded {
            let message = format!("`{}` failed ({}): {}", ran.shown, ran.ended, scripts::last_words(&ran.log));
            let message = message
                .replace(&*package.directory.to_string_lossy(), "sdk")
                .replace(&*package.repository.to_string_lossy(), "repository");
            diagnostics.push(Diagnostic::without_place(purpose.key(), "update-script", message));
        }
        run.close(update.kind(), ran.succeeded, diagnostics, None)
    }
}
