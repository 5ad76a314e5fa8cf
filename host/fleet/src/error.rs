//! What is wrong with a fleet's files.

use std::path::PathBuf;

use bailiwick_base::files::FileError;
/// A manifest, a queue or a result that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FleetError {
    /// The text is not a manifest.
    #[error("this is not the manifest of a fleet: {reason}")]
    Malformed {
        /// What is wrong.
        reason: String,
    },
    /// A manifest of another format.
    #[error("the manifest has format {found}, and this program reads format {known}")]
    Format {
        /// Its format.
        found: u32,
        /// The format that is read.
        known: u32,
    },
    /// A job was edited after its key was made.
    #[error("the key of `{package}` does not fit what the manifest says about it")]
    Edited {
        /// The package.
        package: String,
    },
    /// Two jobs or skipped packages have one name.
    #[error("`{package}` stands in the manifest twice")]
    Twice {
        /// The package.
        package: String,
    },
    /// A path leads out of its repository.
    #[error("`{path}` in the manifest leads out of the repository")]
    Outside {
        /// The path as written.
        path: String,
    },
    /// Another manifest lies in the directory.
    #[error("`{}` holds another fleet", directory.display())]
    AnotherFleet {
        /// The directory of the queue.
        directory: PathBuf,
    },
    /// A manifest of the same fleet, and of other work, lies in the directory.
    #[error("`{}` holds a fleet of this name with other packages or commits", directory.display())]
    OtherJobs {
        /// The directory of the queue.
        directory: PathBuf,
    },
    /// A result says something about another job than its name.
    #[error("the result `{}` cannot be used: {reason}", path.display())]
    BadResult {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The server of a queue, or the way to it, cannot be used.
    #[error("the queue cannot be {action}: {reason}")]
    Server {
        /// What was tried.
        action: &'static str,
        /// What the client or the server says.
        reason: String,
    },
    /// A certificate of the connection is missing or not accepted, at one of its ends.
    #[error("the queue cannot be reached: {reason}")]
    Certificate {
        /// What is wrong.
        reason: &'static str,
    },
    /// The server of a queue sent more than it may.
    #[error("the server of the queue sent more than is read from one, and it is not used any more")]
    Flooded,
    /// A queue is named in a way that is not used.
    #[error("`{queue}` cannot be a queue: {reason}")]
    BadQueue {
        /// As it was named, without a password.
        queue: String,
        /// What is wrong.
        reason: &'static str,
    },
    /// The verdicts do not add up to the packages.
    #[error("the report counts {counted} verdicts for {packages} packages")]
    WrongSum {
        /// Packages of the manifest.
        packages: usize,
        /// Verdicts and packages without one.
        counted: usize,
    },
    /// A file cannot be read or written.
    #[error(transparent)]
    Io(#[from] FileError),
}

impl FleetError {
    /// What a person can do about it, where there is something.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Malformed { .. } => Some("`bailiwick fleet plan` writes one"),
            Self::Format { .. } => Some("plan the fleet anew with this version"),
            Self::Edited { .. } | Self::Twice { .. } | Self::Outside { .. } => {
                Some("a manifest is not edited; plan the fleet anew")
            }
            Self::AnotherFleet { .. } => Some("give a directory of its own to each fleet"),
            Self::OtherJobs { .. } => Some(
                "plan the fleet anew, which names it anew; `bailiwick fleet resume` goes on with the one that is there",
            ),
            Self::BadResult { .. } => Some("remove the file; `bailiwick fleet resume` makes that package again"),
            Self::Server { .. } => {
                Some("see that the server runs, and that the user of `--queue-login` has the rights it needs")
            }
            Self::Certificate { .. } => Some(
                "`--queue-ca FILE` names the authorities that are trusted, `--queue-certificate FILE` and `--queue-key \
                 FILE` what to sign in with",
            ),
            Self::Flooded => {
                Some("look at what is there in place of your server; `bailiwick fleet resume` goes on with the fleet")
            }
            Self::BadQueue { .. } => Some("`--queue tls://HOST:4222`, with the login in a file: `--queue-login FILE`"),
            Self::WrongSum { .. } | Self::Io { .. } => None,
        }
    }

    /// For `map_err` at a file operation.
    pub(crate) fn io(path: &std::path::Path, action: &'static str) -> impl FnOnce(std::io::Error) -> Self {
        let at = FileError::at(path, action);
        move |source| at(source).into()
    }
}
