//! The stage: a small writable directory that holds copies of the editable files and nothing else.
//!
//! An agent sees it as the upper layer over the read-only repository, so a package is never copied. Everything here
//! goes through open directory handles, one path component at a time, and follows no symbolic link: what a link in the
//! repository or in the stage points to is never read.

mod build;
mod collect;
mod error;
mod open;

#[cfg(test)]
mod tests;

pub use build::{Stage, Staged};
pub use collect::{StageDifference, StagedChange};
pub use error::StageError;
pub use open::read_plain;

/// What a stage may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StageLimits {
    /// Bytes of one file.
    pub file_bytes: usize,
    /// Files and directories, those included that an agent adds.
    pub entries: usize,
}
