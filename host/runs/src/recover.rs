//! Undoing runs whose process died.

use bailiwick_base::files;
use bailiwick_base::time::Moment;
use rustix::io::Errno;
use serde_json::json;

use crate::error::StoreError;
use crate::events::{Durability, Events};
use crate::lock::{self, Keys};
use crate::record::{Recovered, Recovery, RootRecord, RunRecord, Status};
use crate::roots;
use crate::state::{remove, sync_directory};
use crate::store::Store;
use crate::suspend::CHECKPOINT;
use crate::tree::Manifest;

impl Store {
    /// Undoes every run whose process died, latest first, and completes interrupted reverts. Runs at
    /// work are left alone.
    ///
    /// A copy of all that is overwritten or removed is kept in the run's directory: it may be a person's work.
    ///
    /// # Errors
    /// When the store is damaged or cannot be read. That a run cannot be undone is in the result.
    pub fn recover(&self) -> Result<Vec<Recovered>, StoreError> {
        let mut recovered = Vec::new();
        for id in self.state.open_ids()?.into_iter().rev() {
            let outcome = match self.state.record(&id) {
                Ok(Some(record)) => self.recover_one(&record)?,
                Ok(None) => None,
                // One unreadable record must not block all the others.
                Err(error @ StoreError::Damaged { .. }) => Some(Recovery::Blocked { reason: chain(&error) }),
                Err(error) => return Err(error),
            };
            recovered.extend(outcome.map(|outcome| Recovered { id, outcome }));
        }
        Ok(recovered)
    }

    /// `None` when there is nothing to do: the run has ended, or its process lives.
    pub(crate) fn recover_one(&self, record: &RunRecord) -> Result<Option<Recovery>, StoreError> {
        if !matches!(record.status, Status::Running | Status::Reverting) {
            return Ok(None);
        }
        let taken = lock::take(&self.state, &keys(&record.roots), &record.roots, &record.id)?;
        let Ok(_locks) = taken else { return Ok(None) };
        // Another process may have recovered it before we had the locks.
        let record = self.state.existing(&record.id)?;
        let outcome = match record.status {
            Status::Running if record.only_looks => return self.close_looking(record).map(|()| None),
            Status::Running => match obstacle(&record.roots) {
                None => match self.state.manifest(&record.id, CHECKPOINT)? {
                    Some(checkpoint) => self.back_to(record, checkpoint),
                    None => self.undo_dead(record),
                },
                Some(Obstacle::Unreachable(reason)) => Ok(Recovery::Blocked { reason }),
                Some(Obstacle::Replaced(reason)) => self.leave_as_is(record, reason),
            },
            Status::Reverting => self.undo_dead(record),
            _ => return Ok(None),
        };
        // One run that cannot be undone must not hide the others.
        Ok(Some(outcome.unwrap_or_else(|error| Recovery::Blocked { reason: chain(&error) })))
    }

    /// Closes a dead run that wrote nothing.
    fn close_looking(&self, mut record: RunRecord) -> Result<(), StoreError> {
        remove(&self.state.run(&record.id).join("journal.json"))?;
        self.state.close(&mut record, Status::Unchanged)
    }

    fn undo_dead(&self, record: RunRecord) -> Result<Recovery, StoreError> {
        let directory = self.state.run(&record.id);
        let images = self.images(&record)?;
        if record.status == Status::Running {
            // What it wrote at its end was perhaps never reported, and need not be whole.
            for part in ["changed.json", "response.json"] {
                remove(&directory.join(part))?;
            }
        }
        let aside = Some(self.aside(&record.id));
        self.carry_out(record, &images, aside, "recovered").map(Recovery::Reverted)
    }

    /// Brings back what stood there when the dead process went on with a suspended run.
    fn back_to(&self, mut record: RunRecord, checkpoint: Manifest) -> Result<Recovery, StoreError> {
        let images = crate::revert::Images { before: checkpoint, after: None };
        let aside = Some(self.aside(&record.id));
        let report = self.bring_back(&record, &images, aside)?;
        remove(&self.state.run(&record.id).join("journal.json"))?;
        Events::open(&self.state.run(&record.id))?.append("suspended again", &json!(null), Durability::Soon)?;
        // What it holds now is what it was left with: nothing was edited meanwhile.
        self.state.save_manifest_soon(&record.id, "after", &images.before)?;
        self.state.settle(&record.roots)?;
        record.status = Status::Suspended;
        self.state.save(&record)?;
        Ok(Recovery::Suspended(report))
    }

    /// The directory at the root's path is another one. Emptying it could destroy what was never part
    /// of the run, so a person decides.
    fn leave_as_is(&self, mut record: RunRecord, reason: String) -> Result<Recovery, StoreError> {
        let directory = self.state.run(&record.id);
        Events::open(&directory)?.append("not recovered", &json!({ "reason": reason }), Durability::Now)?;
        // Without an after-manifest an explicit revert brings everything back.
        remove(&directory.join("after").join("manifest.json"))?;
        if directory.join("after").is_dir() {
            sync_directory(&directory.join("after"))?;
        }
        record.status = Status::Failed { kept: true };
        record.finished = Some(Moment::now().rfc3339());
        self.state.save(&record)?;
        Ok(Recovery::LeftAsIs { reason })
    }
}

/// Locks under the identities that the run recorded and under those of today: device numbers may
/// have changed when the machine was started again.
fn keys(roots: &[RootRecord]) -> Keys {
    let mut keys = lock::keys(roots);
    for root in roots {
        if let Ok((_, chain)) = roots::open(root) {
            lock::add(&mut keys, &chain);
        }
    }
    keys
}

enum Obstacle {
    Unreachable(String),
    Replaced(String),
}

/// Why a dead run's roots cannot be brought back now; looked at before any of them is touched.
fn obstacle(roots: &[RootRecord]) -> Option<Obstacle> {
    roots.iter().find_map(|root| {
        let shown = root.directory.display();
        match roots::open(root) {
            // Device numbers may change when a machine starts again, inodes do not.
            Ok((_, chain)) if chain[0].inode == root.chain[0].inode => None,
            Ok(_) => Some(Obstacle::Replaced(format!("`{shown}` is not the directory that the run began with"))),
            Err(Errno::NOENT) if parent_exists(root) => None,
            Err(error) => Some(Obstacle::Unreachable(format!("could not open `{shown}`: {error}"))),
        }
    })
}

/// A root that is gone altogether is created again where its parent is still there.
fn parent_exists(root: &RootRecord) -> bool {
    root.directory.parent().is_some_and(|parent| files::open_root(parent).is_ok())
}

/// An error with everything that caused it, in one sentence.
fn chain(error: &StoreError) -> String {
    let mut text = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        text.push_str(&format!(": {cause}"));
        source = cause.source();
    }
    text
}
