//! `tools.lock`: which digest the reference of each added tool was resolved to.
//!
//! A tag means what a registry says today. What a tool is, is what was resolved when a person added it; another digest
//! comes only with `tool update`.

// What stands here is decided by others: nothing of it is an index or a number that is taken on trust.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use super::cache::{place, plain_file};
use super::error::OciError;
use super::reference::Reference;
use crate::digest::Digest;
use bailiwick_base::files::Replace;
use rustix::fs::{CWD, FlockOperation, Mode, OFlags};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The file's name.
pub const FILE: &str = "tools.lock";

/// The form of the file. Another one is not understood, and so not written over.
const VERSION: u32 = 1;
const LONGEST: u64 = 1 << 20;

/// What a tool was resolved to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Locked {
    /// As the person wrote it.
    pub reference: Reference,
    /// The artifact's manifest in the registry.
    pub manifest: Digest,
    /// The component.
    pub component: Digest,
}

/// The lock file of a directory.
#[derive(Debug, Clone)]
pub struct Lock {
    directory: PathBuf,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    version: u32,
    #[serde(default)]
    tool: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    reference: String,
    manifest: Digest,
    component: Digest,
}

impl Lock {
    /// That of a directory. Nothing is made yet.
    #[must_use]
    pub fn of(directory: &Path) -> Self {
        Self { directory: directory.to_owned() }
    }

    /// What is locked, by the names of the tools.
    ///
    /// # Errors
    /// The file is there and cannot be read, or holds something else.
    pub fn read(&self) -> Result<BTreeMap<String, Locked>, OciError> {
        let path = self.path();
        let bytes = match plain_file(&path, LONGEST) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(BTreeMap::new()),
            Err(error) => return Err(place(&path, &error)),
        };
        parse(bytes).map_err(|reason| place(&path, &reason))
    }

    /// Locks a tool, in place of what was locked under its name.
    ///
    /// # Errors
    /// The file cannot be read or written.
    pub fn set(&self, name: &str, locked: Locked) -> Result<(), OciError> {
        self.change(|all| drop(all.insert(name.to_owned(), locked)))
    }

    /// Forgets a tool.
    ///
    /// # Errors
    /// The file cannot be read or written.
    pub fn forget(&self, name: &str) -> Result<(), OciError> {
        if !self.read()?.contains_key(name) {
            return Ok(());
        }
        self.change(|all| drop(all.remove(name)))
    }

    /// The digest that a reference was last resolved to by any tool.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn resolved(&self, reference: &Reference) -> Result<Option<Digest>, OciError> {
        Ok(self.read()?.into_values().find(|locked| locked.reference == *reference).map(|locked| locked.manifest))
    }

    /// Two changes at once would lose one of them.
    fn change(&self, change: impl FnOnce(&mut BTreeMap<String, Locked>)) -> Result<(), OciError> {
        let path = self.path();
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let guard = rustix::fs::openat(CWD, self.directory.join(".tools.lock"), flags, Mode::RUSR | Mode::WUSR)
            .map_err(|error| place(&path, &error))?;
        rustix::fs::flock(&guard, FlockOperation::LockExclusive).map_err(|error| place(&path, &error))?;
        let mut all = self.read()?;
        change(&mut all);
        self.write(&all).map_err(|error| place(&path, &error))
    }

    fn write(&self, all: &BTreeMap<String, Locked>) -> std::io::Result<()> {
        let mut text =
            format!("# Written by `bailiwick tool`: what each reference was resolved to.\nversion = {VERSION}\n");
        for (name, locked) in all {
            // Names, references and digests have no character that TOML would want written otherwise.
            let Locked { reference, manifest, component } = locked;
            let _ = write!(
                text,
                "\n[[tool]]\nname = \"{name}\"\nreference = \"{reference}\"\nmanifest = \"{manifest}\"\ncomponent = \"{component}\"\n"
            );
        }
        Replace::PRIVATE.write(&self.path(), text.as_bytes())
    }

    fn path(&self) -> PathBuf {
        self.directory.join(FILE)
    }
}

fn parse(bytes: Vec<u8>) -> Result<BTreeMap<String, Locked>, String> {
    let text = String::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())?;
    let text: Text = toml::from_str(&text).map_err(|error| error.message().replace('\n', " "))?;
    if text.version != VERSION {
        return Err(format!("it has the form {} and this program reads {VERSION}", text.version));
    }
    let entry = |entry: Entry| {
        let reference = entry.reference.parse::<Reference>().map_err(|error| error.to_string())?;
        Ok((entry.name, Locked { reference, manifest: entry.manifest, component: entry.component }))
    };
    text.tool.into_iter().map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn locked(reference: &str, content: &[u8]) -> Locked {
        let digest = Digest::of(content);
        Locked { reference: reference.parse().unwrap(), manifest: digest.clone(), component: digest }
    }

    #[test]
    fn what_was_locked_is_read_again() {
        let directory = tempfile::tempdir().unwrap();
        let lock = Lock::of(directory.path());
        assert!(lock.read().unwrap().is_empty());
        let (a, b) = (locked("oci://h/a:1", b"a"), locked("oci://h:1/b", b"b"));
        lock.set("a", a.clone()).unwrap();
        lock.set("b", b.clone()).unwrap();
        assert_eq!(lock.read().unwrap(), BTreeMap::from([("a".into(), a.clone()), ("b".into(), b.clone())]));
        assert_eq!(lock.resolved(&a.reference).unwrap(), Some(a.manifest));
        assert_eq!(lock.resolved(&"oci://h/a:2".parse().unwrap()).unwrap(), None);
        lock.forget("a").unwrap();
        lock.forget("never").unwrap();
        assert_eq!(lock.read().unwrap(), BTreeMap::from([("b".into(), b)]));
    }

    #[test]
    fn file_that_is_not_understood_is_not_written_over() {
        let directory = tempfile::tempdir().unwrap();
        let lock = Lock::of(directory.path());
        for text in ["version = 2\n", "nonsense", "version = 1\n[[tool]]\nname = \"a\"\n"] {
            std::fs::write(directory.path().join(FILE), text).unwrap();
            assert!(lock.set("b", locked("oci://h/b", b"b")).is_err(), "{text}");
            assert_eq!(std::fs::read_to_string(directory.path().join(FILE)).unwrap(), text);
        }
    }
}

#[cfg(test)]
mod fuzzing {
    use bailiwick_fuzz::Target;

    /// A lock is a file of a repository, which anybody may have sent.
    #[test]
    fn tool_locks() {
        const WORDS: &[&str] = &[
            "version = 1\n",
            "[[tool]]\n",
            "name = \"a\"\n",
            "reference = \"ghcr.io/a/b:1\"\n",
            "manifest = \"sha256:",
            "component = \"sha256:",
            "[a.b]\n",
            "\"\"\"",
            "{a={",
        ];
        Target { name: "tool_locks", words: WORDS }.run(|bytes| {
            let _ = super::parse(bytes.to_vec());
        });
    }
}
