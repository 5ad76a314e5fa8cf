//! What a guest holds open during one call, what it has spent, and what it left behind.

use super::open::Kind;
use super::resolve::{self, LastLink};
use super::{errno, open};
use crate::cost::Cost;
use crate::grant::{Grants, Layers};
use crate::limits::Limits;
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;
use wasmtime::component::{Resource, ResourceTable, ResourceTableError};
use wasmtime_wasi::p2::bindings::filesystem::types::ErrorCode;
use wasmtime_wasi::p2::bindings::sync::filesystem::types::Descriptor;
use wasmtime_wasi::p2::{FsError, FsResult};

/// Names that begin so belong to an atomic replacement in progress; what a call leaves of them is removed.
pub(super) const TEMPORARY_PREFIX: &[u8] = b".bailiwick-tmp-";

/// A limit that only the host side of the filesystem sees being reached. It ends the call as a trap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Stop {
    #[error("too many open files")]
    Handles,
    #[error("the deadline has passed")]
    Deadline,
}

/// One open descriptor of the guest.
pub(super) enum Open {
    File { handle: OwnedFd, readable: bool, writable: bool },
    Directory { layers: Layers },
}

/// A file the guest made during this call.
pub(super) struct Created {
    pub(super) parent: OwnedFd,
    pub(super) name: OsString,
    pub(super) inode: (u64, u64),
}

/// The guest's view of the filesystem during one call.
pub(crate) struct Files {
    pub(super) table: ResourceTable,
    pub(super) grants: Grants,
    pub(super) created: Vec<Created>,
    pub(super) deadline: Instant,
    pub(super) directory_entries: usize,
    pub(super) largest_read: usize,
    writable_bytes: u64,
    pub(super) spent: Cost,
}

impl Files {
    pub(crate) fn new(grants: Grants, limits: &Limits, deadline: Instant) -> Self {
        let mut table = ResourceTable::new();
        table.set_max_capacity(limits.handles);
        Self {
            table,
            grants,
            created: Vec::new(),
            deadline,
            directory_entries: limits.directory_entries,
            largest_read: limits.output_bytes,
            writable_bytes: limits.written_bytes,
            spent: Cost::default(),
        }
    }

    /// What was spent so far.
    pub(crate) fn spent(&self) -> &Cost {
        &self.spent
    }

    /// Counts a call and stops the guest when its time is over: epochs cannot interrupt a guest that is in the host.
    pub(super) fn enter(&mut self) -> FsResult<()> {
        self.spent.host_calls = self.spent.host_calls.saturating_add(1);
        if Instant::now() > self.deadline {
            return Err(FsError::trap(wasmtime::Error::new(Stop::Deadline)));
        }
        Ok(())
    }

    /// An attempt the sandbox refuses. Counted, so that a run can show it.
    pub(super) fn denied(&mut self) -> FsError {
        self.spent.denied = self.spent.denied.saturating_add(1);
        ErrorCode::NotPermitted.into()
    }

    /// A FIFO, a socket or a device: counted like a refusal, and told apart so that a tool can say what it met.
    pub(super) fn special(&mut self) -> FsError {
        self.spent.denied = self.spent.denied.saturating_add(1);
        ErrorCode::NoDevice.into()
    }

    /// An error of the kernel; leaving the grant counts as denied.
    pub(super) fn failed(&mut self, errno: Errno) -> FsError {
        if errno == Errno::XDEV { self.denied() } else { errno::code(errno).into() }
    }

    pub(super) fn push(&mut self, open: Open) -> FsResult<Resource<Descriptor>> {
        match self.table.push(open) {
            Ok(resource) => Ok(Resource::new_own(resource.rep())),
            Err(ResourceTableError::Full) => Err(FsError::trap(wasmtime::Error::new(Stop::Handles))),
            Err(other) => Err(FsError::trap(other)),
        }
    }

    pub(super) fn get(&self, descriptor: &Resource<Descriptor>) -> FsResult<&Open> {
        let resource = Resource::<Open>::new_borrow(descriptor.rep());
        self.table.get(&resource).map_err(FsError::trap)
    }

    /// The layers of a descriptor that must be a directory.
    pub(super) fn directory(&self, descriptor: &Resource<Descriptor>) -> FsResult<Layers> {
        match self.get(descriptor)? {
            Open::Directory { layers } => Ok(layers.clone()),
            Open::File { .. } => Err(ErrorCode::NotDirectory.into()),
        }
    }

    /// The writable layer of a directory, or a counted refusal.
    pub(super) fn upper(&mut self, descriptor: &Resource<Descriptor>) -> FsResult<Arc<OwnedFd>> {
        match self.directory(descriptor)?.upper {
            Some(upper) => Ok(upper),
            None => Err(self.denied()),
        }
    }

    /// What a path names, in the first layer that has it.
    pub(super) fn find(&mut self, layers: &Layers, path: &str, last: LastLink) -> FsResult<OwnedFd> {
        let mut missing = Errno::NOENT;
        for layer in [&layers.upper, &layers.lower].into_iter().flatten() {
            match resolve::beneath(layer, Path::new(path), last) {
                Err(Errno::NOENT) => missing = Errno::NOENT,
                Ok(handle) => return Ok(handle),
                Err(errno) => return Err(self.failed(errno)),
            }
        }
        Err(self.failed(missing))
    }

    /// Counts bytes about to be written.
    pub(super) fn charge(&mut self, bytes: u64) -> FsResult<()> {
        let spent = self.spent.written_bytes.saturating_add(bytes);
        if spent > self.writable_bytes {
            return Err(ErrorCode::Quota.into());
        }
        self.spent.written_bytes = spent;
        Ok(())
    }

    /// Removes temporary files of replacements that never came to their rename: the guest trapped, ran out of time
    /// or forgot them. Only what this call itself made, by inode.
    pub(crate) fn sweep(&mut self) {
        for created in std::mem::take(&mut self.created) {
            if !created.name.as_bytes().starts_with(TEMPORARY_PREFIX) {
                continue;
            }
            let name = Path::new(&created.name);
            let Ok(handle) = resolve::beneath(&created.parent, name, LastLink::Keep) else { continue };
            if let Ok((Kind::File, stat)) = open::kind(&handle)
                && (stat.st_dev, stat.st_ino) == created.inode
            {
                // Nobody can act on a failure here; the file is named so that a person understands it.
                let _ = rustix::fs::unlinkat(&created.parent, name, rustix::fs::AtFlags::empty());
            }
        }
    }
}
