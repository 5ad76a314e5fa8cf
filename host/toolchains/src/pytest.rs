//! What tests of Python packages run with. Not part of the environment of builds: few runs need it.

use std::path::{Path, PathBuf};

use async_trait::async_trait;
use serde_json::Value;

use super::OnProgress;
use super::cache::{Cache, Failure, Key, Recipe};
use super::error::ToolchainError;
use super::install::Installer;
use super::node::write;
use super::python::{PINNED, Python, pip};

const REQUIREMENTS: &str = include_str!("../locked/pytest/requirements.txt");

/// pytest with its asyncio plugin.
#[derive(Debug, Clone)]
pub struct Pytest {
    /// The set's directory.
    pub root: PathBuf,
    /// What goes into `PYTHONPATH`.
    pub site: PathBuf,
}

pub(super) async fn ensure(
    cache: &Cache,
    installer: &Installer,
    python: &Python,
    on_progress: OnProgress<'_>,
) -> Result<Pytest, ToolchainError> {
    let key = Key::new("pytest", "pytest", &[REQUIREMENTS.as_bytes(), python.digest.as_bytes()]);
    let (root, _) = cache.ensure(&key, on_progress, &Site { installer, python }).await?;
    Ok(Pytest { site: root.join("site"), root })
}

struct Site<'a> {
    installer: &'a Installer,
    python: &'a Python,
}

#[async_trait]
impl Recipe for Site<'_> {
    async fn install(&self, at: &Path, _: OnProgress<'_>) -> Result<Value, Failure> {
        write(&at.join("requirements.txt"), REQUIREMENTS.as_bytes())?;
        let install = [&["install", "--target", "site"], PINNED].concat();
        pip(self.installer, &self.python.executable, &install, at, self.python.read()).await?;
        Ok(Value::Null)
    }
}
