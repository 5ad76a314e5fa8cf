//! The tools that were added to this machine.
//!
//! `<state>/tools/added.json` says what each one is and what was decided about it; `<state>/tools/components/<digest>.wasm`
//! are the components. The state directory is never granted to a tool. A component that is not the one that was added is
//! never handed out.

mod entry;
mod error;
mod index;

pub use entry::{Consent, Entry, Release, Source};
pub use error::StoreError;

use crate::approval::{Approval, Binding};
use crate::digest::Digest;
use crate::file;
use bailiwick_base::files::Replace;
use index::{Entries, Unread};
use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The largest component that is kept, in bytes. What is loaded of it is the sandbox's to limit.
pub const LARGEST: u64 = 64 << 20;
/// The longest index that is read, in bytes.
const LONGEST_INDEX: u64 = 16 << 20;
/// So many tools are kept.
const MOST: usize = 256;
/// So many digests of what was used before.
const PREVIOUS: usize = 16;

/// The added tools of this machine's user.
#[derive(Debug, Clone)]
pub struct Store {
    directory: PathBuf,
}

type Result<T, E = StoreError> = std::result::Result<T, E>;

impl Store {
    /// The store in a directory, such as `<state>/tools`. Nothing is made yet.
    #[must_use]
    pub fn at(directory: impl Into<PathBuf>) -> Self {
        Self { directory: directory.into() }
    }

    /// Where it is.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// All of them by name.
    ///
    /// # Errors
    /// The directory is not this user's alone, or the index is not one.
    pub fn list(&self) -> Result<Entries> {
        match self.directory.symlink_metadata() {
            Ok(_) => self.secure()?,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Entries::new()),
            Err(error) => return Err(self.broken(&error)),
        }
        let text = match file::plain(&self.index(), LONGEST_INDEX) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Entries::new()),
            Err(error) => return Err(self.broken(&error)),
        };
        index::read(&text).map_err(|unread| match unread {
            Unread::Version(found) => StoreError::Version { path: self.index(), found, known: index::VERSION },
            Unread::Broken(reason) => self.broken(&reason),
        })
    }

    /// What was added as `name`.
    ///
    /// # Errors
    /// As [`Store::list`], or there is no such tool.
    pub fn entry(&self, name: &str) -> Result<Entry> {
        let mut all = self.list()?;
        all.remove(name).ok_or_else(|| unknown(name, &all))
    }

    /// Keeps a component under a name, atomically: afterwards it is there as a whole or not at all. `check` sees what
    /// was added so far, and no other process adds in between. What asks for anything waits for a person's approval.
    ///
    /// # Errors
    /// What `check` says, or as [`Store::list`].
    pub fn add<E: From<StoreError>>(
        &self,
        name: &str,
        bytes: &[u8],
        release: Release,
        check: impl FnOnce(&Entries) -> Result<(), E>,
    ) -> Result<Entry, E> {
        let _alone = self.lock()?;
        let mut all = self.list()?;
        check(&all)?;
        if all.len() >= MOST {
            return Err(StoreError::Full(MOST).into());
        }
        self.keep(&release, bytes)?;
        let consent = if release.asks() { Consent::Waiting } else { Consent::Unasked };
        let entry = Entry { current: release, consent, update: None, previous: Vec::new() };
        all.insert(name.to_owned(), entry.clone());
        self.write(&all)?;
        Ok(entry)
    }

    /// Puts a release in the place of another. One that asks for the same as the one that is used, in the same words and
    /// with the same component, changes nothing. Otherwise it waits beside for an approval, and the old one stays in use;
    /// where neither asks for anything there is nothing to approve, and it is taken at once.
    ///
    /// # Errors
    /// What `check` says, or as [`Store::list`].
    pub fn update<E: From<StoreError>>(
        &self,
        name: &str,
        bytes: &[u8],
        release: Release,
        check: impl FnOnce(&Entries) -> Result<(), E>,
    ) -> Result<Entry, E> {
        let _alone = self.lock()?;
        let mut all = self.list()?;
        check(&all)?;
        let entry = all.get_mut(name).ok_or_else(|| unknown(name, &Entries::new()))?;
        if release.digest != entry.current.digest {
            self.keep(&release, bytes)?;
        }
        let same = release.digest == entry.current.digest
            && release.words == entry.current.words
            && release.binding() == entry.current.binding();
        match (same, release.asks() || entry.current.asks()) {
            // What is only shown may be another one: its version, where it comes from.
            (true, _) => {
                entry.current = release;
                entry.update = None;
            }
            // What was never in use, or is not any more, has nothing to stay in use.
            (false, true) if !entry.standing().allows() => {
                entry.succeed(release);
                if entry.consent != Consent::Revoked {
                    entry.consent = Consent::Waiting;
                }
            }
            (false, true) => entry.update = Some(release),
            (false, false) => entry.succeed(release),
        }
        let entry = entry.clone();
        self.write(&all)?;
        self.sweep(&all);
        Ok(entry)
    }

    /// Records a person's yes to what they were shown, which `approval` is bound to.
    ///
    /// # Errors
    /// It is not what would be approved any more; or as [`Store::list`].
    pub fn approve(&self, name: &str, approval: Approval) -> Result<Entry> {
        let _alone = self.lock()?;
        let mut all = self.list()?;
        let Some(entry) = all.get_mut(name) else { return Err(unknown(name, &all)) };
        let meant = entry.update.as_ref().unwrap_or(&entry.current);
        let found = meant.binding().ok_or_else(|| StoreError::NothingToApprove(name.to_owned()))?;
        if found != approval.binding {
            return Err(StoreError::Moved(name.to_owned()));
        }
        if let Some(update) = entry.update.take() {
            entry.succeed(update);
        }
        entry.consent = Consent::Approved(approval);
        let entry = entry.clone();
        self.write(&all)?;
        self.sweep(&all);
        Ok(entry)
    }

    /// Takes a tool out of use until it is approved again. An update that waited goes with it.
    ///
    /// # Errors
    /// As [`Store::entry`].
    pub fn revoke(&self, name: &str) -> Result<Entry> {
        let _alone = self.lock()?;
        let mut all = self.list()?;
        let Some(entry) = all.get_mut(name) else { return Err(unknown(name, &all)) };
        entry.consent = Consent::Revoked;
        entry.update = None;
        let entry = entry.clone();
        self.write(&all)?;
        self.sweep(&all);
        Ok(entry)
    }

    /// Lets a tool that asks for nothing be used again after it was revoked.
    ///
    /// # Errors
    /// It asks for something, so it has to be approved; or as [`Store::entry`].
    pub fn reinstate(&self, name: &str, digest: &Digest) -> Result<Entry> {
        let _alone = self.lock()?;
        let mut all = self.list()?;
        let Some(entry) = all.get_mut(name) else { return Err(unknown(name, &all)) };
        if entry.current.asks() || entry.current.digest != *digest {
            return Err(StoreError::Moved(name.to_owned()));
        }
        entry.consent = Consent::Unasked;
        let entry = entry.clone();
        self.write(&all)?;
        Ok(entry)
    }

    /// Forgets a name; a component goes with the last name that it has.
    ///
    /// # Errors
    /// As [`Store::entry`].
    pub fn remove(&self, name: &str) -> Result<Entry> {
        let _alone = self.lock()?;
        let mut all = self.list()?;
        let entry = all.remove(name).ok_or_else(|| unknown(name, &all))?;
        self.write(&all)?;
        self.sweep(&all);
        Ok(entry)
    }

    /// The component that `name` has now, and that it is the one that was added.
    ///
    /// # Errors
    /// As [`Store::entry`], or it cannot be read, or it is another one.
    pub fn read(&self, name: &str) -> Result<(Entry, Vec<u8>)> {
        let entry = self.entry(name)?;
        let bytes = self.component(name, &entry.current.digest)?;
        Ok((entry, bytes))
    }

    /// A component that is kept for `name`, by its digest.
    ///
    /// # Errors
    /// It cannot be read, or it is another one.
    pub fn component(&self, name: &str, digest: &Digest) -> Result<Vec<u8>> {
        let bytes = file::plain(&self.file(digest), LARGEST)
            .map_err(|error| StoreError::Unreadable { name: name.to_owned(), reason: error.to_string() })?;
        let found = Digest::of(&bytes);
        if found != *digest {
            let (found, expected) = (found.hex().to_owned(), digest.hex().to_owned());
            return Err(StoreError::Exchanged { name: name.to_owned(), found, expected });
        }
        Ok(bytes)
    }

    /// The file that says what was added and decided. It is replaced as a whole.
    #[must_use]
    pub fn index(&self) -> PathBuf {
        self.directory.join("added.json")
    }

    fn components(&self) -> PathBuf {
        self.directory.join("components")
    }

    fn file(&self, digest: &Digest) -> PathBuf {
        self.components().join(format!("{}.wasm", digest.hex()))
    }

    /// The release's digest is that of `bytes`, by its maker; what is read later is checked against it.
    fn keep(&self, release: &Release, bytes: &[u8]) -> Result<()> {
        Replace::PRIVATE.write(&self.file(&release.digest), bytes).map_err(|error| self.broken(&error))
    }

    /// Another user who could write here could have another component run.
    fn secure(&self) -> Result<()> {
        for directory in [self.directory.clone(), self.components()] {
            if file::own(&directory).map_err(|error| self.broken(&error))? == Some(false) {
                return Err(StoreError::NotPrivate(directory));
            }
        }
        Ok(())
    }

    /// Makes the directories and waits until no other process changes them.
    pub(crate) fn lock(&self) -> Result<File> {
        file::make(&self.components()).map_err(|error| self.broken(&error))?;
        self.secure()?;
        file::lock(&self.directory.join("lock")).map_err(|error| self.broken(&error))
    }

    fn write(&self, all: &Entries) -> Result<()> {
        let text = index::write(all).map_err(|error| self.broken(&error))?;
        Replace::PRIVATE.write(&self.index(), &text).map_err(|error| self.broken(&error))
    }

    /// Removes components that nothing names any more. What cannot be removed is never loaded either.
    fn sweep(&self, all: &Entries) {
        let releases = all.values().flat_map(|entry| [Some(&entry.current), entry.update.as_ref()]).flatten();
        let named: Vec<_> = releases.map(|release| self.file(&release.digest)).collect();
        let Ok(files) = std::fs::read_dir(self.components()) else { return };
        for path in files.flatten().map(|file| file.path()).filter(|path| !named.contains(path)) {
            let _ = std::fs::remove_file(path);
        }
    }

    pub(crate) fn broken(&self, error: &dyn std::fmt::Display) -> StoreError {
        StoreError::Broken { directory: self.directory.clone(), reason: error.to_string() }
    }
}

impl Entry {
    fn succeed(&mut self, release: Release) {
        let before = std::mem::replace(&mut self.current, release);
        self.update = None;
        if before.digest != self.current.digest {
            self.previous.push(before.digest);
            let surplus = self.previous.len().saturating_sub(PREVIOUS);
            self.previous.drain(..surplus);
        }
    }
}

/// What a person is asked to approve when they are asked about `entry`.
#[must_use]
pub fn asked_about(entry: &Entry) -> Option<(&Release, Binding)> {
    let release = entry.undecided()?;
    Some((release, release.binding()?))
}

/// The component in a file that a person names.
///
/// # Errors
/// There is no such plain file, or it is larger than [`LARGEST`].
pub fn component_file(path: &Path) -> std::io::Result<Vec<u8>> {
    file::plain(path, LARGEST)
}

/// The text of a manifest in a file that a person names.
///
/// # Errors
/// There is no such plain file, it is too long, or not UTF-8.
pub fn manifest_file(path: &Path) -> std::io::Result<String> {
    let bytes = file::plain(path, crate::manifest::LONGEST as u64)?;
    String::from_utf8(bytes).map_err(|_| std::io::Error::other("it is not UTF-8"))
}

fn unknown(name: &str, all: &Entries) -> StoreError {
    StoreError::Unknown { name: name.to_owned(), known: all.keys().cloned().collect() }
}

#[cfg(test)]
mod tests;
