//! The metadata that a replacement takes over from the file it replaces: owner, access list, the extended attributes of
//! users, and mode. Set-id bits and capabilities are dropped, since they were given to other content.

use super::open;
use bailiwick_base::files::Attributes;
use rustix::fd::OwnedFd;
use rustix::fs::{Gid, Mode, OFlags, Stat, Uid};
use rustix::io::Errno;

/// Makes `new`, a file that is about to be renamed over `old`, like it. `stat` is that of `old`.
///
/// # Errors
/// Those of a disk. An owner who cannot be kept, because only the superuser can give files away, and attributes that the system
/// refuses are not an error: replacing a file has always meant that. The new file gives access to no user who had none to the old one.
pub(super) fn copy(old: &OwnedFd, stat: &Stat, new: &OwnedFd) -> Result<(), Errno> {
    let mode = stat.st_mode & 0o777;
    // A handle that only stands for a place shows no attributes.
    let mut mode = match open::reopen(old, OFlags::RDONLY) {
        Ok(old) => Attributes::carry(old, new, mode)?,
        Err(Errno::ACCESS) => Attributes::without_list(mode),
        Err(errno) => return Err(errno),
    };
    let own = rustix::fs::fstat(new)?;
    if own.st_gid != stat.st_gid && !given(rustix::fs::fchown(new, None, Some(Gid::from_raw(stat.st_gid))))? {
        mode = for_another_group(mode);
    }
    if own.st_uid != stat.st_uid {
        given(rustix::fs::fchown(new, Some(Uid::from_raw(stat.st_uid)), None))?;
    }
    rustix::fs::fchmod(new, Mode::from_raw_mode(mode))
}

/// What the old group was allowed is not another group's: it may do what everybody may.
fn for_another_group(mode: u32) -> u32 {
    mode & (!0o070 | ((mode & 0o007) << 3))
}

/// Gives `new`, which only its owner could read while it was written, the mode of any new file in `directory`.
///
/// # Errors
/// When its mode cannot be set.
pub(super) fn as_new(directory: &OwnedFd, new: &OwnedFd) -> Result<(), Errno> {
    // A file without a name shows what the umask, or the directory's own default, makes of a mode.
    let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
    let mode = match rustix::fs::openat(directory, c".", flags, Mode::from_raw_mode(0o666)) {
        Ok(nameless) => rustix::fs::fstat(&nameless)?.st_mode & 0o777,
        Err(_) => 0o666 & !umask(),
    };
    rustix::fs::fchmod(new, Mode::from_raw_mode(mode))
}

/// The umask, which can be asked for only by setting it, which other threads would notice, or by reading about it.
fn umask() -> u32 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("Umask:"));
    mask.and_then(|mask| u32::from_str_radix(mask.trim(), 8).ok()).unwrap_or(0o077)
}

/// Whether the file was given away. `INVAL` is what an owner is who does not exist in this namespace.
fn given(result: Result<(), Errno>) -> Result<bool, Errno> {
    match result {
        Ok(()) => Ok(true),
        Err(Errno::PERM | Errno::INVAL) => Ok(false),
        Err(errno) => Err(errno),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_group_may_do_no_more_than_everybody() {
        for (mode, expected) in [(0o660, 0o600), (0o664, 0o644), (0o646, 0o646), (0o775, 0o755), (0o600, 0o600)] {
            assert_eq!(for_another_group(mode), expected, "{mode:o}");
        }
    }

    #[test]
    fn new_file_has_the_mode_that_any_other_gets() {
        let directory = tempfile::tempdir().unwrap();
        let mode = |name: &str| {
            let file = std::fs::File::create(directory.path().join(name)).unwrap();
            (rustix::fs::fstat(&file).unwrap().st_mode & 0o777, OwnedFd::from(file))
        };
        let (expected, new) = mode("new");
        assert_eq!(0o666 & !umask(), expected);
        rustix::fs::fchmod(&new, Mode::from_raw_mode(0o600)).unwrap();
        as_new(&std::fs::File::open(directory.path()).unwrap().into(), &new).unwrap();
        assert_eq!(rustix::fs::fstat(&new).unwrap().st_mode & 0o777, expected);
    }
}
