//! Fills a stage.

use std::fs::File;
use std::io::Write;
use std::os::fd::{AsFd, OwnedFd};

use cap_std::fs::Dir;
use rustix::fs::{Mode, OFlags, mkdirat, openat};
use rustix::io::Errno;

use super::open::{components, open_directory, read_plain};
use super::{StageError, StageLimits};

/// An editable file as the agent is given it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Staged {
    /// The path, relative to the root of the grant.
    pub path: String,
    /// Its content; `None` when it does not exist yet and the agent may create it.
    pub content: Option<Vec<u8>>,
}

/// A built stage. It keeps what it was built from, so that what an agent made of it can be told.
#[derive(Debug)]
pub struct Stage {
    /// The repository beneath it.
    source: Dir,
    pub(super) upper: Dir,
    pub(super) files: Vec<Staged>,
    pub(super) limits: StageLimits,
}

impl Stage {
    /// Copies the editable files from `source` into the empty directory `upper`, with the directories they stand in. A
    /// file that does not exist gets only its directories. Files are writable by their owner, whatever they were: their
    /// modes are kept in the repository, not here.
    ///
    /// # Errors
    /// [`StageError::NotEmpty`], and what [`read_plain`] refuses.
    pub fn build(source: &Dir, upper: Dir, editable: &[String], limits: StageLimits) -> Result<Self, StageError> {
        let mut entries =
            upper.entries().map_err(|source| StageError::Io { path: ".".to_owned(), action: "listed", source })?;
        if entries.next().is_some() {
            return Err(StageError::NotEmpty);
        }
        if editable.len() > limits.entries {
            return Err(StageError::TooMany { found: editable.len(), limit: limits.entries });
        }
        let mut files: Vec<Staged> = Vec::with_capacity(editable.len());
        for path in editable {
            if files.iter().any(|file| file.path == *path) {
                continue;
            }
            let content = read_plain(source, path, limits.file_bytes)?;
            write(&upper, path, content.as_deref())?;
            files.push(Staged { path: path.clone(), content });
        }
        let source =
            source.try_clone().map_err(|source| StageError::Io { path: ".".to_owned(), action: "read", source })?;
        Ok(Self { source, upper, files, limits })
    }

    /// What the repository holds now, through the handle that the stage was built from; `None` where it has no plain
    /// file, or one that no stage takes. A link or a pipe that took a file's place is neither followed nor waited for.
    #[must_use]
    pub fn present(&self, path: &str) -> Option<Vec<u8>> {
        read_plain(&self.source, path, self.limits.file_bytes).ok().flatten()
    }

    /// The editable files as the agent was given them.
    #[must_use]
    pub fn files(&self) -> &[Staged] {
        &self.files
    }

    /// The directory that the agent may write.
    #[must_use]
    pub fn directory(&self) -> &Dir {
        &self.upper
    }
}

fn write(upper: &Dir, path: &str, content: Option<&[u8]>) -> Result<(), StageError> {
    let parts = components(path)?;
    let Some((name, parents)) = parts.split_last() else {
        return Err(StageError::BadPath { path: path.to_owned() });
    };
    let io = |source| StageError::Io { path: path.to_owned(), action: "written", source };
    let mut directory: OwnedFd = upper.as_fd().try_clone_to_owned().map_err(io)?;
    for parent in parents {
        match mkdirat(&directory, *parent, Mode::RWXU) {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(errno) => return Err(StageError::io(path, "written")(errno)),
        }
        directory = open_directory(&directory, parent).map_err(StageError::io(path, "written"))?;
    }
    let Some(content) = content else {
        return Ok(());
    };
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let handle = openat(&directory, *name, flags, Mode::RUSR | Mode::WUSR).map_err(StageError::io(path, "written"))?;
    File::from(handle).write_all(content).map_err(io)
}
