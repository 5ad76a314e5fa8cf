//! What a file takes over from the one whose place it takes: owner, access list, the extended attributes of users, and
//! mode. Set-id bits and capabilities stay behind, since the content is no longer what somebody gave them to.

use super::open;
use rustix::fd::OwnedFd;
use rustix::fs::{Gid, Mode, OFlags, Stat, Uid, XattrFlags};
use rustix::io::Errno;

const ACCESS_LIST: &str = "system.posix_acl_access";
const OF_USERS: &str = "user.";
/// The most bytes of names, and of one value, that Linux hands out.
const LARGEST: usize = 64 << 10;
/// The most bytes of all values that are taken over.
const MOST: usize = 1 << 20;

/// Makes `new`, a file that is about to be renamed over `old`, like it. `stat` is that of `old`.
///
/// # Errors
/// When something cannot be taken over that is there. An owner who cannot be kept, because only the superuser can give
/// files away, is no error: replacing a file has always meant that.
pub(super) fn keep(old: &OwnedFd, stat: &Stat, new: &OwnedFd) -> Result<(), Errno> {
    attributes(old, new)?;
    let own = rustix::fs::fstat(new)?;
    let mut mode = stat.st_mode & 0o777;
    if own.st_gid != stat.st_gid && !given(rustix::fs::fchown(new, None, Some(Gid::from_raw(stat.st_gid))))? {
        // What the old group was allowed is not this group's.
        mode &= !0o070 | ((mode & 0o007) << 3);
    }
    if own.st_uid != stat.st_uid {
        given(rustix::fs::fchown(new, Some(Uid::from_raw(stat.st_uid)), None))?;
    }
    rustix::fs::fchmod(new, Mode::from_raw_mode(mode))
}

/// Whether the file was given away. `INVAL` is what an owner is who does not exist in this namespace.
fn given(result: Result<(), Errno>) -> Result<bool, Errno> {
    match result {
        Ok(()) => Ok(true),
        Err(Errno::PERM | Errno::INVAL) => Ok(false),
        Err(errno) => Err(errno),
    }
}

fn attributes(old: &OwnedFd, new: &OwnedFd) -> Result<(), Errno> {
    // A handle that only stands for a place shows no attributes.
    let old = open::reopen(old, OFlags::RDONLY)?;
    let theirs = names(&old)?;
    // A new file may have got an access list from its directory, and would let in whom the old one did not.
    if !theirs.iter().any(|name| name == ACCESS_LIST) && names(new)?.iter().any(|name| name == ACCESS_LIST) {
        rustix::fs::fremovexattr(new, ACCESS_LIST)?;
    }
    let mut value = Vec::new();
    let mut total = 0;
    for name in theirs.iter().filter(|name| *name == ACCESS_LIST || name.starts_with(OF_USERS)) {
        value.resize(LARGEST, 0);
        let length = match rustix::fs::fgetxattr(&old, name.as_str(), value.as_mut_slice()) {
            Ok(length) => length,
            // Removed since it was listed.
            Err(Errno::NODATA) => continue,
            Err(errno) => return Err(errno),
        };
        total += length;
        if total > MOST {
            return Err(Errno::FBIG);
        }
        rustix::fs::fsetxattr(new, name.as_str(), &value[..length], XattrFlags::empty())?;
    }
    Ok(())
}

/// The names of all attributes, none where the filesystem has no such thing.
fn names(file: &OwnedFd) -> Result<Vec<String>, Errno> {
    // Most files have none, and that is found out without a buffer.
    if rustix::fs::flistxattr(file, &mut [0_u8; 0]) == Ok(0) {
        return Ok(Vec::new());
    }
    let mut list = vec![0; LARGEST];
    match rustix::fs::flistxattr(file, list.as_mut_slice()) {
        Ok(length) => {
            let names = list[..length].split(|byte| *byte == 0).filter(|name| !name.is_empty());
            Ok(names.map(|name| String::from_utf8_lossy(name).into_owned()).collect())
        }
        Err(Errno::OPNOTSUPP | Errno::NOSYS) => Ok(Vec::new()),
        Err(errno) => Err(errno),
    }
}
