//! Files in a directory that is one person's alone: read as plain files, written as a whole.

use bailiwick_base::files::read_bounded;
use rustix::fs::{CWD, FlockOperation, Mode, OFlags};
use std::fs::File;
use std::io::{Error, ErrorKind, Result};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::Path;

/// The bytes of a plain file. A FIFO would be waited for, and a device never ends.
pub(crate) fn plain(path: &Path, most: u64) -> Result<Vec<u8>> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::openat(CWD, path, flags, Mode::empty())?);
    if !file.metadata()?.is_file() {
        return Err(Error::other("it is not a plain file"));
    }
    read_bounded(file, most).map_err(|error| match error.kind() {
        ErrorKind::FileTooLarge if most < 1 << 20 => Error::other(format!("it is larger than {} KiB", most >> 10)),
        ErrorKind::FileTooLarge => Error::other(format!("it is larger than {} MiB", most >> 20)),
        _ => error,
    })
}

/// Whether a directory belongs to this user alone; `None` if it does not exist.
pub(crate) fn own(directory: &Path) -> Result<Option<bool>> {
    let found = match directory.symlink_metadata() {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        found => found?,
    };
    let own = found.uid() == rustix::process::geteuid().as_raw();
    Ok(Some(found.is_dir() && own && found.mode() & 0o077 == 0))
}

/// Makes a directory for this user alone, with those above it. The name of each is on the disk before anything is put
/// into it: a file that was brought to the disk would else be lost with its directory.
pub(crate) fn make(directory: &Path) -> Result<()> {
    if directory.is_dir() {
        return Ok(());
    }
    let above = directory.parent().filter(|above| !above.as_os_str().is_empty());
    if let Some(above) = above {
        make(above)?;
    }
    match std::fs::DirBuilder::new().mode(0o700).create(directory) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    match File::open(above.unwrap_or(Path::new("."))) {
        Ok(above) => above.sync_all(),
        // One that may be passed and not read cannot be waited for.
        Err(error) if error.kind() == ErrorKind::PermissionDenied => Ok(()),
        Err(error) => Err(error),
    }
}

/// Waits until no other process holds the lock `path`. It is held as long as the file is open.
pub(crate) fn lock(path: &Path) -> Result<File> {
    let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let lock = rustix::fs::openat(CWD, path, flags, Mode::RUSR | Mode::WUSR)?;
    rustix::fs::flock(&lock, FlockOperation::LockExclusive)?;
    Ok(File::from(lock))
}
