//! Conversations of agents on disk, so that a run goes on after it was stopped.
//!
//! Each lies in `agents/ID` of the state directory, which no tool is ever granted, readable by its owner alone:
//! - `run.json`: what was asked for, and digests of everything that defines the agent;
//! - `conversation.json`: the state after the last event, replaced as a whole, with the secrets taken out that are known;
//! - `lock`: held while a process works on it; the kernel takes it back from a dead one.
//!
//! It is removed when the run came to a result or used up its budget. What is left is removed after thirty days, or as
//! soon as a hundred newer ones are there ([`mod@prune`]).

mod list;
mod prune;
mod record;

use crate::exit::{Error, Result};
use crate::{output, places, secrets};
use bailiwick_agent::{Conversation, KnownSecrets, transcript};
use bailiwick_base::files::Replace;
use bailiwick_runs::RunId;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Read};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

pub(super) use list::{Standing, all};
pub(super) use prune::prune;
pub(super) use record::{Record, fingerprint};

/// A conversation larger than this is not kept: it is written anew after every event.
const MOST_BYTES: usize = 16 << 20;

const RECORD: &str = "run.json";
const CONVERSATION: &str = "conversation.json";
const LOCK: &str = "lock";

/// A run that this process works on. Dropped, it stays for another to go on with.
pub(super) struct Session {
    directory: PathBuf,
    secrets: KnownSecrets,
    size: Size,
    _lock: File,
}

#[derive(PartialEq)]
enum Size {
    Usual,
    TooLarge,
}

/// Where all of them lie.
pub(super) fn home() -> Result<PathBuf> {
    Ok(places::state()?.join("agents"))
}

impl Session {
    /// Begins to keep a run.
    pub(super) fn begin(id: &RunId, record: &Record) -> Result<Self> {
        let directory = home()?.join(id.as_str());
        let unwritable = |error: io::Error| {
            Error::failed(format!("the conversation cannot be kept in `{}`: {error}", directory.display()))
        };
        DirBuilder::new().recursive(true).mode(0o700).create(&directory).map_err(unwritable)?;
        let lock = private().write(true).create_new(true).open(directory.join(LOCK)).map_err(unwritable)?;
        lock.try_lock().map_err(|error| unwritable(error.into()))?;
        let secrets = secrets::known();
        write(&directory, RECORD, &text(record, &secrets).map_err(unwritable)?).map_err(unwritable)?;
        Ok(Self { directory, secrets, size: Size::Usual, _lock: lock })
    }

    /// Takes a run over that was stopped.
    pub(super) fn take(id: &RunId) -> Result<(Self, Record)> {
        let directory = home()?.join(id.as_str());
        let gone = || {
            Error::usage(format!("there is no agent run `{id}` to resume"))
                .hint("`bailiwick agent list` shows those there are")
        };
        let lock = OpenOptions::new().write(true).open(directory.join(LOCK)).map_err(|_| gone())?;
        hold(&lock).map_err(|error| match error {
            TryLockError::WouldBlock => Error::refused(format!("another process works on the agent run `{id}`"))
                .hint("wait for it, or stop it first"),
            TryLockError::Error(error) => Error::failed(format!("the agent run `{id}` cannot be locked: {error}")),
        })?;
        // The previous holder of the lock may have finished and removed it.
        if !directory.join(RECORD).exists() {
            return Err(gone());
        }
        let record: Record = read(&directory, RECORD).map_err(|reason| unreadable(id, &reason))?;
        if record.format != record::FORMAT {
            return Err(unreadable(id, "another version of bailiwick kept it"));
        }
        Ok((Self { directory, secrets: secrets::known(), size: Size::Usual, _lock: lock }, record))
    }

    /// The conversation as it was after the last event.
    pub(super) fn conversation(&self, id: &RunId) -> Result<Conversation> {
        if !self.directory.join(CONVERSATION).exists() {
            return Err(Error::refused(format!(
                "the agent run `{id}` cannot go on: its conversation grew beyond {} MiB and was not kept",
                MOST_BYTES >> 20
            ))
            .hint("run the agent anew, on less at a time"));
        }
        read(&self.directory, CONVERSATION).map_err(|reason| unreadable(id, &reason))
    }

    pub(super) fn secrets(&self) -> &KnownSecrets {
        &self.secrets
    }

    /// Replaces what is kept, so that it is there whatever happens next.
    ///
    /// # Errors
    /// When it cannot be written. The state before is then still there.
    pub(super) fn save(&mut self, conversation: &Conversation) -> io::Result<()> {
        if self.size == Size::TooLarge {
            return Ok(());
        }
        let kept = serde_json::to_vec(&conversation.kept(&self.secrets)?)?;
        if kept.len() <= MOST_BYTES {
            return write(&self.directory, CONVERSATION, &kept);
        }
        // An older state would do again what was done since.
        self.size = Size::TooLarge;
        output::progress(&format!(
            "the conversation is larger than {} MiB and is not kept: this run cannot be resumed",
            MOST_BYTES >> 20
        ));
        std::fs::remove_file(self.directory.join(CONVERSATION))
    }

    /// Whether the run could go on from here.
    pub(super) fn can_go_on(&self) -> bool {
        self.size == Size::Usual
    }

    /// Removes it: there is nothing to go on with.
    pub(super) fn remove(self) {
        if let Err(error) = remove(&self.directory) {
            output::progress(&format!("`{}` cannot be removed: {error}", self.directory.display()));
        }
    }
}

/// Takes a lock that another process may hold briefly to see whether it is free.
fn hold(lock: &File) -> std::result::Result<(), TryLockError> {
    for _ in 0..10 {
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(20)),
            other => return other,
        }
    }
    lock.try_lock()
}

fn unreadable(id: &RunId, reason: &str) -> Error {
    Error::refused(format!("what was kept of the agent run `{id}` cannot be used: {reason}")).hint("run the agent anew")
}

/// The record is removed first: without it the rest does not count as a run.
fn remove(directory: &Path) -> io::Result<()> {
    match std::fs::remove_file(directory.join(RECORD)) {
        // A run that was killed before it was begun has none.
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => std::fs::remove_dir_all(directory),
    }
}

fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.mode(0o600);
    options
}

fn text(value: &impl Serialize, secrets: &KnownSecrets) -> io::Result<Vec<u8>> {
    Ok(serde_json::to_vec(&transcript::scrubbed(serde_json::to_value(value)?, secrets))?)
}

/// Replaces a file: its new content is on the disk, or it is as it was.
fn write(directory: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    Replace::PRIVATE.write(&directory.join(name), bytes)
}

fn read<T: DeserializeOwned>(directory: &Path, name: &str) -> std::result::Result<T, String> {
    let path = directory.join(name);
    // Looked at before it is opened: opening a pipe waits for a writer.
    if !std::fs::symlink_metadata(&path).map_err(|error| error.to_string())?.is_file() {
        return Err(format!("`{name}` is not a regular file"));
    }
    let file = File::open(path).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    file.take(MOST_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() > MOST_BYTES {
        return Err(format!("`{name}` is larger than {} MiB", MOST_BYTES >> 20));
    }
    serde_json::from_slice(&bytes).map_err(|error| format!("`{name}`: {error}"))
}
