//! A TypeSpec project in its repository: the half of a [`Project`](super::Project) that a compiler reads. It stands alone
//! where a specification is customized without a package.

use std::path::{Path, PathBuf};

use bailiwick_base::files::plain;
use bailiwick_sdk::tasks::Language;
use bailiwick_toolchains::refuse_shell_characters;
use serde::{Deserialize, Serialize};
use serde_yaml_ng::Value;

use super::copy::Contents;
use super::error::TypespecError;
use super::location::last_part;
use super::project::{Project, beneath, entries, git_root, is_detached, project_directory};
use super::yaml;
use crate::language::service_for;

/// The largest `tspconfig.yaml` that is read. Real ones have some kilobytes.
pub(super) const LARGEST_CONFIG: u64 = 1024 * 1024;

/// A TypeSpec project. All paths are canonical.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SpecProject {
    /// The project directory.
    pub directory: PathBuf,
    /// The root of its repository.
    pub root: PathBuf,
    /// What its directory is called where projects are laid out side by side.
    pub name: String,
    /// The file that generation starts from, relative to the project: `client.tsp` where there is one.
    pub entry: String,
    /// Whether `tsp-location.yaml` names that file, so that a new `client.tsp` does not take its place.
    pub entry_is_named: bool,
    /// The service's own file, relative to the project: `main.tsp` where there is one.
    pub main: String,
    /// The directories that it imports from, each with its name in the same layout.
    pub additional: Vec<(String, PathBuf)>,
    /// The package that is generated from it and the root of the package's repository, where there is a package.
    pub sdk: Option<(PathBuf, PathBuf)>,
    /// Whether it is a commit in a directory of its own, which is only read.
    pub detached: bool,
}

/// What a digest of a project leaves out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Except<'a> {
    /// Nothing.
    Nothing,
    /// This file of the project directory.
    File(&'a str),
}

impl Project {
    /// The half that a compiler reads.
    #[must_use]
    pub fn specification(&self) -> SpecProject {
        let names = self.location.additional_directories.iter().map(|name| last_part(name).to_owned());
        SpecProject {
            directory: self.directory.clone(),
            root: self.spec_root.clone(),
            name: self.location.project_name().to_owned(),
            entry: self.entry.clone(),
            entry_is_named: self.location.entrypoint_file.is_some(),
            main: self.main.clone(),
            additional: names.zip(self.additional.iter().cloned()).collect(),
            sdk: Some((self.package.clone(), self.sdk_root.clone())),
            detached: self.detached,
        }
    }
}

impl SpecProject {
    /// Finds the project in a directory that a person named, without a package and without starting a process. What it
    /// imports from beside itself is what its `tspconfig.yaml` says (`parameters.dependencies.additionalDirectories`).
    ///
    /// # Errors
    /// The directory holds no project, lies in no git repository, or its configuration leads out of that.
    pub fn discover(given: &Path) -> Result<Self, TypespecError> {
        let directory = project_directory(given)?;
        refuse_shell_characters(&directory)?;
        let root = git_root(&directory)?;
        let (entry, main) = entries(&directory, None)?;
        let mut additional = Vec::new();
        for path in additional_directories(&configuration(&directory)?) {
            let found = match beneath(&root, &path) {
                Ok(found) if found != root => found,
                Ok(_) | Err(TypespecError::OutsideRepository { .. }) => {
                    return Err(TypespecError::ConfigurationOutside { path });
                }
                Err(error) => return Err(error),
            };
            // Its copy gets this name beside the project's, and nothing else may.
            let name = last_part(path.trim_end_matches('/')).to_owned();
            if !is_name(&name) {
                return Err(TypespecError::ConfigurationOutside { path });
            }
            additional.push((name, found));
        }
        let name = directory.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let detached = is_detached(&root);
        Ok(Self { directory, root, name, entry, entry_is_named: false, main, additional, sdk: None, detached })
    }

    /// Digest of what a compiler reads of it, but for the file `except` of the project directory: names and contents, with
    /// links followed where it follows them. It says nothing of what is not a file.
    pub(crate) fn digest(&self, except: Except<'_>) -> Result<String, TypespecError> {
        let directories: Vec<&Path> = self.directories().map(|(_, directory)| directory).collect();
        let except = match except {
            Except::Nothing => "",
            Except::File(name) => name,
        };
        let names: Vec<&str> = self.directories().map(|(name, _)| name).collect();
        Ok(format!("{} {}", names.join("/"), Contents::of(&directories, &self.root, except)?.digest))
    }

    /// The project and what it imports from, each with its name in the layout of a compiler.
    pub(crate) fn directories(&self) -> impl Iterator<Item = (&str, &Path)> {
        let all = std::iter::once((&self.name, &self.directory));
        let more = self.additional.iter().map(|(name, directory)| (name, directory));
        all.chain(more).map(|(name, directory)| (name.as_str(), directory.as_path()))
    }

    /// The emitter of a language whose options `tspconfig.yaml` has; empty where it has none.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn emitter_of(&self, language: Language) -> Result<String, TypespecError> {
        let configuration = configuration(&self.directory)?;
        let options = configuration.get("options").and_then(Value::as_mapping);
        let mut names = options.into_iter().flat_map(|options| options.keys()).filter_map(Value::as_str);
        let found = names.find(|name| service_for(name).is_ok_and(|service| service.language() == language));
        Ok(found.unwrap_or_default().to_owned())
    }
}

/// Whether a copy can be called so beside the compiler's own files. No project directory begins with a dot.
pub(super) fn is_name(name: &str) -> bool {
    !name.starts_with('.') && !["node_modules", "package.json"].contains(&name)
}

/// What `tspconfig.yaml` says. One that is no YAML says nothing here: the compiler reports it, with its place.
pub(super) fn configuration(project: &Path) -> Result<Value, TypespecError> {
    let path = project.join("tspconfig.yaml");
    let bytes = plain::beneath(project, "tspconfig.yaml", LARGEST_CONFIG);
    let (bytes, _) = bytes.map_err(TypespecError::io(&path, "read"))?;
    let read = std::str::from_utf8(&bytes).ok().and_then(|text| yaml::parse(text).ok());
    Ok(read.unwrap_or(Value::Null))
}

/// A list of directories, or a single one.
fn additional_directories(configuration: &Value) -> Vec<String> {
    let named = ["parameters", "dependencies", "additionalDirectories"];
    let Some(found) = named.iter().try_fold(configuration, |value, key| value.get(key)) else { return Vec::new() };
    let paths = found.as_sequence().map_or_else(|| std::slice::from_ref(found), Vec::as_slice);
    paths.iter().filter_map(Value::as_str).map(|path| path.replace('\\', "/")).collect()
}

#[cfg(test)]
mod tests;
