//! What a guest holds open during one call, what it has spent, and what it left behind.

use super::open::Kind;
use super::read_set::ReadFile;
use super::resolve::{self, LastLink};
use super::{errno, open};
use crate::cost::Cost;
use crate::denial::{self, Denial, DenialReason};
use crate::grant::{Grants, Layers};
use crate::hidden::Rule;
use crate::limits::Limits;
use crate::sanitize::sanitized;
use crate::sensitive::Refused;
use crate::wasi::{Said, WaitDeadline};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::Instant;
use wasmtime::component::{Resource, ResourceTable, ResourceTableError};
use wasmtime_wasi::p2::bindings::filesystem::types::ErrorCode;
use wasmtime_wasi::p2::bindings::sockets::network::ErrorCode as SocketErrorCode;
use wasmtime_wasi::p2::bindings::sync::filesystem::types::Descriptor;
use wasmtime_wasi::p2::{FsError, FsResult, SocketError};

/// Names that begin so belong to an atomic replacement in progress; what a call leaves of them is removed.
pub(super) const TEMPORARY_PREFIX: &[u8] = b".bailiwick-tmp-";

// What a file or directory takes on disk without anything in it. Counted apart from what is written, so that what fits
// exactly fits, and whatever the quota some can be made.
const ENTRY_BYTES: u64 = 512;
const ALWAYS_BYTES: u64 = 64 * ENTRY_BYTES;

/// A limit that only the host side of the filesystem sees being reached. It ends the call as a trap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Stop {
    #[error("too many open files")]
    Handles,
    #[error("the deadline has passed")]
    Deadline,
    #[error("the caller has gone")]
    Cancelled,
}

/// A granted directory is not where its callers believe it to be. It ends the call as a trap.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{grant}` was moved, removed or replaced")]
pub(crate) struct Moved {
    /// The name of the grant.
    pub(crate) grant: Box<str>,
}

/// One open descriptor of the guest.
pub(super) enum Open {
    File {
        handle: OwnedFd,
        readable: bool,
        writable: bool,
        /// In bytes when it was opened: a hint for how much to make room for, and no more.
        size: u64,
        /// What it was when it was opened for reading, until something is read.
        seen: Option<ReadFile>,
    },
    Directory {
        layers: Layers,
    },
    /// A granted directory that its callers' paths lead to no more. Using it ends the call.
    Moved {
        grant: Box<str>,
    },
}

/// A file the guest made during this call.
pub(super) struct Created {
    /// Where to look for it afterwards, for temporary files alone: each is a descriptor of this process.
    temporary: Option<Temporary>,
    pub(super) inode: (u64, u64),
}

/// A file in progress.
pub(super) struct Temporary {
    parent: OwnedFd,
    name: OsString,
    /// The file itself, whose lock says that it is not a leftover of a process that died.
    _lock: OwnedFd,
}

/// The guest's view of the filesystem during one call.
pub(crate) struct Files {
    pub(crate) table: ResourceTable,
    pub(super) grants: Grants,
    pub(super) created: Vec<Created>,
    pub(super) read_set: Vec<ReadFile>,
    pub(super) deadline: Instant,
    pub(super) directory_entries: usize,
    pub(super) largest_read: usize,
    /// What all open directory streams hold, and may hold.
    pub(super) listed_bytes: usize,
    pub(super) listable_bytes: usize,
    writable_bytes: u64,
    /// Charged for files and directories themselves.
    made_bytes: u64,
    most_temporary: usize,
    pub(crate) spent: Cost,
    most_handles: usize,
    wait_deadline: WaitDeadline,
    /// What the guest wrote to its standard output and error.
    pub(crate) said: Said,
    /// The call of the host that is being answered.
    operation: &'static str,
    denials: Vec<Denial>,
    /// What a person may do about the attempt that was refused last.
    advice: Option<String>,
    /// Whether a directory was moved, so that those that are open may lie elsewhere than where they were found.
    pub(super) rearranged: bool,
}

impl Files {
    pub(crate) fn new(grants: Grants, limits: &Limits, deadline: Instant, wait_deadline: WaitDeadline) -> Self {
        let mut table = ResourceTable::new();
        table.set_max_capacity(limits.handles);
        Self {
            table,
            grants,
            created: Vec::new(),
            read_set: Vec::new(),
            deadline,
            directory_entries: limits.directory_entries,
            largest_read: limits.output_bytes,
            listed_bytes: 0,
            listable_bytes: limits.memory_bytes,
            writable_bytes: limits.written_bytes,
            made_bytes: 0,
            // Each holds two descriptors of the host: its directory, and the file for its lock.
            most_temporary: (limits.handles / 2).max(1),
            spent: Cost::default(),
            most_handles: limits.handles,
            wait_deadline,
            said: Said::default(),
            operation: "",
            denials: Vec::new(),
            advice: None,
            rearranged: false,
        }
    }

    /// What was spent so far.
    pub(crate) fn spent(&self) -> &Cost {
        &self.spent
    }

    /// The refused attempts, the first of them.
    pub(crate) fn take_denials(&mut self) -> Vec<Denial> {
        std::mem::take(&mut self.denials)
    }

    /// Counts a call and stops the guest when its time is over: epochs cannot interrupt a guest that is in the host.
    pub(super) fn enter(&mut self, operation: &'static str) -> FsResult<()> {
        self.count(operation).map_err(|stop| FsError::trap(wasmtime::Error::new(stop)))
    }

    /// [`Files::enter`], for interfaces with errors of their own.
    pub(crate) fn count(&mut self, operation: &'static str) -> Result<(), Stop> {
        self.operation = operation;
        self.spent.host_calls = self.spent.host_calls.saturating_add(1);
        if Instant::now() > self.deadline { Err(Stop::Deadline) } else { Ok(()) }
    }

    /// How many handles the guest may hold at once.
    pub(crate) fn most_handles(&self) -> usize {
        self.most_handles
    }

    /// How long it may wait.
    pub(crate) fn wait_deadline(&self) -> WaitDeadline {
        self.wait_deadline.clone()
    }

    /// Refuses what would reach beyond this machine's files.
    pub(crate) fn no_network(&mut self, operation: &'static str, name: &str) -> SocketError {
        self.operation = operation;
        self.spent.host_calls = self.spent.host_calls.saturating_add(1);
        let _ = self.denied(name, DenialReason::Network);
        SocketErrorCode::AccessDenied.into()
    }

    /// What a person may do about the attempt that was refused last, if it was that one.
    pub(crate) fn take_advice(&mut self) -> Option<String> {
        self.advice.take()
    }

    /// Refuses what a grant hides, and remembers how a person shows it.
    pub(super) fn hidden(&mut self, path: &str, rule: &Rule) -> FsError {
        let refused = self.denied(path, DenialReason::Hidden);
        self.advice = Some(match rule {
            Rule::Default(rule) => format!(
                "the grant hides `{rule}` by default, whether or not it is there; a person can show it with \
                 `--unhide '{rule}'`"
            ),
            Rule::Pattern(pattern) => format!("the grant hides `{}`, whether or not it is there", sanitized(pattern)),
            Rule::Leads => {
                "the grant hides or shows by its path what may lie in the directory, so it does not move".to_owned()
            }
            Rule::Unknown => "it cannot be told where in the grant it lies, so it counts as hidden".to_owned(),
        });
        refused
    }

    /// Refuses to change a sensitive place, and remembers how a person allows it.
    pub(super) fn sensitive(&mut self, path: &str, refused: &Refused) -> FsError {
        let error = self.denied(path, DenialReason::Sensitive);
        let place = &refused.place;
        self.advice = Some(format!(
            "`{place}` is a sensitive place: it decides what other programs run; a person can allow it with \
             `--allow-sensitive '{place}'`"
        ));
        error
    }

    /// An attempt the sandbox refuses. Counted and kept, so that a run can show it, and told to the guest so that a
    /// tool can say what it met.
    pub(super) fn denied(&mut self, path: &str, reason: DenialReason) -> FsError {
        self.spent.denied = self.spent.denied.saturating_add(1);
        self.advice = None;
        if self.denials.len() < denial::KEPT {
            self.denials.push(Denial::new(self.operation, path, reason));
        }
        match reason {
            DenialReason::ReadOnly => ErrorCode::ReadOnly,
            DenialReason::Sensitive | DenialReason::Hidden => ErrorCode::Access,
            DenialReason::Special => ErrorCode::NoDevice,
            DenialReason::Outside
            | DenialReason::HardLink
            | DenialReason::Link
            | DenialReason::Metadata
            | DenialReason::Network
            | DenialReason::Kernel
            | DenialReason::Host
            | DenialReason::Method
            | DenialReason::Address
            | DenialReason::Request
            | DenialReason::Budget => ErrorCode::NotPermitted,
        }
        .into()
    }

    /// An error of the kernel; leaving the grant counts as denied.
    pub(super) fn failed(&mut self, errno: Errno, path: &str) -> FsError {
        if errno == Errno::XDEV { self.denied(path, DenialReason::Outside) } else { errno::code(errno).into() }
    }

    pub(super) fn push(&mut self, open: Open) -> FsResult<Resource<Descriptor>> {
        Ok(Resource::new_own(self.keep(open)?))
    }

    /// Puts anything the guest gets a handle on into the table; the limit counts all of it.
    pub(super) fn keep<T: Send + 'static>(&mut self, entry: T) -> FsResult<u32> {
        match self.table.push(entry) {
            Ok(resource) => Ok(resource.rep()),
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
            Open::Moved { .. } => Err(self.moved(descriptor)),
        }
    }

    /// Ends the call: what the guest wants to use is not where its caller believes it to be.
    pub(super) fn moved(&self, descriptor: &Resource<Descriptor>) -> FsError {
        match self.get(descriptor) {
            Ok(Open::Moved { grant }) => FsError::trap(wasmtime::Error::new(Moved { grant: grant.clone() })),
            Ok(_) => ErrorCode::BadDescriptor.into(),
            Err(error) => error,
        }
    }

    /// Counts bytes about to be written.
    pub(crate) fn charge(&mut self, bytes: u64) -> FsResult<()> {
        let spent = self.spent.written_bytes.saturating_add(bytes);
        if spent > self.writable_bytes {
            return Err(ErrorCode::Quota.into());
        }
        self.spent.written_bytes = spent;
        Ok(())
    }

    /// Counts a file or a directory about to be made: an empty one has no bytes to write and still takes room on disk all the
    /// same. A temporary one keeps its directory open until it is renamed, so those are bounded like handles.
    pub(super) fn charge_entry(&mut self, name: &OsStr) -> FsResult<()> {
        let open = || self.created.iter().filter(|created| created.temporary.is_some()).count();
        if is_temporary(name) && open() >= self.most_temporary {
            return Err(FsError::trap(wasmtime::Error::new(Stop::Handles)));
        }
        let made = self.made_bytes.saturating_add(ENTRY_BYTES);
        if made > self.writable_bytes.max(ALWAYS_BYTES) {
            return Err(ErrorCode::Quota.into());
        }
        self.made_bytes = made;
        Ok(())
    }

    /// Remembers a file that was made.
    pub(super) fn created(&mut self, parent: OwnedFd, name: OsString, lock: Option<OwnedFd>, inode: (u64, u64)) {
        let temporary = lock.map(|lock| Temporary { parent, name, _lock: lock });
        self.created.push(Created { temporary, inode });
    }

    /// Counts the gap that a write far past the end of a file leaves, as setting the size there would.
    pub(super) fn charge_gap(&mut self, descriptor: &Resource<Descriptor>, offset: u64) -> FsResult<()> {
        // Asked of the file each time: what was written elsewhere says nothing about how long this one is.
        let size = match self.get(descriptor)? {
            Open::File { handle, .. } => rustix::fs::fstat(handle).map_err(errno::code)?.st_size,
            Open::Directory { .. } | Open::Moved { .. } => return Ok(()),
        };
        self.charge(offset.saturating_sub(u64::try_from(size).unwrap_or(0)))
    }

    /// Removes temporary files of replacements that never came to their rename: the guest trapped, ran out of time
    /// or forgot them. Only what this call itself made, by inode.
    pub(crate) fn sweep(&mut self) {
        for Created { temporary, inode } in std::mem::take(&mut self.created) {
            let Some(Temporary { parent, name, .. }) = &temporary else { continue };
            let name = Path::new(name);
            let Ok(handle) = resolve::beneath(parent, name, LastLink::Keep) else { continue };
            if let Ok((Kind::File, stat)) = open::kind(&handle)
                && (stat.st_dev, stat.st_ino) == inode
            {
                // A failure here has no remedy; the file is named so that a person understands it.
                let _ = rustix::fs::unlinkat(parent, name, rustix::fs::AtFlags::empty());
            }
        }
    }
}

/// Whether a name is that of a replacement in progress.
pub(super) fn is_temporary(name: &OsStr) -> bool {
    name.as_bytes().starts_with(TEMPORARY_PREFIX)
}
