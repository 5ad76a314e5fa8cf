//! Walks over a tree in memory.

use super::*;
use crate::Output;
use bailiwick_tool_sdk::Entry;
use file_kit::glob::Glob;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Paths of files and links, and directories that cannot be read.
struct Memory {
    files: Rc<BTreeMap<String, EntryKind>>,
    closed: Rc<BTreeSet<String>>,
    at: String,
}

impl Memory {
    fn new(files: &[&str]) -> Self {
        let files = files.iter().map(|path| ((*path).to_owned(), EntryKind::File)).collect();
        Self { files: Rc::new(files), closed: Rc::default(), at: String::new() }
    }

    fn list(&self, limit: usize, cursor: Option<&str>, filter: Option<&str>, depth: Depth) -> Output {
        let glob = filter.map(|filter| Glob::new(filter).unwrap());
        let mut page = Page::new(limit, cursor.map(str::to_owned), glob);
        visit(self, &self.names("").unwrap(), "", depth, &mut page);
        page.into_output(None)
    }

    fn all(&self, filter: Option<&str>) -> Output {
        self.list(1000, None, filter, Depth::Beneath(DEPTH_LIMIT))
    }
}

impl Tree for Memory {
    fn names(&self, shown: &str) -> Result<Entries, ToolError> {
        if self.closed.contains(shown) {
            return Err(ToolError::not_permitted("closed"));
        }
        let mut found = BTreeMap::new();
        for (path, kind) in self.files.iter() {
            let Some(rest) = path.strip_prefix(&self.at) else { continue };
            match rest.split_once('/') {
                Some((directory, _)) => found.insert(directory.to_owned(), EntryKind::Directory),
                None => found.insert(rest.to_owned(), *kind),
            };
        }
        let entries = found.into_iter().map(|(name, kind)| Entry { name, kind }).collect();
        Ok(Entries { entries, undecodable: 0, hidden: 0 })
    }

    fn inner(&self, name: &str, _: &str) -> Result<Self, ToolError> {
        let at = format!("{}{name}/", self.at);
        Ok(Self { files: Rc::clone(&self.files), closed: Rc::clone(&self.closed), at })
    }
}

fn names(output: &Output) -> Vec<&str> {
    output.entries.iter().map(|entry| entry.name.as_str()).collect()
}

#[test]
fn a_recursive_list_has_every_depth_and_the_filter_holds_for_names() {
    let tree = Memory::new(&["rootfile.txt", "subdir/file1.txt", "subdir/other.py", "subdir/nested/deep.txt"]);
    assert_eq!(names(&tree.list(10, None, None, Depth::Here)), ["rootfile.txt", "subdir"]);
    assert_eq!(names(&tree.all(Some("*.txt"))), ["rootfile.txt", "subdir/file1.txt", "subdir/nested/deep.txt"]);
}

#[test]
fn directories_of_made_files_are_listed_but_not_looked_into() {
    let tree = Memory::new(&["node_modules/a.js", "src/__pycache__/a.pyc", "src/a.py", "Bin/x"]);
    let output = tree.all(None);
    assert_eq!(names(&output), ["Bin", "node_modules", "src", "src/__pycache__", "src/a.py"]);
    assert_eq!(output.skipped, ["Bin", "node_modules", "src/__pycache__"]);
}

#[test]
fn a_directory_that_cannot_be_read_hides_no_other() {
    let mut tree = Memory::new(&["a/x", "b/y", "c/z"]);
    tree.closed = Rc::new(BTreeSet::from(["b".to_owned()]));
    let output = tree.all(None);
    assert_eq!(names(&output), ["a", "a/x", "b", "c", "c/z"]);
    assert_eq!(output.unreadable, ["b"]);
}

#[test]
fn a_tree_too_deep_is_said_to_be() {
    let output = Memory::new(&["a/b/c/d"]).list(10, None, None, Depth::Beneath(2));
    assert_eq!(names(&output), ["a", "a/b", "a/b/c"]);
    assert_eq!(output.unreadable, ["a/b/c"]);
}

proptest! {
    #[test]
    fn pages_put_together_are_the_whole_list_in_order(
        paths in prop::collection::btree_set("[ab.-]{1,2}(/[ab.-]{1,2}){0,3}", 1..20), limit in 1usize..6,
    ) {
        // A name cannot be both a file and a directory.
        let is_file = |path: &&String| !paths.iter().any(|other| other.starts_with(&format!("{path}/")));
        let files: Vec<&str> = paths.iter().filter(is_file).map(String::as_str).collect();
        let tree = Memory::new(&files);
        let whole = tree.all(None);
        let whole = names(&whole);
        prop_assert!(whole.is_sorted());
        prop_assert!(files.iter().all(|file| whole.contains(file)));
        let mut joined: Vec<String> = Vec::new();
        let mut cursor: Option<String> = None;
        loop {
            let page = tree.list(limit, cursor.as_deref(), None, Depth::Beneath(DEPTH_LIMIT));
            prop_assert!(page.entries.len() <= limit);
            joined.extend(page.entries.into_iter().map(|entry| entry.name));
            cursor = page.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        prop_assert_eq!(joined, whole);
    }
}
