//! What a file or directory is beside its content.

use std::os::fd::AsFd;

use rustix::io::{Errno, Result};

use super::attributes::Attributes;
use super::change;
use super::facts::Facts;
use super::open::facts_of;

/// Owner, mode and attributes of a file or directory.
#[derive(Debug, Clone)]
pub struct Looks {
    facts: Facts,
    born: Option<Born>,
    /// `None` where there are more than are kept, or where they cannot be read.
    attributes: Option<Attributes>,
}

impl Looks {
    /// Those of an open file or directory.
    pub(super) fn of(handle: impl AsFd, facts: Facts) -> Self {
        Self { facts, born: born(&handle), attributes: Attributes::of(&handle).ok() }
    }

    /// Whether an open file or directory is the one that they are of, whatever became of it, or has them as far as they are known.
    pub(super) fn are_of(&self, handle: impl AsFd) -> Result<bool> {
        let (own, now) = (&self.facts, facts_of(&handle)?);
        // A number of a file that was removed is given to the next one.
        let is_the_one = self.born.is_some() && self.born == born(&handle);
        if is_the_one && (own.device, own.inode) == (now.device, now.inode) {
            return Ok(true);
        }
        let attributes = self.attributes.as_ref().is_none_or(|own| Attributes::of(&handle).as_ref() == Ok(own));
        Ok((own.mode, own.uid, own.gid) == (now.mode, now.uid, now.gid) && attributes)
    }

    /// Gives them to an open file or directory. An owner who cannot be kept and attributes that the system refuses fail nothing,
    /// and give access to no user who had none.
    ///
    /// # Errors
    /// Those of a disk.
    pub(super) fn put_on(&self, handle: impl AsFd) -> Result<()> {
        own_like(&self.facts, &handle)?;
        let wanted = self.attributes.clone().unwrap_or_default();
        let mode = match wanted.put_on(&handle) {
            Ok(_) if self.attributes.is_some() => self.facts.mode,
            Ok(_) => Attributes::without_list(self.facts.mode),
            Err(errno) if Attributes::are_refused(errno) => wanted.mode_without(&handle, self.facts.mode),
            Err(errno) => return Err(errno),
        };
        change::set_mode(handle, mode)
    }
}

/// When a file or directory was made, where the file system knows it.
type Born = (i64, u32);

#[cfg(target_os = "linux")]
fn born(handle: impl AsFd) -> Option<Born> {
    use rustix::fs::{AtFlags, StatxFlags, statx};
    let found = statx(handle, c"", AtFlags::EMPTY_PATH, StatxFlags::BTIME).ok()?;
    let known = found.stx_mask & StatxFlags::BTIME.bits() != 0;
    known.then_some((found.stx_btime.tv_sec, found.stx_btime.tv_nsec))
}

#[cfg(not(target_os = "linux"))]
fn born(_: impl AsFd) -> Option<Born> {
    None
}

/// Gives an open file owner and group as others had them, where that is possible.
///
/// # Errors
/// Those of a disk.
pub(super) fn own_like(facts: &Facts, handle: impl AsFd) -> Result<()> {
    let now = facts_of(&handle)?;
    // Only the superuser gives files away, and not from within every container.
    let uid = if rustix::process::geteuid().is_root() { facts.uid } else { now.uid };
    if (now.uid, now.gid) == (uid, facts.gid) {
        return Ok(());
    }
    match change::set_owner(handle, uid, facts.gid) {
        Err(Errno::PERM | Errno::INVAL) => Ok(()),
        other => other,
    }
}
