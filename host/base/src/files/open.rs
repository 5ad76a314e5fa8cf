//! Opening beneath a handle.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Component, Path};

use rustix::fs::{AtFlags, Mode, OFlags, fstat, openat, statat};
use rustix::io::{Errno, Result};

use super::facts::{Facts, Identity, Type, type_of};

/// Directories above the wanted one need not be readable, only passable.
#[cfg(target_os = "linux")]
const PASS: OFlags = OFlags::PATH;
#[cfg(not(target_os = "linux"))]
const PASS: OFlags = OFlags::RDONLY;

/// Opens an absolute path without following a single link; also returns the identity of the
/// directory and of everything above it, nearest first.
pub fn open_root(path: &Path) -> Result<(OwnedFd, Vec<Identity>)> {
    let pass = PASS.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
    let mut handle = rustix::fs::open("/", pass, Mode::empty())?;
    let mut chain = vec![Facts::of(&fstat(&handle)?).identity()];
    for component in path.components() {
        match component {
            Component::RootDir => {}
            Component::Normal(name) => {
                handle = openat(&handle, name, pass, Mode::empty())?;
                chain.push(Facts::of(&fstat(&handle)?).identity());
            }
            _ => return Err(Errno::INVAL),
        }
    }
    chain.reverse();
    // `.` cannot be swapped: it is the directory that the handle already names.
    Ok((open_directory(&handle, OsStr::new("."))?, chain))
}

/// Opens the directory `name` in `parent`. A link there is refused (ELOOP or ENOTDIR).
pub fn open_directory(parent: impl AsFd, name: &OsStr) -> Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    openat(parent, name, flags, Mode::empty())
}

/// Opens the directory that `names` lead to from `root`.
pub fn descend(root: &OwnedFd, names: &[OsString]) -> Result<OwnedFd> {
    let mut handle = open_directory(root, OsStr::new("."))?;
    for name in names {
        handle = open_directory(&handle, name)?;
    }
    Ok(handle)
}

/// Opens the regular file `name` in `parent` for reading; anything else is refused (INVAL).
///
/// Without NONBLOCK, a FIFO put there after the caller looked would block for ever.
pub fn open_file(parent: impl AsFd, name: &OsStr) -> Result<(File, Facts)> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
    let handle = openat(parent, name, flags, Mode::empty())?;
    let stat = fstat(&handle)?;
    match type_of(&stat) {
        Type::File => Ok((File::from(handle), Facts::of(&stat))),
        _ => Err(Errno::INVAL),
    }
}

/// What `name` in `parent` is, a link itself rather than its target; `None` when there is nothing.
pub fn present(parent: impl AsFd, name: &OsStr) -> Result<Option<(Type, Facts)>> {
    match statat(parent, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => Ok(Some((type_of(&stat), Facts::of(&stat)))),
        Err(Errno::NOENT) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Facts of an open file or directory.
pub fn facts_of(handle: impl AsFd) -> Result<Facts> {
    Ok(Facts::of(&fstat(handle)?))
}

/// How many names an open file has.
pub fn names_of(handle: impl AsFd) -> Result<u64> {
    #[expect(clippy::useless_conversion, reason = "the field's type differs between platforms")]
    Ok(fstat(handle)?.st_nlink.into())
}
