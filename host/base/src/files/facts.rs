//! What a file system says about an entry, as the store records and compares it.

use rustix::fs::{FileType, Stat};
use serde::{Deserialize, Serialize};

use crate::time::Moment;

/// Device and inode: which directory it is, whatever its path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Identity {
    /// Number of the device.
    pub device: u64,
    /// Number of the inode on it.
    pub inode: u64,
}

/// The type of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link.
    Symlink,
    /// With its name for messages.
    Special(&'static str),
}

impl Type {
    /// With its article, for messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::File => "a regular file",
            Self::Directory => "a directory",
            Self::Symlink => "a symbolic link",
            Self::Special(_) => "a special file",
        }
    }
}

/// Everything about an entry but its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// Permission bits with set-user-id, set-group-id and sticky bit.
    pub mode: u32,
    /// Owner.
    pub uid: u32,
    /// Group.
    pub gid: u32,
    /// Length in bytes.
    pub size: u64,
    /// Time of the last change of content.
    pub modified: Moment,
    /// Time of the last change of content or of these facts; no program can choose it.
    pub changed: Moment,
    /// Number of the device.
    pub device: u64,
    /// Number of the inode on it.
    pub inode: u64,
}

impl Facts {
    /// The facts in `stat`.
    pub fn of(stat: &Stat) -> Self {
        #[expect(clippy::unnecessary_cast, reason = "field types differ between platforms")]
        Self {
            mode: stat.st_mode as u32 & 0o7777,
            uid: stat.st_uid,
            gid: stat.st_gid,
            size: u64::try_from(stat.st_size).unwrap_or(0),
            modified: Moment(stat.st_mtime as i64, stat.st_mtime_nsec as u32),
            changed: Moment(stat.st_ctime as i64, stat.st_ctime_nsec as u32),
            device: stat.st_dev as u64,
            inode: stat.st_ino as u64,
        }
    }

    /// Which entry it is.
    pub fn identity(&self) -> Identity {
        Identity { device: self.device, inode: self.inode }
    }

    /// Whether a file that had the facts `self` at `taken` and has `now` today must have the same
    /// content.
    ///
    /// Size, times and inode have to agree, and the last change has to lie two seconds before
    /// `taken`: a file that is written twice within one tick of the file system's clock keeps its
    /// time, as git's racy entries do. Two seconds is the coarsest clock in use (FAT).
    pub fn vouches_for(&self, taken: Moment, now: &Self) -> bool {
        let settled = self.changed < Moment(taken.0.saturating_sub(2), taken.1);
        settled
            && self.size == now.size
            && self.modified == now.modified
            && self.changed == now.changed
            && self.identity() == now.identity()
    }
}

/// The type in `stat`.
pub(super) fn type_of(stat: &Stat) -> Type {
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => Type::File,
        FileType::Directory => Type::Directory,
        FileType::Symlink => Type::Symlink,
        FileType::Fifo => Type::Special("FIFO"),
        FileType::Socket => Type::Special("socket"),
        FileType::CharacterDevice | FileType::BlockDevice => Type::Special("device"),
        _ => Type::Special("file of unknown type"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_old_and_equal_entry_vouches_for_its_content() {
        let taken = Moment(1000, 500);
        let old = Facts {
            mode: 0o644,
            uid: 1,
            gid: 1,
            size: 3,
            modified: Moment(900, 0),
            changed: Moment(900, 0),
            device: 1,
            inode: 2,
        };
        assert!(old.vouches_for(taken, &old));
        let fresh = Facts { changed: Moment(998, 500), ..old };
        assert!(!fresh.vouches_for(taken, &fresh), "it may have been written twice in one tick");
        for other in [
            Facts { size: 4, ..old },
            Facts { modified: Moment(901, 0), ..old },
            Facts { changed: Moment(900, 1), ..old },
            Facts { inode: 3, ..old },
            Facts { device: 3, ..old },
        ] {
            assert!(!old.vouches_for(taken, &other));
        }
    }
}
