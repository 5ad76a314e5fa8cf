//! Failures, and what can be wrong with a chain.

use serde::Serialize;
use std::path::PathBuf;
use thiserror::Error;

/// Why the log could not be opened, appended to or verified.
#[derive(Debug, Error)]
pub enum AuditError {
    /// Another user could write to it, or it is neither a directory nor a plain file.
    #[error("the audit log `{}` is not safe to use: {reason}", path.display())]
    Unsafe {
        /// The directory or file.
        path: PathBuf,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// There is no room for the next line. Asked before a call, this says that nothing was done.
    #[error("there is no room left for the audit log `{}`", path.display())]
    NoSpace {
        /// The file.
        path: PathBuf,
    },
    /// The system refused: a read-only filesystem, no permission.
    #[error("cannot {doing} the audit log `{}`: {source}", path.display())]
    Io {
        /// What was attempted.
        doing: &'static str,
        /// On which file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// Another process has held the lock for longer than an append can take.
    #[error("the audit log `{}` is held by another process that does not let go", path.display())]
    Busy {
        /// The locked file.
        path: PathBuf,
    },
    /// What lies at the log's path is no longer the file that this process opened.
    #[error("the audit log `{}` was moved or replaced while it was in use", path.display())]
    Replaced {
        /// The file.
        path: PathBuf,
    },
    /// The line is longer than any honest call needs.
    #[error("the line for the audit log has {bytes} bytes, more than the {limit} allowed")]
    TooLong {
        /// Its length.
        bytes: usize,
        /// The limit.
        limit: usize,
    },
    /// The entry has no JSON form.
    #[error("the entry for the audit log cannot be written as JSON: {0}")]
    NoJson(String),
    /// The chain is broken; nothing is appended to such a log.
    #[error(transparent)]
    Broken(#[from] Broken),
    /// The text that was to be looked for is not a hash.
    #[error("`{0}` is not the hash of a line, which has 64 hexadecimal digits in lower case")]
    NoHash(String),
}

/// Where a chain is broken.
#[derive(Debug, Clone, PartialEq, Eq, Error, Serialize)]
#[error("the audit log is broken in `{file}`{}: {fault}", place(*line))]
pub struct Broken {
    /// The file's name in the log's directory.
    pub file: String,
    /// The line in that file, counted from 1; of `head`, 1. 0 stands for a file without lines as a whole.
    pub line: u64,
    /// What is wrong there.
    pub fault: Fault,
}

fn place(line: u64) -> String {
    if line == 0 { String::new() } else { format!(", line {line}") }
}

/// What is wrong with a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error, Serialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Fault {
    /// Its bytes are not those that were hashed, or it does not continue the line before it.
    #[error("it was altered")]
    Altered,
    /// One or more lines before it are gone.
    #[error("what should stand here, from entry {expected} on, was removed")]
    Removed {
        /// The first entry that is missing.
        expected: u64,
    },
    /// The entry that belongs here comes later.
    #[error("it is out of order: entry {found} stands where entry {expected} belongs")]
    Reordered {
        /// The entry that belongs here.
        expected: u64,
        /// The one that is here.
        found: u64,
    },
    /// An entry that is there already.
    #[error("it was inserted: entry {found} is there already")]
    Inserted {
        /// Which.
        found: u64,
    },
    /// The log ends before the entry that `head` knows as the last.
    #[error("the log ends too early: the last entry was {expected}, the end was cut off")]
    Truncated {
        /// The last entry that was written.
        expected: u64,
    },
    /// More than `head` knows, and more than a crash can leave.
    #[error("it was added after the last entry that `head` knows")]
    Added,
    /// `head` is not as it was written, or does not belong to this log.
    #[error("it was altered or belongs to another log")]
    Head,
    /// There are lines but no `head`.
    #[error("it is missing although there are lines")]
    HeadRemoved,
    /// The hash that was asked for is in no line: the log was written anew, or lost what came after it.
    #[error("up to here no line has the hash that was asked for, so this is not the log that hash was taken from")]
    AnchorMissing,
}
