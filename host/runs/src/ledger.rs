//! Records of runs: reading, writing, closing, and removing what no open run needs.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use bailiwick_base::files::{self, failpoint};
use bailiwick_base::time::Moment;

use crate::error::StoreError;
use crate::id::RunId;
use crate::lock::StoreLock;
use crate::record::{RunRecord, Status};
use crate::state::{State, private, read_json, remove, sync_directory, write_json, write_json_soon};
use crate::tree::Manifest;

impl State {
    /// The record of a run; `None` when there is none or its beginning was cut short.
    pub(crate) fn record(&self, id: &RunId) -> Result<Option<RunRecord>, StoreError> {
        read_json(&self.run(id).join("run.json"))
    }

    pub(crate) fn existing(&self, id: &RunId) -> Result<RunRecord, StoreError> {
        self.record(id)?.ok_or_else(|| StoreError::UnknownRun(id.clone()))
    }

    /// Replaces the record of a run. What the record speaks of has to be on the disk before.
    pub(crate) fn save(&self, record: &RunRecord) -> Result<(), StoreError> {
        write_json(&self.run(&record.id).join("run.json"), record)
    }

    /// The state of every root before or after a run; `None` when it was not kept.
    pub(crate) fn manifest(&self, id: &RunId, which: &str) -> Result<Option<Manifest>, StoreError> {
        read_json(&self.run(id).join(which).join("manifest.json"))
    }

    /// Keeps the state of every root. [`Self::sync_manifest`] waits for it.
    pub(crate) fn save_manifest_soon(&self, id: &RunId, which: &str, manifest: &Manifest) -> Result<(), StoreError> {
        let directory = self.run(id).join(which);
        self.make(&directory)?;
        write_json_soon(&directory.join("manifest.json"), manifest)
    }

    /// Waits until a kept manifest is on the disk, with all names in the run's directory.
    pub(crate) fn sync_manifest(&self, id: &RunId, which: &str) -> Result<(), StoreError> {
        let directory = self.run(id).join(which);
        // A file is waited for like the names in a directory.
        sync_directory(&directory.join("manifest.json"))?;
        sync_directory(&directory)?;
        sync_directory(&self.run(id))
    }

    /// Waits until the content of a new pack is on the disk.
    pub(crate) fn sync_pack(&self, pack: Option<fs::File>) -> Result<(), StoreError> {
        let failed = |error: rustix::io::Errno| StoreError::state("write", &self.objects(), error);
        pack.map_or(Ok(()), |pack| files::sync(&pack).map_err(failed))
    }

    /// Names of all runs, oldest first.
    pub(crate) fn all_ids(&self) -> Result<Vec<RunId>, StoreError> {
        ids(&self.runs())
    }

    /// Names of runs that can perhaps still be undone, oldest first.
    pub(crate) fn open_ids(&self) -> Result<Vec<RunId>, StoreError> {
        ids(&self.open_runs())
    }

    /// Records of runs that can still be undone, oldest first.
    pub(crate) fn open_records(&self) -> Result<Vec<RunRecord>, StoreError> {
        let mut records = Vec::new();
        for id in ids(&self.open_runs())? {
            if let Some(record) = self.record(&id)?
                && record.status.is_open()
            {
                records.push(record);
            }
        }
        Ok(records)
    }

    /// Notes that a run needs its before-images, before they exist. Nothing waits for the note before the run begins.
    pub(crate) fn mark_open(&self, id: &RunId) -> Result<(), StoreError> {
        let path = self.open_runs().join(id.as_str());
        failpoint::hit().map_err(|error| StoreError::state("create", &path, std::io::Error::from(error)))?;
        private()
            .write(true)
            .create(true)
            .truncate(true)
            .open(&path)
            .map(drop)
            .map_err(|error| StoreError::state("create", &path, error))
    }

    /// Gives a run its last status and drops what only an open run needs.
    pub(crate) fn close(&self, record: &mut RunRecord, status: Status) -> Result<(), StoreError> {
        record.status = status;
        record.finished = Some(Moment::now().rfc3339());
        record.packs.clear();
        self.save(record)?;
        self.drop_images(&record.id)
    }

    fn drop_images(&self, id: &RunId) -> Result<(), StoreError> {
        let run = self.run(id);
        for which in ["before", "after", crate::suspend::CHECKPOINT] {
            failpoint::hit().map_err(|error| StoreError::state("remove", &run, std::io::Error::from(error)))?;
            gone(fs::remove_dir_all(run.join(which)), &run)?;
        }
        remove(&run.join("journal.json"))?;
        remove(&self.open_runs().join(id.as_str()))
    }

    /// Removes packs that no open run needs, and what runs left that died while they began or were
    /// closed. Does nothing while a run begins: the next close collects then.
    pub(crate) fn collect(&self) -> Result<(), StoreError> {
        let Some(_lock) = StoreLock::try_exclusive(self)? else { return Ok(()) };
        let mut needed = BTreeSet::new();
        for id in ids(&self.open_runs())? {
            match self.record(&id) {
                // It is unknown which packs it needs, so all of them stay.
                Err(StoreError::Damaged { .. }) => return Ok(()),
                Err(error) => return Err(error),
                Ok(Some(record)) if record.status.is_open() => needed.extend(record.packs),
                Ok(Some(_)) => self.drop_images(&id)?,
                Ok(None) => {
                    gone(fs::remove_dir_all(self.run(&id)), &self.runs())?;
                    remove(&self.open_runs().join(id.as_str()))?;
                }
            }
        }
        for name in file_names(&self.objects())? {
            if !needed.contains(&name) {
                remove(&self.objects().join(name))?;
            }
        }
        Ok(())
    }
}

fn ids(directory: &Path) -> Result<Vec<RunId>, StoreError> {
    let mut ids: Vec<RunId> = file_names(directory)?.iter().filter_map(|name| name.parse().ok()).collect();
    ids.sort();
    Ok(ids)
}

fn file_names(directory: &Path) -> Result<Vec<String>, StoreError> {
    let io = |source: std::io::Error| StoreError::state("list", directory, source);
    let mut names = Vec::new();
    for entry in fs::read_dir(directory).map_err(io)? {
        if let Ok(name) = entry.map_err(io)?.file_name().into_string() {
            names.push(name);
        }
    }
    Ok(names)
}

fn gone(result: std::io::Result<()>, path: &Path) -> Result<(), StoreError> {
    match result {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(StoreError::state("remove", path, error)),
        _ => Ok(()),
    }
}
