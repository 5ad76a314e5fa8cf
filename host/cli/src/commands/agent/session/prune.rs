//! What is kept does not pile up.

use super::{LOCK, home, remove};
use crate::exit::Result;
use bailiwick_runs::RunId;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// How long a run is kept that is not resumed.
const OLDEST: Duration = Duration::from_secs(30 * 24 * 3600);

/// How many runs are kept at most.
const MOST: usize = 100;

/// Removes runs that were not touched for thirty days, and the oldest of more than a hundred. One that a process works
/// on stays. What cannot be removed stays as well: it is tried again the next time.
pub(in super::super) fn prune() -> Result<()> {
    let mut runs: Vec<(SystemTime, PathBuf)> = ids(&home()?).map(|(path, _)| (touched(&path), path)).collect();
    runs.sort();
    let too_many = runs.len().saturating_sub(MOST);
    let now = SystemTime::now();
    for (index, (touched, path)) in runs.iter().enumerate() {
        let old = now.duration_since(*touched).is_ok_and(|age| age > OLDEST);
        if old || index < too_many {
            let Ok(lock) = File::options().write(true).open(path.join(LOCK)) else { continue };
            if lock.try_lock().is_ok() {
                let _ = remove(path);
            }
        }
    }
    Ok(())
}

/// When it was last written; a directory that is gone is as new as can be.
pub(super) fn touched(path: &Path) -> SystemTime {
    std::fs::metadata(path).and_then(|found| found.modified()).unwrap_or_else(|_| SystemTime::now())
}

/// The directories of runs, in any order.
pub(super) fn ids(home: &Path) -> impl Iterator<Item = (PathBuf, RunId)> {
    let entries = std::fs::read_dir(home).ok().into_iter().flatten();
    entries.filter_map(|entry| {
        let entry = entry.ok()?;
        let id = entry.file_name().to_str()?.parse().ok()?;
        Some((entry.path(), id))
    })
}
