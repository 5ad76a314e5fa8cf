//! The state directory: what lies where, and the check that only its owner can have filled it.

// What stands here is decided by others: nothing of it is an index or a number that is taken on trust.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use bailiwick_base::files::{self, failpoint};
use rustix::io::Errno;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::StoreError;
use crate::id::RunId;
use crate::record::RootRecord;
use crate::roots;
use bailiwick_base::time::Moment;

/// The state directory. Everything in it belongs to the store, so paths beneath it are safe to use.
///
/// ```text
/// store.lock           held shortly: shared while a run begins, exclusively while one is closed
/// locks/DEVICE-INODE   held by a run for each of its directories and those above
/// objects/RUN.pack     contents of before-images
/// open/RUN             one empty file for each run that can still be undone
/// proofs/DIGEST.json   proofs by key
/// runs/RUN/            run.json events.jsonl response.json changed.json journal.json before/ after/
///                      checkpoint/ aside/, and what callers put there
/// ```
#[derive(Debug)]
pub(crate) struct State {
    directory: PathBuf,
}

impl State {
    pub(crate) fn open(given: &Path) -> Result<Self, StoreError> {
        // A kernel follows a link that is written `link/`, so the check below would see its target.
        let path: PathBuf = given.components().collect();
        let refuse = |reason| StoreError::StateDirectory { path: given.to_owned(), reason };
        let io = |doing| move |source: std::io::Error| StoreError::state(doing, given, source);
        create(&path).map_err(io("create"))?;
        let found = fs::symlink_metadata(&path).map_err(io("look at"))?;
        if found.is_symlink() {
            return Err(refuse("is a symbolic link"));
        }
        if !found.is_dir() {
            return Err(refuse("is not a directory"));
        }
        if found.uid() != rustix::process::geteuid().as_raw() {
            return Err(refuse("belongs to another user"));
        }
        if found.mode() & 0o022 != 0 {
            return Err(refuse("can be written to by other users"));
        }
        if found.mode() & 0o077 != 0 {
            fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).map_err(io("protect"))?;
        }
        let state = Self { directory: fs::canonicalize(&path).map_err(io("resolve"))? };
        state.complete()?;
        Ok(state)
    }

    /// Creates the parts that are missing. `locks` is the last, after the names of all others are on the disk: where it
    /// is there, they are. A store that lost its parts with the power would not know of the run that was at work.
    fn complete(&self) -> Result<(), StoreError> {
        if self.locks().is_dir() {
            return Ok(());
        }
        for part in ["objects", "open", "proofs", "runs"] {
            self.make(&self.directory.join(part))?;
        }
        sync_directory(&self.directory)?;
        if let Some(parent) = self.directory.parent() {
            sync_if_readable(parent).map_err(|error| StoreError::state("write", parent, error))?;
        }
        self.make(&self.locks())
    }

    /// Creates a directory of the store where it is missing.
    pub(crate) fn make(&self, path: &Path) -> Result<(), StoreError> {
        failpoint::hit().map_err(|error| StoreError::state("create", path, std::io::Error::from(error)))?;
        match fs::DirBuilder::new().mode(0o700).create(path) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(StoreError::state("create", path, error)),
            _ => Ok(()),
        }
    }

    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }

    pub(crate) fn lock_file(&self) -> PathBuf {
        self.directory.join("store.lock")
    }

    pub(crate) fn locks(&self) -> PathBuf {
        self.directory.join("locks")
    }

    pub(crate) fn objects(&self) -> PathBuf {
        self.directory.join("objects")
    }

    pub(crate) fn open_runs(&self) -> PathBuf {
        self.directory.join("open")
    }

    pub(crate) fn proofs(&self) -> PathBuf {
        self.directory.join("proofs")
    }

    pub(crate) fn runs(&self) -> PathBuf {
        self.directory.join("runs")
    }

    pub(crate) fn run(&self, id: &RunId) -> PathBuf {
        self.runs().join(id.as_str())
    }

    /// Where copies of what a restore overwrites are kept, a place of its own for each restore.
    pub(crate) fn aside(&self, id: &RunId) -> PathBuf {
        self.run(id).join("aside").join(Moment::now().compact())
    }

    /// What a run has for its work.
    pub(crate) fn scratch(&self, id: &RunId) -> PathBuf {
        self.run(id).join("work")
    }

    /// Waits until everything in the roots and in the store is on the disk, no matter which process wrote it: a generator waits for
    /// nothing, and a file that was written again as it was may still be lost. One wait for each file system.
    ///
    /// While a run is at work nothing in its roots needs to be on the disk, because its before-images are. So this is
    /// done once, before a record says that the roots are as they shall be.
    pub(crate) fn settle(&self, roots: &[RootRecord]) -> Result<(), StoreError> {
        let store = |error: Errno| StoreError::state("write", &self.directory, std::io::Error::from(error));
        let (handle, chain) = files::open_root(&self.directory).map_err(store)?;
        files::sync_everything(&handle).map_err(store)?;
        // The first of the chain is the directory itself.
        let mut settled: Vec<u64> = chain.first().map(|own| own.device).into_iter().collect();
        for root in roots {
            let failed = |error| StoreError::io("write", root.directory.display().to_string(), error);
            let (handle, chain) = roots::open(root).map_err(failed)?;
            let device = chain.first().map(|own| own.device);
            if device.is_none_or(|device| !settled.contains(&device)) {
                files::sync_everything(&handle).map_err(failed)?;
                settled.extend(device);
            }
        }
        Ok(())
    }
}

/// Options for files that only their owner may read.
pub(crate) fn private() -> fs::OpenOptions {
    let mut options = fs::OpenOptions::new();
    options.mode(0o600);
    options
}

/// Creates a directory and those above it; the name of each is on the disk before the next is created.
fn create(path: &Path) -> std::io::Result<()> {
    if path.symlink_metadata().is_ok() {
        return Ok(());
    }
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    if let Some(parent) = parent {
        create(parent)?;
    }
    failpoint::hit()?;
    match fs::DirBuilder::new().mode(0o700).create(path) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    sync_if_readable(parent.unwrap_or(Path::new(".")))
}

/// A directory that may be passed and not read cannot be waited for.
fn sync_if_readable(path: &Path) -> std::io::Result<()> {
    match fs::File::open(path) {
        Ok(directory) => Ok(files::sync(&directory)?),
        Err(error) if error.kind() == ErrorKind::PermissionDenied => Ok(()),
        Err(error) => Err(error),
    }
}

/// Replaces a file of the state directory as a whole, or not at all, and waits until it is on the disk.
pub(crate) fn write_json(path: &Path, value: &impl Serialize) -> Result<(), StoreError> {
    replace(path, value, true)?;
    sync_directory(path.parent().unwrap_or(path))
}

/// The same without waiting. A machine that loses its power may keep any part of it, so it is for what is read only once
/// a later record says so, after [`State::settle`].
pub(crate) fn write_json_soon(path: &Path, value: &impl Serialize) -> Result<(), StoreError> {
    replace(path, value, false)
}

fn replace(path: &Path, value: &impl Serialize, wait: bool) -> Result<(), StoreError> {
    let io = |doing| move |source: std::io::Error| StoreError::state(doing, path, source);
    let bytes = serde_json::to_vec(value).map_err(|error| io("encode")(error.into()))?;
    let fresh = path.with_extension(fresh_extension());
    failpoint::hit().map_err(|error| io("create")(error.into()))?;
    let file = private().write(true).create(true).truncate(true).open(&fresh).map_err(io("create"))?;
    files::write(&file, &bytes).map_err(io("write"))?;
    if wait {
        files::sync(&file).map_err(|error| io("write")(error.into()))?;
    }
    failpoint::hit().map_err(|error| io("replace")(error.into()))?;
    fs::rename(&fresh, path).map_err(io("replace"))
}

/// Differs for every writer, because two processes may keep the same proof at once.
fn fresh_extension() -> String {
    static WRITTEN: AtomicU64 = AtomicU64::new(0);
    format!("{}-{}.new", std::process::id(), WRITTEN.fetch_add(1, Ordering::Relaxed))
}

/// Waits until the names in a directory of the store are on the disk.
pub(crate) fn sync_directory(path: &Path) -> Result<(), StoreError> {
    let io = |source: std::io::Error| StoreError::state("write", path, source);
    let directory = fs::File::open(path).map_err(io)?;
    files::sync(&directory).map_err(|error| io(error.into()))
}

/// Reads a file of the state directory; `None` when it does not exist.
pub(crate) fn read_json<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, StoreError> {
    match fs::read(path) {
        Ok(bytes) => serde_json::from_slice(&bytes)
            .map(Some)
            .map_err(|error| StoreError::Damaged { what: format!("`{}`: {error}", path.display()) }),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(StoreError::state("read", path, error)),
    }
}

/// Removes a file of the state directory; a missing one is fine.
pub(crate) fn remove(path: &Path) -> Result<(), StoreError> {
    let io = |source: std::io::Error| StoreError::state("remove", path, source);
    failpoint::hit().map_err(|error| io(error.into()))?;
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(io(error)),
        _ => Ok(()),
    }
}
