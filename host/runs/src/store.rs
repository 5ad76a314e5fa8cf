//! The store: runs by name, and what a person decides about them.

use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::authority::{Authority, Sees};
use crate::error::StoreError;
use crate::events::{self, Durability, Events};
use crate::id::RunId;
use crate::lock::StoreLock;
use crate::observe;
use crate::record::{Recovered, RunRecord, RunSummary, Status};
use crate::since::Since;
use crate::state::{State, read_json};

/// The runs of one user, in a directory that only this user can enter.
///
/// Any number of processes may open the same directory.
#[derive(Debug)]
pub struct Store {
    pub(crate) state: Arc<State>,
    pub(crate) authority: Authority,
    recovered: Vec<Recovered>,
}

/// The runs of a store, as far as their records can be read.
#[derive(Debug, Default)]
pub struct Listed {
    /// Latest first.
    pub runs: Vec<RunSummary>,
    /// Runs whose records are damaged, each with what is wrong.
    pub damaged: Vec<(RunId, StoreError)>,
}

impl Store {
    /// Opens the state directory for the person whose machine it is, creating it with mode 0700 where it is missing, and undoes runs
    /// whose process died; see [`Store::recovered`].
    ///
    /// # Errors
    /// When the directory is a symbolic link, belongs to another user or can be written to by
    /// others, or when it cannot be read. A run that cannot be undone is not an error here.
    pub fn open(state_dir: &Path) -> Result<Self, StoreError> {
        let mut store =
            Self { state: Arc::new(State::open(state_dir)?), authority: Authority::local(), recovered: Vec::new() };
        store.recovered = store.recover()?;
        Ok(store)
    }

    /// The state directory with every link resolved.
    pub fn directory(&self) -> &Path {
        self.state.directory()
    }

    /// The runs that were found dead when the store was opened, and what became of them.
    pub fn recovered(&self) -> &[Recovered] {
        &self.recovered
    }

    /// Every run whose record can be read, latest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn list(&self) -> Result<Vec<RunSummary>, StoreError> {
        Ok(self.list_all()?.runs)
    }

    /// The same, and the names of the runs whose records are damaged, each with what is wrong.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn list_all(&self) -> Result<Listed, StoreError> {
        let mut listed = Listed::default();
        for id in self.state.all_ids()?.into_iter().rev() {
            match self.state.record(&id) {
                Ok(record) => listed.runs.extend(record.filter(|record| self.shows(record)).map(RunSummary::from)),
                // Whose it is cannot be read either.
                Err(StoreError::Damaged { .. }) if self.authority.sees == Sees::Own => {}
                Err(error @ StoreError::Damaged { .. }) => listed.damaged.push((id, error)),
                Err(error) => return Err(error),
            }
        }
        Ok(listed)
    }

    /// The runs that are suspended, latest first; those whose records are damaged are left out.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn suspended(&self) -> Result<Vec<RunSummary>, StoreError> {
        let mut found = Vec::new();
        for id in self.state.open_ids()?.into_iter().rev() {
            match self.state.record(&id) {
                Ok(record) => {
                    let waits = |record: &RunRecord| record.status == Status::Suspended && self.shows(record);
                    found.extend(record.filter(waits));
                }
                Err(StoreError::Damaged { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(found.into_iter().map(RunSummary::from).collect())
    }

    /// The record of a run with its changes and its response.
    ///
    /// # Errors
    /// When there is no such run, or the store is damaged or cannot be read.
    pub fn show(&self, id: &RunId) -> Result<RunRecord, StoreError> {
        let mut record = self.shown(id)?;
        let run = self.state.run(id);
        record.changed = read_json(&run.join("changed.json"))?.unwrap_or_default();
        record.response = read_json(&run.join("response.json"))?.unwrap_or_default();
        Ok(record)
    }

    /// The record of a run without its changes and its response: it is there even where those are damaged.
    ///
    /// # Errors
    /// When there is no such run, or its own record is damaged or cannot be read.
    pub fn record(&self, id: &RunId) -> Result<RunRecord, StoreError> {
        self.shown(id)
    }

    /// The directory of a run, for its logs and transcript.
    ///
    /// # Errors
    /// When there is no such run.
    pub fn run_directory(&self, id: &RunId) -> Result<std::path::PathBuf, StoreError> {
        self.shown(id).map(|record| self.state.run(&record.id))
    }

    /// The events of a run in order: objects with `time`, `kind` and `data`.
    ///
    /// # Errors
    /// When there is no such run, or its events cannot be read.
    pub fn events(&self, id: &RunId) -> Result<Vec<Value>, StoreError> {
        self.shown(id)?;
        events::read(&self.state.run(id))
    }

    /// Accepts the changes of a run for good and drops its before-images. What others changed after it stays, too, and the
    /// answer names it.
    ///
    /// # Errors
    /// [`StoreError::WrongStatus`] when the run does not wait for a person.
    pub fn approve(&self, id: &RunId) -> Result<Since, StoreError> {
        self.approve_if(id, |_| true)
    }

    /// The same for a person who was shown [`Store::question`] with this digest before they said yes.
    ///
    /// # Errors
    /// As for [`Self::approve`], and [`StoreError::ChangedWhileAsked`] when files are not what was shown.
    pub fn approve_as_shown(&self, id: &RunId, shown: &str) -> Result<Since, StoreError> {
        self.approve_if(id, |record| self.question_of(record).digest.to_string() == shown)
    }

    fn approve_if(&self, id: &RunId, as_shown: impl FnOnce(&RunRecord) -> bool) -> Result<Since, StoreError> {
        let since = {
            let _lock = StoreLock::exclusive(&self.state)?;
            let mut record = self.shown(id)?;
            if !record.status.waits() {
                return Err(StoreError::WrongStatus { id: id.clone(), status: record.status, action: "approved" });
            }
            if !as_shown(&record) {
                return Err(StoreError::ChangedWhileAsked(id.clone()));
            }
            let since = self.since_of(&record);
            let events = Events::open(&self.state.run(id))?;
            events.append("approved", &json!({ "was": record.status }), Durability::Now)?;
            self.state.close(&mut record, Status::Approved)?;
            observe::approved(id);
            since
        };
        // What cannot be removed now is removed at the next close.
        let _ = self.state.collect();
        Ok(since)
    }
}
