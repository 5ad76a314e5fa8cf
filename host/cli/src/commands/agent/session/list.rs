//! Which runs can go on.

use super::prune::{ids, touched};
use super::{CONVERSATION, LOCK, RECORD, Record, home, read};
use crate::exit::Result;
use bailiwick_agent::{Conversation, Ending};
use bailiwick_runs::RunId;
use serde::Serialize;
use std::fs::File;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

/// A run for people.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(in super::super) struct Listed {
    pub(in super::super) id: RunId,
    pub(in super::super) agent: String,
    pub(in super::super) file: PathBuf,
    pub(in super::super) standing: Standing,
    pub(in super::super) turns: u64,
    pub(in super::super) tool_calls: u32,
    /// Since its last event.
    #[serde(rename = "idleSeconds", serialize_with = "seconds")]
    pub(in super::super) idle: Duration,
}

/// What can be done with a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(in super::super) enum Standing {
    /// A process works on it.
    Running,
    /// It was stopped and can go on.
    Stopped,
    /// It came to a result and was kept all the same.
    Completed,
    /// It came to no result and cannot go on: its budget is used up.
    Ended,
    /// Its conversation was not kept, or cannot be read.
    Unusable,
}

/// All of them, newest first.
pub(in super::super) fn all() -> Result<Vec<Listed>> {
    let mut all: Vec<Listed> = ids(&home()?)
        .filter_map(|(directory, id)| {
            let record: Record = read(&directory, RECORD).ok()?;
            let lock = File::options().write(true).open(directory.join(LOCK)).ok()?;
            // Released at once, so that another process can resume the run.
            let running = lock.try_lock_shared().is_err();
            drop(lock);
            let conversation: Option<Conversation> = read(&directory, CONVERSATION).ok();
            let standing = match conversation.as_ref().map(Conversation::ending) {
                _ if running => Standing::Running,
                None => Standing::Unusable,
                Some(None) => Standing::Stopped,
                Some(Some(Ending::Completed(_))) => Standing::Completed,
                Some(Some(_)) => Standing::Ended,
            };
            let totals = conversation.map(|conversation| *conversation.totals()).unwrap_or_default();
            let idle = SystemTime::now().duration_since(touched(&directory)).unwrap_or_default();
            let Record { agent, asked, .. } = record;
            let (turns, tool_calls) = (totals.turns, totals.tool_calls);
            Some(Listed { id, agent, file: asked.file, standing, turns, tool_calls, idle })
        })
        .collect();
    all.sort_by(|a, b| b.id.cmp(&a.id));
    Ok(all)
}

fn seconds<S: serde::Serializer>(time: &Duration, serializer: S) -> std::result::Result<S::Ok, S::Error> {
    serializer.serialize_u64(time.as_secs())
}
