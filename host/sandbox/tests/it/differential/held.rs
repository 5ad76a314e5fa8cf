//! What is done with an open descriptor, and what only looks: the part of the oracle that needs no policy.

use super::expected::{Expected, Fault, NOT_DIRECTORY, NOT_OPEN_SO, OUTSIDE, TOO_MUCH, UNDECODABLE, fault};
use super::way::{Way, way};
use super::world::GRANTED;
use rustix::fd::OwnedFd;
use rustix::fs::{AtFlags, FileType, Mode, OFlags, Stat};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::rc::Rc;

pub(crate) type Result<T> = std::result::Result<T, Fault>;

/// An open descriptor of the guest.
#[derive(Clone)]
pub(crate) enum Held {
    Directory { handle: Rc<OwnedFd>, grant: usize },
    File { handle: Rc<OwnedFd>, readable: bool, writable: bool },
}

impl Held {
    pub(crate) fn directory(&self) -> Result<(&OwnedFd, usize)> {
        match self {
            Self::Directory { handle, grant } => Ok((handle, *grant)),
            Self::File { .. } => Err(NOT_DIRECTORY),
        }
    }

    pub(crate) fn stat(&self) -> Stat {
        let (Self::Directory { handle, .. } | Self::File { handle, .. }) = self;
        rustix::fs::fstat(handle).unwrap()
    }

    pub(crate) fn flags(&self) -> &'static str {
        match self {
            Self::Directory { grant, .. } if GRANTED[*grant].1 => "rm",
            Self::File { readable: true, writable: true, .. } => "rw",
            Self::File { readable: false, writable: true, .. } => "w",
            Self::Directory { .. } | Self::File { .. } => "r",
        }
    }

    pub(crate) fn read(&self, wanted: u64, offset: u64) -> Result<Expected> {
        let Self::File { handle, readable: true, .. } = self else { return Err(NOT_OPEN_SO) };
        if wanted == 0 {
            return Ok(Expected::Reads { there: Vec::new(), wanted });
        }
        let mut bytes = vec![0; usize::try_from(wanted.min(1 << 20)).unwrap()];
        let count = rustix::io::pread(handle, &mut bytes, offset).map_err(fault)?;
        bytes.truncate(count);
        Ok(Expected::Reads { there: bytes, wanted })
    }

    pub(crate) fn write(&self, bytes: &[u8], offset: u64) -> Result<Expected> {
        // Rule: a gap counts as written, and is counted first.
        if offset >= MOST_WRITTEN && matches!(self, Self::File { .. }) {
            return Err(TOO_MUCH);
        }
        let Self::File { handle, writable: true, .. } = self else { return Err(NOT_OPEN_SO) };
        let written = rustix::io::pwrite(handle, bytes, offset).map_err(fault)?;
        Ok(Expected::Is(json!(written)))
    }

    pub(crate) fn set_size(&self, size: u64) -> Result<Expected> {
        // Rule: a sparse file takes no room now and all of it later.
        if size >= MOST_WRITTEN {
            return Err(TOO_MUCH);
        }
        let Self::File { handle, writable: true, .. } = self else { return Err(NOT_OPEN_SO) };
        rustix::fs::ftruncate(handle, size).map_err(fault)?;
        Ok(Expected::Is(Value::Null))
    }
}

/// What the guest of a plan may write: more than any plan does with sensible numbers, less than with any of the others.
pub(crate) const MOST_WRITTEN: u64 = 1 << 30;

/// The metadata of what `path` names, by the path as it is.
pub(crate) fn look(handle: &OwnedFd, path: &str, follow: bool) -> Result<Stat> {
    match way(handle, path.as_bytes(), follow) {
        Way::Inside(_) => {}
        Way::Outside => return Err(OUTSIDE),
        Way::Fails(errno) => return Err(fault(errno)),
    }
    let flags = if follow { AtFlags::empty() } else { AtFlags::SYMLINK_NOFOLLOW };
    rustix::fs::statat(handle, path, flags).map_err(fault)
}

pub(crate) fn read_link(handle: &OwnedFd, path: &str) -> Result<Expected> {
    look(handle, path, false)?;
    let text = rustix::fs::readlinkat(handle, path, Vec::new()).map_err(fault)?;
    let text = text.into_string().map_err(|_| UNDECODABLE)?;
    // Rule: the text of a link that leads out tells of the outside; what leads nowhere could be one.
    look(handle, path, true)?;
    Ok(Expected::Is(json!(text)))
}

pub(crate) fn list(handle: &OwnedFd) -> Result<Expected> {
    let handle = rustix::fs::openat(handle, c".", OFlags::RDONLY | OFlags::DIRECTORY, Mode::empty()).map_err(fault)?;
    let mut named = Vec::new();
    let mut undecodable = 0;
    for entry in std::fs::read_dir(proc(&handle)).unwrap() {
        let entry = entry.unwrap();
        match entry.file_name().into_string() {
            Ok(name) => {
                let stat = rustix::fs::statat(&handle, name.as_str(), AtFlags::SYMLINK_NOFOLLOW).unwrap();
                named.push((name, told(&stat)[0].take()));
            }
            Err(_) => undecodable += 1,
        }
    }
    named.sort_by(|one, other| one.0.cmp(&other.0));
    let mut answer: Vec<Value> = named.into_iter().map(|(name, kind)| json!([name, kind])).collect();
    // Rule: a name that is no text is told of after the others, which it does not hide.
    answer.extend(std::iter::repeat_n(json!(UNDECODABLE[0]), undecodable));
    Ok(Expected::Is(Value::Array(answer)))
}

pub(crate) fn told(stat: &Stat) -> Value {
    let kind = match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => "regular-file",
        FileType::Directory => "directory",
        FileType::Symlink => "symbolic-link",
        FileType::Fifo => "fifo",
        FileType::Socket => "socket",
        other => panic!("unexpected kind {other:?}"),
    };
    json!([kind, stat.st_nlink, stat.st_size])
}

pub(crate) fn same(one: &Stat, other: &Stat) -> bool {
    (one.st_dev, one.st_ino) == (other.st_dev, other.st_ino)
}

pub(crate) fn proc(handle: &OwnedFd) -> PathBuf {
    use std::os::fd::AsRawFd;
    PathBuf::from(format!("/proc/self/fd/{}", handle.as_raw_fd()))
}
