//! Whether files that a run touched were edited after it ended. Looks only at touched paths.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use bailiwick_base::files::{self, Type};
use rustix::io::Errno;

use super::diff::merged;
use super::node::{Content, Node};
use super::skip::Skip;
use crate::content;
use crate::error::StoreError;
use crate::path::join;

/// Paths that are not as the run left them.
pub(crate) struct Edits<'a> {
    pub(crate) root: &'a str,
    pub(crate) skip: Skip<'a>,
    /// Each with the root's name in front.
    pub(crate) found: BTreeSet<PathBuf>,
}

/// Adds to `edits` what differs from `after` among the paths in which `before` and `after` differ.
pub(crate) fn edits(edits: &mut Edits<'_>, root: &OwnedFd, before: &Node, after: &Node) -> Result<(), StoreError> {
    if mode_changed(before, after) {
        let facts = files::facts_of(root).map_err(|error| StoreError::io("look at", edits.root, error))?;
        if Some(facts.mode) != after.mode() {
            edits.add(Path::new(""));
        }
    }
    edits.inside(root, Path::new(""), Some(before), Some(after))
}

impl Edits<'_> {
    fn shown(&self, path: &Path) -> String {
        join(self.root, path.as_os_str())
    }

    fn add(&mut self, path: &Path) {
        self.found.insert(Path::new(self.root).join(path));
    }

    fn inside(
        &mut self,
        directory: &OwnedFd,
        path: &Path,
        before: Option<&Node>,
        after: Option<&Node>,
    ) -> Result<(), StoreError> {
        let mut result = Ok(());
        merged(before, after, |name, before, after| {
            if result.is_ok() {
                result = self.entry(directory, name, &path.join(name), before, after);
            }
        });
        result
    }

    fn entry(
        &mut self,
        parent: &OwnedFd,
        name: &OsStr,
        path: &Path,
        before: Option<&Node>,
        after: Option<&Node>,
    ) -> Result<(), StoreError> {
        if !touched(before, after) {
            return Ok(());
        }
        let shown = self.shown(path);
        let failed = |doing| {
            let shown = shown.clone();
            move |error: Errno| StoreError::io(doing, shown, error)
        };
        let found = files::present(parent, name).map_err(failed("look at"))?;
        let absent = Node::absent();
        let after = after.unwrap_or(&absent);
        let same_mode = |facts: &files::Facts| Some(facts.mode) == after.mode();
        let as_left = match (&after.content, found) {
            (Content::Absent, found) => found.is_none(),
            // A way that was missing may have been made by others since; only its files count.
            (Content::MissingWay(_), None) => true,
            (Content::Way(_) | Content::MissingWay(_), Some((Type::Directory, _))) => {
                let handle = files::open_directory(parent, name).map_err(failed("open"))?;
                return self.inside(&handle, path, before, Some(after));
            }
            (Content::Directory(_), Some((Type::Directory, facts))) => {
                let both = before.filter(|before| matches!(before.content, Content::Directory(_)));
                if both.is_none_or(|before| mode_changed(before, after)) && !same_mode(&facts) {
                    self.add(path);
                }
                let handle = match files::open_directory(parent, name) {
                    // The run could still read it when it ended.
                    Err(Errno::ACCESS) => {
                        self.add(path);
                        return Ok(());
                    }
                    other => other.map_err(failed("open"))?,
                };
                if both.is_none() {
                    self.unknown(&handle, path, after)?;
                }
                return self.inside(&handle, path, before, Some(after));
            }
            (Content::Symlink(target), Some((Type::Symlink, _))) => {
                files::link_target(parent, name).map_err(failed("read"))? == *target
            }
            (Content::Special, Some((Type::Special(_), _))) => true,
            (Content::File(digest), Some((Type::File, facts))) => {
                same_mode(&facts) && {
                    let (file, facts) = files::open_file(parent, name).map_err(failed("open"))?;
                    let mut buffer = vec![0; 64 * 1024];
                    let read = content::stream(&file, &facts, &mut buffer, |_| Ok(()))
                        .map_err(|error| StoreError::io("read", &shown, error))?;
                    read.digest == *digest && !read.torn
                }
            }
            _ => false,
        };
        if !as_left {
            self.add(path);
        }
        Ok(())
    }

    /// Entries of an added directory that the run did not leave there: removing the directory
    /// would take them along.
    fn unknown(&mut self, directory: &OwnedFd, path: &Path, after: &Node) -> Result<(), StoreError> {
        let known = after.children();
        let names = files::names(directory).map_err(|error| StoreError::io("list", self.shown(path), error))?;
        for name in names {
            if known.is_none_or(|known| !known.contains_key(&name)) && !self.skip.holds(path, &name) {
                self.add(&path.join(&name));
            }
        }
        Ok(())
    }
}

fn mode_changed(before: &Node, after: &Node) -> bool {
    let directories = matches!((&before.content, &after.content), (Content::Directory(_), Content::Directory(_)));
    directories && before.mode() != after.mode()
}

/// Whether anything but times differs at this entry or beneath it.
fn touched(before: Option<&Node>, after: Option<&Node>) -> bool {
    let kinds = (before.and_then(Node::kind), after.and_then(Node::kind));
    let here = match kinds {
        (None, None) => false,
        (Some(_), Some(_)) => before.zip(after).is_some_and(|(before, after)| !before.same(after)),
        _ => true,
    };
    let mut below = false;
    if !here {
        merged(before, after, |_, before, after| below = below || touched(before, after));
    }
    here || below
}
