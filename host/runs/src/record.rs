//! What callers give to begin a run, and what they read of one.

// What stands here is decided by others: nothing of it is an index or a number that is taken on trust.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use std::fmt;
use std::path::PathBuf;

use bailiwick_base::files::Identity;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::authority::Owner;
use crate::id::RunId;

/// A directory that a run works on.
#[derive(Debug, Clone)]
pub struct RootSpec {
    /// Short name, unique in the run: "sdk", "spec". Letters, digits, `-` and `_`.
    pub name: String,
    /// The directory; it must exist. Links on the way to it are resolved once, when the run begins.
    pub directory: PathBuf,
    /// Which of its files can be restored.
    pub coverage: Coverage,
}

/// Which files of a root a run can restore; it may change no others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Coverage {
    /// Everything beneath the directory and the directory itself: files (ignored ones too), links,
    /// empty directories, modes and modification times.
    Tree {
        /// Names of directories that are never looked into or changed, at any depth. In a directory
        /// that the run itself added they are covered like everything else.
        skip: Vec<String>,
        /// The same for directories directly beneath the root: ".git", which belongs to git there. Deeper, or
        /// where there was none when the run began, it can only be something that a child of the run planted,
        /// and is covered: the record of a run has those alone that were there.
        #[serde(default, rename = "skipAtRoot", skip_serializing_if = "Vec::is_empty")]
        skip_at_root: Vec<String>,
    },
    /// These files, by relative path. They need not exist yet, nor the directories they lie in.
    Files(Vec<String>),
}

/// What a run is begun with.
#[derive(Debug, Clone)]
pub struct BeginRun {
    /// What kind of work: "customize".
    pub kind: String,
    /// The request in the user's words.
    pub request: String,
    /// Anything the caller wants to find again.
    pub details: Value,
    /// The directories, all locked and kept before `begin` returns.
    pub roots: Vec<RootSpec>,
}

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Status {
    /// Its process is at work, or died and will be recovered.
    Running,
    /// No process works on it; a caller resumes it or gives it up.
    Suspended,
    /// It ended with changes that wait to be approved or reverted.
    Pending,
    /// It is being undone, or the process that did so died and will be recovered.
    Reverting,
    /// A person accepted its changes; it cannot be undone any more.
    Approved,
    /// Everything is as before.
    Reverted,
    /// It ended without a difference.
    Unchanged,
    /// It failed.
    Failed {
        /// Whether its changes were kept for a look; they wait like those of a pending run.
        kept: bool,
    },
}

impl Status {
    /// Whether the run still holds before-images and can be undone.
    pub fn is_open(self) -> bool {
        matches!(self, Self::Running | Self::Suspended | Self::Pending | Self::Reverting | Self::Failed { kept: true })
    }

    /// Whether a revert may be asked for.
    pub(crate) fn can_be_reverted(self) -> bool {
        self.waits() || self == Self::Suspended
    }

    /// Whether the run has ended and waits for a person.
    pub fn waits(self) -> bool {
        matches!(self, Self::Pending | Self::Failed { kept: true })
    }
}

impl fmt::Display for Status {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Running => "running",
            Self::Suspended => "suspended",
            Self::Pending => "pending",
            Self::Reverting => "being reverted",
            Self::Approved => "approved",
            Self::Reverted => "reverted",
            Self::Unchanged => "unchanged",
            Self::Failed { kept: true } => "failed, its changes kept",
            Self::Failed { kept: false } => "failed",
        })
    }
}

/// A root as a run recorded it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RootRecord {
    /// The name given.
    pub name: String,
    /// The directory with every link resolved.
    pub directory: PathBuf,
    /// The coverage given.
    pub coverage: Coverage,
    /// The directory itself, then everything above it up to `/`.
    pub(crate) chain: Vec<Identity>,
}

/// The record of a run, as `run.json` holds it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunRecord {
    /// The run's name.
    pub id: RunId,
    /// How far it is.
    pub status: Status,
    /// The kind given.
    pub kind: String,
    /// The request given.
    pub request: String,
    /// The details given.
    pub details: Value,
    /// When it began, RFC 3339 in UTC.
    pub started: String,
    /// When it ended or was last decided about.
    pub finished: Option<String>,
    /// Who began it.
    #[serde(default, skip_serializing_if = "Owner::is_local")]
    pub owner: Owner,
    /// Process that ran it.
    pub process: u32,
    /// Its directories.
    pub roots: Vec<RootRecord>,
    /// What differed from the before-images when it ended; empty until then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<ChangedFile>,
    /// The response it ended with; null until then.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub response: Value,
    /// How many entries `changed` has.
    pub(crate) changed_count: usize,
    /// Packs that hold its before-images.
    pub(crate) packs: Vec<String>,
    /// Whether it writes nothing into its roots.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) only_looks: bool,
    /// How often it was suspended by a process that came to the end of its work.
    #[serde(default)]
    pub suspensions: u32,
    /// The start of the machine in which it was begun or last gone on with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) boot: Option<String>,
}

/// One line of a list of runs.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunSummary {
    /// The run's name.
    pub id: RunId,
    /// How far it is.
    pub status: Status,
    /// The kind given.
    pub kind: String,
    /// The request given.
    pub request: String,
    /// When it began, RFC 3339 in UTC.
    pub started: String,
    /// When it ended or was last decided about.
    pub finished: Option<String>,
    /// Names and directories of its roots.
    pub roots: Vec<(String, PathBuf)>,
    /// How many covered entries differed when it ended.
    pub changed: usize,
    /// Who began it.
    #[serde(default, skip_serializing_if = "Owner::is_local")]
    pub owner: Owner,
}

impl From<RunRecord> for RunSummary {
    fn from(record: RunRecord) -> Self {
        Self {
            id: record.id,
            status: record.status,
            kind: record.kind,
            request: record.request,
            started: record.started,
            finished: record.finished,
            roots: record.roots.into_iter().map(|root| (root.name, root.directory)).collect(),
            changed: record.changed_count,
            owner: record.owner,
        }
    }
}

/// A covered entry that is not as it was before the run.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ChangedFile {
    /// Name of the root.
    pub root: String,
    /// Path beneath it; empty for the root itself.
    pub path: String,
    /// What happened to it.
    pub change: ChangeKind,
    /// What it is now, or was when it is gone.
    pub kind: EntryKind,
}

/// What happened to an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ChangeKind {
    /// It was not there.
    Added,
    /// It is not there any more.
    Removed,
    /// Content, target, mode or kind differ.
    Modified,
}

/// What an entry of a tree is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link.
    Symlink,
    /// A FIFO, socket or device that appeared during the run.
    Special,
}

/// What a revert did. Paths are `root/path`, sorted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Reverted {
    /// Entries brought back to what they were.
    pub restored: Vec<String>,
    /// Entries removed because they were not there before.
    pub removed: Vec<String>,
    /// Directories that were to be removed but stay, because something skipped lies in them.
    pub left: Vec<String>,
    /// Entries whose owner, mode or time this user may not set, because they belong to another: their content is what it was.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unset: Vec<String>,
    /// Where files that were newer than the interrupted run were saved before they were
    /// overwritten; `None` when there were none.
    pub set_aside: Option<PathBuf>,
}

/// A run whose process died, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Recovered {
    /// The run.
    pub id: RunId,
    /// What became of it.
    pub outcome: Recovery,
}

/// What became of a run whose process died.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Recovery {
    /// Everything is as before the run.
    Reverted(Reverted),
    /// It was gone on with after a suspension: everything is as it was then, and it is suspended again.
    Suspended(Reverted),
    /// Not possible now; the next start tries again.
    Blocked {
        /// Why, in one sentence.
        reason: String,
    },
    /// Not safe without a person; the run is now [`Status::Failed`] with its changes kept, and an
    /// explicit revert restores it.
    LeftAsIs {
        /// Why, in one sentence.
        reason: String,
    },
}
