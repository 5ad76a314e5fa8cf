//! What became of the files of a run after it ended.

use bailiwick_base::time::Moment;
use serde::Serialize;

use crate::digest::{Digest, Hasher};
use crate::error::{StoreError, listed};
use crate::id::RunId;
use crate::record::{Coverage, RunRecord};
use crate::revert::edited;
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
        let since = self.since_of(record);
        let mut hasher = Hasher::default();
        match &since {
            // What is as the run left it needs no digest: it would be named otherwise.
            Since::Changed(paths) => {
                for path in paths {
                    hasher.update(&(path.len() as u64).to_le_bytes());
                    hasher.update(path.as_bytes());
                    hasher.update(present(record, path).as_bytes());
                }
            }
            Since::Unknown => hasher.update(b"unknown"),
        }
        Shown { since, digest: hasher.finish() }
    }

    pub(crate) fn since_of(&self, record: &RunRecord) -> Since {
        if !record.status.waits() {
            return Since::Changed(Vec::new());
        }
        let images = self.images(record);
        let found = images.and_then(|images| match &images.after {
            Some(after) => edited(record, &images.before, after).map(Some),
            None => Ok(None),
        });
        found.ok().flatten().map_or(Since::Unknown, |paths| Since::Changed(paths.into_iter().collect()))
    }
}

/// Names what stands at `root/path` now; where that cannot be read, why.
fn present(record: &RunRecord, shown: &str) -> Digest {
    let read = || {
        let (name, path) = shown.split_once('/').unwrap_or((shown, ""));
        let root = record.roots.iter().find(|root| root.name == name)?;
        let opened = roots::open(root).map_err(|error| StoreError::io("open", shown, error));
        Some(opened.and_then(|(handle, _)| {
            let (coverage, nothing) = (Coverage::Files(vec![path.to_owned()]), Node::absent());
            let mode = Mode::Compare { before: &nothing, taken: Moment(0, 0) };
            Walker::new(name, mode).read(&handle, &coverage).map(|node| fingerprint(&node))
        }))
    };
    match read() {
        Some(Ok(digest)) => digest,
        Some(Err(error)) => Digest::of(error.to_string().as_bytes()),
        None => Digest::of(b"no such root"),
    }
}
