//! The binary is built of the very crates that the tests are built of: cargo builds a crate once more for each set of
//! features, and wasmtime alone takes minutes.
//!
//! cargo's `--unit-graph` names every crate with its features. It is not yet for stable compilers, which are told to print
//! it all the same.

use crate::{host, repository};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Deserialize)]
struct Graph {
    units: Vec<Unit>,
}

#[derive(Deserialize)]
struct Unit {
    pkg_id: String,
    target: Target,
    mode: String,
    features: Vec<String>,
    platform: Option<String>,
    profile: Profile,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
    kind: Vec<String>,
}

#[derive(Deserialize)]
struct Profile {
    opt_level: String,
}

#[derive(Deserialize)]
struct Dependency {
    index: usize,
}

impl Graph {
    fn of(arguments: &[&str]) -> Self {
        // The directory in which this test was built is in use.
        let target = tempfile::tempdir().unwrap();
        let output = repository::cargo()
            .args(arguments)
            .args(["--offline", "--unit-graph", "-Z", "unstable-options"])
            .env("RUSTC_BOOTSTRAP", "1")
            .env("CARGO_TARGET_DIR", target.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// Each unit by a digest of itself and of everything that it is built of.
    fn units(&self) -> BTreeMap<String, String> {
        let mut digests = vec![None; self.units.len()];
        (0..self.units.len()).map(|at| (self.digest(at, &mut digests), self.shown(at))).collect()
    }

    fn digest(&self, at: usize, digests: &mut Vec<Option<String>>) -> String {
        if let Some(digest) = &digests[at] {
            return digest.clone();
        }
        let unit = &self.units[at];
        let inner: BTreeSet<String> = unit.dependencies.iter().map(|one| self.digest(one.index, digests)).collect();
        let (target, profile) = (&unit.target, &unit.profile.opt_level);
        let own = (&unit.pkg_id, &target.name, &target.kind, &unit.mode, &unit.features, &unit.platform, profile);
        let digest: String =
            Sha256::digest(format!("{own:?}{inner:?}")).iter().map(|byte| format!("{byte:02x}")).collect();
        digests[at] = Some(digest.clone());
        digest
    }

    fn shown(&self, at: usize) -> String {
        let unit = &self.units[at];
        format!("{} ({}) with {:?}", unit.target.name, unit.mode, unit.features)
    }
}

#[test]
fn nothing_is_built_for_the_binary_that_is_not_built_for_the_tests() {
    let binary = Graph::of(&host::BUILD).units();
    let tests = Graph::of(&["test", "--workspace", "--no-run"]).units();
    let twice: Vec<&String> =
        binary.iter().filter(|(digest, _)| !tests.contains_key(*digest)).map(|(_, unit)| unit).collect();
    assert!(twice.is_empty(), "built twice: {twice:#?}");
}
