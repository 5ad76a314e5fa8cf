//! Directories that go with the process that made them, also when it is killed.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use bailiwick_base::{files, random, text};

use super::error::CheckoutError;

const LOCK: &str = ".lock";
/// Bytes of a directory's name, which is written in hexadecimal digits.
const NAME_BYTES: usize = 8;
/// So often a new name is tried where a sweep takes the lock first.
const ATTEMPTS: usize = 16;

/// A directory and the lock beside it, which the kernel gives back when the process dies.
#[derive(Debug)]
pub(super) struct Held {
    directory: PathBuf,
    lock: PathBuf,
    file: File,
}

impl Held {
    /// A new directory beneath `place`.
    pub(super) fn make(place: &Path) -> Result<Self, CheckoutError> {
        let private = |path: &Path| DirBuilder::new().recursive(true).mode(0o700).create(path);
        private(place).map_err(CheckoutError::io(place, "created"))?;
        check(place)?;
        for _ in 0..ATTEMPTS {
            if let Some(held) = Self::try_make(place)? {
                return Ok(held);
            }
        }
        Err(CheckoutError::io(place, "locked")(std::io::ErrorKind::WouldBlock.into()))
    }

    /// `None` where a sweep of another process came between the making of the lock and its taking.
    fn try_make(place: &Path) -> Result<Option<Self>, CheckoutError> {
        let name = text::hex(&random::bytes::<NAME_BYTES>().map_err(CheckoutError::io(place, "named"))?);
        let lock = place.join(format!("{name}{LOCK}"));
        let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&lock);
        let file = file.map_err(CheckoutError::io(&lock, "created"))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(error) => return Err(CheckoutError::io(&lock, "locked")(error.into())),
        }
        let own = file.metadata().map_err(CheckoutError::io(&lock, "read"))?;
        match fs::metadata(&lock) {
            Ok(there) if there.ino() == own.ino() => {}
            Ok(_) => return Ok(None),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(CheckoutError::io(&lock, "read")(error)),
        }
        let held = Self { directory: place.join(&name), lock, file };
        DirBuilder::new().mode(0o700).create(&held.directory).map_err(CheckoutError::io(&held.directory, "created"))?;
        Ok(Some(held))
    }

    pub(super) fn directory(&self) -> &Path {
        &self.directory
    }
}

#[cfg(test)]
impl Held {
    /// Gives the lock back and removes nothing.
    pub(super) fn abandon(self) {
        let held = std::mem::ManuallyDrop::new(self);
        let _ = held.file.unlock();
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // What stays, the next sweep removes.
        if remove(&self.directory).is_ok() {
            let _ = fs::remove_file(&self.lock);
        }
        // Given back in words: a child that is just being started holds a copy of the handle.
        let _ = self.file.unlock();
    }
}

/// Whether a name is one that [`Held::make`] gives. The place may be a directory of a person, with other things in it.
fn is_own(name: &str) -> bool {
    name.len() == 2 * NAME_BYTES && name.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Checks that no other user can put anything into the place, or another place there.
fn check(place: &Path) -> Result<(), CheckoutError> {
    let found = fs::symlink_metadata(place).map_err(CheckoutError::io(place, "read"))?;
    let problem = match () {
        () if !found.is_dir() => "it is not a directory",
        () if found.uid() != rustix::process::geteuid().as_raw() => "another user owns it",
        () if found.mode() & 0o022 != 0 => "others can write to it",
        () => return Ok(()),
    };
    Err(CheckoutError::Place { path: place.to_owned(), problem })
}

/// Removes what processes left that are dead. What is in use stays.
///
/// # Errors
/// A directory that cannot be read or removed.
pub fn sweep(place: &Path) -> Result<(), CheckoutError> {
    let entries = match fs::read_dir(place) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(CheckoutError::io(place, "read")(error)),
    };
    check(place)?;
    for entry in entries.flatten() {
        let lock = entry.path();
        let name = entry.file_name();
        let Some(name) = name.to_str().and_then(|name| name.strip_suffix(LOCK)).filter(|name| is_own(name)) else {
            continue;
        };
        let Ok(file) = File::open(&lock) else { continue };
        if file.try_lock().is_err() {
            continue;
        }
        let directory = place.join(name);
        remove(&directory).map_err(CheckoutError::io(&directory, "removed"))?;
        match fs::remove_file(&lock) {
            // Another sweep was there first.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            other => other.map_err(CheckoutError::io(&lock, "removed"))?,
        }
    }
    Ok(())
}

/// Removes a directory with whatever builds left in it, also directories without permission to write.
fn remove(directory: &Path) -> std::io::Result<()> {
    let (Some(parent), Some(name)) = (directory.parent(), directory.file_name()) else { return Ok(()) };
    let (parent, _) = files::open_root(parent)?;
    match files::remove_any(&parent, name) {
        Err(rustix::io::Errno::NOENT) => Ok(()),
        other => Ok(other?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directory_is_made_while_others_sweep_the_place() {
        const ROUNDS: usize = 5_000;
        let directory = tempfile::tempdir().unwrap();
        let place = directory.path().join("checkouts");
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..ROUNDS).for_each(|_| sweep(&place).unwrap()));
            }
            for _ in 0..ROUNDS {
                let held = Held::make(&place).unwrap();
                assert!(held.directory().is_dir());
            }
        });
    }
}
