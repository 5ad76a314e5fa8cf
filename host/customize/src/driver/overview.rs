//! What is known of a package without starting anything.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use bailiwick_sdk::tasks::Language;
use serde::Serialize;

use crate::scripts::{Purpose, SdkConfiguration};
use crate::typespec::{
    Plane, Publicity, Remote, TypespecError, customization_class, is_repository_name, plane, remote,
};

use super::{CustomizeError, Prepared, prepare};

/// A package with what it is generated from.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Overview {
    /// Its directory's name.
    pub package: String,
    /// The directory.
    pub package_path: PathBuf,
    /// The language of its emitter.
    pub language: Language,
    /// Management or data.
    pub plane: Plane,
    /// What shows it.
    pub plane_shown_by: &'static str,
    /// The emitter with its version.
    pub emitter: String,
    /// The TypeSpec project.
    pub typespec_project: PathBuf,
    /// Whose clone the SDK repository is, if it has a remote.
    pub sdk_repository: Option<Remote>,
    /// The same of the specification repository.
    pub specification_repository: Option<Remote>,
    /// What `tsp-location.yaml` says: repository, commit, project.
    pub location: Location,
    /// Customization files, as `sdk/<path>`.
    pub customization_files: Vec<String>,
    /// How it is built and updated, where the repository configures it.
    pub scripts: Vec<Configured>,
    /// What a person should know: one sentence each.
    pub notes: Vec<String>,
}

/// The part of `tsp-location.yaml` that local clones do without.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Location {
    /// `owner/name`, as written.
    pub repo: String,
    /// As written.
    pub commit: String,
    /// The project in the repository.
    pub directory: String,
    /// Other directories of the repository that it needs.
    pub additional_directories: Vec<String>,
}

/// A configured script.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Configured {
    /// The key under `packageOptions`.
    pub key: &'static str,
    /// What is run, or why it cannot be.
    pub runs: String,
}

/// Looks at a package. Nothing is started or written.
///
/// # Errors
/// As for a customization: the first thing that is not usable.
pub fn overview(package: &Path, project: Option<&Path>) -> Result<Overview, CustomizeError> {
    let Prepared { project, language, configuration } = prepare::discover(package, project)?;
    let (plane, plane_shown_by) = plane(&project);
    let sdk = remote(&project.sdk_root, &project.git_directories);
    let specification = remote(&project.spec_root, &project.git_directories);
    let location = Location {
        repo: project.location.repo.clone(),
        commit: project.location.commit.clone(),
        directory: project.location.directory.clone(),
        additional_directories: project.location.additional_directories.clone(),
    };
    let files = language.customization_files(&project.package)?;
    let mut notes = notes(&location, sdk.as_ref(), specification.as_ref());
    match customization_class(&project) {
        Err(error @ TypespecError::NoCustomizationClass { .. }) => notes.push(error.to_string()),
        other => other?,
    }
    Ok(Overview {
        package: project.package_name(),
        package_path: project.package.clone(),
        language: language.language(),
        plane,
        plane_shown_by,
        emitter: format!("{} {}", project.emitter.emitter, project.emitter.version),
        typespec_project: project.directory.clone(),
        notes,
        sdk_repository: sdk,
        specification_repository: specification,
        location,
        customization_files: files.into_iter().map(|file| format!("sdk/{file}")).collect(),
        scripts: configured(&configuration),
    })
}

fn configured(configuration: &SdkConfiguration) -> Vec<Configured> {
    [Purpose::Build, Purpose::Changelog, Purpose::Version, Purpose::Metadata]
        .into_iter()
        .filter_map(|purpose| {
            let runs = match configuration.script(purpose) {
                Ok(script) => script?.shown(),
                Err(error) => error.to_string(),
            };
            Some(Configured { key: purpose.key(), runs })
        })
        .collect()
}

fn notes(location: &Location, sdk: Option<&Remote>, specification: Option<&Remote>) -> Vec<String> {
    let mut notes = Vec::new();
    if !is_repository_name(&location.repo) {
        notes.push(format!(
            "`repo: {}` in `tsp-location.yaml` is no `owner/name`; local clones do not need it, pipelines do",
            location.repo
        ));
    }
    let is = |remote: Option<&Remote>, publicity| remote.is_some_and(|remote| remote.publicity == publicity);
    if is(specification, Publicity::Private) && is(sdk, Publicity::Public) {
        notes.push(
            "the specification is private and the SDK repository public: generated code would publish it".to_owned(),
        );
    }
    notes
}

impl Overview {
    /// For people.
    #[must_use]
    pub fn format(&self) -> String {
        let plane = match self.plane {
            Plane::Management => "management plane",
            Plane::Data => "data plane",
        };
        let of = |remote: &Option<Remote>| match remote {
            None => "without a remote".to_owned(),
            Some(remote) => {
                let publicity = match remote.publicity {
                    Publicity::Public => "public",
                    Publicity::Private => "private",
                    Publicity::Unknown => "not known whether public",
                };
                format!("{} ({publicity})", remote.repository)
            }
        };
        let mut text = format!("{}: {plane}, by {}\n", self.package, self.plane_shown_by);
        for (name, value) in [
            ("emitter", self.emitter.clone()),
            ("typespec", self.typespec_project.display().to_string()),
            ("pinned to", format!("{} of {} in {}", self.location.commit, self.location.repo, self.location.directory)),
            ("sdk", of(&self.sdk_repository)),
            ("specs", of(&self.specification_repository)),
        ] {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "  {name:<11}{value}");
        }
        for file in &self.customization_files {
            let _ = writeln!(text, "  customized {file}");
        }
        for script in &self.scripts {
            let _ = writeln!(text, "  {}: {}", script.key, script.runs);
        }
        for note in &self.notes {
            let _ = writeln!(text, "  note: {note}");
        }
        text.trim_end().to_owned()
    }
}
