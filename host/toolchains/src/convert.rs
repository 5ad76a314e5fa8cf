//! The converter from OpenAPI to TypeSpec: AutoRest with the extension that `tsp-client convert` starts, locked, so that
//! it needs no network and fetches nothing while it runs.

use std::path::{Path, PathBuf};

use super::OnProgress;
use super::cache::{Cache, Key};
use super::error::ToolchainError;
use super::install::Installer;
use super::node::{Locked, Node};

const PACKAGE: &str = include_str!("../locked/convert/package.json");
pub(super) const LOCK: &str = include_str!("../locked/convert/package-lock.json");

/// The installed converter.
#[derive(Debug, Clone)]
pub struct Converter {
    /// The set's directory.
    pub root: PathBuf,
    /// The script to start with Node.
    pub script: PathBuf,
}

impl Converter {
    /// What it is told so that it takes its parts from here.
    #[must_use]
    pub fn own_parts(&self) -> Vec<String> {
        let part = |name: &str| self.root.join("node_modules/@autorest").join(name).display().to_string();
        vec![
            format!("--version={}", part("core")),
            format!("--use={}", part("modelerfour")),
            format!("--use={}", part("openapi-to-typespec")),
        ]
    }
}

pub(super) async fn ensure(
    cache: &Cache,
    installer: &Installer,
    node: &Node,
    on_progress: OnProgress<'_>,
) -> Result<Converter, ToolchainError> {
    const SCRIPT: &str = "node_modules/autorest/entrypoints/app.js";
    let key = Key::new("convert", "the converter from OpenAPI", &[PACKAGE.as_bytes(), LOCK.as_bytes()]);
    let recipe =
        Locked { installer, package: PACKAGE, lock: LOCK, node: Some(&node.executable), needed: Path::new(SCRIPT) };
    let (root, _) = cache.ensure(&key, on_progress, &recipe).await?;
    Ok(Converter { script: root.join(SCRIPT), root })
}
