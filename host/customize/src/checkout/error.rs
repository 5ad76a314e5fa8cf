//! Why a commit cannot be checked out.

use std::path::PathBuf;

use bailiwick_base::files::{FileError, TreeError};
use thiserror::Error;

use crate::typespec::TypespecError;

/// A commit that cannot be checked out. Nothing is left of the attempt.
#[derive(Debug, Error)]
pub enum CheckoutError {
    /// The clone does not have the commit.
    #[error("the clone `{}` does not have commit `{commit}`", clone.display())]
    NoCommit {
        /// The clone.
        clone: PathBuf,
        /// The commit as it was asked for.
        commit: String,
    },
    /// The clone has no commit at all.
    #[error("the clone `{}` has no commit", clone.display())]
    NoHead {
        /// The clone.
        clone: PathBuf,
    },
    /// The commit does not hold a directory that is needed.
    #[error("commit `{commit}` has no directory `{directory}`")]
    NoDirectory {
        /// The commit.
        commit: String,
        /// The directory from the root of the repository.
        directory: String,
    },
    /// In the commit a link or a file stands in the place of a directory that is needed, or of one above it.
    #[error("commit `{commit}` has no directory `{directory}`: a link or a file stands in its path")]
    NotPlain {
        /// The commit.
        commit: String,
        /// The directory from the root of the repository.
        directory: String,
    },
    /// The working tree is not what the commit holds, and an edit belongs into the working tree.
    #[error("`{directory}` is not as in commit `{commit}`: `{first}` differs")]
    Differs {
        /// The commit.
        commit: String,
        /// The directory from the root of the repository.
        directory: String,
        /// The first file that differs.
        first: String,
    },
    /// The directory for checkouts cannot be trusted.
    #[error("`{}` cannot be used for checkouts: {problem}", path.display())]
    Place {
        /// The directory.
        path: PathBuf,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// The clone has a branch of that name.
    #[error("`{}` has a branch `{branch}`", clone.display())]
    BranchThere {
        /// The clone.
        clone: PathBuf,
        /// The branch.
        branch: String,
    },
    /// git failed.
    #[error("`git {command}` failed: {reason}")]
    Git {
        /// The command, without its arguments.
        command: String,
        /// Its last words.
        reason: String,
    },
    /// git cannot be started.
    #[error("git cannot be started: {0}")]
    NoGit(std::io::Error),
    /// A file cannot be read or written.
    #[error(transparent)]
    Io(#[from] FileError),
    /// What was checked out cannot be looked into.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// The package or its specification cannot be used.
    #[error(transparent)]
    Typespec(#[from] TypespecError),
}

impl CheckoutError {
    /// What a person can do about it, where there is something.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::NoCommit { clone, commit } => {
                Some(format!("get it with `git -C {} fetch origin {commit}`", clone.display()))
            }
            Self::NoDirectory { .. } => {
                Some("another commit may have it: `--spec-commit head` takes the clone's own".into())
            }
            Self::NotPlain { .. } => Some("links are not followed: name a commit that has the directory itself".into()),
            Self::BranchThere { .. } => Some("give another `--branch`; a branch that is there is never changed".into()),
            Self::Differs { commit, .. } => Some(format!(
                "an edit goes into your checkout: check out `{commit}` there, or leave `--spec-commit` out"
            )),
            Self::Place { path, .. } => {
                Some(format!("remove `{}` or give it to yourself alone (`chmod 700`)", path.display()))
            }
            Self::NoGit(_) => Some("install git".into()),
            Self::Typespec(error) => error.hint(),
            Self::NoHead { .. } | Self::Git { .. } | Self::Io { .. } | Self::Tree { .. } => None,
        }
    }

    /// For `map_err` at a file operation.
    pub(super) fn io(path: &std::path::Path, action: &'static str) -> impl FnOnce(std::io::Error) -> Self {
        let at = FileError::at(path, action);
        move |source| at(source).into()
    }
}
