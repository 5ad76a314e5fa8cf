//! Changing files together: all of them or none.
//!
//! New contents are written beside their targets, then each is swapped in with one rename. A swap
//! leaves the old file itself under the temporary name, so taking back is a rename too and cannot
//! run out of space. What was swapped out is compared once more with what the change expected,
//! so that an edit which slipped in between is noticed and not lost. The journal names what is under
//! way; a process that dies leaves the run to recovery, which brings every covered file back. For the same reason
//! nothing here waits for the disk: the before-images are on it, and `State::settle` brings the rest there before a record
//! says that it is.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::fd::OwnedFd;

use bailiwick_base::files::{self, Facts};
use bailiwick_base::time::Moment;
use rustix::io::Errno;
use serde_json::{Value, json};

use crate::apply_target::{Target, found, make_parents, targets};
use crate::attributes::allowed;
use crate::digest::Digest;
use crate::error::{ApplyError, StoreError};
use crate::events::Durability;
use crate::observe;
use crate::roots;
use crate::run::Run;
use crate::state::{remove, write_json_soon};
use crate::tree::temporary;

/// A change to one covered file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Name of the root.
    pub root: String,
    /// Path beneath it. Missing directories on the way are created.
    pub path: String,
    /// Digest of the file that the change was made for; `None` when there must be none.
    pub expected: Option<Digest>,
    /// The new content; `None` removes the file.
    pub content: Option<Vec<u8>>,
}

/// A change under way.
struct Work<'a> {
    target: Target<'a>,
    parent: OwnedFd,
    /// The directory's time before, given back when nothing comes of it.
    parent_modified: Moment,
    name: OsString,
    /// Temporary name of the new content, and after a swap of the old.
    fresh: OsString,
    /// Temporary name of the old content where it is not `fresh`.
    aside: OsString,
    /// Temporary name under which the old file lies now.
    old: Option<OsString>,
    landed: bool,
}

impl Run {
    /// Makes all changes, or none. Modes of existing files stay.
    ///
    /// # Errors
    /// [`ApplyError::Conflict`] when a file is not what its change expected, and everything else that
    /// can fail; nothing is changed then. Only after [`ApplyError::NotTakenBack`] is something changed;
    /// [`Run::restore`] undoes it.
    pub fn apply(&mut self, changes: &[Change]) -> Result<(), ApplyError> {
        let roots = self.open_roots()?;
        let targets = targets(&roots, changes)?;
        if targets.is_empty() {
            return Ok(());
        }
        let journal = self.directory().join("journal.json");
        let shown: Vec<Value> = targets.iter().map(describe).collect();
        write_json_soon(&journal, &json!({ "kind": "apply", "files": shown }))?;
        let mut made = Vec::new();
        let mut works = Vec::new();
        let prefix = temporary(self.id());
        let done = prepare(targets, &prefix, &mut made, &mut works).and_then(|()| land(&mut works));
        if let Err(cause) = done {
            return match take_back(&mut works, &made).and_then(|()| remove(&journal)) {
                Ok(()) => Err(cause),
                Err(source) => Err(ApplyError::NotTakenBack { cause: Box::new(cause), source }),
            };
        }
        forget(&works);
        remove(&journal)?;
        self.events.append("applied", &json!({ "files": shown }), Durability::Soon)?;
        observe::applied(self.id(), works.len());
        Ok(())
    }

    /// Every root by name. An edit made for one directory must not land in another.
    fn open_roots(&self) -> Result<BTreeMap<String, (&crate::record::RootRecord, OwnedFd)>, StoreError> {
        let mut opened = BTreeMap::new();
        for root in &self.record.roots {
            let replaced =
                || StoreError::RootReplaced { id: self.record.id.clone(), directory: root.directory.clone() };
            let (handle, chain) = roots::open(root).map_err(|_| replaced())?;
            if chain[0] != root.chain[0] {
                return Err(replaced());
            }
            opened.insert(root.name.clone(), (root, handle));
        }
        Ok(opened)
    }
}

fn describe(target: &Target<'_>) -> Value {
    json!({ "path": target.shown, "before": target.expected, "after": target.content.map(Digest::of) })
}

/// Creates missing directories and writes the new contents beside their targets.
fn prepare<'a>(
    targets: Vec<Target<'a>>,
    prefix: &str,
    made: &mut Vec<(OwnedFd, OsString)>,
    works: &mut Vec<Work<'a>>,
) -> Result<(), ApplyError> {
    for (number, target) in targets.into_iter().enumerate() {
        let (parents, name) = target.path.split();
        let (name, shown) = (name.to_owned(), target.shown.clone());
        let io = |doing| {
            let shown = shown.clone();
            move |error: Errno| StoreError::io(doing, shown, error)
        };
        let parent = make_parents(target.root, parents, made).map_err(io("open the directory of"))?;
        let parent_modified = files::facts_of(&parent).map_err(io("look at the directory of"))?.modified;
        let (fresh, aside) = (format!("{prefix}n{number}").into(), format!("{prefix}o{number}").into());
        works.push(Work { target, parent, parent_modified, name, fresh, aside, old: None, landed: false });
        let Some(work) = works.last() else { continue };
        if let Some(content) = work.target.content {
            write_beside(work, &work.fresh, content, work.target.facts.as_ref(), None)?;
        }
    }
    Ok(())
}

/// Writes a temporary file with the mode, owner and attributes of the file it is to replace or to save.
fn write_beside(
    work: &Work<'_>,
    name: &OsStr,
    content: &[u8],
    like: Option<&Facts>,
    modified: Option<Moment>,
) -> Result<(), StoreError> {
    let io = |error: std::io::Error| StoreError::io("write", &work.target.shown, error);
    let failed = |error: Errno| io(error.into());
    // Without a model the umask decides, as for any new file.
    let mode = if like.is_some() { 0o600 } else { 0o666 };
    let file = files::create(&work.parent, name, mode).map_err(failed)?;
    files::write(&file, content).map_err(io)?;
    if let Some(like) = like {
        let now = files::facts_of(&file).map_err(failed)?;
        if (now.uid, now.gid) != (like.uid, like.gid) && rustix::process::geteuid().is_root() {
            let _ = allowed(files::set_owner(&file, like.uid, like.gid)).map_err(failed)?;
        }
        // What is not there any more is a conflict, which landing finds.
        let mode = files::Attributes::carry_named((&work.parent, &work.name), &file, like.mode).map_err(failed)?;
        files::set_mode(&file, mode).map_err(failed)?;
    }
    if let Some(modified) = modified {
        files::set_times(&file, modified).map_err(failed)?;
    }
    Ok(())
}

/// Swaps every change in.
fn land(works: &mut [Work<'_>]) -> Result<(), ApplyError> {
    works.iter_mut().try_for_each(land_one)
}

fn land_one(work: &mut Work<'_>) -> Result<(), ApplyError> {
    let shown = work.target.shown.clone();
    let io = |error: Errno| StoreError::io("replace", &shown, error);
    match (work.target.expected, work.target.content) {
        (None, Some(_)) => match files::rename_new(&work.parent, &work.fresh, &work.name) {
            Err(Errno::EXIST) => return Err(work.conflict()),
            result => result.map_err(io)?,
        },
        (Some(_), Some(_)) => match files::exchange(&work.parent, &work.fresh, &work.name) {
            Ok(true) => work.old = Some(work.fresh.clone()),
            Ok(false) => {
                copy_aside(work)?;
                files::rename(&work.parent, &work.fresh, &work.name).map_err(io)?;
            }
            Err(Errno::NOENT) => return Err(work.conflict()),
            Err(error) => return Err(io(error).into()),
        },
        (_, None) => match files::rename_new(&work.parent, &work.name, &work.aside) {
            Err(Errno::NOENT) => return Err(work.conflict()),
            result => {
                result.map_err(io)?;
                work.old = Some(work.aside.clone());
            }
        },
    }
    work.landed = true;
    let Some(old) = &work.old else { return Ok(()) };
    let swapped_out = found(&work.parent, old, &shown)?.map(|(digest, _)| digest);
    if swapped_out == work.target.expected { Ok(()) } else { Err(work.conflict_with(swapped_out)) }
}

/// Saves the old content where the file system cannot swap two names.
fn copy_aside(work: &mut Work<'_>) -> Result<(), ApplyError> {
    let shown = work.target.shown.clone();
    let io = |error: std::io::Error| StoreError::io("read", &shown, error);
    let (mut file, facts) = files::open_file(&work.parent, &work.name).map_err(|error| io(error.into()))?;
    let mut content = Vec::new();
    std::io::Read::read_to_end(&mut file, &mut content).map_err(io)?;
    work.old = Some(work.aside.clone());
    Ok(write_beside(work, &work.aside, &content, Some(&facts), Some(facts.modified))?)
}

impl Work<'_> {
    fn conflict(&self) -> ApplyError {
        match found(&self.parent, &self.name, &self.target.shown) {
            Ok(found) => self.conflict_with(found.map(|(digest, _)| digest)),
            Err(error) => error,
        }
    }

    fn conflict_with(&self, found: Option<Digest>) -> ApplyError {
        ApplyError::Conflict { path: self.target.shown.clone(), expected: self.target.expected, found }
    }
}

/// Puts the old file back in the place of ours; a newer file that was saved meanwhile stays.
fn swap_back(work: &Work<'_>) -> Result<(), Errno> {
    let ours = |name: &OsStr| {
        let digest = found(&work.parent, name, &work.target.shown).ok().flatten().map(|(digest, _)| digest);
        digest == work.target.content.map(Digest::of)
    };
    let (parent, name) = (&work.parent, &work.name);
    match &work.old {
        // A removed file, or one that could not be exchanged.
        Some(old) if work.target.content.is_none() || *old == work.aside => {
            if ours(name) {
                files::rename(parent, old, name)
            } else {
                Ok(())
            }
        }
        Some(old) => {
            files::exchange(parent, old, name)?;
            if ours(old) { Ok(()) } else { files::exchange(parent, old, name).map(|_| ()) }
        }
        None => {
            files::rename_new(parent, name, &work.aside)?;
            if ours(&work.aside) { Ok(()) } else { files::rename_new(parent, &work.aside, name) }
        }
    }
}

/// Brings back what was there before, in reverse order.
fn take_back(works: &mut [Work<'_>], made: &[(OwnedFd, OsString)]) -> Result<(), StoreError> {
    for work in works.iter_mut().rev() {
        let io = |error: Errno| StoreError::io("take back", &work.target.shown, error);
        if work.landed {
            swap_back(work).map_err(io)?;
        }
        for name in [&work.fresh, &work.aside] {
            match files::remove_file(&work.parent, name) {
                Ok(()) | Err(Errno::NOENT) => {}
                Err(error) => return Err(io(error)),
            }
        }
    }
    for (parent, name) in made.iter().rev() {
        match files::remove_directory(parent, name) {
            // Another process put something there meanwhile, which this run must not remove.
            Ok(()) | Err(Errno::NOENT | Errno::NOTEMPTY | Errno::EXIST) => {}
            Err(error) => return Err(StoreError::io("remove", name.to_string_lossy(), error)),
        }
    }
    for work in works {
        let io = |error: Errno| StoreError::io("take back", &work.target.shown, error);
        let _ = allowed(files::set_times(&work.parent, work.parent_modified)).map_err(io)?;
    }
    Ok(())
}

/// Removes the old files. The changes stand; a file that cannot be removed is tried once more and
/// then left to the next restore or reported as added.
fn forget(works: &[Work<'_>]) {
    for work in works {
        if let Some(old) = &work.old {
            let _ = files::remove_file(&work.parent, old).or_else(|_| files::remove_file(&work.parent, old));
        }
    }
}
