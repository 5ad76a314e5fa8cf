//! The licences of dependencies: which are allowed, and their texts.

use crate::DistError;
use crate::metadata::{Crate, Dependencies};
use serde::Deserialize;
use spdx::{Expression, ParseMode};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

/// The licences that dependencies may have: `licenses.allow` of `deny.toml`, which `cargo deny` reads as well.
#[derive(Debug)]
pub struct Policy(BTreeSet<String>);

impl Policy {
    /// Reads a `deny.toml`.
    ///
    /// # Errors
    /// It has no such list.
    pub fn read(text: &str) -> Result<Self, DistError> {
        #[derive(Deserialize)]
        struct Deny {
            licenses: Licenses,
        }
        #[derive(Deserialize)]
        struct Licenses {
            allow: BTreeSet<String>,
        }
        let deny: Deny = toml::from_str(text).map_err(|error| DistError::Policy(error.to_string()))?;
        Ok(Self(deny.licenses.allow))
    }

    /// Why a crate may not be used; `None` if it may.
    #[must_use]
    pub fn complaint(&self, package: &Crate) -> Option<String> {
        let name = format!("{} {}", package.name, package.version);
        let Some(license) = &package.license else { return Some(format!("`{name}` names no licence")) };
        let expression = match Expression::parse_mode(license, ParseMode::LAX) {
            Ok(expression) => expression,
            Err(error) => {
                return Some(format!("`{name}` has a licence that is not SPDX, `{license}`: {}", error.reason));
            }
        };
        if expression.evaluate(|requirement| self.0.contains(&requirement.to_string())) {
            return None;
        }
        Some(format!("`{name}` has the licence `{license}`, which `deny.toml` does not allow"))
    }
}

/// How the files with licences and notices are called, in capitals.
const FILES: [&str; 5] = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE"];
/// A longer file is no licence.
const LONGEST: u64 = 256 << 10;

/// The texts of the licences of everything that the binary is linked from. A text that several crates have stands there
/// once, behind their names.
#[must_use]
pub fn notices(dependencies: &Dependencies) -> String {
    let foreign = dependencies.crates.iter().filter(|package| package.source.is_some());
    let mut by_text: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut list = String::new();
    for package in foreign {
        let name = format!("{} {}", package.name, package.version);
        // Writing to a string does not fail.
        let _ = writeln!(list, "{name}: {}", package.license.as_deref().unwrap_or("see below"));
        for text in texts(package.manifest_path.parent().unwrap_or(Path::new("."))) {
            by_text.entry(text).or_default().push(name.clone());
        }
    }
    let mut by_names: Vec<(Vec<String>, String)> = by_text.into_iter().map(|(text, names)| (names, text)).collect();
    by_names.sort();
    let mut notices = format!("bailiwick contains these crates, under these licences:\n\n{list}");
    for (mut names, text) in by_names {
        names.dedup();
        let _ = write!(notices, "\n{}\n{}\n\n{text}", "-".repeat(80), names.join(", "));
    }
    notices
}

/// The files with licences in a directory, sorted by name.
fn texts(directory: &Path) -> Vec<String> {
    let Ok(entries) = directory.read_dir() else { return Vec::new() };
    let is_licence = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
        FILES.iter().any(|file| name.starts_with(file))
            && path.metadata().is_ok_and(|found| found.is_file() && found.len() <= LONGEST)
    };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).filter(|path| is_licence(path)).collect();
    paths.sort();
    let read = |path: &std::path::PathBuf| std::fs::read(path).ok();
    let texts = paths.iter().filter_map(read).map(|bytes| {
        let lines: Vec<String> =
            String::from_utf8_lossy(&bytes).lines().map(|line| line.trim_end().to_owned()).collect();
        format!("{}\n", lines.join("\n").trim_matches('\n'))
    });
    texts.collect()
}
