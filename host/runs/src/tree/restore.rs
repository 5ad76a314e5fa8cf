//! Making a directory what is wanted, against everything that still writes there.
//!
//! A restore is a number of passes. A pass brings every entry that differs to what is wanted; the
//! restore is done when a whole pass finds nothing to do. An error that only means that something
//! was swapped beneath the pass (a directory for a link, say) ends the pass and not the restore.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::time::Duration;

use bailiwick_base::files::{self, Facts, Type};
use bailiwick_base::time::Moment;
use rustix::io::Errno;

use super::skip::Skip;
use super::want::{ModeRule, Rest, TimeRule, Want, Wants};
use crate::error::StoreError;
use crate::id::RunId;
use crate::objects::Objects;
use crate::path::join;
use crate::record::Reverted;

/// Passes before the restore gives up because another process keeps writing.
const PASSES: u32 = 12;

/// Where a copy is kept of all that a restore overwrites or removes. Which of it the run wrote, and which a person beside
/// the run, nothing tells for certain: times of files say when they were changed and not by whom, and those of a directory
/// that was moved in are old.
#[derive(Debug, Clone)]
pub(crate) struct Aside {
    pub(crate) directory: PathBuf,
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
    /// The number of the pass at work.
    pub(super) pass: u32,
    pub(super) report: Report,
    /// Steps that changed something in this pass.
    pub(super) steps: u64,
    skip: Skip<'a>,
    pub(super) root: &'a str,
}

/// What was done, by path.
#[derive(Default)]
pub(super) struct Report {
    pub(super) restored: BTreeSet<String>,
    pub(super) removed: BTreeSet<String>,
    pub(super) left: BTreeSet<String>,
    pub(super) set_aside: Option<PathBuf>,
}

/// Beginning of the names of a run's temporary files in covered directories.
pub(crate) fn temporary(id: &RunId) -> String {
    format!(".bailiwick-{id}-")
}

impl<'a> Restorer<'a> {
    pub(crate) fn new(objects: &'a Objects, id: &RunId, taken: Moment, aside: Option<Aside>) -> Self {
        Self {
            objects,
            prefix: temporary(id),
            taken,
            counter: 0,
            aside,
            pass: 0,
            report: Report::default(),
            steps: 0,
            skip: Skip::default(),
            root: "",
        }
    }

    /// Makes the directory `handle` what `want` says. Nothing waits for the disk: a restore that was cut short is begun
    /// again, and the caller settles it before it reports the restore as done.
    pub(crate) fn root(
        &mut self,
        root: &'a str,
        skip: Skip<'a>,
        handle: &OwnedFd,
        want: &Want,
    ) -> Result<(), StoreError> {
        (self.root, self.skip) = (root, skip);
        let mut failure = None;
        for pass in 0..PASSES {
            (self.steps, self.pass) = (0, pass);
            match self.make(handle, want) {
                Ok(()) if self.steps == 0 => return Ok(()),
                Ok(()) => failure = None,
                Err(error) if swapped(&error) => {
                    failure = Some(error);
                    std::thread::sleep(Duration::from_millis(u64::from(pass)));
                }
                Err(error) => return Err(error),
            }
        }
        Err(failure.unwrap_or_else(|| StoreError::KeepsChanging { path: root.to_owned() }))
    }

    pub(crate) fn report(self) -> Reverted {
        let list = |paths: BTreeSet<String>| paths.into_iter().collect();
        // A directory that was rebuilt may have been removed first; what counts is what it is now.
        let removed = self.report.removed.difference(&self.report.restored).cloned().collect();
        Reverted {
            restored: list(self.report.restored),
            removed: list(removed),
            left: list(self.report.left),
            set_aside: self.report.set_aside,
        }
    }

    fn make(&mut self, handle: &OwnedFd, want: &Want) -> Result<(), StoreError> {
        match want {
            Want::Directory { entries, rest, facts, mode, times } => {
                let entered = self.look(handle, "")?;
                self.directory(handle, &entered, "", entries, *rest)?;
                self.leave(handle, &entered, "", facts, *mode, times)
            }
            _ => Err(StoreError::Damaged { what: format!("the root `{}` was not a directory", self.root) }),
        }
    }

    pub(super) fn shown(&self, path: &str) -> String {
        if path.is_empty() { self.root.to_owned() } else { format!("{}/{path}", self.root) }
    }

    pub(super) fn failed(&self, doing: &'static str, path: &str) -> impl Fn(Errno) -> StoreError + use<> {
        let shown = self.shown(path);
        move |error| StoreError::io(doing, shown.clone(), error)
    }

    pub(super) fn restored(&mut self, path: &str) {
        self.steps += 1;
        let shown = self.shown(path);
        self.report.restored.insert(shown);
    }

    pub(super) fn look(&self, handle: &OwnedFd, path: &str) -> Result<Facts, StoreError> {
        files::facts_of(handle).map_err(self.failed("look at", path))
    }

    /// Makes the entries of an open directory what is wanted.
    pub(super) fn directory(
        &mut self,
        handle: &OwnedFd,
        entered: &Facts,
        path: &str,
        entries: &Wants,
        rest: Rest,
    ) -> Result<(), StoreError> {
        for name in files::names(handle).map_err(self.failed("list", path))? {
            if entries.contains_key(&name) {
                continue;
            }
            let ours = name.as_encoded_bytes().starts_with(self.prefix.as_bytes());
            if ours || (rest == Rest::Remove && !self.is_skipped(handle, &name, path)?) {
                self.remove(handle, entered, &name, &join(path, &name))?;
            }
        }
        for (name, want) in entries {
            self.entry(handle, entered, name, &join(path, name), want)?;
        }
        Ok(())
    }

    fn is_skipped(&self, handle: &OwnedFd, name: &OsStr, path: &str) -> Result<bool, StoreError> {
        Ok(self.skip.holds(path, name)
            && matches!(
                files::present(handle, name).map_err(self.failed("look at", path))?,
                Some((Type::Directory, _))
            ))
    }

    /// Mode and times of a directory, after its entries are right.
    pub(super) fn leave(
        &mut self,
        handle: &OwnedFd,
        entered: &Facts,
        path: &str,
        facts: &Facts,
        mode: ModeRule,
        times: &TimeRule,
    ) -> Result<(), StoreError> {
        let now = self.look(handle, path)?;
        // A directory that was made writable for the work gets the mode back that it had.
        let wanted = if mode == ModeRule::Set { facts.mode } else { entered.mode };
        if mode == ModeRule::Set && self.own(handle, &now, facts).map_err(self.failed("set the owner of", path))? {
            self.restored(path);
        }
        if self.look(handle, path)?.mode != wanted {
            files::set_mode(handle, wanted).map_err(self.failed("set the mode of", path))?;
            if entered.mode != wanted {
                self.restored(path);
            }
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
        if set && now.modified != facts.modified {
            files::set_times(handle, facts.modified).map_err(self.failed("set the time of", path))?;
            self.steps += 1;
        }
        Ok(())
    }

    /// Gives a file or directory back to its owner; only the superuser can have changed that.
    pub(super) fn own(&self, handle: &OwnedFd, now: &Facts, facts: &Facts) -> rustix::io::Result<bool> {
        let differs = (now.uid, now.gid) != (facts.uid, facts.gid) && rustix::process::geteuid().is_root();
        if differs {
            files::set_owner(handle, facts.uid, facts.gid)?;
        }
        Ok(differs)
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
