//! The emitter that an SDK repository names, with the compiler and the libraries it generates with.

#[cfg(test)]
mod fuzzing;
mod local;
mod lock_file;
mod package_file;

use bailiwick_base::files::plain;
use std::ffi::{OsStr, OsString};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::approval::Proposal;
use super::cache::{Cache, Failure, Key, Recipe};
use super::error::ToolchainError;
use super::install::{Installer, Script};
use super::node::{Node, write};
use super::python::{Python, pip_download};
use super::registries::Manager;
use super::{OnProgress, Progress};

use local::LocalPackage;
use lock_file::LockFile;

/// Where an SDK repository says which emitter it generates with, unless `tsp-location.yaml` says otherwise.
pub(crate) const DEFAULT_PACKAGE: &str = "eng/emitter-package.json";

/// The Python packages that emitters install, by emitter and version. Its own installer asks for ranges.
const LOCKED_PYTHON: &[(&str, &str, &str)] =
    &[("@typespec/http-client-python", "0.28.3", include_str!("../locked/python-emitter/requirements.txt"))];

/// The largest package file, and the largest lock file. Those of the SDK repositories have some hundred KiB.
const LARGEST_PACKAGE: u64 = 1024 * 1024;
const LARGEST_LOCK: u64 = 16 * 1024 * 1024;

/// A package whose install script is run. All others are installed without: esbuild's, for one, only replaces a script
/// that starts its program by that program.
struct Scripted {
    package: &'static str,
    /// What the script does that nothing else does.
    reason: &'static str,
}

const SCRIPTED: &[Scripted] = &[Scripted {
    package: "@typespec/http-client-python",
    reason: "it makes the Python environment that its generator runs in",
}];

/// The package file and the lock file of `bailiwick demo`, which are part of this program.
const SHIPPED: (&str, &str) =
    (include_str!("../locked/demo/emitter-package.json"), include_str!("../locked/demo/emitter-package-lock.json"));

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
    /// The dependency tables alone, as a package file.
    package: Vec<u8>,
    lock: Option<Vec<u8>>,
    local: Vec<LocalPackage>,
    /// How many packages the lock file names.
    packages: Option<usize>,
    /// Which of the packages that have install scripts are among them, with their version where it is locked.
    scripted: Vec<&'static Scripted>,
}

impl std::fmt::Debug for Scripted {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.package)
    }
}

/// An installed emitter.
#[derive(Debug, Clone, Serialize, Deserialize)]
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
    /// Reads the package file at `relative` (as in `tsp-location.yaml`, beneath `eng/`) or `eng/emitter-package.json`
    /// beneath `sdk_root`, which is canonical. No component of the path may be a link.
    ///
    /// # Errors
    /// [`ToolchainError::EmitterPackage`] when it is missing, no JSON, names no emitter, or names what must not be
    /// installed: see the modules `package_file`, `lock_file` and `local`.
    pub fn read(sdk_root: &Path, relative: Option<&str>) -> Result<Self, ToolchainError> {
        let relative = relative.unwrap_or(DEFAULT_PACKAGE);
        let path = sdk_root.join(relative);
        if !relative.starts_with("eng/") {
            let reason = "the package file of an emitter lies beneath `eng/` of the SDK repository".to_owned();
            return Err(ToolchainError::EmitterPackage { path, reason });
        }
        Self::beneath(sdk_root, relative, &path)
    }

    /// Reads a package file that a person names: wherever it lies, its path is canonical.
    ///
    /// # Errors
    /// As for [`Self::read`].
    pub fn read_file(file: &Path) -> Result<Self, ToolchainError> {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Self::beneath(file.parent().unwrap_or(file), &name, file)
    }

    fn beneath(root: &Path, relative: &str, path: &Path) -> Result<Self, ToolchainError> {
        let unusable = |reason: String| ToolchainError::EmitterPackage { path: path.to_owned(), reason };
        let (written, directory) =
            plain::beneath(root, relative, LARGEST_PACKAGE).map_err(|error| unusable(error.to_string()))?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let lock = match plain::in_directory(&directory, OsStr::new(&format!("{stem}-lock.json")), LARGEST_LOCK) {
            Ok(lock) => Some(lock),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => return Err(unusable(format!("its lock file cannot be read: {error}"))),
        };
        Self::of(&written, lock, &directory, path.to_owned()).map_err(unusable)
    }

    /// The emitter of `bailiwick demo`. Its lock is part of this program, so no person has to approve it, and it brings
    /// the compiler and the TypeSpec libraries of Azure.
    ///
    /// # Errors
    /// [`ToolchainError::EmitterPackage`] when this program was built with files that cannot be used.
    pub fn shipped() -> Result<Self, ToolchainError> {
        let path = PathBuf::from(DEFAULT_PACKAGE);
        let package = || {
            let package = package_file::tables(SHIPPED.0.as_bytes())?;
            Self::of_tables(package, Some(SHIPPED.1.into()), Vec::new(), path.clone())
        };
        package().map_err(|reason| ToolchainError::EmitterPackage { path: path.clone(), reason })
    }

    fn of(written: &[u8], lock: Option<Vec<u8>>, directory: &OwnedFd, path: PathBuf) -> Result<Self, String> {
        let package = package_file::tables(written)?;
        let local = LocalPackage::all(&package, directory)?;
        Self::of_tables(package, lock, local, path)
    }

    fn of_tables(
        package: Vec<u8>,
        lock: Option<Vec<u8>>,
        local: Vec<LocalPackage>,
        path: PathBuf,
    ) -> Result<Self, String> {
        let (emitter, asked) = named_emitter(&package)?;
        let locked = lock.as_deref().map(|lock| LockFile::read(lock, &local)).transpose()?;
        let version = local
            .iter()
            .find(|one| one.name == emitter)
            .and_then(|one| one.version.clone())
            .or_else(|| locked.as_ref()?.version(&emitter).map(str::to_owned))
            .unwrap_or_else(|| asked.clone());
        let scripted = SCRIPTED.iter().filter(|scripted| match &locked {
            Some(lock) => lock.is_itself(scripted.package),
            // Another package under this name is not in the list.
            None => emitter == scripted.package && !asked.contains(':'),
        });
        Ok(Self {
            scripted: scripted.collect(),
            packages: locked.as_ref().map(LockFile::count),
            path,
            emitter,
            version,
            package,
            lock,
            local,
        })
    }

    /// SHA-256, in hexadecimal, of everything in the repository that decides what is installed. It is what a person
    /// approves, and it depends neither on this machine nor on where the repository lies.
    #[must_use]
    pub fn digest(&self) -> String {
        let mut parts: Vec<&[u8]> = vec![b"emitter 1", &self.package];
        parts.extend(match &self.lock {
            Some(lock) => [b"locked".as_slice(), lock],
            None => [b"not locked".as_slice(), b""],
        });
        parts.extend(self.local.iter().flat_map(LocalPackage::parts));
        Key::new("approval", "", &parts).digest
    }

    /// Whether a lock file says which versions are installed, so that the digest decides what they are.
    #[must_use]
    pub fn is_locked(&self) -> bool {
        self.lock.is_some()
    }

    /// What a person is asked about it.
    pub(super) fn proposal(&self) -> Proposal {
        Proposal {
            emitter: self.emitter.clone(),
            version: self.version.clone(),
            file: self.path.clone(),
            packages: self.packages,
            directories: self.local.iter().map(|one| one.directory.clone()).collect(),
            scripts: self.scripted.iter().map(|one| format!("{}: {}", one.package, one.reason)).collect(),
            digest: self.digest(),
        }
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

/// Installs an emitter that was approved.
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
    let approved = package.digest();
    // What earlier versions made ran every script of every package, unconfined. It has another digest and is not used.
    let parts = [
        approved.as_bytes(),
        node_name.as_encoded_bytes(),
        python.digest.as_bytes(),
        locked.unwrap_or_default().as_bytes(),
    ];
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
        self.installer.npm(&[verb], at, Some(&self.node.executable)).await?;
        for scripted in &package.scripted {
            self.script(scripted, at).await?;
        }
        check(at, package)?;
        let _ = std::fs::remove_dir_all(at.join("wheels"));
        Ok(json!({ "emitter": package.emitter, "version": package.version }))
    }
}

impl Installation<'_> {
    /// Runs the script of one package. What it would fetch is fetched before where it is locked, so that the script
    /// itself has no network.
    async fn script(&self, scripted: &Scripted, at: &Path) -> Result<(), Failure> {
        let (registries, mut variables) = match self.locked {
            Some(requirements) => {
                write(&at.join("requirements.txt"), requirements.as_bytes())?;
                (None, pip_download(self.installer, self.python, at).await?)
            }
            None => (Some(Manager::Pip), Vec::new()),
        };
        let interpreter: OsString = self.python.base.executable.clone().into();
        // Emitters that bring a Python generator look for an interpreter on their own.
        variables.push(("AUTOREST_PYTHON_EXE", interpreter.clone()));
        variables.push(("UV_PYTHON", interpreter));
        variables.push(("UV_PYTHON_DOWNLOADS", "never".into()));
        let script = Script {
            package: scripted.package,
            registries,
            set: at,
            node: &self.node.executable,
            read: self.python.read(),
            variables,
        };
        self.installer.script(script).await
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
            r#"{"packages":{"node_modules/@typespec/http-client-python":{"version":"0.28.3","integrity":"sha512-x"}}}"#,
        )
        .unwrap();
        let package = EmitterPackage::read(directory.path(), None).unwrap();
        assert_eq!(package.version, "0.28.3");
    }

    const FIXTURE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures/widget");

    #[test]
    fn emitter_of_the_demo_is_approved_by_its_digest_and_no_other_is() {
        let read = |repository: &str| {
            let root = Path::new(FIXTURE).join(repository).canonicalize().unwrap();
            EmitterPackage::read(&root, None).unwrap()
        };
        let python = read("azure-sdk-for-python");
        assert!(super::super::approval::is_shipped(&python.digest()), "SHIPPED has to be `{}`", python.digest());
        assert_eq!(EmitterPackage::shipped().unwrap().digest(), python.digest());
        assert_eq!(python.proposal().scripts.len(), 1);
        let java = read("azure-sdk-for-java");
        assert!(!super::super::approval::is_shipped(&java.digest()));
        assert!(java.proposal().scripts.is_empty());
    }

    #[test]
    fn digest_follows_what_is_installed_and_nothing_else() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap();
        std::fs::create_dir_all(root.join("eng/own")).unwrap();
        let package = |text: &str| std::fs::write(root.join("eng/emitter-package.json"), text).unwrap();
        let digest = || EmitterPackage::read(&root, None).unwrap().digest();
        std::fs::write(root.join("eng/own/package.json"), "{}").unwrap();
        package(r#"{"dependencies":{"@typespec/http-x":"1.0.0","own":"file:own"}}"#);
        let before = digest();
        package(r#"{"scripts":{"preinstall":"x"},"dependencies":{"@typespec/http-x":"1.0.0","own":"file:own"}}"#);
        assert_eq!(digest(), before, "scripts of the file are never run, so they change nothing");
        package(r#"{"dependencies":{"@typespec/http-x":"1.0.1","own":"file:own"}}"#);
        assert_ne!(digest(), before);
        package(r#"{"dependencies":{"@typespec/http-x":"1.0.0","own":"file:own"}}"#);
        std::fs::write(root.join("eng/own/index.js"), "1").unwrap();
        let with_local = digest();
        assert_ne!(with_local, before);
        std::fs::write(root.join("eng/emitter-package-lock.json"), r#"{"packages":{}}"#).unwrap();
        assert_ne!(digest(), with_local);
    }

    #[test]
    fn package_file_is_neither_read_through_a_link_nor_outside_eng() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap();
        std::fs::create_dir_all(root.join("sdk/e")).unwrap();
        let text = r#"{"dependencies":{"@typespec/http-x":"1.0.0"}}"#;
        std::fs::write(root.join("sdk/e/emitter-package.json"), text).unwrap();
        let reason = |relative: &str| EmitterPackage::read(&root, Some(relative)).unwrap_err().to_string();
        assert!(reason("sdk/e/emitter-package.json").contains("beneath `eng/`"));
        assert!(reason("eng/../sdk/e/emitter-package.json").contains("does not lie beneath"));
        std::os::unix::fs::symlink("sdk/e", root.join("eng")).unwrap();
        assert!(reason("eng/emitter-package.json").contains("a link"), "{}", reason("eng/emitter-package.json"));
        std::fs::remove_file(root.join("eng")).unwrap();
        std::fs::create_dir(root.join("eng")).unwrap();
        std::os::unix::fs::symlink("../sdk/e/emitter-package.json", root.join("eng/emitter-package.json")).unwrap();
        assert!(reason("eng/emitter-package.json").contains("a link"));
        std::fs::remove_file(root.join("eng/emitter-package.json")).unwrap();
        std::fs::write(root.join("eng/emitter-package.json"), text).unwrap();
        std::os::unix::fs::symlink("/dev/zero", root.join("eng/emitter-package-lock.json")).unwrap();
        assert!(reason("eng/emitter-package.json").contains("lock file"));
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
