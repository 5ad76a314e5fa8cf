//! Opens files beneath a handle, one component at a time and never through a link.

use std::fs::File;
use std::io::Read;
use std::os::fd::{AsFd, OwnedFd};

use cap_std::fs::Dir;
use rustix::fs::{FileType, Mode, OFlags, fstat, openat};
use rustix::io::Errno;

use super::StageError;

const DIRECTORY: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// `NONBLOCK`, so that opening a pipe that took a file's place does not wait for a writer.
const FILE: OFlags = OFlags::RDONLY.union(OFlags::NONBLOCK).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// The components of a path that is relative and plain.
pub(super) fn components(path: &str) -> Result<Vec<&str>, StageError> {
    let components: Vec<&str> = path.split('/').collect();
    let plain = components.iter().all(|part| !matches!(*part, "" | "." | ".."));
    if plain && !path.contains(['\0', '\\']) {
        Ok(components)
    } else {
        Err(StageError::BadPath { path: path.to_owned() })
    }
}

/// Opens a directory inside a directory.
pub(super) fn open_directory(parent: impl AsFd, name: &str) -> Result<OwnedFd, Errno> {
    openat(parent, name, DIRECTORY, Mode::empty())
}

/// Reads a plain file; `None` when it or a directory on its path does not exist.
///
/// # Errors
/// [`StageError::BadPath`], [`StageError::NotAPlainFile`] for a link or anything else on the way, and
/// [`StageError::TooLarge`] when it has more than `limit` bytes.
pub fn read_plain(root: &Dir, path: &str, limit: usize) -> Result<Option<Vec<u8>>, StageError> {
    let not_plain = || StageError::NotAPlainFile { path: path.to_owned() };
    let parts = components(path)?;
    let (name, parents) = parts.split_last().ok_or_else(not_plain)?;
    let mut directory = root.as_fd().try_clone_to_owned().map_err(|source| StageError::Io {
        path: path.to_owned(),
        action: "read",
        source,
    })?;
    for parent in parents {
        directory = match open_directory(&directory, parent) {
            Ok(next) => next,
            Err(Errno::NOENT) => return Ok(None),
            Err(Errno::NOTDIR | Errno::LOOP) => return Err(not_plain()),
            Err(errno) => return Err(StageError::io(path, "read")(errno)),
        };
    }
    match read_file(&directory, name, path, limit) {
        Err(StageError::Io { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => Ok(None),
        other => other.map(Some),
    }
}

/// Reads a plain file in a directory. `path` is for errors only.
pub(super) fn read_file(directory: impl AsFd, name: &str, path: &str, limit: usize) -> Result<Vec<u8>, StageError> {
    let not_plain = || StageError::NotAPlainFile { path: path.to_owned() };
    let handle = match openat(directory, name, FILE, Mode::empty()) {
        Ok(handle) => handle,
        // A link (`LOOP`), or a socket or device without its driver.
        Err(Errno::LOOP | Errno::NXIO | Errno::NODEV) => return Err(not_plain()),
        Err(errno) => return Err(StageError::io(path, "read")(errno)),
    };
    let stat = fstat(&handle).map_err(StageError::io(path, "read"))?;
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        return Err(not_plain());
    }
    let mut content = Vec::new();
    let bound = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    File::from(handle).take(bound).read_to_end(&mut content).map_err(|source| StageError::Io {
        path: path.to_owned(),
        action: "read",
        source,
    })?;
    if content.len() > limit {
        return Err(StageError::TooLarge { path: path.to_owned(), limit });
    }
    Ok(content)
}
