//! Workflows that were not continued. They hold the lock of their package until they expire.

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use bailiwick_runs::{RunId, Store, StoreError};
use serde_json::json;

use super::super::CustomizeError;
use super::super::run_kind::RunKind;
use super::CoordinateError;
use super::persist::Kept;

/// A workflow that was not continued in time.
#[derive(Debug)]
pub struct Expired {
    /// The workflow.
    pub workflow: String,
    /// Its run.
    pub run: RunId,
    /// Where what stood there is kept, or why both repositories could not be put back, which is tried again next time.
    pub outcome: Result<Option<PathBuf>, CoordinateError>,
}

/// Ends the workflows without a step for as long as `after`, by the time `now`: both repositories are put back, what stood
/// there is kept, and a later call of one is answered that it expired. A workflow in progress is left alone.
///
/// # Errors
/// The store cannot be read.
pub fn expire_abandoned(store: &Store, after: Duration, now: SystemTime) -> Result<Vec<Expired>, CustomizeError> {
    let mut expired = Vec::new();
    for summary in store.suspended()?.into_iter().filter(|summary| summary.kind == RunKind::Workflow.name()) {
        // What cannot be read says nothing about its age.
        let Ok(kept) = store.run_directory(&summary.id).map_err(CustomizeError::from).map(|run| Kept::load(&run))
        else {
            continue;
        };
        let Ok(kept) = kept else { continue };
        if !kept.is_abandoned(after, now) && !kept.workflow.has_expired() {
            continue;
        }
        let workflow = kept.workflow.id().to_owned();
        let outcome = match expire(store, &summary.id, after, now) {
            Ok(Some(aside)) => Ok(aside),
            Ok(None) => continue,
            Err(error) => Err(error),
        };
        expired.push(Expired { workflow, run: summary.id, outcome });
    }
    Ok(expired)
}

/// `None` where another process came first.
fn expire(
    store: &Store,
    id: &RunId,
    after: Duration,
    now: SystemTime,
) -> Result<Option<Option<PathBuf>>, CoordinateError> {
    let mut run = match store.resume(id) {
        Ok(run) => run,
        Err(StoreError::Busy { .. } | StoreError::WrongStatus { .. }) => return Ok(None),
        Err(error) => return Err(CustomizeError::from(error).into()),
    };
    // The saved state counts from now on, because no other process can continue it.
    let mut kept = Kept::resumed(&run)?;
    let due = kept.is_abandoned(after, now);
    if due {
        let hours = after.as_secs() / 3600;
        kept.settle_interrupted();
        kept.workflow.expire(hours);
        kept.save(run.directory())?;
        run.event("expired", &json!({ "hours": hours })).map_err(CustomizeError::from)?;
    }
    let goes = due || kept.workflow.has_expired();
    // A suspended run is put back with everything that stands there kept: it is unknown which edits are whose.
    run.suspend().map_err(CustomizeError::from)?;
    if !goes {
        return Ok(None);
    }
    let reverted = store.revert(id).map_err(CustomizeError::from)?;
    Ok(Some(reverted.set_aside))
}
