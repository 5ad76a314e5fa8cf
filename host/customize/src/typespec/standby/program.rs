//! Which build of this program is at work.

use std::fs::metadata;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use serde::Serialize;

/// The version and the file of a program. A build or an installation makes another file.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Program {
    version: &'static str,
    device: u64,
    inode: u64,
    size: u64,
    changed: (i64, i64),
}

impl Program {
    /// The one that runs, whether or not its file is still where it was started from.
    pub(super) fn running() -> io::Result<Self> {
        Self::of(Path::new("/proc/self/exe"))
    }

    /// Whether the one that runs is what lies at this path.
    pub(super) fn is_at(path: &Path) -> bool {
        matches!((Self::of(path), Self::running()), (Ok(installed), Ok(running)) if installed == running)
    }

    pub(super) fn of(path: &Path) -> io::Result<Self> {
        let found = metadata(path)?;
        Ok(Self {
            version: env!("CARGO_PKG_VERSION"),
            device: found.dev(),
            inode: found.ino(),
            size: found.size(),
            changed: (found.ctime(), found.ctime_nsec()),
        })
    }
}
