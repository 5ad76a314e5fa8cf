//! What was pulled before, by digest.
//!
//! `<directory>/sha256/<64 digits>`, and `<64 digits>.minisig` for a signature that was attached to an artifact later. Nothing there is believed: what is read is digested again, and signatures are
//! verified over it as over what was just loaded. Deleting the directory costs time and nothing else.

use super::error::OciError;
use crate::digest::Digest;
use bailiwick_base::files::{Replace, read_bounded};
use rustix::fs::{CWD, Mode, OFlags};
use std::fs::File;
use std::io::ErrorKind;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

/// Blobs by their digest, in a directory of this user alone.
#[derive(Debug, Clone)]
pub struct Cache {
    pub(super) directory: PathBuf,
}

/// What the cache has under a digest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kept {
    /// These bytes, and they have that digest.
    Whole(Vec<u8>),
    /// Nothing.
    Missing,
    /// Something else: exchanged by hand, or damaged by the disk.
    Changed,
}

impl Cache {
    /// The cache in this directory, which is made if need be.
    ///
    /// # Errors
    /// It cannot be made, or others may write in it.
    pub fn open(directory: &Path) -> Result<Self, OciError> {
        let directory = directory.join("sha256");
        let made = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&directory);
        made.map_err(|error| place(&directory, &error))?;
        let found = directory.symlink_metadata().map_err(|error| place(&directory, &error))?;
        let own = found.uid() == rustix::process::geteuid().as_raw();
        if !found.is_dir() || !own || found.mode() & 0o077 != 0 {
            return Err(place(&directory, &"it is not a directory of yours alone"));
        }
        Ok(Self { directory })
    }

    /// What is kept under a digest, of which at most `most` bytes are read.
    ///
    /// # Errors
    /// The file is there and cannot be read.
    pub fn get(&self, digest: &Digest, most: u64) -> Result<Kept, OciError> {
        match plain_file(&self.path(digest), most) {
            Ok(bytes) if Digest::of(&bytes) == *digest => {
                self.used(&self.path(digest));
                Ok(Kept::Whole(bytes))
            }
            Ok(_) => Ok(Kept::Changed),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Kept::Missing),
            // A directory, a pipe, or more than there could be.
            Err(error) if error.kind() == ErrorKind::InvalidData => Ok(Kept::Changed),
            Err(error) => Err(place(&self.path(digest), &error)),
        }
    }

    /// Keeps bytes whose digest was checked. Afterwards they are there as a whole or not at all.
    ///
    /// # Errors
    /// They cannot be written.
    pub fn put(&self, digest: &Digest, bytes: &[u8]) -> Result<(), OciError> {
        self.write(&self.path(digest), bytes)
    }

    /// Keeps the signature that was attached to an artifact, in place of another.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn attach(&self, artifact: &Digest, signature: &[u8]) -> Result<(), OciError> {
        self.write(&self.attached_path(artifact), signature)
    }

    /// The signature that was attached to an artifact, of at most `most` bytes. Its name says nothing of its bytes:
    /// the caller verifies it.
    #[must_use]
    pub fn attached(&self, artifact: &Digest, most: u64) -> Option<Vec<u8>> {
        plain_file(&self.attached_path(artifact), most).ok()
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), OciError> {
        // What is lost is loaded again.
        let replace = Replace { mode: 0o600, durable: false };
        replace.write(path, bytes).map_err(|error| place(path, &error))
    }

    /// What goes first is what was not used for longest.
    fn used(&self, path: &Path) {
        use rustix::fs::{AtFlags, Timespec, Timestamps, UTIME_NOW, UTIME_OMIT};
        let at = |tv_nsec| Timespec { tv_sec: 0, tv_nsec };
        let times = Timestamps { last_access: at(UTIME_OMIT), last_modification: at(UTIME_NOW) };
        let _ = rustix::fs::utimensat(CWD, path, &times, AtFlags::SYMLINK_NOFOLLOW);
    }

    pub(super) fn path(&self, digest: &Digest) -> PathBuf {
        self.directory.join(digest.hex())
    }

    pub(super) fn attached_path(&self, artifact: &Digest) -> PathBuf {
        self.directory.join(format!("{}.minisig", artifact.hex()))
    }
}

pub(super) fn place(path: &Path, reason: &dyn std::fmt::Display) -> OciError {
    OciError::Place { path: path.display().to_string(), reason: reason.to_string() }
}

/// A file's bytes. A FIFO would be waited for, and a device never ends.
///
/// # Errors
/// `InvalidData` when it is not a plain file or has more than `most` bytes.
pub(super) fn plain_file(path: &Path, most: u64) -> std::io::Result<Vec<u8>> {
    let invalid = |reason: String| std::io::Error::new(ErrorKind::InvalidData, reason);
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::openat(CWD, path, flags, Mode::empty())?);
    if !file.metadata()?.is_file() {
        return Err(invalid("it is not a plain file".into()));
    }
    read_bounded(file, most).map_err(|error| match error.kind() {
        ErrorKind::FileTooLarge => invalid(error.to_string()),
        _ => error,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn what_is_kept_comes_back_and_what_was_changed_does_not() {
        let directory = tempfile::tempdir().unwrap();
        let cache = Cache::open(directory.path()).unwrap();
        let digest = Digest::of(b"tool");
        assert_eq!(cache.get(&digest, 10).unwrap(), Kept::Missing);
        cache.put(&digest, b"tool").unwrap();
        assert_eq!(cache.get(&digest, 10).unwrap(), Kept::Whole(b"tool".to_vec()));
        assert_eq!(cache.get(&digest, 3).unwrap(), Kept::Changed);
        std::fs::write(cache.path(&digest), b"evil").unwrap();
        assert_eq!(cache.get(&digest, 10).unwrap(), Kept::Changed);
        std::fs::remove_file(cache.path(&digest)).unwrap();
        std::fs::create_dir(cache.path(&digest)).unwrap();
        assert_eq!(cache.get(&digest, 10).unwrap(), Kept::Changed);
    }

    #[test]
    fn directory_that_others_may_write_in_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        Cache::open(directory.path()).unwrap();
        let inner = directory.path().join("sha256");
        std::fs::set_permissions(&inner, std::fs::Permissions::from_mode(0o770)).unwrap();
        assert!(matches!(Cache::open(directory.path()), Err(OciError::Place { .. })));
    }
}
