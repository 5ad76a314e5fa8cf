//! Making a directory what is wanted, against everything that still writes there.
//!
//! A restore is a number of passes. A pass brings every entry that differs to what is wanted; the
//! restore is done when a whole pass finds nothing to do. An error that only means that something
//! was swapped beneath the pass (a directory for a link, say) ends the pass and not the restore.
//! What cannot be brought back holds up no other entry and no other root. On a full disk `room` says what is given up.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bailiwick_base::files::{self, Facts, Type};
use bailiwick_base::time::Moment;
use rustix::io::Errno;

use super::aside::Aside;
use super::manifest::Manifest;
use super::room::{Progress, Room, is_full};
use super::skip::Skip;
use super::want::{ModeRule, Rest, Taken, TimeRule, Want, Wants};
use crate::attributes::{Attribute, allowed};
use crate::error::StoreError;
use crate::id::RunId;
use crate::objects::Objects;
use crate::path::join;
use crate::record::Reverted;

/// Passes before the restore gives up because another process keeps writing.
const PASSES: u32 = 12;

/// A directory, and what it has to become.
pub(crate) struct Goal<'a> {
    pub(crate) root: &'a str,
    pub(crate) skip: Skip<'a>,
    pub(crate) handle: OwnedFd,
    pub(crate) want: Want,
}

/// Restores the roots of one run.
pub(crate) struct Restorer<'a> {
    pub(super) objects: &'a Objects,
    /// Beginning of the names of temporary files.
    pub(super) prefix: String,
    /// When the before-images were read.
    pub(super) taken: Moment,
    pub(super) counter: u64,
    pub(super) aside: Option<Aside>,
    /// What the run left, where it is known: that needs no copy.
    pub(super) left: Option<&'a Manifest>,
    /// What the run's own directory has for its work, and nothing is lost with.
    pub(super) scratch: PathBuf,
    pub(super) room: Room,
    /// Why entries could not be brought back in this pass.
    held: Held,
    /// The number of the pass at work.
    pub(super) pass: u32,
    pub(super) report: Report,
    /// Steps that changed something in this pass.
    pub(super) steps: u64,
    skip: Skip<'a>,
    pub(super) root: &'a str,
}

/// Entries that could not be brought back in a pass.
#[derive(Default)]
struct Held {
    count: usize,
    why: Option<StoreError>,
}

/// What was done, by path.
#[derive(Default)]
pub(super) struct Report {
    pub(super) restored: BTreeSet<String>,
    pub(super) removed: BTreeSet<String>,
    pub(super) left: BTreeSet<String>,
    pub(super) unset: BTreeSet<String>,
    /// Files and directories that could not get their extended attributes.
    pub(super) without_attributes: BTreeSet<String>,
    pub(super) set_aside: Option<PathBuf>,
}

/// Beginning of the names of a run's temporary files in covered directories.
pub(crate) fn temporary(id: &RunId) -> String {
    format!(".bailiwick-{id}-")
}

impl<'a> Restorer<'a> {
    pub(crate) fn new(objects: &'a Objects, id: &RunId, taken: Moment, aside: Option<Aside>, scratch: PathBuf) -> Self {
        Self {
            objects,
            prefix: temporary(id),
            taken,
            counter: 0,
            aside,
            left: None,
            scratch,
            room: Room::Enough,
            held: Held::default(),
            pass: 0,
            report: Report::default(),
            steps: 0,
            skip: Skip::default(),
            root: "",
        }
    }

    /// With what the run left.
    pub(crate) fn knowing(self, left: Option<&'a Manifest>) -> Self {
        Self { left, ..self }
    }

    /// Makes every directory what is wanted of it. Nothing waits for the disk: a restore that was cut short is begun
    /// again, and the caller settles it before it reports the restore as done.
    ///
    /// One that cannot be brought back does not hold up the others, whose restore may leave room for it.
    pub(crate) fn roots(&mut self, goals: &'a [Goal<'a>]) -> Result<(), StoreError> {
        let mut left = Vec::new();
        for goal in goals {
            left.extend(self.root(goal).err().map(|_| goal));
        }
        left.into_iter().try_for_each(|goal| self.root(goal))?;
        if self.report.without_attributes.is_empty() {
            return Ok(());
        }
        // Attributes take room of their own, which the restore of another root may have left.
        goals.iter().try_for_each(|goal| self.root(goal))
    }

    fn root(&mut self, goal: &'a Goal<'a>) -> Result<(), StoreError> {
        (self.root, self.skip) = (goal.root, goal.skip);
        let (mut failure, mut most) = (None, usize::MAX);
        for pass in 0..PASSES {
            (self.steps, self.pass) = (0, pass);
            let made = self.make(&goal.handle, &goal.want);
            let held = std::mem::take(&mut self.held);
            let progress = if held.count < most { Progress::Some } else { Progress::Stalled };
            most = held.count;
            match (made, held.why) {
                (Ok(()), None) if self.steps == 0 => return Ok(()),
                (Ok(()), None) => failure = None,
                (Ok(()), Some(held)) if is_full(&held) && self.makes_more_room(progress) => failure = Some(held),
                (Ok(()), Some(held)) => return Err(held),
                (Err(error), _) if swapped(&error) => {
                    failure = Some(error);
                    std::thread::sleep(Duration::from_millis(u64::from(pass)));
                }
                (Err(error), _) => return Err(error),
            }
        }
        Err(failure.unwrap_or_else(|| StoreError::KeepsChanging { path: goal.root.to_owned() }))
    }

    pub(crate) fn report(self) -> Reverted {
        let list = |paths: BTreeSet<String>| paths.into_iter().collect();
        // A directory that was rebuilt may have been removed first; what counts is what it is now.
        let removed = self.report.removed.difference(&self.report.restored).cloned().collect();
        Reverted {
            restored: list(self.report.restored),
            removed: list(removed),
            left: list(self.report.left),
            unset: list(&self.report.unset | &self.report.without_attributes),
            set_aside: self.report.set_aside,
        }
    }

    fn make(&mut self, handle: &OwnedFd, want: &Want) -> Result<(), StoreError> {
        match want {
            Want::Directory { entries, rest, facts, mode, times, attributes } => {
                let entered = self.look(handle, Path::new(""))?;
                self.directory(handle, &entered, Path::new(""), entries, *rest)?;
                self.leave(handle, &entered, Path::new(""), (facts, attributes.as_ref()), *mode, times)
            }
            _ => Err(StoreError::Damaged { what: format!("the root `{}` was not a directory", self.root) }),
        }
    }

    pub(super) fn shown(&self, path: &Path) -> String {
        if path.as_os_str().is_empty() { self.root.to_owned() } else { join(self.root, path.as_os_str()) }
    }

    pub(super) fn failed(&self, doing: &'static str, path: &Path) -> impl Fn(Errno) -> StoreError + use<> {
        let shown = self.shown(path);
        move |error| StoreError::io(doing, shown.clone(), error)
    }

    pub(super) fn restored(&mut self, path: &Path) {
        self.steps += 1;
        let shown = self.shown(path);
        self.report.restored.insert(shown);
    }

    pub(super) fn look(&self, handle: &OwnedFd, path: &Path) -> Result<Facts, StoreError> {
        files::facts_of(handle).map_err(self.failed("look at", path))
    }

    /// Makes the entries of an open directory what is wanted.
    pub(super) fn directory(
        &mut self,
        handle: &OwnedFd,
        entered: &Facts,
        path: &Path,
        entries: &Wants,
        rest: Rest,
    ) -> Result<(), StoreError> {
        for name in files::names(handle).map_err(self.failed("list", path))? {
            if entries.contains_key(&name) {
                continue;
            }
            let ours = name.as_encoded_bytes().starts_with(self.prefix.as_bytes());
            if ours || (rest == Rest::Remove && !self.is_skipped(handle, &name, path)?) {
                let removed = self.remove(handle, entered, &name, &path.join(&name));
                self.held_up(removed)?;
            }
        }
        for (name, want) in entries {
            let made = self.entry(handle, entered, name, &path.join(name), want);
            self.held_up(made)?;
        }
        Ok(())
    }

    /// Notes why an entry could not be brought back. Only what means that something was swapped ends the pass.
    fn held_up(&mut self, made: Result<(), StoreError>) -> Result<(), StoreError> {
        match made {
            Err(error) if !swapped(&error) => {
                // More room helps only where nothing else is in the way.
                if self.held.why.as_ref().is_none_or(is_full) {
                    self.held.why = Some(error);
                }
                self.held.count += 1;
                Ok(())
            }
            other => other,
        }
    }

    fn is_skipped(&self, handle: &OwnedFd, name: &OsStr, path: &Path) -> Result<bool, StoreError> {
        Ok(self.skip.holds(path, name)
            && matches!(
                files::present(handle, name).map_err(self.failed("look at", path))?,
                Some((Type::Directory, _))
            ))
    }

    /// Attributes, mode and times of a directory, after its entries are right.
    pub(super) fn leave(
        &mut self,
        handle: &OwnedFd,
        entered: &Facts,
        path: &Path,
        (facts, taken): (&Facts, Option<&Taken>),
        mode: ModeRule,
        times: &TimeRule,
    ) -> Result<(), StoreError> {
        let now = self.look(handle, path)?;
        // A directory that was made writable for the work gets the mode back that it had.
        let mut wanted = if mode == ModeRule::Set { facts.mode } else { entered.mode };
        if mode == ModeRule::Set && self.own(handle, &now, facts, path)? {
            self.restored(path);
        }
        if let Some(taken) = taken {
            let put = taken.put_on(handle);
            match self.attributed(put, path) {
                true if put == Ok(true) => self.restored(path),
                true => {}
                false => wanted = taken.mode_without(handle, wanted),
            }
        }
        if self.look(handle, path)?.mode != wanted
            && self.set(files::set_mode(handle, wanted), "set the mode of", path)?
            && entered.mode != wanted
        {
            self.restored(path);
        }
        let set = match times {
            TimeRule::Set => true,
            TimeRule::Leave => false,
            TimeRule::WithNames(names) => {
                let listed = files::names(handle).map_err(self.failed("list", path))?;
                let listed: BTreeSet<OsString> =
                    listed.into_iter().filter(|name| !self.skip.holds(path, name)).collect();
                listed == *names
            }
        };
        if set
            && now.modified != facts.modified
            && self.set(files::set_times(handle, facts.modified), "set the time of", path)?
        {
            self.steps += 1;
        }
        Ok(())
    }

    /// Gives a file or directory back to its owner, and says whether that changed anything; only the superuser can have
    /// changed it.
    pub(super) fn own(
        &mut self,
        handle: &OwnedFd,
        now: &Facts,
        facts: &Facts,
        path: &Path,
    ) -> Result<bool, StoreError> {
        let differs = (now.uid, now.gid) != (facts.uid, facts.gid) && rustix::process::geteuid().is_root();
        if !differs {
            return Ok(false);
        }
        self.set(files::set_owner(handle, facts.uid, facts.gid), "set the owner of", path)
    }

    /// Whether owner, mode or time of an entry could be set. Those of an entry that belongs to another user stay: its
    /// content counts, and the report names it.
    pub(super) fn set(
        &mut self,
        result: Result<(), Errno>,
        doing: &'static str,
        path: &Path,
    ) -> Result<bool, StoreError> {
        match allowed(result) {
            Ok(Attribute::Set) => Ok(true),
            Ok(Attribute::OfAnotherUser) => {
                let shown = self.shown(path);
                self.report.unset.insert(shown);
                Ok(false)
            }
            Err(error) => Err(self.failed(doing, path)(error)),
        }
    }
}

/// Whether the error means that something was swapped while the pass was at work.
fn swapped(error: &StoreError) -> bool {
    let StoreError::Io { source, .. } = error else { return false };
    let found = Errno::from_io_error(source);
    [Errno::NOENT, Errno::NOTDIR, Errno::LOOP, Errno::EXIST, Errno::NOTEMPTY, Errno::INVAL, Errno::ISDIR]
        .iter()
        .any(|errno| Some(*errno) == found)
}
