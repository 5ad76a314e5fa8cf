//! Why a stage cannot be built or collected.

use std::io;

use thiserror::Error;

/// Why a stage cannot be built or collected. Paths are relative to the root of their grant.
#[derive(Debug, Error)]
pub enum StageError {
    /// The path has an empty, `.` or `..` component, or is absolute.
    #[error("`{path}` is not a plain relative path")]
    BadPath {
        /// The path as given.
        path: String,
    },
    /// Something on the path is a symbolic link or not a directory, or the file is not a plain file.
    #[error("`{path}` is not a plain file in plain directories")]
    NotAPlainFile {
        /// The path.
        path: String,
    },
    /// The file is larger than a stage takes.
    #[error("`{path}` is larger than the limit of {limit} bytes")]
    TooLarge {
        /// The path.
        path: String,
        /// The limit.
        limit: usize,
    },
    /// There are more editable files than a stage takes.
    #[error("{found} editable files are more than the limit of {limit}")]
    TooMany {
        /// How many there are.
        found: usize,
        /// The limit.
        limit: usize,
    },
    /// The directory for the stage holds something already.
    #[error("the directory for the stage is not empty")]
    NotEmpty,
    /// The system refused.
    #[error("`{path}` could not be {action}")]
    Io {
        /// The path.
        path: String,
        /// What was tried: `read`, `written`, `listed`.
        action: &'static str,
        /// The reason.
        #[source]
        source: io::Error,
    },
}

impl StageError {
    pub(super) fn io(path: &str, action: &'static str) -> impl FnOnce(rustix::io::Errno) -> Self {
        let path = path.to_owned();
        move |errno| Self::Io { path, action, source: errno.into() }
    }
}
