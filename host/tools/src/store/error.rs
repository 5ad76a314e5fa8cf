//! Why the store of added tools does not do what it is asked.

use std::path::PathBuf;

/// Why a tool cannot be added, read or changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The directory or a file in it cannot be used.
    #[error("the added tools in `{}` cannot be used: {reason}", directory.display())]
    Broken {
        /// Where they are.
        directory: PathBuf,
        /// Why not.
        reason: String,
    },
    /// Written by another version of this program.
    #[error("`{}` has the form {found} and this program reads up to {known}", path.display())]
    Version {
        /// The index.
        path: PathBuf,
        /// Its form.
        found: u64,
        /// The newest form that is read.
        known: u32,
    },
    /// Another user who could write here could have another component run.
    #[error("`{}` is not a directory of yours alone", .0.display())]
    NotPrivate(PathBuf),
    /// Nothing was added under this name.
    #[error("no component was added as `{}`", name.escape_debug())]
    Unknown {
        /// What was asked for.
        name: String,
        /// What was added.
        known: Vec<String>,
    },
    /// The component cannot be read.
    #[error("the component of `{name}` cannot be read: {reason}")]
    Unreadable {
        /// What it was added as.
        name: String,
        /// Why not.
        reason: String,
    },
    /// The component was exchanged.
    #[error("the component of `{name}` is not the one that was added: its SHA-256 is {found} and not {expected}")]
    Exchanged {
        /// What it was added as.
        name: String,
        /// Of what is there now.
        found: String,
        /// Of what was added.
        expected: String,
    },
    /// The tool changed between the question and the answer.
    #[error("`{0}` was changed while you decided about it")]
    Moved(String),
    /// No update waits for this tool.
    #[error("`{0}` has nothing to approve")]
    NothingToApprove(String),
    /// There is no room for more.
    #[error("there are {0} tools already, which is as many as are kept")]
    Full(usize),
}
