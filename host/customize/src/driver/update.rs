//! The update scripts that an SDK repository configures: change log, version, metadata.

use std::path::Path;

use bailiwick_sdk::tasks::Diagnostic;

use crate::scripts::{self, Invocation, Purpose};

use super::session::{Goal, Session};
use super::{CustomizeError, Customizer, Step};

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

    fn name(&self) -> &'static str {
        match self {
            Self::Changelog => "update changelog",
            Self::Version { .. } => "update version",
            Self::Metadata => "update metadata",
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
    pub async fn update(
        &self,
        package: &Path,
        project: Option<&Path>,
        update: &Update,
    ) -> Result<Step, CustomizeError> {
        let prepared = self.prepared(package, project)?;
        let purpose = update.purpose();
        let script = prepared.configuration.required(purpose)?;
        let session = Session::begin(self, Goal::plain(update.name(), ""), prepared).await?;
        self.progress.say(&format!("running {}", script.shown()));
        let invocation = Invocation {
            script: &script,
            key: purpose.key(),
            package: &session.project.package,
            values: update.values(&session.project.sdk_root),
            repository: &session.project.sdk_root,
            write: vec![session.project.package.clone()],
            scratch: &session.work.join("script"),
        };
        let ran = scripts::run(invocation, session.language.as_ref(), &session.tools, &session.children).await?;
        session.keep_log("update", &format!("$ {}\n{}", ran.shown, ran.log))?;
        let mut diagnostics = Vec::new();
        if !ran.succeeded {
            let message = format!("`{}` failed ({}): {}", ran.shown, ran.ended, scripts::last_words(&ran.log));
            let message = message
                .replace(&*session.project.package.to_string_lossy(), "sdk")
                .replace(&*session.project.sdk_root.to_string_lossy(), "repository");
            diagnostics.push(Diagnostic::without_place(purpose.key(), "update-script", message));
        }
        session.step(update.name(), ran.succeeded, diagnostics, None)
    }
}
