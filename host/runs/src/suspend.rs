//! Runs that wait between two stretches of work while another process or a person works.
//!
//! A suspended run belongs to no process. No other run begins on its roots; the caller that resumes it names it. What
//! changes the roots meanwhile belongs to the run: [`Run::meanwhile`] lists it, and it is undone with the run.
//! When the process dies that went on with it, the next start brings back what stood there when it went on.

use std::sync::Arc;

use bailiwick_base::time::Moment;
use serde_json::{Value, json};

use crate::error::StoreError;
use crate::events::{Durability, Events};
use crate::id::RunId;
use crate::lock::StoreLock;
use crate::objects::{Objects, PackWriter};
use crate::record::{ChangedFile, RootRecord, RunRecord, Status};
use crate::roots;
use crate::run::Run;
use crate::state::sync_directory;
use crate::store::Store;
use crate::tree::{Manifest, Mode, RootTree, Walker, changes};

/// What stood there when a suspended run was gone on with.
pub(crate) const CHECKPOINT: &str = "checkpoint";

impl Run {
    /// Leaves the run to be resumed: [`Store::resume`].
    ///
    /// # Errors
    /// When the roots cannot be read or the store cannot be written. The run then counts as one whose process died.
    pub fn suspend(mut self) -> Result<RunId, StoreError> {
        if self.directory().join("journal.json").exists() {
            let id = self.record.id.clone();
            return Err(StoreError::WrongStatus { id, status: self.record.status, action: "suspended unrestored" });
        }
        let now = self.now()?;
        self.record.changed_count = self.compare(&now).len();
        self.state.save_manifest_soon(&self.record.id, "after", &now)?;
        self.events.append("suspended", &Value::Null, Durability::Soon)?;
        self.state.settle(&self.record.roots)?;
        self.record.status = Status::Suspended;
        self.record.suspensions += 1;
        self.state.save(&self.record)?;
        Ok(self.record.id)
    }

    /// How often it was suspended. What a caller keeps beside the run for the next stretch counts once this has grown: it
    /// has not where the process died before it could suspend the run.
    #[must_use]
    pub fn suspensions(&self) -> u32 {
        self.record.suspensions
    }

    /// What was changed while the run was suspended; empty for a run that never was.
    #[must_use]
    pub fn meanwhile(&self) -> &[ChangedFile] {
        &self.meanwhile
    }
}

impl Store {
    /// Goes on with a suspended run. What its roots hold now is kept until it is suspended again or ends.
    ///
    /// # Errors
    /// [`StoreError::WrongStatus`] when it is not suspended, [`StoreError::Busy`] when it is being resumed already,
    /// [`StoreError::RootReplaced`], and whatever is wrong with the roots. It is then still suspended.
    pub fn resume(&self, id: &RunId) -> Result<Run, StoreError> {
        let record = self.shown(id)?;
        self.permit(&record.roots)?;
        // Its process may have died since the store was opened.
        if let Some(crate::record::Recovery::Blocked { reason }) = self.recover_one(&record)? {
            return Err(StoreError::NotRecovered { id: id.clone(), reason });
        }
        let locks = self.take(&record.roots, id)?;
        let _store = StoreLock::shared(&self.state)?;
        let mut record = self.state.existing(id)?;
        if record.status != Status::Suspended {
            return Err(StoreError::WrongStatus { id: id.clone(), status: record.status, action: "gone on with" });
        }
        let images = self.images(&record)?;
        let name = self.pack_name(id)?;
        let others = Objects::open(&self.state.objects(), &record.packs)?;
        let mut pack = PackWriter::create(&self.state.objects(), name, others)?;
        let mut checkpoint = Manifest { taken: Moment::now(), roots: Vec::new() };
        for root in &record.roots {
            checkpoint.roots.push(RootTree { name: root.name.clone(), node: read(id, root, &mut pack)? });
        }
        let (packs, pack) = pack.finish()?;
        for pack in packs {
            if !record.packs.contains(&pack) {
                record.packs.push(pack);
            }
        }
        let left = images.after.as_ref().unwrap_or(&images.before);
        let pairs = left.roots.iter().zip(&checkpoint.roots);
        let meanwhile = pairs.flat_map(|(left, now)| changes(&left.name, &left.node, &now.node)).collect::<Vec<_>>();
        let events = Events::open(&self.state.run(id))?;
        events.append("resumed", &json!({ "changed": meanwhile.len() }), Durability::Soon)?;
        self.state.save_manifest_soon(id, CHECKPOINT, &checkpoint)?;
        self.state.sync_pack(pack)?;
        self.state.sync_manifest(id, CHECKPOINT)?;
        sync_directory(&self.state.objects())?;
        record.status = Status::Running;
        record.boot = crate::boot::id();
        record.process = std::process::id();
        self.state.save(&record)?;
        let mut run = Run::new(Arc::clone(&self.state), record, images.before, events, locks);
        run.meanwhile = meanwhile;
        Ok(run)
    }

    /// The suspended run on any of `roots`, which keeps others from beginning there.
    pub(crate) fn suspended_on(&self, roots: &[RootRecord]) -> Result<Option<RunId>, StoreError> {
        let waits = |record: &RunRecord| record.status == Status::Suspended && roots::any_overlap(&record.roots, roots);
        Ok(self.state.open_records()?.into_iter().find(waits).map(|record| record.id))
    }

    /// A name that no pack of the run has; one may be left of a process that died here.
    fn pack_name(&self, id: &RunId) -> Result<String, StoreError> {
        let directory = self.state.objects();
        (1..u32::MAX)
            .map(|number| format!("{id}-{number}.pack"))
            .find(|name| !directory.join(name).exists())
            .ok_or_else(|| StoreError::Damaged { what: format!("too many packs of `{id}`") })
    }
}

fn read(id: &RunId, root: &RootRecord, pack: &mut PackWriter) -> Result<crate::tree::Node, StoreError> {
    let replaced = || StoreError::RootReplaced { id: id.clone(), directory: root.directory.clone() };
    let (handle, chain) = roots::open(root).map_err(|_| replaced())?;
    if chain[0].inode != root.chain[0].inode {
        return Err(replaced());
    }
    Walker::new(&root.name, Mode::Keep(pack)).read(&handle, &root.coverage)
}
