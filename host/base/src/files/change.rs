//! The steps that change something, each one system call. All pass a failpoint first.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Write as _;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStringExt as _;

use rustix::fs::{AtFlags, Gid, Mode, OFlags, RenameFlags, Timespec, Timestamps, UTIME_OMIT, Uid};
use rustix::io::{Errno, Result};

use super::failpoint;
use super::observer;
use super::open::present;
use super::wait;
use crate::time::Moment;

/// Creates the file `name`, which must not exist. `mode` is subject to the umask.
pub fn create(parent: impl AsFd, name: &OsStr, mode: u32) -> Result<File> {
    failpoint::hit()?;
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    rustix::fs::openat(parent, name, flags, Mode::from_raw_mode(mode)).map(File::from)
}

/// Writes all of `bytes` at the file's position.
pub fn write(mut file: &File, bytes: &[u8]) -> std::io::Result<()> {
    failpoint::hit()?;
    file.write_all(bytes)
}

/// Creates a directory that only its owner can enter.
pub fn make_directory(parent: impl AsFd, name: &OsStr, mode: u32) -> Result<()> {
    failpoint::hit()?;
    rustix::fs::mkdirat(parent, name, Mode::from_raw_mode(mode))
}

/// Creates a symbolic link.
pub fn make_link(parent: impl AsFd, name: &OsStr, target: &OsStr) -> Result<()> {
    failpoint::hit()?;
    rustix::fs::symlinkat(target, parent, name)
}

/// Target of a symbolic link, any bytes.
pub fn link_target(parent: impl AsFd, name: &OsStr) -> Result<OsString> {
    Ok(OsString::from_vec(rustix::fs::readlinkat(parent, name, Vec::new())?.into_bytes()))
}

/// Renames within one directory, replacing what has the new name.
pub fn rename(parent: impl AsFd, old: &OsStr, new: &OsStr) -> Result<()> {
    failpoint::hit()?;
    let parent = parent.as_fd();
    rustix::fs::renameat(parent, old, parent, new)
}

/// Renames within one directory; EXIST when the new name is taken.
pub fn rename_new(parent: impl AsFd, old: &OsStr, new: &OsStr) -> Result<()> {
    failpoint::hit()?;
    let parent = parent.as_fd();
    match with_flags(parent, old, new, RenameFlags::NOREPLACE) {
        // Without kernel support (network file systems) the check is a step earlier.
        Err(error) if unsupported(error) => {
            if present(parent, new)?.is_some() {
                return Err(Errno::EXIST);
            }
            rustix::fs::renameat(parent, old, parent, new)
        }
        result => result,
    }
}

/// Swaps two names in one step. `Ok(false)` when the file system cannot.
pub fn exchange(parent: impl AsFd, one: &OsStr, other: &OsStr) -> Result<bool> {
    failpoint::hit()?;
    match with_flags(parent.as_fd(), one, other, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(true),
        Err(error) if unsupported(error) => Ok(false),
        Err(error) => Err(error),
    }
}

fn with_flags(parent: impl AsFd, old: &OsStr, new: &OsStr, flags: RenameFlags) -> Result<()> {
    if failpoint::no_exchange() {
        return Err(Errno::INVAL);
    }
    let parent = parent.as_fd();
    rustix::fs::renameat_with(parent, old, parent, new, flags)
}

fn unsupported(error: Errno) -> bool {
    error == Errno::INVAL || error == Errno::NOSYS || error == Errno::OPNOTSUPP
}

/// Removes anything but a directory.
pub fn remove_file(parent: impl AsFd, name: &OsStr) -> Result<()> {
    failpoint::hit()?;
    rustix::fs::unlinkat(parent, name, AtFlags::empty())
}

/// Removes an empty directory.
pub fn remove_directory(parent: impl AsFd, name: &OsStr) -> Result<()> {
    failpoint::hit()?;
    rustix::fs::unlinkat(parent, name, AtFlags::REMOVEDIR)
}

/// Sets permission bits of an open file or directory.
pub fn set_mode(handle: impl AsFd, mode: u32) -> Result<()> {
    failpoint::hit()?;
    rustix::fs::fchmod(handle, Mode::from_raw_mode(mode))
}

/// Sets owner and group of an open file or directory.
pub fn set_owner(handle: impl AsFd, uid: u32, gid: u32) -> Result<()> {
    failpoint::hit()?;
    rustix::fs::fchown(handle, Some(Uid::from_raw(uid)), Some(Gid::from_raw(gid)))
}

/// Sets the modification time of an open file or directory.
pub fn set_times(handle: impl AsFd, modified: Moment) -> Result<()> {
    failpoint::hit()?;
    rustix::fs::futimens(handle, &timestamps(modified))
}

/// Sets the modification time of a link itself.
pub fn set_link_times(parent: impl AsFd, name: &OsStr, modified: Moment) -> Result<()> {
    failpoint::hit()?;
    rustix::fs::utimensat(parent, name, &timestamps(modified), AtFlags::SYMLINK_NOFOLLOW)
}

fn timestamps(modified: Moment) -> Timestamps {
    Timestamps {
        last_access: Timespec { tv_sec: 0, tv_nsec: UTIME_OMIT },
        last_modification: Timespec { tv_sec: modified.0, tv_nsec: modified.1.into() },
    }
}

/// Waits until an open file, or the names of an open directory, are on the disk.
pub fn sync(handle: impl AsFd) -> Result<()> {
    failpoint::hit()?;
    wait::counted(|| rustix::fs::fsync(&handle))?;
    observer::synced(handle)
}

/// Waits until the whole file system is on the disk: one wait for any number of files.
pub fn sync_everything(handle: impl AsFd) -> Result<()> {
    failpoint::hit()?;
    #[cfg(target_os = "linux")]
    wait::counted(|| rustix::fs::syncfs(&handle))?;
    #[cfg(not(target_os = "linux"))]
    rustix::fs::sync();
    observer::synced_everything(handle)
}
