//! The emitter that an SDK repository names, with the compiler and the libraries it generates with.

mod local;

use std::path::{Path, PathBuf};

use async_trait::async_trait;
use serde_json::{Value, json};

use super::cache::{Cache, Failure, Key, Recipe};
use super::error::ToolchainError;
use super::install::Installer;
use super::node::{Node, write};
use super::python::{Python, pip_download};
use super::{OnProgress, Progress};

use local::LocalPackage;

/// Where an SDK repository says which emitter it generates with, unless `tsp-location.yaml` says otherwise.
pub(crate) const DEFAULT_PACKAGE: &str = "eng/emitter-package.json";

/// The Python packages that emitters install, by emitter and version. Its own installer asks for ranges.
const LOCKED_PYTHON: &[(&str, &str, &str)] =
    &[("@typespec/http-client-python", "0.28.3", include_str!("../../toolchains/python-emitter/requirements.txt"))];

/// How `tsp-client` tells the emitter among the dependencies, in its order.
const PREFIXES: [&str; 4] = ["@azure-tools/typespec-", "@typespec/http-", "@typespec/openapi3", "@azure-typespec/"];

/// `eng/emitter-package.json` and its lock file, read.
#[derive(Debug, Clone)]
pub struct EmitterPackage {
    /// The file.
    pub path: PathBuf,
    /// The emitter's package name, for example `@typespec/http-client-python`.
    pub emitter: String,
    /// Its version: the lock file's, else what the package file asks for.
    pub version: String,
    package: Vec<u8>,
    lock: Option<Vec<u8>>,
    local: Vec<LocalPackage>,
}

/// An installed emitter.
#[derive(Debug, Clone)]
pub struct Emitter {
    /// The set's directory.
    pub root: PathBuf,
    /// What a `node_modules` link points to.
    pub node_modules: PathBuf,
    /// Its package name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Digest of the package file, the lock file, packages of the repository itself, Node and the interpreter it runs with.
    pub digest: String,
}

impl EmitterPackage {
    /// Reads the package file at `relative` (as in `tsp-location.yaml`) or `eng/emitter-package.json` beneath `sdk_root`.
    ///
    /// # Errors
    /// [`ToolchainError::EmitterPackage`] when it is missing, no JSON, names no emitter, or names a directory that does
    /// not lie beneath its own.
    pub fn read(sdk_root: &Path, relative: Option<&str>) -> Result<Self, ToolchainError> {
        let path = sdk_root.join(relative.unwrap_or(DEFAULT_PACKAGE));
        let unusable = |reason: String| ToolchainError::EmitterPackage { path: path.clone(), reason };
        let package = crate::plain::read(&path).map_err(|error| unusable(error.to_string()))?;
        let lock_path =
            path.with_file_name(format!("{}-lock.json", path.file_stem().unwrap_or_default().to_string_lossy()));
        let lock = match std::fs::read(&lock_path) {
            Ok(lock) => Some(lock),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => return Err(ToolchainError::io(&lock_path, "read")(error)),
        };
        let (emitter, asked) = named_emitter(&package).map_err(unusable)?;
        let local = LocalPackage::all(&package, path.parent().unwrap_or(sdk_root)).map_err(unusable)?;
        let version = local
            .iter()
            .find(|one| one.name == emitter)
            .and_then(|one| one.version.clone())
            .or_else(|| lock.as_deref().and_then(|lock| locked_version(lock, &emitter)))
            .unwrap_or(asked);
        Ok(Self { path, emitter, version, package, lock, local })
    }
}

/// Name and version text of the emitter in a package file.
fn named_emitter(package: &[u8]) -> Result<(String, String), String> {
    let package: Value = serde_json::from_slice(package).map_err(|error| format!("it is not JSON: {error}"))?;
    let dependencies = package["dependencies"].as_object().ok_or("it has no `dependencies`")?;
    PREFIXES
        .iter()
        .find_map(|prefix| dependencies.iter().find(|(name, _)| name.starts_with(prefix)))
        .map(|(name, version)| (name.clone(), version.as_str().unwrap_or_default().to_owned()))
        .ok_or_else(|| "no dependency of it is an emitter".to_owned())
}

fn locked_version(lock: &[u8], emitter: &str) -> Option<String> {
    let lock: Value = serde_json::from_slice(lock).ok()?;
    lock["packages"][format!("node_modules/{emitter}")]["version"].as_str().map(str::to_owned)
}

pub(super) async fn ensure(
    cache: &Cache,
    installer: &Installer,
    package: &EmitterPackage,
    node: &Node,
    python: &Python,
    on_progress: OnProgress<'_>,
) -> Result<Emitter, ToolchainError> {
    let title = format!("the emitter {} {}", package.emitter, package.version);
    let locked = LOCKED_PYTHON
        .iter()
        .find(|(name, version, _)| *name == package.emitter && *version == package.version)
        .map(|(_, _, requirements)| *requirements);
    let node_name = node.root.file_name().unwrap_or_default();
    let mut parts = vec![
        package.package.as_slice(),
        package.lock.as_deref().unwrap_or_default(),
        node_name.as_encoded_bytes(),
        python.digest.as_bytes(),
        locked.unwrap_or_default().as_bytes(),
    ];
    parts.extend(package.local.iter().flat_map(LocalPackage::parts));
    let key = Key::new("emitter", title.clone(), &parts);
    let recipe = Installation { installer, package, node, python, locked, title: &title };
    let (root, _) = cache.ensure(&key, on_progress, &recipe).await?;
    Ok(Emitter {
        node_modules: root.join("node_modules"),
        root,
        name: package.emitter.clone(),
        version: package.version.clone(),
        digest: key.digest,
    })
}

/// The emitter with everything it depends on.
struct Installation<'a> {
    installer: &'a Installer,
    package: &'a EmitterPackage,
    node: &'a Node,
    python: &'a Python,
    locked: Option<&'static str>,
    title: &'a str,
}

#[async_trait]
impl Recipe for Installation<'_> {
    async fn install(&self, at: &Path, on_progress: OnProgress<'_>) -> Result<Value, Failure> {
        let package = self.package;
        write(&at.join("package.json"), &package.package)?;
        for local in &package.local {
            local.copy_to(at)?;
        }
        let verb = if let Some(lock) = &package.lock {
            write(&at.join("package-lock.json"), lock)?;
            "ci"
        } else {
            on_progress(Progress::Note {
                set: self.title.to_owned(),
                text: "the repository has no lock file for its emitter, so npm chooses versions".to_owned(),
            });
            "install"
        };
        let mut variables = match self.locked {
            Some(requirements) => {
                write(&at.join("requirements.txt"), requirements.as_bytes())?;
                pip_download(self.installer, self.python, at).await?
            }
            None => Vec::new(),
        };
        let interpreter = self.python.base.executable.clone().into_os_string();
        // Emitters that bring a Python generator look for an interpreter on their own.
        variables.push(("AUTOREST_PYTHON_EXE", interpreter.clone()));
        variables.push(("UV_PYTHON", interpreter));
        variables.push(("UV_PYTHON_DOWNLOADS", "never".into()));
        let arguments = [verb, "--no-audit", "--no-fund"];
        self.installer.npm(&arguments, at, Some(&self.node.executable), &variables).await?;
        check(at, package)?;
        let _ = std::fs::remove_dir_all(at.join("wheels"));
        Ok(json!({ "emitter": package.emitter, "version": package.version }))
    }
}

/// What generation needs is there. An emitter whose Python part could not be made falls back to an interpreter in
/// WebAssembly that fetches packages while it generates, which the confinement refuses.
fn check(at: &Path, package: &EmitterPackage) -> Result<(), Failure> {
    let modules = at.join("node_modules");
    let mut needed = vec![modules.join(&package.emitter), modules.join("@typespec/compiler")];
    if package.emitter == "@typespec/http-client-python" {
        needed.push(modules.join(&package.emitter).join("venv/bin/python"));
    }
    match needed.iter().find(|path| !path.exists()) {
        None => Ok(()),
        Some(path) => {
            Err(Failure::Passing(format!("npm left out `{}`", path.strip_prefix(at).unwrap_or(path).display())))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn emitter_is_told_by_its_prefix_and_version_by_the_lock_file() {
        let directory = tempfile::tempdir().unwrap();
        let eng = directory.path().join("eng");
        std::fs::create_dir(&eng).unwrap();
        std::fs::write(
            eng.join("emitter-package.json"),
            r#"{"dependencies":{"left-pad":"1","@typespec/http-client-python":"^0.28.0"}}"#,
        )
        .unwrap();
        let package = EmitterPackage::read(directory.path(), None).unwrap();
        assert_eq!(package.emitter, "@typespec/http-client-python");
        assert_eq!(package.version, "^0.28.0");

        std::fs::write(
            eng.join("emitter-package-lock.json"),
            r#"{"packages":{"node_modules/@typespec/http-client-python":{"version":"0.28.3"}}}"#,
        )
        .unwrap();
        let package = EmitterPackage::read(directory.path(), None).unwrap();
        assert_eq!(package.version, "0.28.3");
    }

    #[test]
    fn unusable_package_files_are_refused_with_the_reason() {
        for (content, reason) in [
            ("{", "it is not JSON"),
            ("{}", "it has no `dependencies`"),
            (r#"{"dependencies":{"x":"1"}}"#, "no dependency of it is an emitter"),
        ] {
            assert!(named_emitter(content.as_bytes()).unwrap_err().starts_with(reason));
        }
        let directory = tempfile::tempdir().unwrap();
        let error = EmitterPackage::read(directory.path(), None).unwrap_err();
        assert!(error.to_string().contains("emitter-package.json"), "{error}");
        assert!(error.hint().is_some());
    }
}
