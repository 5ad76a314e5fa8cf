//! What can go wrong, and what to do about it.

use std::io;
use std::path::{Path, PathBuf};

use crate::digest::Digest;
use crate::id::{BadRunId, RunId};
use crate::record::Status;

/// Why the store could not do what was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The state directory is not one that only its owner can have filled.
    #[error("the state directory `{}` {reason}", path.display())]
    StateDirectory {
        /// The directory as given.
        path: PathBuf,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A root and the state directory contain one another.
    #[error("the state directory `{}` and the root `{}` lie inside one another", state.display(), root.display())]
    StateInsideRoot {
        /// The state directory.
        state: PathBuf,
        /// The root.
        root: PathBuf,
    },
    /// A root is at work already.
    #[error("`{}` is in use by {}", root.display(), holder(run.as_ref()))]
    Busy {
        /// The root that is locked.
        root: PathBuf,
        /// The run that holds it, where it could be told.
        run: Option<RunId>,
    },
    /// A run that is suspended has the directory for itself.
    #[error("the run `{id}` is suspended on this directory and waits to be resumed")]
    Suspended {
        /// The suspended run.
        id: RunId,
    },
    /// The caller may not have runs work there.
    #[error("`{}` lies in no directory that was named for packages", directory.display())]
    NotNamed {
        /// The directory.
        directory: PathBuf,
    },
    /// No run has this name.
    #[error("there is no run `{0}`")]
    UnknownRun(RunId),
    /// The text is not the name of a run.
    #[error(transparent)]
    BadRunId(#[from] BadRunId),
    /// A root cannot be used.
    #[error("the root `{name}` at `{}` {reason}", directory.display())]
    BadRoot {
        /// The root's name.
        name: String,
        /// Its directory.
        directory: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Two roots of one run cover the same files.
    #[error("the roots `{first}` and `{second}` overlap")]
    Overlap {
        /// One root's name.
        first: String,
        /// The other root's name.
        second: String,
    },
    /// The run has no root of this name.
    #[error("the run has no root `{0}`")]
    UnknownRoot(String),
    /// The path is not one that may be used beneath a root.
    #[error("the path `{path}` {reason}")]
    BadPath {
        /// The path as given.
        path: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The run does not cover the path, so that it could not be undone.
    #[error("`{path}` is not covered by the run")]
    NotCovered {
        /// `root/path`.
        path: String,
    },
    /// A tree holds something that can be neither copied nor restored.
    #[error("`{path}` is a {kind}, which cannot be kept and restored")]
    UnsupportedFile {
        /// `root/path`.
        path: String,
        /// What it is.
        kind: &'static str,
    },
    /// A covered path leads through something that is not a directory.
    #[error("`{path}` is {found}, not {wanted}")]
    WrongKind {
        /// `root/path`.
        path: String,
        /// What it is.
        found: &'static str,
        /// What is needed there.
        wanted: &'static str,
    },
    /// A tree is nested deeper than the store follows.
    #[error("`{path}` is nested deeper than {limit} directories")]
    TooDeep {
        /// `root/path`.
        path: String,
        /// The deepest level allowed.
        limit: usize,
    },
    /// Something else keeps writing while the store reads or restores.
    #[error("`{path}` keeps changing")]
    KeepsChanging {
        /// `root/path`, or the root's name.
        path: String,
    },
    /// Files of the run are not what they were when a person was asked about it.
    #[error("files of the run `{0}` changed while the question about it was open")]
    ChangedWhileAsked(RunId),
    /// The run's status does not allow the action.
    #[error("the run `{id}` is {status}, so it cannot be {action}")]
    WrongStatus {
        /// The run.
        id: RunId,
        /// Its status.
        status: Status,
        /// What was asked, as a participle: "reverted", "approved", "finished as pending".
        action: &'static str,
    },
    /// A later run on the same root has to be undone first.
    #[error("the run `{id}` cannot be reverted before the later run `{later}` on the same directory")]
    LaterRun {
        /// The run that was to be reverted.
        id: RunId,
        /// The latest open run on the same root.
        later: RunId,
    },
    /// Someone has changed files of the run since it ended; nothing was changed.
    #[error("the run `{id}` cannot be reverted because files changed since: {}", listed(paths))]
    Edited {
        /// The run.
        id: RunId,
        /// Every such path as `root/path`, sorted.
        paths: Vec<String>,
    },
    /// A run was to be closed as unchanged, but its files differ.
    #[error("the run `{id}` is not unchanged: {}", listed(paths))]
    NotUnchanged {
        /// The run.
        id: RunId,
        /// Every differing path as `root/path`, sorted.
        paths: Vec<String>,
    },
    /// A root's directory is not the one that the run began with.
    #[error("`{}` is not the directory that the run `{id}` began with", directory.display())]
    RootReplaced {
        /// The run.
        id: RunId,
        /// The root's directory.
        directory: PathBuf,
    },
    /// A run on the same root died and cannot be undone yet.
    #[error("the interrupted run `{id}` has to be undone first, which is not possible: {reason}")]
    NotRecovered {
        /// The interrupted run.
        id: RunId,
        /// Why it cannot be undone.
        reason: String,
    },
    /// What the store kept is damaged.
    #[error("the run store is damaged: {what}")]
    Damaged {
        /// What is missing or wrong.
        what: String,
    },
    /// The operating system refused.
    #[error("could not {doing} `{path}`")]
    Io {
        /// What was being done, as a verb.
        doing: &'static str,
        /// `root/path` of a covered file, or a path in the state directory.
        path: String,
        /// The system's error.
        source: io::Error,
    },
}

impl StoreError {
    pub(crate) fn io(doing: &'static str, path: impl Into<String>, source: impl Into<io::Error>) -> Self {
        Self::Io { doing, path: path.into(), source: source.into() }
    }

    pub(crate) fn state(doing: &'static str, path: &Path, source: impl Into<io::Error>) -> Self {
        Self::io(doing, path.display().to_string(), source)
    }

    /// What to do about it, where there is something: one lower-case sentence.
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            Self::StateDirectory { .. } => "name a directory of your own that only you can write to".into(),
            Self::StateInsideRoot { .. } => "name a state directory outside the repositories".into(),
            Self::Busy { .. } => "wait for it to end, or stop it".into(),
            Self::Suspended { id } => format!("go on with it, or `bailiwick run revert {id}` first"),
            Self::UnknownRun(_) | Self::BadRunId(_) => "`bailiwick run list` shows the runs".into(),
            Self::NotNamed { .. } => {
                "the person who starts this server names it, with `--packages` or a writable `--grant`".into()
            }
            Self::UnsupportedFile { .. } => "remove it, or move it out of the package".into(),
            Self::LaterRun { later, .. } => format!("revert or approve `{later}` first"),
            Self::ChangedWhileAsked(_) => "look at them, then decide again".into(),
            Self::Edited { .. } => "undo those edits, or approve the run and keep everything".into(),
            Self::KeepsChanging { .. } => "stop whatever is writing there, then try again".into(),
            Self::RootReplaced { id, .. } => format!("`bailiwick run revert {id}` restores the files at that path"),
            _ => return None,
        })
    }
}

/// Why [`Run::apply`](crate::Run::apply) changed nothing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ApplyError {
    /// A file is not what the change was made for.
    #[error("`{path}` is not what the change was made for: expected {}, found {}", state(expected.as_ref()), state(found.as_ref()))]
    Conflict {
        /// `root/path`.
        path: String,
        /// What the change expected; `None` is "no file".
        expected: Option<Digest>,
        /// What is there; `None` is "no file".
        found: Option<Digest>,
    },
    /// Only regular files can be changed; links are never followed.
    #[error("`{path}` is {found}, not a regular file")]
    NotAFile {
        /// `root/path`.
        path: String,
        /// What it is.
        found: &'static str,
    },
    /// Two changes name one path, or one names a directory of the other.
    #[error("`{path}` is changed twice")]
    Twice {
        /// `root/path`.
        path: String,
    },
    /// A change could not be taken back after another one failed. The run has to be restored.
    #[error("a change failed and could not be taken back")]
    NotTakenBack {
        /// Why the change failed.
        cause: Box<ApplyError>,
        /// Why it could not be taken back.
        #[source]
        source: StoreError,
    },
    /// The store could not do it.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl ApplyError {
    /// What to do about it, where there is something: one lower-case sentence.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Conflict { .. } => Some("someone changed the file meanwhile; start again from what it is now".into()),
            Self::NotTakenBack { .. } => Some("restore the run".into()),
            Self::Store(error) => error.hint(),
            Self::NotAFile { .. } | Self::Twice { .. } => None,
        }
    }
}

fn holder(run: Option<&RunId>) -> String {
    run.map_or_else(|| "another run".to_owned(), |id| format!("the run `{id}`"))
}

fn state(digest: Option<&Digest>) -> String {
    digest.map_or_else(|| "no file".to_owned(), |digest| format!("content {}", &digest.to_string()[..12]))
}

/// The first few paths; a regenerated package may have thousands.
pub(crate) fn listed(paths: &[String]) -> String {
    const SHOWN: usize = 10;
    let mut text = paths.iter().take(SHOWN).map(|path| format!("`{path}`")).collect::<Vec<_>>().join(", ");
    if paths.len() > SHOWN {
        text.push_str(&format!(" and {} more", paths.len() - SHOWN));
    }
    text
}
