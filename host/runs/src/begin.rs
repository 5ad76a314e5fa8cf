//! Beginning a run: locks first, then the before-images, then the record that makes it a run.

use std::fs;
use std::sync::Arc;
use std::time::Instant;

use bailiwick_base::files::{Type, present};
use bailiwick_base::time::Moment;
use serde_json::json;

use crate::error::StoreError;
use crate::events::{Durability, Events};
use crate::id::RunId;
use crate::lock::{self, Locks, StoreLock, Taken};
use crate::objects::{Objects, PackWriter};
use crate::observe;
use crate::record::{BeginRun, Coverage, Recovery, RootRecord, RunRecord, Status};
use crate::roots;
use crate::run::Run;
use crate::state::{State, sync_directory};
use crate::store::Store;
use crate::tree::{Manifest, Mode, RootTree, Walker};

impl Store {
    /// Begins a run: locks its roots, undoes a dead run on them, and keeps every covered file.
    ///
    /// When this returns, all of it is on the disk; nothing in the roots has been changed.
    ///
    /// # Errors
    /// [`StoreError::Busy`] when a root, or a directory around or in it, is at work;
    /// [`StoreError::UnsupportedFile`] for FIFOs, sockets and devices in a covered tree; and whatever
    /// is wrong with the roots. The store is then as if nothing had been asked.
    pub fn begin(&self, begin: BeginRun) -> Result<Run, StoreError> {
        let BeginRun { kind, request, details, roots: specs } = begin;
        let roots = roots::resolve(&self.state, specs)?;
        self.permit(&roots)?;
        self.recover_on(&roots)?;
        if let Some(id) = self.suspended_on(&roots)? {
            return Err(self.kept_from(&roots, id, |id| StoreError::Suspended { id }));
        }
        let started = Moment::now();
        let id = RunId::generate(started, self.state.all_ids()?.last())
            .map_err(|error| StoreError::io("read", "/dev/urandom", error))?;
        let locks = self.take(&roots, &id)?;
        // A run can have died between the recovery and the locks.
        if let Some(dead) = self.unfinished_on(&roots)? {
            return Err(StoreError::Busy { root: roots[0].directory.clone(), run: self.named(dead) });
        }
        if let Some(id) = self.suspended_on(&roots)? {
            return Err(self.kept_from(&roots, id, |id| StoreError::Suspended { id }));
        }
        let _store = StoreLock::shared(&self.state)?;
        let record = RunRecord {
            id,
            status: Status::Running,
            kind,
            request,
            details,
            started: started.rfc3339(),
            finished: None,
            owner: self.authority.owner.clone(),
            process: std::process::id(),
            roots,
            changed: Vec::new(),
            response: serde_json::Value::Null,
            changed_count: 0,
            packs: Vec::new(),
            only_looks: false,
            suspensions: 0,
            boot: crate::boot::id(),
        };
        let id = record.id.clone();
        let snapshot = Instant::now();
        let run = keep(&self.state, record, locks).inspect_err(|_| abandon(&self.state, &id))?;
        observe::begun(&run.record, snapshot.elapsed());
        Ok(run)
    }

    /// Locks `roots` for the run `id`.
    pub(crate) fn take(&self, roots: &[RootRecord], id: &RunId) -> Result<Locks, StoreError> {
        match lock::take(&self.state, &lock::keys(roots), roots, id)? {
            Ok(locks) => Ok(locks),
            Err(taken) => Err(self.busy(roots, &taken)),
        }
    }

    /// The error that names who holds a directory.
    pub(crate) fn busy(&self, roots: &[RootRecord], taken: &Taken) -> StoreError {
        let at_work = |status| matches!(status, Status::Running | Status::Reverting);
        // A lock file keeps the name of its last owner; it counts unless that run has ended.
        let named = taken
            .owner
            .clone()
            .filter(|id| self.state.record(id).is_ok_and(|record| record.is_none_or(|record| at_work(record.status))));
        let holds = |record: &&RunRecord| {
            at_work(record.status) && record.roots.iter().any(|root| root.chain.contains(&taken.identity))
        };
        let found = || {
            let records = self.state.open_records().ok()?;
            records.iter().find(holds).map(|record| record.id.clone())
        };
        let root = roots.iter().find(|root| root.chain.contains(&taken.identity)).or(roots.first());
        let root = root.map(|root| root.directory.clone()).unwrap_or_default();
        // Other callers must not learn whose run it is.
        StoreError::Busy { root, run: named.or_else(found).and_then(|id| self.named(id)) }
    }

    /// Undoes dead runs on `roots`; one that cannot be undone keeps a new run from beginning.
    fn recover_on(&self, roots: &[RootRecord]) -> Result<(), StoreError> {
        for record in self.state.open_records()? {
            if roots::any_overlap(&record.roots, roots)
                && let Some(Recovery::Blocked { reason }) = self.recover_one(&record)?
            {
                return Err(StoreError::NotRecovered { id: record.id, reason });
            }
        }
        Ok(())
    }

    fn unfinished_on(&self, roots: &[RootRecord]) -> Result<Option<RunId>, StoreError> {
        let unfinished = |record: &RunRecord| {
            matches!(record.status, Status::Running | Status::Reverting) && roots::any_overlap(&record.roots, roots)
        };
        Ok(self.state.open_records()?.into_iter().find(unfinished).map(|record| record.id))
    }
}

fn keep(state: &Arc<State>, mut record: RunRecord, locks: Locks) -> Result<Run, StoreError> {
    let directory = state.run(&record.id);
    state.mark_open(&record.id)?;
    state.make(&directory)?;
    let mut packs = Vec::new();
    for open in state.open_records()? {
        packs.extend(open.packs);
    }
    packs.sort();
    packs.dedup();
    let others = Objects::open(&state.objects(), &packs)?;
    let mut pack = PackWriter::create(&state.objects(), format!("{}.pack", record.id), others)?;
    let mut before = Manifest { taken: Moment::now(), roots: Vec::new() };
    for root in &mut record.roots {
        let replaced = || StoreError::RootReplaced { id: record.id.clone(), directory: root.directory.clone() };
        let (handle, chain) = roots::open(root).map_err(|_| replaced())?;
        if chain[0] != root.chain[0] {
            return Err(replaced());
        }
        if let Coverage::Tree { skip_at_root, .. } = &mut root.coverage {
            // One that is not there yet can only come from what the run starts.
            skip_at_root.retain(|name| matches!(present(&handle, name.as_ref()), Ok(Some((Type::Directory, _)))));
        }
        let node = Walker::new(&root.name, Mode::Keep(&mut pack)).read(&handle, &root.coverage)?;
        before.roots.push(RootTree { name: root.name.clone(), node });
    }
    let (packs, pack) = pack.finish()?;
    record.packs = packs;
    let events = Events::open(&directory)?;
    events.append("begun", &json!({ "kind": record.kind, "request": record.request }), Durability::Soon)?;
    state.save_manifest_soon(&record.id, "before", &before)?;
    // Nothing counts before the record is there. Everything is written first: on a file system with a journal the first
    // wait brings nearly all of it to the disk, and the others find little left to wait for.
    state.sync_pack(pack)?;
    state.sync_manifest(&record.id, "before")?;
    for directory in [state.objects(), state.open_runs(), state.runs()] {
        sync_directory(&directory)?;
    }
    // From here on it is a run: the next process that finds it without an owner undoes it.
    state.save(&record)?;
    Ok(Run::new(Arc::clone(state), record, before, events, locks))
}

/// Removes what a run left that did not begin. What stays, `collect` removes.
fn abandon(state: &State, id: &RunId) {
    let _ = fs::remove_dir_all(state.run(id));
    let _ = fs::remove_file(state.objects().join(format!("{id}.pack")));
    let _ = fs::remove_file(state.open_runs().join(id.as_str()));
}
