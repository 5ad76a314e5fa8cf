//! Replacing a file as a whole.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{Result, Write as _};
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use rustix::fs::{AtFlags, CWD, Mode, OFlags, openat};
use rustix::io::Errno;

use super::wait;

/// How a file is replaced: its content is written to a new file beside it, which is renamed onto it. Readers see the old
/// content or the new one, and a failure leaves the old one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Replace {
    /// The permission bits of the new file before the umask.
    pub mode: u32,
    /// Whether the content and the name are on the disk afterwards, so that a loss of power cannot take them.
    pub durable: bool,
}

impl Replace {
    /// For a file that only its owner may read and that has to survive a loss of power.
    pub const PRIVATE: Self = Self { mode: 0o600, durable: true };

    /// Replaces or makes the file at `path`; a link there is replaced itself.
    ///
    /// # Errors
    /// The directory cannot be opened or written to.
    pub fn write(self, path: &Path, content: &[u8]) -> Result<()> {
        let name = path.file_name().ok_or(Errno::INVAL)?;
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let directory = openat(CWD, parent, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
        self.write_in(&directory, name, &[content])
    }

    /// [`Replace::write`] beneath a handle, of content in several parts.
    ///
    /// # Errors
    /// The directory cannot be written to.
    pub fn write_in(self, directory: impl AsFd, name: &OsStr, content: &[&[u8]]) -> Result<()> {
        let directory = directory.as_fd();
        let (mut file, temporary) = self.create(directory)?;
        let written = content
            .iter()
            .try_for_each(|part| file.write_all(part))
            .and_then(|()| if self.durable { wait::counted(|| file.sync_all()) } else { Ok(()) })
            .and_then(|()| Ok(rustix::fs::renameat(directory, &temporary, directory, name)?));
        if written.is_err() {
            let _ = rustix::fs::unlinkat(directory, &temporary, AtFlags::empty());
        } else if self.durable {
            sync_names(directory)?;
        }
        written
    }

    /// A new file beside. Its name begins with a dot and ends in `.tmp`, and no other process or thread uses it.
    fn create(self, directory: impl AsFd) -> Result<(File, OsString)> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        loop {
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            // Processes in different namespaces may have the same number.
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
            let name = OsString::from(format!(".{}-{count}-{now:x}.tmp", std::process::id()));
            match openat(&directory, &name, flags, Mode::from_raw_mode(self.mode)) {
                Ok(handle) => return Ok((File::from(handle), name)),
                Err(Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
}

/// Brings the names in a directory to the disk.
fn sync_names(directory: impl AsFd) -> Result<()> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let readable: OwnedFd = match openat(directory, c".", flags, Mode::empty()) {
        // A directory that may be passed and not read cannot be synchronised.
        Err(Errno::ACCESS) => return Ok(()),
        opened => opened?,
    };
    Ok(wait::counted(|| rustix::fs::fsync(readable))?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    fn names(directory: &Path) -> Vec<OsString> {
        std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name()).collect()
    }

    #[test]
    fn file_is_made_or_replaced_with_its_mode_and_nothing_stays_beside_it() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        for (content, replace) in [("one", Replace::PRIVATE), ("two", Replace { mode: 0o600, durable: false })] {
            replace.write(&path, content.as_bytes()).unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), content);
            assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        }
        assert_eq!(names(directory.path()), ["file"]);
    }

    #[test]
    fn link_is_replaced_and_what_it_leads_to_stays() {
        let directory = tempfile::tempdir().unwrap();
        let (path, other) = (directory.path().join("file"), directory.path().join("other"));
        std::fs::write(&other, "other").unwrap();
        symlink("other", &path).unwrap();
        Replace::PRIVATE.write(&path, b"new").unwrap();
        assert!(!path.is_symlink());
        assert_eq!(std::fs::read_to_string(&other).unwrap(), "other");
    }

    #[test]
    fn failure_leaves_what_was_there_and_nothing_beside_it() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("taken");
        std::fs::create_dir(&path).unwrap();
        assert!(Replace::PRIVATE.write(&path, b"new").is_err());
        assert_eq!(names(directory.path()), ["taken"]);
        assert!(Replace::PRIVATE.write(Path::new("/"), b"new").is_err());
    }

    #[test]
    fn writers_at_the_same_time_do_not_mix_their_content() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        let contents = ["a".repeat(100_000), "b".repeat(50_000)];
        std::thread::scope(|scope| {
            for content in &contents {
                scope.spawn(|| {
                    for _ in 0..100 {
                        Replace { mode: 0o600, durable: false }.write(&path, content.as_bytes()).unwrap();
                        assert!(contents.contains(&std::fs::read_to_string(&path).unwrap()));
                    }
                });
            }
        });
        assert_eq!(names(directory.path()), ["file"]);
    }
}
