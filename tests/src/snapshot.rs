//! Everything about a tree that a revert promises to restore, compared one by one.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// A tree as it was at one moment: kinds, modes, contents, link targets, empty directories.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot(BTreeMap<PathBuf, Entry>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Entry {
    Directory { mode: u32 },
    File { mode: u32, content: Vec<u8> },
    Link { target: PathBuf },
}

/// What differs between two snapshots, by path.
#[derive(Debug, PartialEq, Eq)]
pub struct Difference(pub Vec<(PathBuf, &'static str)>);

impl Snapshot {
    /// Everything beneath these directories of `base`, `.git` left out.
    #[must_use]
    pub fn of(base: &Path, directories: &[&str]) -> Self {
        let mut entries = BTreeMap::new();
        for directory in directories {
            walk(base, &base.join(directory), &mut entries);
        }
        Self(entries)
    }

    /// What is not the same in `later`.
    #[must_use]
    pub fn difference(&self, later: &Self) -> Difference {
        let mut found = Vec::new();
        for (path, entry) in &self.0 {
            match later.0.get(path) {
                None => found.push((path.clone(), "removed")),
                Some(other) if other != entry => found.push((path.clone(), "changed")),
                Some(_) => {}
            }
        }
        found.extend(later.0.keys().filter(|path| !self.0.contains_key(*path)).map(|path| (path.clone(), "added")));
        found.sort();
        Difference(found)
    }

    /// Asserts that nothing at all differs.
    #[track_caller]
    pub fn assert_same(&self, later: &Self) {
        assert_eq!(self.difference(later), Difference(Vec::new()));
    }
}

impl Difference {
    /// The paths beneath a prefix.
    #[must_use]
    pub fn beneath(&self, prefix: &str) -> Vec<String> {
        self.0.iter().filter_map(|(path, _)| path.strip_prefix(prefix).ok()?.to_str().map(str::to_owned)).collect()
    }
}

fn walk(base: &Path, directory: &Path, entries: &mut BTreeMap<PathBuf, Entry>) {
    for entry in std::fs::read_dir(directory).unwrap() {
        let entry = entry.unwrap();
        if entry.file_name() == ".git" {
            continue;
        }
        let path = entry.path();
        let metadata = std::fs::symlink_metadata(&path).unwrap();
        let mode = metadata.permissions().mode() & 0o7777;
        let found = if metadata.is_dir() {
            walk(base, &path, entries);
            Entry::Directory { mode }
        } else if metadata.is_symlink() {
            Entry::Link { target: std::fs::read_link(&path).unwrap() }
        } else {
            Entry::File { mode, content: std::fs::read(&path).unwrap() }
        };
        entries.insert(path.strip_prefix(base).unwrap().to_owned(), found);
    }
}
