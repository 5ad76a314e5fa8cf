//! Entries as files of a directory that all replicas reach: one file an entry, of mode 0600, replaced as a whole.

use super::entries::{Entries, LARGEST, Shelf, is_name};
use async_trait::async_trait;
use bailiwick_base::files::{self, Replace};
use bailiwick_base::random;
use bailiwick_base::text::hex;
use rustix::fs::{AtFlags, FileType, FlockOperation, Mode, OFlags};
use rustix::io::Errno;
use std::ffi::OsStr;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// A process that replaces an entry on a condition holds a lock on this file meanwhile.
const LOCK: &str = ".lock";
/// A file system of another machine that does not answer for so long counts as gone.
const PATIENCE: Duration = Duration::from_secs(10);

/// Readers see the old content or the new one.
const WHOLE: Replace = Replace { durable: false, ..Replace::PRIVATE };

/// Entries in a directory that its owner alone can read and write.
pub struct Directory(Arc<Shelves>);

struct Shelves {
    replicas: OwnedFd,
    runs: OwnedFd,
}

impl Directory {
    /// Opens the directory, and makes it where it is missing.
    ///
    /// # Errors
    /// It cannot be opened or made, or others can read or change it.
    pub fn open(path: &Path) -> io::Result<Self> {
        let made = rustix::fs::mkdir(path, Mode::RWXU);
        if !matches!(made, Ok(()) | Err(Errno::EXIST)) {
            made?;
        }
        let directory = rustix::fs::open(path, OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
        is_private(&directory)?;
        let shelf = |name: &str| {
            let name = OsStr::new(name);
            match files::make_directory(&directory, name, 0o700) {
                Ok(()) | Err(Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
            }
            let shelf = files::open_directory(&directory, name)?;
            is_private(&shelf).map(|()| shelf)
        };
        Ok(Self(Arc::new(Shelves { replicas: shelf("replicas")?, runs: shelf("runs")? })))
    }

    /// Does this with the directory of a shelf, on a thread that may wait for a disk.
    async fn within<T: Send + 'static>(
        &self,
        shelf: Shelf,
        name: &str,
        work: impl FnOnce(&OwnedFd, &OsStr) -> io::Result<T> + Send + 'static,
    ) -> io::Result<T> {
        if !is_name(name) {
            return Err(io::Error::other("it is not the name of an entry"));
        }
        let (shelves, name) = (self.0.clone(), name.to_owned());
        let working = tokio::task::spawn_blocking(move || work(shelves.of(shelf), OsStr::new(&name)));
        match tokio::time::timeout(PATIENCE, working).await {
            Ok(Ok(done)) => done,
            Ok(Err(error)) => Err(io::Error::other(error)),
            Err(_) => Err(io::Error::new(io::ErrorKind::TimedOut, "the file system does not answer")),
        }
    }
}

impl Shelves {
    fn of(&self, shelf: Shelf) -> &OwnedFd {
        match shelf {
            Shelf::Replicas => &self.replicas,
            Shelf::Runs => &self.runs,
        }
    }
}

#[async_trait]
impl Entries for Directory {
    async fn create(&self, shelf: Shelf, name: &str, content: &[u8]) -> io::Result<bool> {
        let content = content.to_vec();
        self.within(shelf, name, move |directory, name| create(directory, name, &content)).await
    }

    async fn put(&self, shelf: Shelf, name: &str, content: &[u8]) -> io::Result<()> {
        let content = content.to_vec();
        self.within(shelf, name, move |directory, name| WHOLE.write_in(directory, name, &[&content])).await
    }

    async fn replace(&self, shelf: Shelf, name: &str, old: &[u8], new: &[u8]) -> io::Result<bool> {
        let (old, new) = (old.to_vec(), new.to_vec());
        let replace = move |directory: &OwnedFd, name: &OsStr| {
            // Given back when it is closed, however this process ends.
            let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let lock = rustix::fs::openat(directory, LOCK, flags, Mode::RUSR | Mode::WUSR)?;
            rustix::fs::flock(&lock, FlockOperation::LockExclusive)?;
            match get(directory, name)? {
                Some(found) if found == old => WHOLE.write_in(directory, name, &[&new]).map(|()| true),
                _ => Ok(false),
            }
        };
        self.within(shelf, name, replace).await
    }

    async fn get(&self, shelf: Shelf, name: &str) -> io::Result<Option<Vec<u8>>> {
        self.within(shelf, name, get).await
    }

    async fn remove(&self, shelf: Shelf, name: &str) -> io::Result<()> {
        let remove = |directory: &OwnedFd, name: &OsStr| match files::remove_file(directory, name) {
            Ok(()) | Err(Errno::NOENT) => Ok(()),
            Err(error) => Err(error.into()),
        };
        self.within(shelf, name, remove).await
    }

    async fn names(&self, shelf: Shelf) -> io::Result<Vec<String>> {
        let all = self.within(shelf, "all", |directory, _| Ok(files::names(directory)?)).await?;
        Ok(all.into_iter().filter_map(|name| name.into_string().ok()).filter(|name| is_name(name)).collect())
    }
}

/// A link makes the name, which on every file system fails where the name is taken.
fn create(directory: &OwnedFd, name: &OsStr, content: &[u8]) -> io::Result<bool> {
    let temporary = format!(".{}.tmp", hex(&random::bytes::<8>()?));
    let temporary = OsStr::new(&temporary);
    let file = files::create(directory, temporary, 0o600)?;
    let made = files::write(&file, content).and_then(|()| {
        match rustix::fs::linkat(directory, temporary, directory, name, AtFlags::empty()) {
            Ok(()) => Ok(true),
            Err(Errno::EXIST) => Ok(false),
            Err(error) => Err(error.into()),
        }
    });
    let _ = files::remove_file(directory, temporary);
    made
}

/// `None` for a file that another user could have written, and for one that is larger than what replicas write.
fn get(directory: &OwnedFd, name: &OsStr) -> io::Result<Option<Vec<u8>>> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = match rustix::fs::openat(directory, name, flags, Mode::empty()) {
        Ok(file) => file,
        Err(Errno::NOENT | Errno::LOOP | Errno::NXIO) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let found = rustix::fs::fstat(&file)?;
    let is_plain = FileType::from_raw_mode(found.st_mode) == FileType::RegularFile;
    if !is_plain || !is_ours(&found) {
        return Ok(None);
    }
    match files::read_bounded(std::fs::File::from(file), LARGEST as u64) {
        Err(error) if error.kind() == io::ErrorKind::FileTooLarge => Ok(None),
        read => read.map(Some),
    }
}

fn is_private(directory: impl AsFd) -> io::Result<()> {
    match is_ours(&rustix::fs::fstat(directory)?) {
        true => Ok(()),
        false => Err(io::Error::other("others can read or change it; its mode has to be 0700")),
    }
}

fn is_ours(found: &rustix::fs::Stat) -> bool {
    found.st_uid == rustix::process::geteuid().as_raw() && found.st_mode & 0o077 == 0
}

#[cfg(test)]
mod tests;
