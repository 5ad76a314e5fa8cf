//! What the store tells of runs, at level info. Requests and responses are not in it.

use std::time::Duration;

use tracing::info;

use crate::id::RunId;
use crate::record::{Reverted, RunRecord, Status};

/// A run has its locks and its before-images.
pub(crate) fn begun(record: &RunRecord, snapshot: Duration) {
    let took_ms = u64::try_from(snapshot.as_millis()).unwrap_or(u64::MAX);
    info!(run_id = %record.id, kind = record.kind, roots = record.roots.len(), took_ms, "run begun, snapshot taken");
}

/// Changes landed, all of them.
pub(crate) fn applied(id: &RunId, files: usize) {
    info!(run_id = %id, files, "changes applied");
}

/// Files were put back: `how` is `restored`, `reverted` or `recovered`.
pub(crate) fn put_back(id: &RunId, how: &str, report: &Reverted) {
    info!(run_id = %id, how, restored = report.restored.len(), removed = report.removed.len(), "run put back");
}

/// A run ended.
pub(crate) fn finished(id: &RunId, status: Status, changed: usize) {
    info!(run_id = %id, %status, changed, "run finished");
}

/// A person accepted a run.
pub(crate) fn approved(id: &RunId) {
    info!(run_id = %id, "run approved");
}
