//! What became of the files of a run after it ended.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use bailiwick_base::time::Moment;
use serde::Serialize;

use crate::digest::{Digest, Hasher};
use crate::error::{StoreError, listed};
use crate::id::RunId;
use crate::record::RunRecord;
use crate::revert::{edited, shown};
use crate::roots;
use crate::store::Store;
use crate::tree::{Mode, Node, Walker, fingerprint};

/// Whether somebody has changed what a run left. Who approves a run keeps that, too.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Since {
    /// Every such path as `root/path`, sorted.
    Changed(Vec<String>),
    /// It cannot be told: the store does not have it any more, or a file cannot be read.
    Unknown,
}

impl Since {
    /// What a person is to know before a decision and after it, where there is something.
    pub fn sentence(&self) -> Option<String> {
        match self {
            Self::Changed(paths) if paths.is_empty() => None,
            Self::Changed(paths) => Some(format!("files changed after the run, and not by it: {}", listed(paths))),
            Self::Unknown => Some("whether files changed after the run cannot be told".to_owned()),
        }
    }
}

/// What a person is shown of a run before they decide about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// What became of its files.
    pub since: Since,
    /// Of [`Self::since`] and of what stands in each of these files now.
    pub digest: Digest,
}

impl Store {
    /// What became of the files of a run that waits for a person; nothing for one that does not.
    pub fn since(&self, id: &RunId) -> Since {
        self.shown(id).map_or(Since::Unknown, |record| self.since_of(&record))
    }

    /// The same for a question about the run: [`Store::approve_as_shown`] takes its digest.
    ///
    /// # Errors
    /// There is no such run.
    pub fn question(&self, id: &RunId) -> Result<Shown, StoreError> {
        Ok(self.question_of(&self.shown(id)?))
    }

    pub(crate) fn question_of(&self, record: &RunRecord) -> Shown {
        let paths = self.changed_since(record);
        let mut hasher = Hasher::default();
        match &paths {
            // What is as the run left it needs no digest: it would be named otherwise.
            Some(paths) => {
                for path in paths {
                    let name = path.as_os_str().as_encoded_bytes();
                    hasher.update(&(name.len() as u64).to_le_bytes());
                    hasher.update(name);
                    hasher.update(present(record, path).as_bytes());
                }
            }
            None => hasher.update(b"unknown"),
        }
        Shown { since: told(paths.as_ref()), digest: hasher.finish() }
    }

    pub(crate) fn since_of(&self, record: &RunRecord) -> Since {
        told(self.changed_since(record).as_ref())
    }

    /// Every path that is not as the run left it, with the name of its root in front; `None` where it cannot be told.
    fn changed_since(&self, record: &RunRecord) -> Option<BTreeSet<PathBuf>> {
        if !record.status.waits() {
            return Some(BTreeSet::new());
        }
        let images = self.images(record).ok()?;
        edited(record, &images.before, &images.after?).ok()
    }
}

fn told(paths: Option<&BTreeSet<PathBuf>>) -> Since {
    paths.map_or(Since::Unknown, |paths| Since::Changed(shown(paths)))
}

/// Names what stands at `root/path` now; where that cannot be read, why. Names need not be UTF-8.
fn present(record: &RunRecord, path: &Path) -> Digest {
    let mut names = path.iter();
    let name = names.next().unwrap_or_default();
    let Some(root) = record.roots.iter().find(|root| root.name.as_str() == name) else {
        return Digest::of(b"no such root");
    };
    let read = roots::open(root).map_err(|error| StoreError::io("open", path.display().to_string(), error));
    let read = read.and_then(|(handle, _)| {
        let (nothing, names) = (Node::absent(), names.map(OsString::from).collect::<Vec<_>>());
        let mode = Mode::Compare { before: &nothing, taken: Moment(0, 0) };
        Walker::new(&root.name, mode).read_at(&handle, &names).map(|node| fingerprint(&node))
    });
    read.unwrap_or_else(|error| Digest::of(error.to_string().as_bytes()))
}
