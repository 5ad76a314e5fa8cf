//! Trees of files, and archives of them that are a function of the tree alone.

mod ar;
mod gzip;
mod tar;
mod zip;

pub use self::ar::ar;
pub use self::gzip::{Effort, gzip};
pub use self::tar::{read_tar, tar};
pub use self::zip::zip;

use std::collections::BTreeMap;

/// One entry of a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    /// A directory.
    Directory {
        /// Its permissions.
        mode: u32,
    },
    /// A regular file.
    File {
        /// Its content.
        bytes: Vec<u8>,
        /// Its permissions.
        mode: u32,
    },
    /// A symbolic link.
    Link {
        /// Where it leads.
        to: String,
    },
}

/// Entries by path, sorted. Paths are relative, with `/` between names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tree(pub(crate) BTreeMap<String, Entry>);

impl Tree {
    /// Adds a file that is read.
    pub fn file(&mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.0.insert(path.into(), Entry::File { bytes: bytes.into(), mode: 0o644 });
    }

    /// Adds a file that is executed.
    pub fn program(&mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.0.insert(path.into(), Entry::File { bytes: bytes.into(), mode: 0o755 });
    }

    /// Adds a directory.
    pub fn directory(&mut self, path: impl Into<String>, mode: u32) {
        self.0.insert(path.into(), Entry::Directory { mode });
    }

    /// Adds a symbolic link.
    pub fn link(&mut self, path: impl Into<String>, to: impl Into<String>) {
        self.0.insert(path.into(), Entry::Link { to: to.into() });
    }

    /// Adds every entry of another tree, in place of one at the same path.
    pub fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// The entries, sorted by path.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &Entry)> {
        self.0.iter().map(|(path, entry)| (path.as_str(), entry))
    }

    /// The content of a file.
    #[must_use]
    pub fn bytes(&self, path: &str) -> Option<&[u8]> {
        match self.0.get(path) {
            Some(Entry::File { bytes, .. }) => Some(bytes),
            _ => None,
        }
    }

    /// Adds the directories above every entry that are not entries themselves.
    pub fn with_parents(&mut self) {
        let parents: Vec<String> = self
            .0
            .keys()
            .flat_map(|path| path.match_indices('/').map(|(at, _)| path[..at].to_owned()))
            .filter(|parent| !parent.is_empty() && !self.0.contains_key(parent))
            .collect();
        for parent in parents {
            self.directory(parent, 0o755);
        }
    }
}
