//! What builds tools of other people: `componentize-py` and ComponentizeJS, locked; and fetching the crates that a tool
//! in Rust is locked to.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use serde_json::Value;

use super::OnProgress;
use super::cache::{Cache, Failure, Key, Recipe};
use super::error::ToolchainError;
use super::install::{Installer, Purpose, Step};
use super::node::{Locked, Node, write};
use super::python::{BasePython, Environment, find};
use super::registries::Manager;

const PY_REQUIREMENTS: &str = include_str!("../locked/componentize-py/requirements.txt");
const JS_PACKAGE: &str = include_str!("../locked/componentize-js/package.json");
const JS_LOCK: &str = include_str!("../locked/componentize-js/package-lock.json");
const JS_SCRIPT: &str = include_str!("../locked/componentize-js/build.mjs");

/// What makes components of Python.
#[derive(Debug, Clone)]
pub struct ComponentizePy {
    /// The set's directory.
    pub root: PathBuf,
    /// The interpreter of the environment, to be started with [`ComponentizePy::PROGRAM`] and then the arguments. The
    /// program that an installer makes beside it names the directory in which the set was made.
    pub executable: PathBuf,
    /// The interpreter it is made of.
    pub base: BasePython,
}

impl ComponentizePy {
    /// The words that make the interpreter the builder.
    pub const PROGRAM: [&str; 3] = ["-I", "-c", "import sys, componentize_py; sys.exit(componentize_py.script())"];
}

/// What makes components of JavaScript.
#[derive(Debug, Clone)]
pub struct ComponentizeJs {
    /// The set's directory.
    pub root: PathBuf,
    /// The script to start with Node: `SCRIPT MODULE WIT-DIRECTORY WORLD OUTPUT`.
    pub script: PathBuf,
}

pub(super) async fn ensure_componentize_py(
    cache: &Cache,
    installer: &Installer,
    on_progress: OnProgress<'_>,
) -> Result<ComponentizePy, ToolchainError> {
    let base = find(installer, Some(cache)).await?;
    let interpreter = base.executable.as_os_str().as_encoded_bytes();
    let key = Key::new(
        "componentize-py",
        "the builder of Python components",
        &[PY_REQUIREMENTS.as_bytes(), interpreter, base.version.as_bytes()],
    );
    let recipe = Environment { installer, base: &base, requirements: PY_REQUIREMENTS };
    let (root, _) = cache.ensure(&key, on_progress, &recipe).await?;
    Ok(ComponentizePy { executable: root.join("venv/bin/python"), root, base })
}

pub(super) async fn ensure_componentize_js(
    cache: &Cache,
    installer: &Installer,
    node: &Node,
    on_progress: OnProgress<'_>,
) -> Result<ComponentizeJs, ToolchainError> {
    let key = Key::new(
        "componentize-js",
        "the builder of JavaScript components",
        &[JS_PACKAGE.as_bytes(), JS_LOCK.as_bytes(), JS_SCRIPT.as_bytes()],
    );
    let recipe = WithScript(Locked {
        installer,
        package: JS_PACKAGE,
        lock: JS_LOCK,
        node: Some(&node.executable),
        needed: Path::new("node_modules/@bytecodealliance/componentize-js/src/componentize.js"),
    });
    let (root, _) = cache.ensure(&key, on_progress, &recipe).await?;
    Ok(ComponentizeJs { script: root.join("build.mjs"), root })
}

/// The packages, and beside them the script that imports them.
struct WithScript<'a>(Locked<'a>);

#[async_trait]
impl Recipe for WithScript<'_> {
    async fn install(&self, at: &Path, on_progress: OnProgress<'_>) -> Result<Value, Failure> {
        write(&at.join("build.mjs"), JS_SCRIPT.as_bytes())?;
        self.0.install(at, on_progress).await
    }
}

/// What fetching crates takes.
#[derive(Debug)]
pub struct Crates<'a> {
    /// The cargo to fetch with, no wrapper that chooses one.
    pub cargo: &'a Path,
    /// Arguments besides `fetch --locked`.
    pub further: &'a [&'a str],
    /// The directory of the project, canonical.
    pub project: &'a Path,
    /// Cargo's home directory, canonical where it exists. Its `registry` and `git` are written, its `config.toml` is read.
    pub home: &'a Path,
    /// Variables of the toolchain.
    pub environment: &'a [(&'a str, OsString)],
    /// What the toolchain and the project read besides the project's directory, canonical.
    pub read: Vec<PathBuf>,
}

/// Fetches the crates that `Cargo.lock` names, and what further arguments ask for, so that building needs no network.
/// Runs none of them.
pub(super) async fn fetch_crates(
    cache: &Path,
    installer: &Installer,
    crates: &Crates<'_>,
) -> Result<(), ToolchainError> {
    const ATTEMPTS: u32 = 3;
    // Said only where the lock file is not the one of the project's manifest, which no other attempt changes.
    const OUTDATED: &str = "--locked";
    let arguments = [&["fetch", "--locked"], crates.further].concat();
    let mut write = Vec::new();
    for part in ["registry", "git"] {
        let directory = crates.home.join(part);
        std::fs::create_dir_all(&directory).map_err(ToolchainError::io(&directory, "created"))?;
        write.push(directory.canonicalize().map_err(ToolchainError::io(&directory, "read"))?);
    }
    for lock in [".package-cache", ".package-cache-mutate"] {
        let path = crates.home.join(lock);
        let opened = std::fs::OpenOptions::new().create(true).append(true).open(&path);
        opened.map_err(ToolchainError::io(&path, "created"))?;
        write.push(path.canonicalize().map_err(ToolchainError::io(&path, "read"))?);
    }
    // Cargo's home is not a set, so the scratch directory lies beside an empty one.
    let set =
        tempfile::Builder::new().prefix(".crates-").tempdir_in(cache).map_err(ToolchainError::io(cache, "written"))?;
    let mut last = String::new();
    for attempt in 1..=ATTEMPTS {
        let mut read = crates.read.clone();
        read.push(crates.project.to_owned());
        let step = Step {
            purpose: Purpose::Fetch(Manager::Cargo),
            program: crates.cargo,
            arguments: &arguments,
            directory: crates.project,
            environment: crates.environment.iter().map(|(name, value)| (*name, value.clone())).collect(),
            read,
            set: set.path(),
            write: write.clone(),
            hosts: BTreeSet::new(),
        };
        match installer.run(step).await {
            Ok(_) => return Ok(()),
            Err(Failure::Lasting(error)) => return Err(error),
            Err(Failure::Passing(reason)) => {
                let is_outdated = reason.contains(OUTDATED);
                last = reason;
                if is_outdated {
                    return Err(ToolchainError::Install {
                        set: "the crates of `Cargo.lock`".into(),
                        attempts: attempt,
                        reason: last,
                    });
                }
            }
        }
    }
    Err(ToolchainError::Install { set: "the crates of `Cargo.lock`".into(), attempts: ATTEMPTS, reason: last })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn embedded_locks_have_digests_and_no_addresses() {
        assert!(!JS_LOCK.contains("\"resolved\""));
        let lock: Value = serde_json::from_str(JS_LOCK).unwrap();
        for (name, package) in lock["packages"].as_object().unwrap() {
            assert!(name.is_empty() || package["integrity"].is_string(), "{name} has no digest");
        }
        let asked: Value = serde_json::from_str(JS_PACKAGE).unwrap();
        assert_eq!(lock["packages"][""]["dependencies"], asked["dependencies"]);
        for line in PY_REQUIREMENTS.lines().filter(|line| !line.starts_with('#') && line.contains("==")) {
            assert!(line.trim_end().ends_with('\\'), "{line}");
        }
        assert!(PY_REQUIREMENTS.contains("--hash=sha256:"));
    }
}
