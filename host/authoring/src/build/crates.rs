//! The crates on this machine that a tool depends on by path. Compiling it reads them.

use crate::error::AuthoringError;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Chains of such crates are short; this ends one that goes on.
const MOST: usize = 64;

/// The directories of the crates that the crate in `directory` depends on by path, and the manifests above each, from
/// which it may take versions. Canonical; `directory` itself is not among them.
///
/// # Errors
/// A manifest cannot be read or is not TOML.
pub(super) fn local(directory: &Path) -> Result<Vec<PathBuf>, AuthoringError> {
    let mut found = BTreeSet::new();
    let mut todo = vec![directory.to_owned()];
    while let Some(directory) = todo.pop() {
        let table = manifest(&directory.join("Cargo.toml"))?;
        for path in paths(&table) {
            let path = directory.join(path);
            let path = path.canonicalize().map_err(AuthoringError::io(&path, "read"))?;
            if found.len() < MOST && found.insert(path.clone()) {
                todo.push(path);
            }
        }
    }
    let above = |crate_: &PathBuf| crate_.ancestors().skip(1).map(|above| above.join("Cargo.toml")).collect::<Vec<_>>();
    let manifests: BTreeSet<PathBuf> = found.iter().flat_map(above).filter(|manifest| manifest.is_file()).collect();
    Ok(found.into_iter().chain(manifests).collect())
}

/// A manifest of cargo.
///
/// # Errors
/// It cannot be read or is not TOML.
pub(super) fn manifest(path: &Path) -> Result<toml::Table, AuthoringError> {
    let text = fs::read_to_string(path).map_err(AuthoringError::io(path, "read"))?;
    text.parse().map_err(|error: toml::de::Error| AuthoringError::file(path, error.message().replace('\n', " ")))
}

/// Every `path` of a dependency, whichever kind of dependency it is.
fn paths(table: &toml::Table) -> Vec<String> {
    let mut all = Vec::new();
    for (key, value) in table {
        let Some(inner) = value.as_table() else { continue };
        if key.ends_with("dependencies") || key == "crates-io" {
            let named = inner.values().filter_map(|dependency| dependency.get("path")?.as_str());
            all.extend(named.map(str::to_owned));
        } else {
            // `[target.'cfg(…)'.dependencies]`, `[patch.crates-io]`.
            all.extend(paths(inner));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crates_by_path_are_found_through_one_another_with_the_manifests_above() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        let put = |path: &str, text: &str| {
            let path = root.join(path).join("Cargo.toml");
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        put(
            "tool",
            "[dependencies]\nserde = '1'\nsdk = { path = '../all/sdk' }\n[target.'cfg(unix)'.dev-dependencies]\nx = { path = '../x' }\n",
        );
        put("all", "[workspace]\n");
        put("all/sdk", "[build-dependencies]\nkit = { path = '../kit' }\n");
        put("all/kit", "[dependencies]\nsdk = { path = '../sdk' }\n");
        put("x", "");
        let found = local(&root.join("tool")).unwrap();
        for path in ["all/sdk", "all/kit", "x", "all/Cargo.toml"] {
            assert!(found.contains(&root.join(path)), "{path}: {found:?}");
        }
        assert!(!found.contains(&root.join("tool")));
    }
}
