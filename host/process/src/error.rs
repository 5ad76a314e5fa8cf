//! Why a child has no result.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::outcome::Captured;

/// Why [`crate::Supervisor::run`] has no [`crate::Finished`] to give.
#[derive(Debug, thiserror::Error)]
pub enum ProcessError {
    /// There is no such program.
    #[error("there is no program `{}`", program.display())]
    NotFound {
        /// The program as it was asked for.
        program: PathBuf,
    },
    /// The program may not be executed: its mode, or the rules do not name it.
    #[error("the program `{}` may not be executed", program.display())]
    NotPermitted {
        /// The program as it was asked for.
        program: PathBuf,
    },
    /// The working directory cannot be entered.
    #[error("the directory `{}` cannot be entered: {reason}", directory.display())]
    Directory {
        /// The directory as it was asked for.
        directory: PathBuf,
        /// The operating system's words.
        reason: String,
    },
    /// A path in the rules cannot be granted.
    #[error("the path `{path}` cannot be granted: {reason}")]
    Rule {
        /// The path as it stands in the rules.
        path: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The deadline passed. The child and everything it started are dead.
    #[error("`{}` was stopped after {} s", program.display(), after.as_secs_f64())]
    Deadline {
        /// The program as it was asked for.
        program: PathBuf,
        /// The deadline.
        after: Duration,
        /// What it had printed to standard output.
        stdout: Captured,
        /// What it had printed to standard error.
        stderr: Captured,
    },
    /// The child had more processes and threads than it may. It and everything it started are dead.
    #[error("`{}` was stopped: it had more than {limit} processes and threads at once", program.display())]
    Processes {
        /// The program as it was asked for.
        program: PathBuf,
        /// The limit.
        limit: u64,
        /// What it had printed to standard output.
        stdout: Captured,
        /// What it had printed to standard error.
        stderr: Captured,
    },
    /// The child took more memory than it may. It and everything it started are dead.
    #[error("`{}` was stopped: its processes took more than {} MiB of memory", program.display(), limit_bytes >> 20)]
    Memory {
        /// The program as it was asked for.
        program: PathBuf,
        /// The limit, in bytes.
        limit_bytes: u64,
        /// What it had printed to standard output.
        stdout: Captured,
        /// What it had printed to standard error.
        stderr: Captured,
    },
    /// The kernel ended the program at a file longer than it may make. A program that ignores the signal for that gets an
    /// error of its own instead (`EFBIG`).
    #[error("`{}` was stopped: it made a file longer than {} MiB", program.display(), limit_bytes >> 20)]
    FileSize {
        /// The program as it was asked for.
        program: PathBuf,
        /// The limit, in bytes.
        limit_bytes: u64,
        /// What it had printed to standard output.
        stdout: Captured,
        /// What it had printed to standard error.
        stderr: Captured,
    },
    /// The free space of a file system that the child may write fell by more than it may take. It and everything it
    /// started are dead; what it wrote is still there.
    #[error(
        "`{}` was stopped: the free space at `{}` fell by more than {} MiB while it ran",
        program.display(), path.display(), limit_bytes >> 20
    )]
    Disk {
        /// The program as it was asked for.
        program: PathBuf,
        /// A path that it may write, on that file system.
        path: Box<Path>,
        /// The limit, in bytes.
        limit_bytes: u64,
        /// What it had printed to standard output.
        stdout: Captured,
        /// What it had printed to standard error.
        stderr: Captured,
    },
    /// The child made a git repository of a directory that it may write. It was removed again, unless that failed.
    #[error("`{}` made `{}`, from which version control runs programs; {}", program.display(), path.display(), match error {
        None => "it was removed".to_owned(),
        Some(error) => format!("it could not be removed: {error}"),
    })]
    Planted {
        /// The program as it was asked for.
        program: PathBuf,
        /// What it made.
        path: PathBuf,
        /// Why it is still there.
        error: Option<std::io::Error>,
    },
    /// The child left something in a directory that it may write from which its caller cannot go on: a link that was not
    /// there before, say. It is not removed.
    #[error("`{}` left `{}`, {found}", program.display(), path.display())]
    Left {
        /// The program as it was asked for.
        program: PathBuf,
        /// What it left.
        path: PathBuf,
        /// What that is, with its article.
        found: String,
    },
    /// The platform cannot enforce the rules, so nothing was started.
    #[error("this system cannot confine a child process: {missing}")]
    CannotConfine {
        /// What is missing.
        missing: String,
    },
    /// The program could not be started for another reason.
    #[error("`{}` could not be started: {reason}", program.display())]
    Start {
        /// The program as it was asked for.
        program: PathBuf,
        /// The operating system's words.
        reason: String,
    },
    /// The program ended, but something it started cannot be killed (another user's process, a hanging device).
    #[error("`{}` left processes that cannot be killed: {processes:?}", program.display())]
    Survivors {
        /// The program as it was asked for.
        program: PathBuf,
        /// Their process ids.
        processes: Vec<i32>,
    },
    /// The helper process did not do its part.
    #[error("the helper `{}` failed: {reason}", helper.display())]
    Helper {
        /// The helper's path.
        helper: PathBuf,
        /// What it did instead.
        reason: String,
    },
}

impl ProcessError {
    /// What a person can do about it, where there is something.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::NotFound { .. } => Some("install the program, or see that `PATH` names its directory"),
            Self::NotPermitted { .. } => {
                Some("under confinement only programs below the granted directories can be executed")
            }
            Self::CannotConfine { .. } => Some(
                "`bailiwick doctor` lists what this system can enforce; Linux 6.12 or newer with Landlock is needed, or \
                 6.2 with user namespaces",
            ),
            Self::Processes { .. } => Some("look in its output for what starts processes without end"),
            Self::Memory { .. } => Some("look in its output for what it was at; a smaller package takes less memory"),
            Self::FileSize { .. } => Some("look in its output for the file that grows without end"),
            Self::Disk { .. } => Some("look for what it wrote, and see that nothing else fills the disk meanwhile"),
            Self::Rule { .. } => Some("grant an existing absolute path without symbolic links"),
            Self::Deadline { .. }
            | Self::Directory { .. }
            | Self::Start { .. }
            | Self::Planted { .. }
            | Self::Left { .. }
            | Self::Survivors { .. }
            | Self::Helper { .. } => None,
        }
    }
}
