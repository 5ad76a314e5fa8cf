//! The dependencies of the binary, as `cargo metadata` and `Cargo.lock` tell them.

use crate::{DistError, NAME};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// What `cargo metadata --format-version 1` prints, as far as it is used.
#[derive(Debug, Deserialize)]
pub struct Metadata {
    packages: Vec<Crate>,
    resolve: Resolve,
}

/// One crate.
#[derive(Debug, Clone, Deserialize)]
pub struct Crate {
    id: String,
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Its licence, an SPDX expression.
    pub license: Option<String>,
    /// What it is.
    pub description: Option<String>,
    /// Where its source is developed.
    pub repository: Option<String>,
    /// Where it was fetched from; `None` for those of this repository.
    pub source: Option<String>,
    /// Where its `Cargo.toml` is on this machine.
    pub manifest_path: PathBuf,
}

#[derive(Debug, Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Debug, Deserialize)]
struct Node {
    id: String,
    deps: Vec<Dependency>,
}

#[derive(Debug, Deserialize)]
struct Dependency {
    pkg: String,
    dep_kinds: Vec<Kind>,
}

#[derive(Debug, Deserialize)]
struct Kind {
    kind: Option<String>,
}

/// What the binary is made of.
#[derive(Debug, Clone)]
pub struct Dependencies {
    /// The crate of the binary.
    pub root: Crate,
    /// Every other crate, sorted by name and version.
    pub crates: Vec<Crate>,
    /// The crates that each crate needs, by [`Crate::url`].
    pub edges: BTreeMap<String, BTreeSet<String>>,
}

impl Crate {
    /// Its package URL: <https://github.com/package-url/purl-spec>.
    #[must_use]
    pub fn url(&self) -> String {
        format!("pkg:cargo/{}@{}", self.name, self.version)
    }
}

impl Metadata {
    /// Reads what cargo printed.
    ///
    /// # Errors
    /// It is something else.
    pub fn read(json: &[u8]) -> Result<Self, DistError> {
        serde_json::from_slice(json).map_err(|error| DistError::Metadata(error.to_string()))
    }

    /// Every crate that others wrote, those of tests and builds included.
    pub fn foreign(&self) -> impl Iterator<Item = &Crate> {
        self.packages.iter().filter(|package| package.source.is_some())
    }

    /// What the crate of the binary is linked from: its normal dependencies, and theirs. Procedural macros are among them;
    /// what only build scripts and tests use is not.
    ///
    /// # Errors
    /// The crate is not in the workspace.
    pub fn of_binary(&self) -> Result<Dependencies, DistError> {
        let by_id: BTreeMap<&str, &Crate> =
            self.packages.iter().map(|package| (package.id.as_str(), package)).collect();
        let nodes: BTreeMap<&str, &Node> = self.resolve.nodes.iter().map(|node| (node.id.as_str(), node)).collect();
        let missing = |what: &str| DistError::Metadata(format!("it has no `{what}`"));
        let root = self.packages.iter().find(|package| package.name == NAME && package.source.is_none());
        let root = root.ok_or_else(|| missing(NAME))?;
        let (mut edges, mut waiting, mut seen) = (BTreeMap::new(), vec![root.id.as_str()], BTreeSet::new());
        while let Some(id) = waiting.pop() {
            if !seen.insert(id) {
                continue;
            }
            let package = by_id.get(id).ok_or_else(|| missing(id))?;
            let node = nodes.get(id).ok_or_else(|| missing(id))?;
            let normal = node.deps.iter().filter(|one| one.dep_kinds.iter().any(|kind| kind.kind.is_none()));
            let needed: Vec<&str> = normal.map(|one| one.pkg.as_str()).collect();
            let urls = needed.iter().filter_map(|id| by_id.get(id)).map(|package| package.url()).collect();
            edges.insert(package.url(), urls);
            waiting.extend(needed);
        }
        let mut crates: Vec<Crate> =
            seen.iter().filter(|id| **id != root.id).filter_map(|id| by_id.get(id)).map(|one| (*one).clone()).collect();
        crates.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
        Ok(Dependencies { root: root.clone(), crates, edges })
    }
}

/// The SHA-256 digests of `Cargo.lock`, by name and version.
#[derive(Debug, Default)]
pub struct Checksums(BTreeMap<(String, String), String>);

impl Checksums {
    /// Reads a `Cargo.lock`.
    ///
    /// # Errors
    /// It is something else.
    pub fn read(lock: &str) -> Result<Self, DistError> {
        #[derive(Deserialize)]
        struct Lock {
            package: Vec<Locked>,
        }
        #[derive(Deserialize)]
        struct Locked {
            name: String,
            version: String,
            checksum: Option<String>,
        }
        let lock: Lock = toml::from_str(lock).map_err(|error| DistError::Metadata(error.to_string()))?;
        let locked = lock.package.into_iter();
        Ok(Self(locked.filter_map(|one| Some(((one.name, one.version), one.checksum?))).collect()))
    }

    /// That of a crate from a registry.
    #[must_use]
    pub fn of(&self, package: &Crate) -> Option<&str> {
        self.0.get(&(package.name.clone(), package.version.clone())).map(String::as_str)
    }
}
