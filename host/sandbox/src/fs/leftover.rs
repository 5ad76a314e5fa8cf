//! Temporary files of calls that were killed. A call removes its own; of a process that was killed (`SIGKILL`, a machine
//! that lost power) they stay beside the user's files until something is written there again.

use super::open::{self, Kind};
use super::read_set;
use super::resolve::{self, LastLink};
use super::table::TEMPORARY_PREFIX;
use rustix::fd::OwnedFd;
use rustix::fs::{AtFlags, Dir, OFlags};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// So many entries of a directory are looked at before something is written there: what takes microseconds. A leftover
/// behind them is cleared when the very file is written that it was to become.
const LOOKED_AT: usize = 1024;

/// Removes from `directory` what killed calls left in it. Nothing depends on it, so a failure does not fail the call.
///
/// A file is taken for one when its name is exactly what a tool gives to a replacement in progress, it is a regular file
/// with no other name, and no process holds the lock that its maker holds until the replacement is done.
pub(super) fn clear(directory: &OwnedFd) {
    let Ok(entries) = open::reopen_directory(directory).and_then(Dir::new) else { return };
    for entry in entries.take(LOOKED_AT) {
        let Ok(entry) = entry else { return };
        let name = OsStr::from_bytes(entry.file_name().to_bytes());
        if is_of_a_tool(name) {
            remove(directory, Path::new(name));
        }
    }
}

fn remove(directory: &OwnedFd, name: &Path) {
    let Ok(there) = resolve::beneath(directory, name, LastLink::Keep) else { return };
    let Ok((Kind::File, stat)) = open::kind(&there) else { return };
    let Ok(leftover) = open::reopen(&there, OFlags::RDONLY) else { return };
    // The lock is held until this returns, so that no other process takes it while its name is removed.
    let still = || rustix::fs::statat(directory, name, AtFlags::SYMLINK_NOFOLLOW);
    if stat.st_nlink == 1
        && read_set::abandoned(&leftover)
        && still().is_ok_and(|now| (now.st_dev, now.st_ino) == (stat.st_dev, stat.st_ino))
    {
        let _ = rustix::fs::unlinkat(directory, name, AtFlags::empty());
    }
}

/// Whether a name is the prefix, 16 hexadecimal digits, `-` and a number: what `tool-sdk` makes, and no other program by chance.
fn is_of_a_tool(name: &OsStr) -> bool {
    let Some(rest) = name.as_bytes().strip_prefix(TEMPORARY_PREFIX) else { return false };
    let Some((hash, [b'-', number @ ..])) = rest.split_at_checked(16) else { return false };
    let hexadecimal = hash.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    hexadecimal && (1..=2).contains(&number.len()) && number.iter().all(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_exact_form_of_a_tools_name_is_one() {
        for name in [".bailiwick-tmp-0123456789abcdef-0", ".bailiwick-tmp-0123456789abcdef-63"] {
            assert!(is_of_a_tool(OsStr::new(name)), "{name}");
        }
        for name in [
            ".bailiwick-tmp-",
            ".bailiwick-tmp-1",
            ".bailiwick-tmp-0123456789abcdef",
            ".bailiwick-tmp-0123456789abcdef-",
            ".bailiwick-tmp-0123456789abcdef-100",
            ".bailiwick-tmp-0123456789ABCDEF-0",
            ".bailiwick-tmp-0123456789abcdef-x",
            ".bailiwick-tmp-0123456789abcdef-0.txt",
            "x.bailiwick-tmp-0123456789abcdef-0",
        ] {
            assert!(!is_of_a_tool(OsStr::new(name)), "{name}");
        }
    }
}
