//! The state directory: what lies where, and the check that only its owner can have filled it.

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::StoreError;
use crate::files::{self, failpoint};
use crate::id::RunId;

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
        if let Err(error) = fs::DirBuilder::new().recursive(true).mode(0o700).create(&path)
            && error.kind() != ErrorKind::AlreadyExists
        {
            return Err(io("create")(error));
        }
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
        for part in ["locks", "objects", "open", "proofs", "runs"] {
            state.make(&state.directory.join(part))?;
        }
        Ok(state)
    }

    /// Creates a directory of the store where it is missing.
    pub(crate) fn make(&self, path: &Path) -> Result<(), StoreError> {
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
}

/// Options for files that only their owner may read.
pub(crate) fn private() -> fs::OpenOptions {
    let mut options = fs::OpenOptions::new();
    options.mode(0o600);
    options
}

/// Replaces a file of the state directory as a whole, or not at all.
pub(crate) fn write_json(path: &Path, value: &impl Serialize) -> Result<(), StoreError> {
    let io = |doing| move |source: std::io::Error| StoreError::state(doing, path, source);
    let bytes = serde_json::to_vec(value).map_err(|error| io("encode")(error.into()))?;
    let fresh = path.with_extension(fresh_extension());
    let file = private().write(true).create(true).truncate(true).open(&fresh).map_err(io("create"))?;
    files::write(&file, &bytes).map_err(io("write"))?;
    files::sync(&file).map_err(|error| io("write")(error.into()))?;
    failpoint::hit().map_err(|error| io("replace")(error.into()))?;
    fs::rename(&fresh, path).map_err(io("replace"))?;
    sync_directory(path.parent().unwrap_or(path))
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
