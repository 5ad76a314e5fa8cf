//! Disk space for the line of a call, reserved before the call is made.

use rustix::fs::{FallocateFlags, Stat, fallocate};
use rustix::io::Errno;
use rustix::process::{Resource, getrlimit};
use std::fs::File;
use std::io;

/// What has to be there when a call begins, for the lines of all calls that run at once. The longest that a guest can
/// bring about has some 30 KiB, an ordinary one has one.
const NEEDED: u64 = 512 << 10;
/// What is reserved when there is less, so that it is rare.
const AHEAD: u64 = 2 * NEEDED;

/// What is known of the room behind the end of one file.
#[derive(Clone, Copy, Default)]
pub(crate) struct Preallocation {
    reached: Reached,
    /// Bytes that the file had on the disk when it was last looked at: others may have given room back.
    allocated: u64,
}

#[derive(Clone, Copy, Default)]
enum Reached {
    #[default]
    Nothing,
    Until(u64),
    /// The filesystem cannot reserve.
    Unsupported,
}

impl Preallocation {
    pub(crate) fn seen(&mut self, stat: &Stat) {
        self.allocated = u64::try_from(stat.st_blocks).unwrap_or_default().saturating_mul(512);
    }

    /// Whether there is room behind `end`, as far as is known without asking.
    pub(crate) fn is_enough(&self, end: u64) -> bool {
        match self.reached {
            Reached::Unsupported => true,
            Reached::Until(offset) => offset.min(self.allocated) >= end.saturating_add(NEEDED),
            Reached::Nothing => false,
        }
    }

    /// Makes sure that there is room behind `end`.
    pub(crate) fn reserve(&mut self, file: &File, end: u64) -> io::Result<()> {
        if self.is_enough(end) {
            return Ok(());
        }
        // Beyond the limit for files of this process some filesystems would end it.
        let limit = getrlimit(Resource::Fsize).current.unwrap_or(u64::MAX);
        let until = end.saturating_add(AHEAD).min(limit);
        if until <= end {
            return Err(Errno::FBIG.into());
        }
        loop {
            match fallocate(file, FallocateFlags::KEEP_SIZE, end, until - end) {
                Ok(()) => self.reached = Reached::Until(until),
                Err(Errno::OPNOTSUPP | Errno::NOSYS) => self.reached = Reached::Unsupported,
                Err(Errno::INTR) => continue,
                Err(errno) => return Err(errno.into()),
            }
            return Ok(());
        }
    }
}
