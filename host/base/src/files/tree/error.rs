//! Why a file of a tree cannot be reached, and what a person can do about it.

use std::path::PathBuf;

use super::super::{FileError, Type};
use super::DEPTH;

/// Why a file of a tree cannot be reached.
#[derive(Debug, thiserror::Error)]
pub enum TreeError {
    /// A link stands in the place of the file or of a directory on its path.
    #[error("`{}` is a symbolic link, and links are not followed here", path.display())]
    Link {
        /// The link.
        path: PathBuf,
    },
    /// Something else that is not a regular file or, on the way, not a directory.
    #[error("`{}` is {found}", path.display())]
    WrongKind {
        /// The entry.
        path: PathBuf,
        /// What it is: `a special file`.
        found: &'static str,
    },
    /// The file is larger than the caller takes.
    #[error("`{}` has more than {limit} bytes", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Bytes.
        limit: u64,
    },
    /// Directories are nested deeper than [`DEPTH`].
    #[error("directories in `{}` are nested deeper than {DEPTH}", path.display())]
    TooDeep {
        /// The tree.
        path: PathBuf,
    },
    /// The path is absolute, empty, or has `.`, `..` or an empty part.
    #[error("`{}` is not a plain relative path", path.display())]
    BadPath {
        /// The path as it was given.
        path: PathBuf,
    },
    /// The operating system refused.
    #[error(transparent)]
    Io(#[from] FileError),
}

impl TreeError {
    /// What a person can do about it, where there is something.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Link { .. } => {
                Some("put the file or directory itself there; a program that was run may have made the link")
            }
            Self::WrongKind { .. } => Some("remove it; a program that was run may have made it"),
            Self::TooDeep { .. } => Some("remove the nested directories; a program that was run may have made them"),
            Self::TooLarge { .. } | Self::BadPath { .. } | Self::Io { .. } => None,
        }
    }
}

/// What stands there in place of what was expected.
pub(super) fn wrong_kind(path: PathBuf, kind: Type) -> TreeError {
    match kind {
        Type::Symlink => TreeError::Link { path },
        other => TreeError::WrongKind { path, found: other.name() },
    }
}
