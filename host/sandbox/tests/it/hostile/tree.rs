//! A directory as it was at one moment: names, kinds, modes, times, contents, link texts.

use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// What is compared before and after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tree(BTreeMap<PathBuf, Node>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Node {
    mode: u32,
    owner: (u32, u32),
    modified: (i64, i64),
    content: Content,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Content {
    Directory,
    File(Vec<u8>),
    Link(PathBuf),
    Other,
}

// A sparse file or a tree of ten thousand levels is not read; none of the canaries is either.
const LARGEST: u64 = 1 << 20;
const DEEPEST: usize = 40;

impl Tree {
    /// Everything in `root` and `root` itself, except for the directories in `without`.
    pub(crate) fn of(root: &Path, without: &[PathBuf]) -> Self {
        let mut tree = Self(BTreeMap::new());
        tree.add(root, without, 0);
        tree
    }

    fn add(&mut self, path: &Path, without: &[PathBuf], depth: usize) {
        if without.iter().any(|other| other == path) || depth > DEEPEST {
            return;
        }
        let metadata = fs::symlink_metadata(path).unwrap();
        let content = content(path, &metadata);
        let directory = content == Content::Directory;
        let node = Node {
            mode: metadata.mode(),
            owner: (metadata.uid(), metadata.gid()),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            content,
        };
        self.0.insert(path.to_owned(), node);
        if directory {
            for entry in fs::read_dir(path).unwrap() {
                self.add(&entry.unwrap().path(), without, depth + 1);
            }
        }
    }

    /// The same without the times of directories, which a file that came and went has moved.
    pub(crate) fn without_directory_times(mut self) -> Self {
        for node in self.0.values_mut() {
            if node.content == Content::Directory {
                node.modified = (0, 0);
            }
        }
        self
    }

    /// Fails with what differs, not with two whole trees.
    pub(crate) fn assert_unchanged(&self, after: &Self, what: &str) {
        let mut different = Vec::new();
        for path in self.0.keys().chain(after.0.keys()) {
            let (was, is) = (self.0.get(path), after.0.get(path));
            if was != is {
                different.push(format!("{}: {was:?} became {is:?}", path.display()));
            }
        }
        assert!(different.is_empty(), "{what} changed:\n{}", different.join("\n"));
    }
}

fn content(path: &Path, metadata: &Metadata) -> Content {
    let kind = metadata.file_type();
    if kind.is_dir() {
        Content::Directory
    } else if kind.is_symlink() {
        Content::Link(fs::read_link(path).unwrap())
    } else if kind.is_file() && metadata.len() <= LARGEST {
        Content::File(fs::read(path).unwrap())
    } else {
        Content::Other
    }
}
