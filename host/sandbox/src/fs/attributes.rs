//! What a replacement takes over from the file whose place it takes: who owns it and who may use it. Other extended
//! attributes stay behind with the old file.

use super::open;
use rustix::fd::{AsRawFd, OwnedFd};
use rustix::fs::{Gid, Mode, Stat, Uid, XattrFlags};
use rustix::io::Errno;

/// The list of who else may use a file. Where it is, the group bits of the mode are its mask: kept without it they would
/// give the group what was another's.
const ACL: &str = "system.posix_acl_access";

// Four bytes and eight for each entry: a thousand of them.
const LONGEST_ACL: usize = 8192;

/// Lets `new` be used by whom `old` is used by, and by nobody else. The set-id bits are left out, since the content is no
/// longer what somebody gave those bits to.
///
/// # Errors
/// What the kernel says. The file is not to be put in place then.
pub(super) fn take_over((old, was): (&OwnedFd, &Stat), (new, is): (&OwnedFd, &Stat)) -> Result<(), Errno> {
    let mut mode = was.st_mode & 0o777;
    if (was.st_uid, was.st_gid) != (is.st_uid, is.st_gid) {
        let (owner, group) = (Some(Uid::from_raw(was.st_uid)), Some(Gid::from_raw(was.st_gid)));
        // Only root gives a file to another owner. To a group one is in, everybody can.
        let kept = rustix::fs::fchown(new, owner, group).or_else(|_| rustix::fs::fchown(new, None, group));
        if kept.is_err() && was.st_gid != is.st_gid {
            // What the old group may do is not this group's, unless it is everybody's.
            mode &= 0o707 | ((mode & 0o007) << 3);
        }
    }
    let list = access_list(old)?;
    if list.is_none() {
        // It may have one of the directory's, for files that are made there.
        match rustix::fs::fremovexattr(new, ACL) {
            Ok(()) | Err(Errno::NODATA | Errno::OPNOTSUPP) => {}
            Err(errno) => return Err(errno),
        }
    }
    rustix::fs::fchmod(new, Mode::from_raw_mode(mode))?;
    match list {
        Some(list) => rustix::fs::fsetxattr(new, ACL, &list, XattrFlags::empty()),
        None => Ok(()),
    }
}

/// Asked for by the name of the handle, since one that cannot be read from is not asked itself.
fn access_list(file: &OwnedFd) -> Result<Option<Vec<u8>>, Errno> {
    // That this is a `/proc` and nothing else was found out when the first file was opened.
    open::own_handles()?;
    let name = format!("/proc/self/fd/{}", file.as_raw_fd());
    let mut list = Vec::with_capacity(LONGEST_ACL);
    match rustix::fs::getxattr(name, ACL, rustix::buffer::spare_capacity(&mut list)) {
        Ok(_) => Ok(Some(list)),
        Err(Errno::NODATA | Errno::OPNOTSUPP) => Ok(None),
        Err(errno) => Err(errno),
    }
}
