//! The files that a call has read, and in which version. A call does not replace a file that was changed after it read it:
//! its edit is based on the old content, and the newer one would be lost.

use super::table::Files;
use crate::grant::Layers;
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{AtFlags, FlockOperation, Mode, OFlags, Stat};
use rustix::io::Errno;
use std::path::Path;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

/// A file by the name the guest read it under.
pub(super) struct ReadFile {
    /// The directory that the name is relative to.
    base: Base,
    path: Box<str>,
    version: Version,
}

/// The identity of a directory handle that all copies of it share. It keeps no descriptor open, and no other handle can
/// equal it later: the allocation is not reused while it is referred to.
struct Base(Weak<OwnedFd>);

impl Base {
    fn of(handle: Option<&Arc<OwnedFd>>) -> Self {
        Self(handle.map_or_else(Weak::new, Arc::downgrade))
    }

    fn of_layers(layers: &Layers) -> Self {
        Self::of(layers.upper.as_ref().or(layers.lower.as_ref()))
    }
}

impl PartialEq for Base {
    fn eq(&self, other: &Self) -> bool {
        self.0.ptr_eq(&other.0)
    }
}

/// Which file it is, and what it held.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Version {
    inode: (u64, u64),
    size: i64,
    changed: (i64, u64),
}

impl ReadFile {
    pub(super) fn new(layers: &Layers, path: &str, stat: &Stat) -> Self {
        Self { base: Base::of_layers(layers), path: path.into(), version: version(stat) }
    }
}

// A tool reads few files under names that it also writes; beyond this nothing is remembered.
const REMEMBERED: usize = 256;

impl Files {
    /// Remembers what the guest read. What it read first is what its edit is made of.
    pub(super) fn remember(&mut self, seen: ReadFile) {
        let known = self.read_set.iter().any(|other| other.base == seen.base && other.path == seen.path);
        if !known && self.read_set.len() < REMEMBERED {
            self.read_set.push(seen);
        }
    }

    /// Whether what lies at `name` in `parent` is still what the guest read as `path`, if it read it.
    pub(super) fn still_as_read(&self, layers: &Layers, path: &str, parent: impl AsFd, name: &Path) -> bool {
        let base = Base::of_layers(layers);
        let Some(seen) = self.read_set.iter().find(|seen| seen.base == base && *seen.path == *path) else {
            return true;
        };
        // Another process removed it, which a replacement would undo.
        rustix::fs::statat(parent, name, AtFlags::SYMLINK_NOFOLLOW).is_ok_and(|stat| version(&stat) == seen.version)
    }
}

#[expect(clippy::unnecessary_cast, reason = "the types of these fields differ between platforms")]
fn version(stat: &Stat) -> Version {
    Version {
        inode: (stat.st_dev, stat.st_ino),
        size: stat.st_size as i64,
        changed: (stat.st_mtime as i64, stat.st_mtime_nsec as u64),
    }
}

/// How long a replacement waits for others in the same directory. Each takes microseconds.
const PATIENCE: Duration = Duration::from_secs(1);

/// Keeps other calls, of any process of this host, from replacing anything in `directory` until it is dropped.
///
/// # Errors
/// `BUSY` when another process holds it, otherwise the kernel's error.
pub(super) fn alone_in(directory: impl AsFd) -> Result<Option<OwnedFd>, Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let handle = match rustix::fs::openat(directory, c".", flags, Mode::empty()) {
        Ok(handle) => handle,
        // A directory that can be written and not read is changed without the lock.
        Err(Errno::ACCESS) => return Ok(None),
        Err(errno) => return Err(errno),
    };
    let until = Instant::now() + PATIENCE;
    loop {
        match rustix::fs::flock(&handle, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => return Ok(Some(handle)),
            Err(Errno::WOULDBLOCK) if Instant::now() < until => std::thread::sleep(Duration::from_micros(200)),
            Err(Errno::WOULDBLOCK) => return Err(Errno::BUSY),
            // A filesystem without locks.
            Err(Errno::OPNOTSUPP | Errno::NOLCK | Errno::INVAL) => return Ok(None),
            Err(Errno::INTR) => {}
            Err(errno) => return Err(errno),
        }
    }
}

/// Locks a temporary file that this call just made. Returns whether it is still there under its name: a process that took
/// it for a leftover may have been quicker.
pub(super) fn claim(handle: &OwnedFd) -> bool {
    match rustix::fs::flock(handle, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => rustix::fs::fstat(handle).is_ok_and(|stat| stat.st_nlink > 0),
        Err(errno) => errno != Errno::WOULDBLOCK,
    }
}

/// Whether no process holds a temporary file: its maker was killed. The lock is held as long as the handle.
pub(super) fn abandoned(handle: &OwnedFd) -> bool {
    rustix::fs::flock(handle, FlockOperation::NonBlockingLockExclusive).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handle_at_a_reused_address_is_another_one() {
        let open = || Arc::new(rustix::fs::open(".", OFlags::PATH, Mode::empty()).unwrap());
        let first = open();
        let base = Base::of(Some(&first));
        assert!(base == Base::of(Some(&first.clone())));
        drop(first);
        let later: Vec<_> = (0..100).map(|_| open()).collect();
        assert!(later.iter().all(|other| base != Base::of(Some(other))));
    }

    #[test]
    fn identity_keeps_no_descriptor_open() {
        let (read, write) = rustix::pipe::pipe().unwrap();
        let write = Arc::new(write);
        let _base = Base::of(Some(&write));
        drop(write);
        assert_eq!(rustix::io::read(&read, &mut [0; 1]), Ok(0));
    }
}
