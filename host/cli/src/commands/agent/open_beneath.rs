//! Opens what a file or an input names, and nothing that lies elsewhere.

use rustix::fd::OwnedFd;
use rustix::fs::{AtFlags, CWD, Mode, OFlags};
use rustix::io::Errno;
use std::fs::File;
use std::io::Read;
use std::path::{Component, Path};

/// Why something beneath a directory was not opened.
pub(super) enum OpenError {
    /// The path leads out of the directory, or through a link, which may.
    Leaves,
    /// It is not there, or is something else.
    Unusable(String),
}

impl From<Errno> for OpenError {
    fn from(errno: Errno) -> Self {
        Self::Unusable(errno.to_string())
    }
}

/// A directory by its own path, links included: a person named it.
pub(super) fn directory(path: &Path) -> Result<OwnedFd, Errno> {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    rustix::fs::openat(CWD, path, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())
}

/// A directory beneath another, one name at a time and through no link.
pub(super) fn descend(from: &OwnedFd, path: &Path) -> Result<OwnedFd, OpenError> {
    let mut here = rustix::io::fcntl_dupfd_cloexec(from, 0)?;
    for component in path.components() {
        let name = match component {
            Component::CurDir => continue,
            Component::Normal(name) => name,
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return Err(OpenError::Leaves),
        };
        let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        here = rustix::fs::openat(&here, name, flags, Mode::empty())?;
        match rustix::fs::FileType::from_raw_mode(rustix::fs::fstat(&here)?.st_mode) {
            rustix::fs::FileType::Directory => {}
            rustix::fs::FileType::Symlink => return Err(OpenError::Leaves),
            _ => return Err(OpenError::Unusable("it is not a directory".into())),
        }
    }
    Ok(here)
}

/// The text of a plain file beneath a directory.
pub(super) fn text(from: &OwnedFd, path: &Path, largest: u64) -> Result<String, OpenError> {
    let (Some(above), Some(name)) = (path.parent(), path.file_name()) else { return Err(OpenError::Leaves) };
    let above = descend(from, above)?;
    if let Ok(stat) = rustix::fs::statat(&above, name, AtFlags::SYMLINK_NOFOLLOW)
        && rustix::fs::FileType::from_raw_mode(stat.st_mode).is_symlink()
    {
        return Err(OpenError::Leaves);
    }
    // Without waiting: a pipe in place of the file would hold the command up for ever.
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    read(rustix::fs::openat(&above, name, flags, Mode::empty())?.into(), largest)
}

/// The text of an open plain file.
pub(super) fn read(file: File, largest: u64) -> Result<String, OpenError> {
    let unusable = |error: std::io::Error| OpenError::Unusable(error.to_string());
    if !file.metadata().map_err(unusable)?.is_file() {
        return Err(OpenError::Unusable("it is not a regular file".into()));
    }
    let mut bytes = Vec::new();
    let count = file.take(largest + 1).read_to_end(&mut bytes).map_err(unusable)?;
    if count as u64 > largest {
        return Err(OpenError::Unusable(format!("it is larger than {} KiB", largest >> 10)));
    }
    String::from_utf8(bytes).map_err(|_| OpenError::Unusable("it is not UTF-8 text".into()))
}

/// Whether a directory is the home directory, or contains it: everything a person has.
pub(super) fn holds_home(directory: &OwnedFd) -> bool {
    use std::os::unix::fs::MetadataExt;
    let Ok(own) = rustix::fs::fstat(directory) else { return true };
    let Some(home) = std::env::var_os("HOME").filter(|home| !home.is_empty()) else { return false };
    let Ok(home) = std::fs::canonicalize(home) else { return false };
    home.ancestors()
        .filter_map(|place| std::fs::metadata(place).ok())
        .any(|place| (place.dev(), place.ino()) == (own.st_dev, own.st_ino))
}
