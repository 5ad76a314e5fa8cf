//! The Python interpreter of the build, with the type checker.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

mod known;
mod package;
mod seed;

pub(super) use package::with;
pub use seed::MYPY_CONFIGURATION;
pub(super) use seed::{TITLE as SEED_TITLE, ensure as ensure_seed};

use super::OnProgress;
use super::cache::{Cache, Failure, Key, Recipe};
use super::error::ToolchainError;
use super::install::{Installer, Purpose, Step};
use super::node::write;
use super::registries::Manager;

const REQUIREMENTS: &str = include_str!("../locked/python/requirements.txt");

/// The oldest version that the locked packages support.
const OLDEST: (u32, u32) = (3, 10);

/// Names under which an interpreter is looked for.
const NAMES: [&str; 2] = ["python3", "python"];

/// Prints what [`BasePython`] holds. A wrapper such as pyenv's, and a virtual environment, are seen through.
const QUERY: &str = r#"
import json, sys
missing = []
for name in ("venv", "ensurepip", "ssl"):
    try:
        __import__(name)
    except ImportError:
        missing.append(name)
print(json.dumps({
    "executable": getattr(sys, "_base_executable", None) or sys.executable,
    "prefix": sys.base_prefix,
    "major": sys.version_info[0],
    "minor": sys.version_info[1],
    "version": sys.version.split()[0],
    "missing": missing,
}))
"#;

/// An interpreter of this machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BasePython {
    /// The program, canonical.
    pub executable: PathBuf,
    /// Where its standard library lies beneath, canonical.
    pub prefix: PathBuf,
    /// For example `3.11.7`.
    pub version: String,
}

/// A virtual environment with what a package imports, and mypy.
#[derive(Debug, Clone)]
pub struct Python {
    /// The set's directory.
    pub root: PathBuf,
    /// The program inside the virtual environment.
    pub executable: PathBuf,
    /// Where mypy is run from. Nothing that a package asks for is installed there.
    pub checker: Checker,
    /// What mypy knows of the libraries in it, where that was found out before: a cache directory to copy.
    pub seed: Option<PathBuf>,
    /// The interpreter it is made of.
    pub base: BasePython,
    /// Digest of the packages and the interpreter.
    pub digest: String,
}

/// The virtual environment of the locked packages alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checker {
    /// The set's directory.
    pub root: PathBuf,
    /// The program inside the virtual environment.
    pub executable: PathBuf,
}

impl BasePython {
    /// What a child that runs it reads.
    pub(super) fn read(&self) -> Vec<PathBuf> {
        vec![self.prefix.clone(), self.executable.clone()]
    }
}

impl Python {
    /// What a child that runs it reads.
    pub(super) fn read(&self) -> Vec<PathBuf> {
        let mut read = self.base.read();
        read.extend([self.root.clone(), self.checker.root.clone()]);
        read
    }
}

/// The packages that are locked for all, with their versions.
pub fn locked_packages() -> impl Iterator<Item = (&'static str, &'static str)> {
    let pinned = |line: &'static str| line.split([' ', ';']).next()?.split_once("==");
    REQUIREMENTS.lines().filter(|line| !line.starts_with(['#', ' '])).filter_map(pinned)
}

#[derive(Deserialize)]
struct Answer {
    executable: PathBuf,
    prefix: PathBuf,
    major: u32,
    minor: u32,
    version: String,
    missing: Vec<String>,
}

pub(super) async fn ensure(
    cache: &Cache,
    installer: &Installer,
    on_progress: OnProgress<'_>,
) -> Result<Python, ToolchainError> {
    let base = find(installer, Some(cache)).await?;
    let key = Key::new(
        "python",
        "the Python tools",
        &[REQUIREMENTS.as_bytes(), base.executable.as_os_str().as_encoded_bytes(), base.version.as_bytes()],
    );
    let recipe = Environment { installer, base: &base, requirements: REQUIREMENTS };
    let (root, _) = cache.ensure(&key, on_progress, &recipe).await?;
    let checker = Checker { executable: root.join("venv/bin/python"), root };
    Ok(Python {
        executable: checker.executable.clone(),
        root: checker.root.clone(),
        checker,
        seed: None,
        base,
        digest: key.digest,
    })
}

/// A virtual environment of `base` with what `requirements` lists.
pub(super) struct Environment<'a> {
    pub(super) installer: &'a Installer,
    pub(super) base: &'a BasePython,
    pub(super) requirements: &'a str,
}

#[async_trait]
impl Recipe for Environment<'_> {
    async fn install(&self, at: &Path, _: OnProgress<'_>) -> Result<Value, Failure> {
        self.make(at).await?;
        Ok(json!({ "base": self.base }))
    }
}

impl Environment<'_> {
    async fn make(&self, at: &Path) -> Result<(), Failure> {
        const VENV: &[&str] = &["-I", "-m", "venv", "venv"];
        write(&at.join("requirements.txt"), self.requirements.as_bytes())?;
        let program = &self.base.executable;
        let step = Step {
            purpose: Purpose::Local,
            program,
            arguments: VENV,
            directory: at,
            environment: Vec::new(),
            read: self.base.read(),
            set: at,
            write: Vec::new(),
            hosts: BTreeSet::new(),
        };
        self.installer.run(step).await?;
        pip_install(self.installer, self.base, &at.join("venv/bin/python"), at).await
    }
}

/// Everything in `requirements.txt`, and nothing else: dependencies are listed in it, each with its digests.
pub(super) const PINNED: &[&str] = &["--require-hashes", "--no-deps", "-r", "requirements.txt"];

async fn pip_install(installer: &Installer, base: &BasePython, python: &Path, at: &Path) -> Result<(), Failure> {
    pip(installer, python, &[&["install"], PINNED].concat(), at, base.read()).await
}

/// Runs pip, which fetches files and runs nothing of what is in them: wheels only, each with its digest.
pub(super) async fn pip(
    installer: &Installer,
    python: &Path,
    arguments: &[&str],
    at: &Path,
    read: Vec<PathBuf>,
) -> Result<(), Failure> {
    let own = installer.configured(Manager::Pip).file;
    let fetches = ["--only-binary=:all:", "--disable-pip-version-check", "--no-input"];
    let step = Step {
        purpose: Purpose::Fetch(Manager::Pip),
        program: python,
        arguments: &[&["-I", "-m", "pip"], arguments, &fetches].concat(),
        directory: at,
        environment: own.map(|file| ("PIP_CONFIG_FILE", file.into_os_string())).into_iter().collect(),
        read,
        set: at,
        write: Vec::new(),
        hosts: BTreeSet::new(),
    };
    installer.run(step).await.map(drop)
}

/// Fetches the files that `requirements` lists into `wheels`, so that an installer can do without a registry.
pub(super) async fn pip_download(
    installer: &Installer,
    python: &Python,
    at: &Path,
) -> Result<Vec<(&'static str, OsString)>, Failure> {
    let download = [&["download", "-d", "wheels"], PINNED].concat();
    pip(installer, &python.executable, &download, at, python.read()).await?;
    let wheels = at.join("wheels").into_os_string();
    Ok(vec![
        ("PIP_NO_INDEX", "1".into()),
        ("PIP_FIND_LINKS", wheels.clone()),
        ("UV_NO_INDEX", "1".into()),
        ("UV_FIND_LINKS", wheels),
    ])
}

/// The first interpreter on the path that will do. One that `cache` knows is not asked again.
pub(super) async fn find(installer: &Installer, cache: Option<&Cache>) -> Result<BasePython, ToolchainError> {
    let mut reasons = Vec::new();
    for name in NAMES {
        let Ok(program) = installer.find(name, "") else {
            continue;
        };
        if let Some(base) = cache.and_then(|cache| known::recall(cache, &program)) {
            return Ok(base);
        }
        match query(installer, &program).await {
            Ok(base) => {
                if let Some(cache) = cache {
                    known::remember(cache, &program, &base);
                }
                return Ok(base);
            }
            Err(reason) => reasons.push(format!("`{}` {reason}", program.display())),
        }
    }
    Err(ToolchainError::Python {
        reason: if reasons.is_empty() { "there is no `python3` on the path".to_owned() } else { reasons.join("; ") },
    })
}

async fn query(installer: &Installer, program: &Path) -> Result<BasePython, String> {
    let finished = installer.ask(program, &["-I", "-c", QUERY], &[]).await.map_err(|failure| match failure {
        Failure::Passing(reason) => format!("failed: {reason}"),
        Failure::Lasting(error) => format!("failed: {error}"),
    })?;
    let answer: Answer = serde_json::from_str(finished.stdout.text.trim()).map_err(|_| "did not answer".to_owned())?;
    judge(answer)
}

fn judge(answer: Answer) -> Result<BasePython, String> {
    if (answer.major, answer.minor) < OLDEST {
        let (major, minor) = OLDEST;
        return Err(format!("is version {}, and {major}.{minor} is the oldest that will do", answer.version));
    }
    if !answer.missing.is_empty() {
        return Err(format!("({}) lacks {}", answer.version, answer.missing.join(", ")));
    }
    let canonical = |path: PathBuf| path.canonicalize().map_err(|error| format!("names `{}`: {error}", path.display()));
    Ok(BasePython {
        executable: canonical(answer.executable)?,
        prefix: canonical(answer.prefix)?,
        version: answer.version,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(minor: u32, missing: &[&str]) -> Answer {
        Answer {
            executable: "/proc/self/exe".into(),
            prefix: "/".into(),
            major: 3,
            minor,
            version: format!("3.{minor}.1"),
            missing: missing.iter().map(|&name| name.to_owned()).collect(),
        }
    }

    #[test]
    fn old_and_incomplete_interpreters_are_refused_with_the_reason() {
        assert_eq!(judge(answer(9, &[])).unwrap_err(), "is version 3.9.1, and 3.10 is the oldest that will do");
        assert_eq!(judge(answer(12, &["venv", "ensurepip"])).unwrap_err(), "(3.12.1) lacks venv, ensurepip");
        judge(answer(13, &[])).unwrap();
    }

    #[test]
    fn every_requirement_has_its_digests() {
        let requirements = REQUIREMENTS.lines().filter(|line| !line.starts_with('#') && line.contains("=="));
        for line in requirements {
            assert!(line.trim_end().ends_with('\\'), "{line}");
        }
        assert!(REQUIREMENTS.contains("--hash=sha256:"));
    }
}
