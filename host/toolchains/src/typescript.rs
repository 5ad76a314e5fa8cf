//! The TypeScript compiler, with the libraries that Azure packages import.
//!
//! A package whose own `node_modules` are installed is compiled with those and with its own compiler, where it has one.

use std::path::{Path, PathBuf};

use bailiwick_base::programs::find_program;

use super::OnProgress;
use super::cache::{Cache, Key};
use super::error::ToolchainError;
use super::install::Installer;
use super::node::{Locked, Node};

const PACKAGE: &str = include_str!("../locked/typescript/package.json");
const LOCK: &str = include_str!("../locked/typescript/package-lock.json");

/// A TypeScript compiler and the libraries of Azure packages.
#[derive(Debug, Clone)]
pub struct TypeScript {
    /// The set's directory.
    pub root: PathBuf,
    /// What a `node_modules` link points to.
    pub node_modules: PathBuf,
    /// The machine's npm, a script for Node, for packages that are built by their own `build` script.
    pub npm: Option<PathBuf>,
}

/// The package that holds the compiler for this system.
fn compiler() -> Result<&'static str, ToolchainError> {
    match (std::env::consts::OS, std::env::consts::ARCH) {
        ("linux", "x86_64") => Ok("typescript-linux-x64"),
        ("linux", "aarch64") => Ok("typescript-linux-arm64"),
        ("macos", "x86_64") => Ok("typescript-darwin-x64"),
        (os, processor) => Err(ToolchainError::UnsupportedSystem { system: format!("{os} on {processor}") }),
    }
}

pub(super) async fn ensure(
    cache: &Cache,
    installer: &Installer,
    node: &Node,
    on_progress: OnProgress<'_>,
) -> Result<TypeScript, ToolchainError> {
    let system = std::env::consts::ARCH.as_bytes();
    let key = Key::new("typescript", "the TypeScript compiler", &[PACKAGE.as_bytes(), LOCK.as_bytes(), system]);
    let needed = Path::new("node_modules/@typescript").join(compiler()?).join("lib/tsc");
    let recipe = Locked { installer, package: PACKAGE, lock: LOCK, node: Some(&node.executable), needed: &needed };
    let (root, _) = cache.ensure(&key, on_progress, &recipe).await?;
    // A link into npm's own package, whose files it reads.
    let npm = find_program("npm", installer.path()).and_then(|npm| npm.canonicalize().ok());
    Ok(TypeScript { node_modules: root.join("node_modules"), root, npm })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn embedded_lock_has_digests_and_no_addresses() {
        assert!(!LOCK.contains("\"resolved\""));
        let lock: serde_json::Value = serde_json::from_str(LOCK).unwrap();
        for (name, package) in lock["packages"].as_object().unwrap() {
            assert!(name.is_empty() || package["integrity"].is_string(), "{name} has no digest");
        }
        assert!(LOCK.contains(&format!("node_modules/@typescript/{}", compiler().unwrap())));
    }
}
