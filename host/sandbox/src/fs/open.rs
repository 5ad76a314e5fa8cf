//! From an `O_PATH` handle to a file that can be read or written, with its type checked in between.

use rustix::fd::{AsFd, AsRawFd, OwnedFd};
use rustix::fs::{CWD, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;
use std::sync::OnceLock;

/// What an `O_PATH` handle is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link that was not followed.
    Link,
    /// A FIFO, a socket or a device: never opened.
    Special,
}

/// The kind and the metadata behind a handle.
///
/// # Errors
/// What `fstat` says.
pub fn kind(handle: impl AsFd) -> Result<(Kind, Stat), Errno> {
    let stat = rustix::fs::fstat(handle)?;
    let kind = match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => Kind::File,
        FileType::Directory => Kind::Directory,
        FileType::Symlink => Kind::Link,
        _ => Kind::Special,
    };
    Ok((kind, stat))
}

/// Opens the very inode of an `O_PATH` handle that was found to be a regular file or a directory.
///
/// Going through `/proc/self/fd` reopens the inode and resolves no name again, so nothing can be swapped in between.
/// Without a `/proc` the call fails rather than resolve the name a second time.
///
/// # Errors
/// What the kernel says; `NOSYS` where there is no `/proc`.
pub fn reopen(handle: &OwnedFd, flags: OFlags) -> Result<OwnedFd, Errno> {
    // `NONBLOCK` costs nothing on a regular file and is a second net under the type check.
    let flags = flags | OFlags::CLOEXEC | OFlags::NOCTTY | OFlags::NONBLOCK;
    let name = descriptor_name(handle.as_raw_fd());
    let name = std::ffi::CStr::from_bytes_until_nul(&name).map_err(|_| Errno::INVAL)?;
    rustix::fs::openat(own_handles()?, name, flags, Mode::empty())
}

/// Opens a directory handle for listing.
///
/// # Errors
/// What the kernel says.
pub fn reopen_directory(handle: impl AsFd) -> Result<OwnedFd, Errno> {
    rustix::fs::openat(handle, c".", OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())
}

pub(super) fn own_handles() -> Result<&'static OwnedFd, Errno> {
    static HANDLES: OnceLock<Option<OwnedFd>> = OnceLock::new();
    if HANDLES.get().is_none() {
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let found = match rustix::fs::openat(CWD, c"/proc/self/fd", flags, Mode::empty()) {
            // Anything mounted there that is not procfs would be resolved as ordinary names.
            Ok(found) => Some(found).filter(|found| {
                rustix::fs::fstatfs(found).is_ok_and(|status| status.f_type == rustix::fs::PROC_SUPER_MAGIC)
            }),
            // Nothing is known yet: to remember this would be to do without for ever.
            Err(errno @ (Errno::MFILE | Errno::NFILE | Errno::NOMEM)) => return Err(errno),
            Err(_) => None,
        };
        let _ = HANDLES.set(found);
    }
    HANDLES.get().and_then(Option::as_ref).ok_or(Errno::NOSYS)
}

/// A descriptor number as a C string, without an allocation on the path of every open.
pub(super) fn descriptor_name(number: i32) -> [u8; 16] {
    let mut text = [0_u8; 16];
    let mut digits = [0_u8; 11];
    let mut rest = number.unsigned_abs();
    let mut count = 0;
    loop {
        digits[count] = b'0' + u8::try_from(rest % 10).unwrap_or(0);
        rest /= 10;
        count += 1;
        if rest == 0 {
            break;
        }
    }
    for (place, digit) in digits[..count].iter().rev().enumerate() {
        text[place] = *digit;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptor_numbers_become_c_strings() {
        for number in [0, 7, 10, 1024, i32::MAX] {
            let text = descriptor_name(number);
            let text = std::ffi::CStr::from_bytes_until_nul(&text).unwrap();
            assert_eq!(text.to_str().unwrap(), number.to_string());
        }
    }
}
