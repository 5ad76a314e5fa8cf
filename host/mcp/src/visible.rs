//! The runs that a caller knows of: their own, on directories that a person named when the server was started. Any other
//! is an unknown name, whatever is asked about it.

use bailiwick_base::files;
use bailiwick_customize::driver::{self, CoordinateError, Standing};
use bailiwick_runs::{Identity, RunId, RunRecord, RunSummary, Store, StoreError};
use rustix::io::Errno;
use std::collections::BTreeMap;
use std::path::Path;

/// A store as one caller of this server has it.
pub(crate) struct VisibleRuns {
    store: Store,
    named: Vec<Identity>,
}

impl VisibleRuns {
    /// The runs of a store that is opened on behalf of a caller, in these directories and beneath them.
    pub(crate) fn new(store: Store, named: Vec<Identity>) -> Self {
        Self { store, named }
    }

    /// Latest first.
    pub(crate) fn list(&self) -> Result<Vec<RunSummary>, StoreError> {
        let mut runs = self.store.list()?;
        // Many runs are on few directories.
        let mut known: BTreeMap<_, bool> = BTreeMap::new();
        runs.retain(|run| {
            run.roots
                .iter()
                .all(|(_, directory)| *known.entry(directory.clone()).or_insert_with(|| self.holds(directory)))
        });
        Ok(runs)
    }

    /// [`Store::show`]
    pub(crate) fn show(&self, id: &RunId) -> Result<RunRecord, StoreError> {
        self.of(id)?.show(id)
    }

    /// [`Store::record`]
    pub(crate) fn record(&self, id: &RunId) -> Result<RunRecord, StoreError> {
        let record = self.store.record(id)?;
        let visible = record.roots.iter().all(|root| self.holds(&root.directory));
        if visible { Ok(record) } else { Err(StoreError::UnknownRun(id.clone())) }
    }

    /// The store itself, for what it does with this run.
    pub(crate) fn of(&self, id: &RunId) -> Result<&Store, StoreError> {
        self.record(id).map(|_| &self.store)
    }

    /// [`driver::standing`]
    pub(crate) fn standing(&self, workflow: &str) -> Result<Standing, CoordinateError> {
        let standing = driver::standing(&self.store, workflow)?;
        // What the run of a workflow works on; its record is not needed for that.
        if self.holds(&standing.package) && self.holds(&standing.project) {
            return Ok(standing);
        }
        Err(CoordinateError::Unknown(workflow.chars().take(80).collect()))
    }

    /// Whether a directory lies in one that was named. Of one that was removed, what is left above it counts.
    fn holds(&self, directory: &Path) -> bool {
        let chain = match files::open_root(directory) {
            Err(Errno::NOENT) => directory.parent().map(files::open_root),
            other => Some(other),
        };
        matches!(chain, Some(Ok((_, chain))) if chain.iter().any(|one| self.named.contains(one)))
    }
}
