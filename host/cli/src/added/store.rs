//! The components on disk.
//!
//! `<state>/tools/added.json` names them and says which digest each one has; `<state>/tools/components/<digest>.wasm` is
//! what was added. The state directory is never granted to a tool. A component that is not the one that was added is
//! never loaded, whoever changed it.

use crate::exit::{Error, Result};
use crate::places;
use rustix::fs::{CWD, FlockOperation, Mode, OFlags};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

/// The form of the index. Another one is not understood, and so not written over.
const VERSION: u32 = 1;
/// As much as the sandbox loads.
const LARGEST: u64 = 64 << 20;
const LONGEST_INDEX: u64 = 1 << 20;

/// What is known of an added component.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Entry {
    /// SHA-256 in hexadecimal.
    pub(crate) digest: String,
    /// Its tools by name.
    pub(crate) tools: Vec<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Index {
    version: u32,
    components: BTreeMap<String, Entry>,
}

/// The added components of this machine's user.
pub(crate) struct Store {
    directory: PathBuf,
}

impl Store {
    /// That of the state directory. Nothing is made yet.
    pub(crate) fn open() -> Result<Self> {
        Ok(Self { directory: places::state()?.join("tools") })
    }

    /// All of them by name.
    pub(crate) fn list(&self) -> Result<BTreeMap<String, Entry>> {
        match self.directory.symlink_metadata() {
            Ok(_) => self.secure()?,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(BTreeMap::new()),
            Err(error) => return Err(self.broken(&error)),
        }
        let text = match plain_file(&self.index(), LONGEST_INDEX) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(BTreeMap::new()),
            Err(error) => return Err(self.broken(&error)),
        };
        let index: Index = serde_json::from_slice(&text).map_err(|error| self.broken(&error))?;
        if index.version != VERSION {
            return Err(Error::failed(format!(
                "`{}` has the form {} and this program reads {VERSION}",
                self.index().display(),
                index.version
            )));
        }
        // A digest names a file.
        let odd = |entry: &Entry| {
            entry.digest.len() != 64 || !entry.digest.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        };
        match index.components.iter().find(|(_, entry)| odd(entry)) {
            Some((name, _)) => Err(self.broken(&format!("`{}` has no digest", name.escape_debug()))),
            None => Ok(index.components),
        }
    }

    /// Keeps a component under a name, atomically: afterwards it is there as a whole or not at all. `check` sees what
    /// was added so far, and nobody adds in between.
    pub(crate) fn add(
        &self,
        name: &str,
        bytes: &[u8],
        tools: Vec<String>,
        check: impl FnOnce(&BTreeMap<String, Entry>) -> Result<()>,
    ) -> Result<Entry> {
        let _alone = self.lock()?;
        let mut components = self.list()?;
        check(&components)?;
        let entry = Entry { digest: digest(bytes), tools };
        self.put(&self.component(&entry.digest), bytes)?;
        components.insert(name.to_owned(), entry.clone());
        self.write(components)?;
        Ok(entry)
    }

    /// Forgets a name; the component goes with the last name that it has.
    pub(crate) fn remove(&self, name: &str) -> Result<Entry> {
        let _alone = self.lock()?;
        let mut components = self.list()?;
        let entry = components.remove(name).ok_or_else(|| unknown(name, &components))?;
        let last = components.values().all(|other| other.digest != entry.digest);
        self.write(components)?;
        if last {
            // What cannot be removed is named by nothing any more, and so never loaded.
            let _ = std::fs::remove_file(self.component(&entry.digest));
        }
        Ok(entry)
    }

    /// The component of this name, and that it is the one that was added.
    pub(crate) fn read(&self, name: &str) -> Result<(Entry, Vec<u8>)> {
        let components = self.list()?;
        let entry = components.get(name).cloned().ok_or_else(|| unknown(name, &components))?;
        let again = format!("take it away with `bailiwick tool remove {name}` and add it again if you trust it");
        let bytes = plain_file(&self.component(&entry.digest), LARGEST).map_err(|error| {
            Error::failed(format!("the component of `{name}` cannot be read: {error}")).hint(again.clone())
        })?;
        let found = digest(&bytes);
        if found != entry.digest {
            return Err(Error::refused(format!(
                "the component of `{name}` is not the one that was added: its SHA-256 is {found} and not {}",
                entry.digest
            ))
            .hint(again));
        }
        Ok((entry, bytes))
    }

    fn index(&self) -> PathBuf {
        self.directory.join("added.json")
    }

    fn component(&self, digest: &str) -> PathBuf {
        self.directory.join("components").join(format!("{digest}.wasm"))
    }

    /// Whoever else could write here could have another component run.
    fn secure(&self) -> Result<()> {
        for directory in [self.directory.clone(), self.directory.join("components")] {
            let found = match directory.symlink_metadata() {
                Err(error) if error.kind() == ErrorKind::NotFound => continue,
                found => found.map_err(|error| self.broken(&error))?,
            };
            let own = found.uid() == rustix::process::geteuid().as_raw();
            if !found.is_dir() || !own || found.mode() & 0o077 != 0 {
                return Err(Error::refused(format!("`{}` is not a directory of yours alone", directory.display()))
                    .hint(format!("`chmod 700 {}` if it is yours", directory.display())));
            }
        }
        Ok(())
    }

    /// Makes the directories and waits until nobody else changes them.
    fn lock(&self) -> Result<File> {
        let components = self.directory.join("components");
        std::fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&components)
            .map_err(|error| self.broken(&error))?;
        self.secure()?;
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let lock = rustix::fs::openat(CWD, self.directory.join("lock"), flags, Mode::RUSR | Mode::WUSR)
            .map_err(|error| self.broken(&error))?;
        rustix::fs::flock(&lock, FlockOperation::LockExclusive).map_err(|error| self.broken(&error))?;
        Ok(File::from(lock))
    }

    fn write(&self, components: BTreeMap<String, Entry>) -> Result<()> {
        let index = Index { version: VERSION, components };
        let text = serde_json::to_vec_pretty(&index).map_err(|error| self.broken(&error))?;
        self.put(&self.index(), &text)
    }

    /// Writes beside and renames. The lock is held, so the name beside is nobody else's.
    fn put(&self, path: &Path, content: &[u8]) -> Result<()> {
        let beside = path.with_extension("new");
        let written = (|| {
            match std::fs::remove_file(&beside) {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
                _ => {}
            }
            let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let mut file = File::from(rustix::fs::openat(CWD, &beside, flags, Mode::RUSR | Mode::WUSR)?);
            file.write_all(content)?;
            file.sync_all()?;
            std::fs::rename(&beside, path)
        })();
        written.map_err(|error| self.broken(&error))
    }

    fn broken(&self, error: &dyn std::fmt::Display) -> Error {
        Error::failed(format!("the added tools in `{}` cannot be used: {error}", self.directory.display()))
    }
}

/// The component in a file that a person names.
pub(crate) fn component_file(path: &Path) -> Result<Vec<u8>> {
    plain_file(path, LARGEST)
        .map_err(|error| Error::usage(format!("cannot read the component `{}`: {error}", path.display())))
}

/// A FIFO would be waited for, and a device never ends.
fn plain_file(path: &Path, most: u64) -> std::io::Result<Vec<u8>> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::openat(CWD, path, flags, Mode::empty())?);
    if !file.metadata()?.is_file() {
        return Err(std::io::Error::other("it is not a plain file"));
    }
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(std::io::Error::other(format!("it is larger than {} MiB", most >> 20)));
    }
    Ok(bytes)
}

fn unknown(name: &str, components: &BTreeMap<String, Entry>) -> Error {
    let error = Error::usage(format!("no component was added as `{name}`"));
    let names: Vec<_> = components.keys().map(|name| format!("`{name}`")).collect();
    error.hint(match names.is_empty() {
        true => "`bailiwick tool add FILE` adds one".to_owned(),
        false => format!("these were added: {}", names.join(", ")),
    })
}

fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn store() -> (tempfile::TempDir, Store) {
        let base = tempfile::tempdir().unwrap();
        let directory = base.path().join("state/tools");
        (base, Store { directory })
    }

    fn add(store: &Store, name: &str, bytes: &[u8]) -> Result<Entry> {
        store.add(name, bytes, vec![name.to_owned()], |_| Ok(()))
    }

    #[test]
    fn what_was_added_is_there_for_its_user_alone_and_gone_when_removed() {
        let (_base, store) = store();
        assert!(store.list().unwrap().is_empty());
        add(&store, "a", b"one").unwrap();
        add(&store, "b", b"one").unwrap();
        let (entry, bytes) = store.read("a").unwrap();
        assert_eq!((bytes.as_slice(), entry.tools), (&b"one"[..], vec!["a".to_owned()]));
        for path in [store.directory.clone(), store.directory.join("components")] {
            assert_eq!(path.metadata().unwrap().mode() & 0o777, 0o700);
        }
        let component = store.component(&entry.digest);
        store.remove("a").unwrap();
        assert!(component.is_file(), "another name still has it");
        store.remove("b").unwrap();
        assert!(!component.exists());
        assert_eq!(store.remove("b").unwrap_err().code as u8, 2);
    }

    #[test]
    fn component_that_was_changed_or_swapped_is_refused_by_name() {
        let (_base, store) = store();
        let entry = add(&store, "a", b"one").unwrap();
        std::fs::write(store.component(&entry.digest), b"two").unwrap();
        let refused = store.read("a").unwrap_err();
        assert_eq!(refused.code as u8, 3);
        assert!(refused.message.contains("`a`"), "{}", refused.message);
        std::fs::remove_file(store.component(&entry.digest)).unwrap();
        assert_eq!(store.read("a").unwrap_err().code as u8, 1);
    }

    #[test]
    fn directory_that_others_can_write_to_is_refused() {
        let (_base, store) = store();
        add(&store, "a", b"one").unwrap();
        for path in [store.directory.clone(), store.directory.join("components")] {
            std::fs::set_permissions(&path, PermissionsExt::from_mode(0o777)).unwrap();
            assert_eq!(store.read("a").unwrap_err().code as u8, 3, "{}", path.display());
            assert_eq!(add(&store, "b", b"two").unwrap_err().code as u8, 3);
            std::fs::set_permissions(&path, PermissionsExt::from_mode(0o700)).unwrap();
        }
        store.read("a").unwrap();
    }

    #[test]
    fn index_of_another_form_is_neither_read_nor_written_over() {
        let (_base, store) = store();
        add(&store, "a", b"one").unwrap();
        let outside = r#"{"version":1,"components":{"a":{"digest":"../../x","tools":[]}}}"#;
        for content in
            [outside, "", "{", r#"{"version":2,"components":{}}"#, r#"{"version":1,"components":{},"more":1}"#]
        {
            std::fs::write(store.index(), content).unwrap();
            assert_eq!(add(&store, "b", b"two").unwrap_err().code as u8, 1, "{content}");
            assert_eq!(std::fs::read_to_string(store.index()).unwrap(), content);
        }
    }

    #[test]
    fn adding_at_the_same_time_loses_nothing() {
        let (_base, store) = store();
        std::thread::scope(|scope| {
            for number in 0..8_u8 {
                let store = &store;
                scope.spawn(move || add(store, &format!("t{number}"), &[number]).unwrap());
            }
        });
        assert_eq!(store.list().unwrap().len(), 8);
    }
}
