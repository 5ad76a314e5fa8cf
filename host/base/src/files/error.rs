//! The error of one file operation.

use std::io;
use std::path::{Path, PathBuf};

/// A file or directory on which the operating system refused an operation.
#[derive(Debug, thiserror::Error)]
#[error("`{}` cannot be {action}: {source}", path.display())]
pub struct FileError {
    /// The file or directory.
    pub path: PathBuf,
    /// What was tried, as a participle: `read`, `written`.
    pub action: &'static str,
    /// The operating system's words.
    pub source: io::Error,
}

impl FileError {
    /// For `map_err` at a file operation.
    pub fn at(path: &Path, action: &'static str) -> impl FnOnce(io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |source| Self { path, action, source }
    }
}
