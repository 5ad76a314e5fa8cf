//! The runs that a caller knows of: their own, on directories that a person named when the server was started. Any other
//! is an unknown name, whatever is asked about it, be it at work or on record.

use crate::caller::Caller;
use bailiwick_base::files;
use bailiwick_customize::driver::{self, CoordinateError, Standing};
use bailiwick_runs::{Identity, Owner, RunId, RunRecord, RunSummary, Store, StoreError};
use rustix::io::Errno;
use std::collections::BTreeMap;
use std::path::Path;

/// Whose a request is, and the directories that are open to it.
#[derive(Clone)]
pub(crate) struct Sight {
    caller: Caller,
    named: Vec<Identity>,
}

impl Sight {
    /// What a caller sees in these directories and beneath them.
    pub(crate) fn new(caller: Caller, named: Vec<Identity>) -> Self {
        Self { caller, named }
    }

    /// Whether the caller sees what `owner` began on these directories.
    pub(crate) fn reaches<'a>(&self, owner: &Owner, mut places: impl Iterator<Item = &'a Path>) -> bool {
        self.caller.sees(owner) && places.all(|place| self.holds(place))
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

/// A store as one caller of this server has it.
pub(crate) struct VisibleRuns {
    store: Store,
    sight: Sight,
}

impl VisibleRuns {
    /// The runs of a store on behalf of a caller.
    pub(crate) fn new(store: Store, sight: Sight) -> Self {
        let authority = sight.caller.authority(sight.named.clone());
        Self { store: store.on_behalf_of(authority), sight }
    }

    /// Latest first.
    pub(crate) fn list(&self) -> Result<Vec<RunSummary>, StoreError> {
        let mut runs = self.store.list()?;
        // Many runs are on few directories.
        let mut known: BTreeMap<_, bool> = BTreeMap::new();
        runs.retain(|run| {
            run.roots
                .iter()
                .all(|(_, directory)| *known.entry(directory.clone()).or_insert_with(|| self.sight.holds(directory)))
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
        let visible = record.roots.iter().all(|root| self.sight.holds(&root.directory));
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
        if self.sight.holds(&standing.package) && self.sight.holds(&standing.project) {
            return Ok(standing);
        }
        Err(CoordinateError::Unknown(workflow.chars().take(80).collect()))
    }
}
