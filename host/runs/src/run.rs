//! A run at work.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use bailiwick_base::time::Moment;
use serde_json::{Value, json};

use crate::error::StoreError;
use crate::events::{Durability, Events};
use crate::id::RunId;
use crate::lock::Locks;
use crate::objects::Objects;
use crate::observe;
use crate::path::RelativePath;
use crate::record::{ChangedFile, Reverted, RootRecord, RunRecord, Status};
use crate::roots;
use crate::state::{State, remove, write_json_soon};
use crate::tree::{Aside, Content, Manifest, Mode, Node, Restorer, RootTree, Walker, back, changes};

/// A run at work, the only one on its roots as long as it exists.
///
/// Dropping it without [`Run::finish`] is like the death of its process: the next start undoes it.
#[derive(Debug)]
pub struct Run {
    pub(crate) state: Arc<State>,
    pub(crate) record: RunRecord,
    pub(crate) before: Manifest,
    pub(crate) events: Events,
    pub(crate) meanwhile: Vec<ChangedFile>,
    /// Opened once: the index of a pack has a line for each of its contents, and every changed file asks for one.
    objects: OnceLock<Objects>,
    directory: PathBuf,
    _locks: Locks,
}

impl Run {
    pub(crate) fn new(state: Arc<State>, record: RunRecord, before: Manifest, events: Events, locks: Locks) -> Self {
        let directory = state.run(&record.id);
        Self {
            state,
            record,
            before,
            events,
            meanwhile: Vec::new(),
            objects: OnceLock::new(),
            directory,
            _locks: locks,
        }
    }

    /// Its name.
    pub fn id(&self) -> &RunId {
        &self.record.id
    }

    /// Its directory in the store, for logs, stage and transcript. The names `run.json`,
    /// `events.jsonl`, `changed.json`, `response.json`, `journal.json`, `before`, `after`, `checkpoint` and `aside`
    /// are the store's.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The directory in it for what the run needs for its work alone. The caller makes it; a restore that meets a full disk
    /// removes it.
    pub fn scratch(&self) -> PathBuf {
        self.state.scratch(&self.record.id)
    }

    /// Its roots with every link resolved, in the order given.
    pub fn roots(&self) -> &[RootRecord] {
        &self.record.roots
    }

    /// Appends an event. It survives the death of the process; of the machine, once the run was suspended or finished.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn event(&mut self, kind: &str, data: &Value) -> Result<(), StoreError> {
        self.events.append(kind, data, Durability::Soon)
    }

    /// Brings everything covered back: contents, modes, links, empty directories and times; removes
    /// what was added. A copy of all that it overwrites or removes is kept in the directory that it returns, because a
    /// person may have worked beside the run. A run that only looks restores nothing.
    ///
    /// # Errors
    /// [`StoreError::KeepsChanging`] when something still writes there. It may be called again, and a
    /// run that dies meanwhile is restored at the next start.
    pub fn restore(&mut self) -> Result<Option<PathBuf>, StoreError> {
        if self.record.only_looks {
            return Ok(None);
        }
        // The restore counts and its events do not: a full disk must not prevent it.
        let _ = self.events.append("restoring", &Value::Null, Durability::Soon);
        let report = self.restore_roots()?;
        remove(&self.directory.join("journal.json"))?;
        let counts = json!({ "restored": report.restored.len(), "removed": report.removed.len() });
        let _ = self.events.append("restored", &counts, Durability::Soon);
        observe::put_back(self.id(), "restored", &report);
        Ok(report.set_aside)
    }

    /// Whether it writes nothing into its roots.
    pub fn is_only_looking(&self) -> bool {
        self.record.only_looks
    }

    /// From now on the run writes nothing into its roots and has nothing written there: what changes there is a person's,
    /// and is never put back, also if the process dies.
    ///
    /// # Errors
    /// When the record cannot be written.
    pub fn only_looks(&mut self) -> Result<(), StoreError> {
        self.record.only_looks = true;
        self.state.save(&self.record)
    }

    fn restore_roots(&self) -> Result<Reverted, StoreError> {
        let objects = self.objects()?;
        let aside = Aside::in_directory(self.state.aside(&self.record.id));
        let mut goals = Vec::new();
        for (root, tree) in self.record.roots.iter().zip(&self.before.roots) {
            goals.push(roots::goal(root, back(&tree.node))?);
        }
        let scratch = self.state.scratch(&self.record.id);
        let mut restorer = Restorer::new(objects, &self.record.id, self.before.taken, Some(aside), scratch);
        restorer.roots(&goals)?;
        Ok(restorer.report())
    }

    fn objects(&self) -> Result<&Objects, StoreError> {
        if let Some(objects) = self.objects.get() {
            return Ok(objects);
        }
        let objects = Objects::open(&self.state.objects(), &self.record.packs)?;
        Ok(self.objects.get_or_init(|| objects))
    }

    /// Covered entries that are not as before the run: content, target, mode or kind. Times do not
    /// count.
    ///
    /// # Errors
    /// When something covered cannot be read.
    pub fn changed(&self) -> Result<Vec<ChangedFile>, StoreError> {
        Ok(self.compare(&self.now()?))
    }

    pub(crate) fn compare(&self, now: &Manifest) -> Vec<ChangedFile> {
        let pairs = self.before.roots.iter().zip(&now.roots);
        pairs.flat_map(|(before, now)| changes(&before.name, &before.node, &now.node)).collect()
    }

    /// The state of every root now.
    pub(crate) fn now(&self) -> Result<Manifest, StoreError> {
        let taken = Moment::now();
        let read = |(root, before): (&RootRecord, &RootTree)| {
            Ok(RootTree { name: root.name.clone(), node: self.read(root, &before.node)? })
        };
        let roots = self.record.roots.iter().zip(&self.before.roots).map(read);
        Ok(Manifest { taken, roots: roots.collect::<Result<_, StoreError>>()? })
    }

    fn read(&self, root: &RootRecord, before: &Node) -> Result<Node, StoreError> {
        let failed = |error| StoreError::io("open", root.directory.display().to_string(), error);
        let (handle, _) = roots::open(root).map_err(failed)?;
        let mode = Mode::Compare { before, taken: self.before.taken };
        Walker::new(&root.name, mode).read(&handle, &root.coverage)
    }

    /// Content of a covered file before the run; `None` when there was no such file.
    ///
    /// # Errors
    /// When the run has no such root or the path is not relative; when the path is covered by no
    /// root ([`Coverage::Files`](crate::Coverage::Files)) or is not a regular file; when the store is
    /// damaged.
    pub fn before(&self, root: &str, path: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let (record, tree) = self.root(root)?;
        let path = RelativePath::parse(path)?;
        let shown = || crate::path::shown(root, &path);
        if !crate::apply_target::covers(record, &path) {
            return Err(StoreError::NotCovered { path: shown() });
        }
        let digest = match tree.node.find(path.components()).map(|node| &node.content) {
            None | Some(Content::Absent | Content::MissingWay(_)) => return Ok(None),
            Some(Content::File(digest)) => digest,
            Some(content) => {
                let found = if matches!(content, Content::Symlink(_)) { "a symbolic link" } else { "a directory" };
                return Err(StoreError::WrongKind { path: shown(), found, wanted: "a regular file" });
            }
        };
        let read = self.objects()?.read(digest);
        read.map(Some).map_err(|error| StoreError::io("read the before-image of", shown(), error))
    }

    pub(crate) fn root(&self, name: &str) -> Result<(&RootRecord, &RootTree), StoreError> {
        let root = self.record.roots.iter().find(|root| root.name == name);
        root.zip(self.before.root(name)).ok_or_else(|| StoreError::UnknownRoot(name.to_owned()))
    }

    /// Ends the run.
    ///
    /// [`Status::Pending`] and [`Status::Failed`] with `kept` keep the changes and what is needed to
    /// undo them. [`Status::Reverted`] and [`Status::Failed`] without `kept` restore everything
    /// first. [`Status::Unchanged`] is refused when anything differs, unless the run only looks. `response` is kept with the run.
    ///
    /// # Errors
    /// As named, and for any other status. The run then counts as one whose process died: the next
    /// start undoes it.
    pub fn finish(mut self, status: Status, response: &Value) -> Result<(), StoreError> {
        let wrong = |status, action| Err(StoreError::WrongStatus { id: self.record.id.clone(), status, action });
        match status {
            Status::Running | Status::Suspended | Status::Reverting | Status::Approved => {
                return wrong(self.record.status, "finished with a status that only the store gives");
            }
            Status::Pending | Status::Failed { kept: true } => {
                if self.directory.join("journal.json").exists() {
                    return wrong(self.record.status, "finished before it is restored");
                }
                let now = self.now()?;
                let changed = self.compare(&now);
                write_json_soon(&self.directory.join("changed.json"), &changed)?;
                self.record.changed_count = changed.len();
                self.state.save_manifest_soon(&self.record.id, "after", &now)?;
            }
            Status::Reverted | Status::Failed { kept: false } => {
                let _ = self.restore()?;
            }
            Status::Unchanged if self.record.only_looks => {}
            Status::Unchanged => {
                let changed = self.changed()?;
                if !changed.is_empty() {
                    let paths = changed.iter().map(|file| format!("{}/{}", file.root, file.path)).collect();
                    return Err(StoreError::NotUnchanged { id: self.record.id.clone(), paths });
                }
            }
        }
        write_json_soon(&self.directory.join("response.json"), response)?;
        self.events.append("finished", &json!({ "status": status }), Durability::Soon)?;
        self.state.settle(&self.record.roots)?;
        observe::finished(self.id(), status, self.record.changed_count);
        if status.is_open() {
            self.record.status = status;
            self.record.finished = Some(Moment::now().rfc3339());
            return self.state.save(&self.record);
        }
        self.state.close(&mut self.record, status)?;
        // What cannot be removed now is removed at the next close.
        let _ = self.state.collect();
        Ok(())
    }
}
