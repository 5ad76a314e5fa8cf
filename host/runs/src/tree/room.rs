//! What a restore gives up where the disk is full. The originals fitted before the run, so there is room for them once
//! what the run made is gone.

use std::fs;
use std::io::ErrorKind;

use super::restore::Restorer;
use crate::error::StoreError;

/// What is given up for room so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Room {
    /// Nothing: a file stands until the original replaces it.
    Enough,
    /// What the run left at a name goes before the original is written there, and with it what the run has for its work.
    /// A restore that dies in between is begun again, as any other.
    Cleared,
    /// The copies of what was overwritten, too.
    All,
}

/// Whether a pass brought back more than the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Progress {
    Some,
    Stalled,
}

impl Restorer<'_> {
    /// Whether something was left to give up after a pass that met a full disk.
    pub(super) fn makes_more_room(&mut self, progress: Progress) -> bool {
        match self.room {
            Room::Enough => {
                // What cannot be removed leaves less room, and the next pass says so.
                let _ = fs::remove_dir_all(&self.scratch);
                self.room = Room::Cleared;
            }
            _ if progress == Progress::Some => {}
            Room::Cleared => {
                if let Some(aside) = self.aside.take() {
                    let _ = fs::remove_dir_all(aside.directory());
                }
                self.report.set_aside = None;
                self.room = Room::All;
            }
            Room::All => return false,
        }
        true
    }
}

/// Whether the error means that the disk, or what a person may use of it, is full.
pub(super) fn is_full(error: &StoreError) -> bool {
    let StoreError::Io { source, .. } = error else { return false };
    matches!(source.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded)
}
