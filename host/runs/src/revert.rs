//! Undoing a run that has ended.

use std::collections::BTreeSet;
use std::path::PathBuf;

use bailiwick_base::time::Moment;
use rustix::io::Errno;
use serde_json::json;

use crate::error::StoreError;
use crate::events::{Durability, Events};
use crate::id::RunId;
use crate::lock::StoreLock;
use crate::objects::Objects;
use crate::observe;
use crate::record::{Recovery, Reverted, RunRecord, Status};
use crate::roots;
use crate::store::Store;
use crate::tree::{Aside, Edits, Manifest, Restorer, Want, back, edits, undo};

/// What an undo goes by.
pub(crate) struct Images {
    pub(crate) before: Manifest,
    /// `None` when the run's process died: then everything covered goes back.
    pub(crate) after: Option<Manifest>,
}

impl Store {
    /// Undoes a run that is pending, or failed with its changes kept. Touches only what the run
    /// touched. A run that was interrupted is undone too, as at the next start.
    ///
    /// # Errors
    /// [`StoreError::Edited`] when anything touched is not as the run left it, and
    /// [`StoreError::LaterRun`] when a later run on the same directory is open; nothing is changed
    /// then. [`StoreError::WrongStatus`], [`StoreError::Busy`], or what the system says.
    pub fn revert(&self, id: &RunId) -> Result<Reverted, StoreError> {
        let record = self.shown(id)?;
        self.permit(&record.roots)?;
        if matches!(record.status, Status::Running | Status::Reverting) {
            match self.recover_one(&record)? {
                Some(Recovery::Reverted(reverted)) => return Ok(reverted),
                Some(Recovery::Blocked { reason }) => {
                    return Err(StoreError::NotRecovered { id: id.clone(), reason });
                }
                Some(Recovery::LeftAsIs { .. } | Recovery::Suspended(_)) | None => {}
            }
        }
        let _locks = self.take(&record.roots, id)?;
        let mut record = self.state.existing(id)?;
        if !record.status.can_be_reverted() {
            return Err(StoreError::WrongStatus { id: id.clone(), status: record.status, action: "reverted" });
        }
        let later = self
            .state
            .open_records()?
            .into_iter()
            .rev()
            .find(|other| other.id > *id && roots::any_overlap(&other.roots, &record.roots));
        if let Some(later) = later {
            let told = |later| StoreError::LaterRun { id: id.clone(), later };
            return Err(self.kept_from(&record.roots, later.id, told));
        }
        let mut images = self.images(&record)?;
        if record.status == Status::Suspended {
            // A person was to edit: its own leftovers do not decide what may be undone.
            images.after = None;
        }
        if let Some(after) = &images.after {
            let paths = edited(&record, &images.before, after)?;
            if !paths.is_empty() {
                return Err(StoreError::Edited { id: id.clone(), paths: shown(&paths) });
            }
        }
        // What somebody saves from here on.
        let aside = Some(self.aside(id));
        {
            let _store = StoreLock::exclusive(&self.state)?;
            record = self.state.existing(id)?;
            if !record.status.can_be_reverted() {
                return Err(StoreError::WrongStatus { id: id.clone(), status: record.status, action: "reverted" });
            }
            record.status = Status::Reverting;
            self.state.save(&record)?;
        }
        self.carry_out(record, &images, aside, "reverted")
    }

    /// Brings the roots back, then closes the run. The caller holds the locks.
    pub(crate) fn carry_out(
        &self,
        mut record: RunRecord,
        images: &Images,
        aside: Option<Aside>,
        event: &str,
    ) -> Result<Reverted, StoreError> {
        let report = self.bring_back(&record, images, aside)?;
        let events = Events::open(&self.state.run(&record.id))?;
        let counts = json!({ "restored": report.restored.len(), "removed": report.removed.len() });
        events.append(event, &counts, Durability::Soon)?;
        self.state.settle(&record.roots)?;
        observe::put_back(&record.id, event, &report);
        self.state.close(&mut record, Status::Reverted)?;
        // What cannot be removed now is removed at the next close.
        let _ = self.state.collect();
        Ok(report)
    }

    /// Brings the roots back; the caller holds the locks, and settles them.
    pub(crate) fn bring_back(
        &self,
        record: &RunRecord,
        images: &Images,
        aside: Option<Aside>,
    ) -> Result<Reverted, StoreError> {
        let objects = Objects::open(&self.state.objects(), &record.packs)?;
        // Times and lengths may be on the disk without the content that they speak of, so they vouch for a file only as
        // long as the machine runs.
        let same_start = record.boot.is_some() && record.boot == crate::boot::id();
        let taken = if same_start { images.before.taken } else { Moment(i64::MIN, 0) };
        let mut goals = Vec::new();
        for (root, before) in record.roots.iter().zip(&images.before.roots) {
            let want: Option<Want> = match &images.after {
                None => Some(back(&before.node)),
                Some(after) => after.root(&root.name).and_then(|after| undo(&before.node, &after.node)),
            };
            if let Some(want) = want {
                goals.push(roots::goal(root, want)?);
            }
        }
        let scratch = self.state.scratch(&record.id);
        let mut restorer = Restorer::new(&objects, &record.id, taken, aside, scratch).knowing(images.after.as_ref());
        restorer.roots(&goals)?;
        Ok(restorer.report())
    }

    pub(crate) fn images(&self, record: &RunRecord) -> Result<Images, StoreError> {
        let lost = || StoreError::Damaged { what: format!("the before-images of `{}` are missing", record.id) };
        let before = self.state.manifest(&record.id, "before")?.ok_or_else(lost)?;
        if before.roots.len() != record.roots.len() {
            return Err(lost());
        }
        // One that died while it finished has an after-manifest, but never said so; it need not even be whole.
        let ended = record.status != Status::Running;
        let after = if ended { self.state.manifest(&record.id, "after")? } else { None };
        Ok(Images { before, after })
    }

    /// Where copies of what is overwritten are kept.
    pub(crate) fn aside(&self, id: &RunId) -> Aside {
        Aside::in_directory(self.state.aside(id))
    }
}

/// Paths that the run touched and that are not as it left them, each with the name of its root in front.
pub(crate) fn edited(record: &RunRecord, before: &Manifest, after: &Manifest) -> Result<BTreeSet<PathBuf>, StoreError> {
    let mut found = BTreeSet::new();
    for (root, before) in record.roots.iter().zip(&before.roots) {
        let Some(after) = after.root(&root.name) else { continue };
        let handle = match roots::open(root) {
            Ok((handle, _)) => handle,
            Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => {
                found.insert(PathBuf::from(&root.name));
                continue;
            }
            Err(error) => return Err(StoreError::io("open", root.directory.display().to_string(), error)),
        };
        let mut checked = Edits { root: &root.name, skip: roots::skip(root), found: BTreeSet::new() };
        edits(&mut checked, &handle, &before.node, &after.node)?;
        found.append(&mut checked.found);
    }
    Ok(found)
}

/// The same as text.
pub(crate) fn shown(paths: &BTreeSet<PathBuf>) -> Vec<String> {
    paths.iter().map(|path| path.to_string_lossy().into_owned()).collect()
}
