//! The log's files: opened without following or waiting, checked before use, locked for a bounded time.

use crate::error::AuditError;
use rustix::fs::{AtFlags, FileType, FlockOperation, Mode, OFlags, Stat};
use rustix::io::Errno;
use std::fs::File;
use std::io::ErrorKind;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long an append waits for others, who each hold the lock for microseconds.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);

/// How a file is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Use {
    /// To read it, independent of its owner.
    Read,
    /// To read it and judge it by the rules for appending.
    Judge,
    /// To write it in place, creating it where it is missing.
    Write,
    /// To append to it; it has to be there.
    Append,
    /// To append to it, creating it where it is missing.
    Begin,
}

/// Which file it is, whatever its name.
pub(crate) type Identity = (u64, u64);

/// The directory of a log.
pub(crate) struct Directory {
    path: PathBuf,
    handle: OwnedFd,
}

impl Directory {
    /// Opens the directory to append, creating it with mode 0700 where it is missing.
    pub(crate) fn own(path: &Path) -> Result<Self, AuditError> {
        let io = |doing, source| AuditError::Io { doing, path: path.to_owned(), source };
        std::fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(path)
            .or_else(|error| if error.kind() == ErrorKind::AlreadyExists { Ok(()) } else { Err(error) })
            .map_err(|source| io("create", source))?;
        let directory = Self::existing(path)?.ok_or_else(|| io("open", Errno::NOENT.into()))?;
        directory.check()?;
        Ok(directory)
    }

    /// Opens the directory to read; `None` where there is none.
    pub(crate) fn existing(path: &Path) -> Result<Option<Self>, AuditError> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        match rustix::fs::open(path, flags, Mode::empty()) {
            Ok(handle) => Ok(Some(Self { path: path.to_owned(), handle })),
            Err(Errno::NOENT) => Ok(None),
            Err(Errno::LOOP | Errno::NOTDIR) => {
                Err(AuditError::Unsafe { path: path.to_owned(), reason: "it is not a directory" })
            }
            Err(errno) => Err(AuditError::Io { doing: "open", path: path.to_owned(), source: errno.into() }),
        }
    }

    /// Whether files in it may be appended to.
    pub(crate) fn check(&self) -> Result<(), AuditError> {
        let io = |errno: Errno| AuditError::Io { doing: "inspect", path: self.path.clone(), source: errno.into() };
        let stat = rustix::fs::fstat(&self.handle).map_err(io)?;
        check_owner(&stat, 0o700).map_err(|reason| AuditError::Unsafe { path: self.path.clone(), reason })
    }

    pub(crate) fn path_of(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Opens a file in it; `None` where there is none and none is to be created.
    pub(crate) fn open(&self, name: &str, how: Use) -> Result<Option<File>, AuditError> {
        let flags = match how {
            Use::Read | Use::Judge => OFlags::RDONLY,
            Use::Write => OFlags::RDWR | OFlags::CREATE,
            Use::Append => OFlags::RDWR | OFlags::APPEND,
            Use::Begin => OFlags::RDWR | OFlags::APPEND | OFlags::CREATE,
        };
        // Without waiting: opening a FIFO would wait for its other end.
        let flags = flags | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let unsafe_file = |reason| AuditError::Unsafe { path: self.path_of(name), reason };
        let handle = match rustix::fs::openat(&self.handle, name, flags, Mode::RUSR | Mode::WUSR) {
            Ok(handle) => handle,
            Err(Errno::NOENT) => return Ok(None),
            Err(Errno::LOOP | Errno::NXIO | Errno::ISDIR) => return Err(unsafe_file("it is not a regular file")),
            Err(errno) => return Err(self.io("open", name, errno)),
        };
        let stat = rustix::fs::fstat(&handle).map_err(|errno| self.io("inspect", name, errno))?;
        match how {
            Use::Read => check_plain(&stat),
            Use::Judge | Use::Write | Use::Append | Use::Begin => check_file(&stat),
        }
        .map_err(unsafe_file)?;
        Ok(Some(handle.into()))
    }

    /// What lies at this name now, by its whole path, so that a directory that was moved away shows too.
    pub(crate) fn stat(&self, path: &Path) -> Result<Stat, AuditError> {
        match rustix::fs::statat(rustix::fs::CWD, path, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Ok(stat),
            Err(Errno::NOENT | Errno::NOTDIR) => Err(AuditError::Replaced { path: path.to_owned() }),
            Err(errno) => Err(AuditError::Io { doing: "inspect", path: path.to_owned(), source: errno.into() }),
        }
    }

    /// Names of everything in it.
    pub(crate) fn names(&self) -> Result<Vec<String>, AuditError> {
        let io = |errno: Errno| AuditError::Io { doing: "list", path: self.path.clone(), source: errno.into() };
        let mut names = Vec::new();
        for entry in rustix::fs::Dir::read_from(&self.handle).map_err(io)? {
            names.extend(entry.map_err(io)?.file_name().to_str().ok().map(str::to_owned));
        }
        Ok(names)
    }

    /// Makes the names in it survive a loss of power.
    pub(crate) fn sync(&self) -> Result<(), AuditError> {
        rustix::fs::fsync(&self.handle).map_err(|errno| AuditError::Io {
            doing: "sync",
            path: self.path.clone(),
            source: errno.into(),
        })
    }

    pub(crate) fn io(&self, doing: &'static str, name: &str, source: impl Into<std::io::Error>) -> AuditError {
        let (path, source) = (self.path_of(name), source.into());
        match Errno::from_io_error(&source) {
            Some(Errno::NOSPC | Errno::DQUOT) => AuditError::NoSpace { path },
            _ => AuditError::Io { doing, path, source },
        }
    }
}

pub(crate) fn identity(stat: &Stat) -> Identity {
    (stat.st_dev, stat.st_ino)
}

pub(crate) fn identity_of(file: &File) -> std::io::Result<Identity> {
    Ok(identity(&rustix::fs::fstat(file)?))
}

fn check_plain(stat: &Stat) -> Result<(), &'static str> {
    if FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile {
        Ok(())
    } else {
        Err("it is not a regular file")
    }
}

/// Whether it is its owner's alone, and the owner may do with it what `needed` says.
fn check_owner(stat: &Stat, needed: u32) -> Result<(), &'static str> {
    if stat.st_uid != rustix::process::geteuid().as_raw() {
        return Err("another user owns it");
    }
    if stat.st_mode & 0o022 != 0 {
        return Err("others can write to it");
    }
    if stat.st_mode & needed != needed {
        return Err("its owner is not allowed to write to it");
    }
    Ok(())
}

/// Whether a file may be appended to. A second name could lie where a guest may write.
pub(crate) fn check_file(stat: &Stat) -> Result<(), &'static str> {
    check_plain(stat)?;
    check_owner(stat, 0o600)?;
    if stat.st_nlink == 1 { Ok(()) } else { Err("it has more than one name, or none") }
}

/// Held until dropped.
pub(crate) struct Lock<'a>(&'a File);

impl<'a> Lock<'a> {
    /// Waits no longer than until `patience` is over: the process that holds it may have been stopped.
    pub(crate) fn take(
        file: &'a File,
        path: &Path,
        operation: FlockOperation,
        patience: Instant,
    ) -> Result<Self, AuditError> {
        let mut pause = Duration::from_micros(20);
        loop {
            match rustix::fs::flock(file.as_fd(), operation) {
                Ok(()) => return Ok(Self(file)),
                Err(Errno::INTR) => {}
                Err(Errno::WOULDBLOCK) if Instant::now() < patience => {
                    std::thread::sleep(pause);
                    pause = (pause * 2).min(Duration::from_millis(1));
                }
                Err(Errno::WOULDBLOCK) => return Err(AuditError::Busy { path: path.to_owned() }),
                Err(errno) => {
                    return Err(AuditError::Io { doing: "lock", path: path.to_owned(), source: errno.into() });
                }
            }
        }
    }
}

impl Drop for Lock<'_> {
    fn drop(&mut self) {
        // The kernel lets go of it with the handle at the latest.
        let _ = rustix::fs::flock(self.0.as_fd(), FlockOperation::Unlock);
    }
}
