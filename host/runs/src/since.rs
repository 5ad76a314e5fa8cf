//! What became of the files of a run after it ended.

use serde::Serialize;

use crate::error::listed;
use crate::id::RunId;
use crate::record::RunRecord;
use crate::revert::edited;
use crate::store::Store;

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

impl Store {
    /// What became of the files of a run that waits for a person; nothing for one that does not.
    pub fn since(&self, id: &RunId) -> Since {
        self.shown(id).map_or(Since::Unknown, |record| self.since_of(&record))
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
