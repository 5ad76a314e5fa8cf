//! Locks that a dead process cannot keep: the kernel releases them with its handles.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read as _, Write as _};

use bailiwick_base::files::Identity;
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

use crate::error::StoreError;
use crate::id::RunId;
use crate::record::{Coverage, RootRecord};
use crate::roots;
use crate::state::{State, private};

/// How a directory is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Hold {
    /// Something beneath it is at work.
    Shared,
    /// It is at work itself.
    Exclusive,
}

/// Which directories to hold, in the order in which everybody takes them.
pub(crate) type Keys = BTreeMap<Identity, Hold>;

/// One lock. It is given back in words when it is dropped: a child that is being started holds copies of all handles
/// until its program begins, and a lock that is only closed would last as long.
#[derive(Debug)]
struct Held(File);

impl Drop for Held {
    fn drop(&mut self) {
        // What cannot be given back ends with the last handle.
        let _ = flock(&self.0, FlockOperation::Unlock);
    }
}

/// Held until dropped.
#[derive(Debug)]
pub(crate) struct Locks {
    _files: Vec<Held>,
}

/// The directory that could not be taken, and the name in its lock file.
#[derive(Debug)]
pub(crate) struct Taken {
    pub(crate) identity: Identity,
    pub(crate) owner: Option<RunId>,
}

/// Every root exclusively and everything above it shared, so that a run on a package and a run on
/// the directory around it exclude one another.
pub(crate) fn keys<'a>(roots: impl IntoIterator<Item = &'a RootRecord>) -> Keys {
    let mut keys = Keys::new();
    for root in roots {
        add(&mut keys, &root.chain);
    }
    keys
}

/// Adds a directory (first in `chain`) and those above it.
pub(crate) fn add(keys: &mut Keys, chain: &[Identity]) {
    for (level, identity) in chain.iter().enumerate() {
        let hold = if level == 0 { Hold::Exclusive } else { Hold::Shared };
        let entry = keys.entry(*identity).or_insert(hold);
        *entry = hold.max(*entry);
    }
}

/// Takes all locks or none, without waiting. Those of `keys` lie in the store. The directories of `roots` that are covered as
/// trees are locked themselves, too, for another person, or a container, has a store of its own.
pub(crate) fn take(
    state: &State,
    keys: &Keys,
    roots: &[RootRecord],
    owner: &RunId,
) -> Result<Result<Locks, Taken>, StoreError> {
    let mut held = Vec::new();
    for (identity, hold) in keys {
        let path = state.locks().join(format!("{:x}-{:x}", identity.device, identity.inode));
        let io = |doing| {
            let path = path.clone();
            move |source: std::io::Error| StoreError::state(doing, &path, source)
        };
        let mut file = private().read(true).write(true).create(true).truncate(false).open(&path).map_err(io("open"))?;
        let operation = match hold {
            Hold::Shared => FlockOperation::NonBlockingLockShared,
            Hold::Exclusive => FlockOperation::NonBlockingLockExclusive,
        };
        match flock(&file, operation) {
            Ok(()) => {}
            Err(Errno::WOULDBLOCK) => {
                let mut text = String::new();
                // Only for the message: an unreadable owner is an unknown one.
                let _ = file.read_to_string(&mut text);
                return Ok(Err(Taken { identity: *identity, owner: text.trim().parse().ok() }));
            }
            Err(error) => return Err(io("lock")(error.into())),
        }
        if *hold == Hold::Exclusive {
            file.set_len(0).and_then(|()| file.write_all(owner.as_str().as_bytes())).map_err(io("write"))?;
        }
        held.push(Held(file));
    }
    for root in roots.iter().filter(|root| matches!(root.coverage, Coverage::Tree { .. })) {
        // One that is gone or cannot be opened is for the caller to tell.
        let Ok((handle, chain)) = roots::open(root) else { continue };
        let directory = File::from(handle);
        match flock(&directory, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => held.push(Held(directory)),
            Err(Errno::WOULDBLOCK) => return Ok(Err(Taken { identity: chain[0], owner: None })),
            // A file system without locks of directories: the store's own have to do.
            Err(_) => {}
        }
    }
    Ok(Ok(Locks { _files: held }))
}

/// The lock of the whole store. Shared while a run begins and relies on packs of others; exclusive
/// while a run's status changes hands or packs are removed.
pub(crate) struct StoreLock {
    _file: Held,
}

impl StoreLock {
    pub(crate) fn shared(state: &State) -> Result<Self, StoreError> {
        Self::take(state, FlockOperation::LockShared).map(|(lock, _)| lock)
    }

    pub(crate) fn exclusive(state: &State) -> Result<Self, StoreError> {
        Self::take(state, FlockOperation::LockExclusive).map(|(lock, _)| lock)
    }

    /// `None` when it is held.
    pub(crate) fn try_exclusive(state: &State) -> Result<Option<Self>, StoreError> {
        Self::take(state, FlockOperation::NonBlockingLockExclusive).map(|(lock, result)| result.is_ok().then_some(lock))
    }

    fn take(state: &State, operation: FlockOperation) -> Result<(Self, Result<(), ()>), StoreError> {
        let path = state.lock_file();
        let io = |source: std::io::Error| StoreError::state("lock", &path, source);
        let file = private().read(true).write(true).create(true).truncate(false).open(&path).map_err(io)?;
        let result = loop {
            match flock(&file, operation) {
                Ok(()) => break Ok(()),
                Err(Errno::INTR) => {}
                Err(Errno::WOULDBLOCK) => break Err(()),
                Err(error) => return Err(io(error.into())),
            }
        };
        Ok((Self { _file: Held(file) }, result))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lock_ends_although_a_child_that_is_being_started_has_a_copy_of_its_handle() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let open = || File::options().read(true).write(true).open(file.path()).unwrap();
        let held = Held(open());
        flock(&held.0, FlockOperation::NonBlockingLockExclusive).unwrap();
        let copy = held.0.try_clone().unwrap();
        assert!(flock(open(), FlockOperation::NonBlockingLockExclusive).is_err());
        drop(held);
        assert!(flock(open(), FlockOperation::NonBlockingLockExclusive).is_ok());
        drop(copy);
    }
}
