//! Entering directories whose mode keeps even their owner out.

use std::ffi::OsStr;
use std::os::fd::{AsFd, OwnedFd};

use rustix::io::Result;

use super::change::set_mode;
use super::open::facts_of;
use crate::files::failpoint;

/// Gives the owner read, write and execute permission on the directory `name`; permissions of others stay as they are.
pub fn make_accessible(parent: impl AsFd, name: &OsStr) -> Result<()> {
    failpoint::hit()?;
    change(parent.as_fd(), name)
}

/// A mode of a path would be set through a link that took the directory's place. The handle names
/// the directory itself, and its entry in /proc is the one way to change a mode through it
/// (`fchmod` refuses a handle that was opened for its path alone).
#[cfg(target_os = "linux")]
fn change(parent: impl AsFd, name: &OsStr) -> Result<()> {
    use rustix::fs::{Mode, OFlags, openat};
    use std::os::fd::AsRawFd as _;

    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let handle = openat(parent, name, flags, Mode::empty())?;
    let mode = facts_of(&handle)?.mode | 0o700;
    rustix::fs::chmod(format!("/proc/self/fd/{}", handle.as_raw_fd()), Mode::from_raw_mode(mode))
}

#[cfg(not(target_os = "linux"))]
fn change(parent: impl AsFd, name: &OsStr) -> Result<()> {
    use rustix::fs::{AtFlags, Mode};

    let parent = parent.as_fd();
    let mode = super::open::present(parent, name)?.map_or(0, |(_, facts)| facts.mode) | 0o700;
    rustix::fs::chmodat(parent, name, Mode::from_raw_mode(mode), AtFlags::SYMLINK_NOFOLLOW)
}

/// Lets the owner write to an open directory, where its mode says otherwise.
pub fn relax(directory: &OwnedFd) -> Result<()> {
    let mode = facts_of(directory)?.mode;
    if mode & 0o700 == 0o700 { Ok(()) } else { set_mode(directory, mode | 0o700) }
}
