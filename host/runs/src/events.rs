//! The events of a run: one JSON object a line, only ever appended to.

// What stands here is decided by others: nothing of it is an index or a number that is taken on trust.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use bailiwick_base::files;
use bailiwick_base::time::Moment;
use serde::Serialize;
use serde_json::Value;

use crate::error::StoreError;
use crate::state::private;

/// Whether an event has to be on the disk before the run goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Durability {
    /// It may be lost with the machine, not with the process.
    Soon,
    /// It and everything before it is on the disk.
    Now,
}

#[derive(Debug)]
pub(crate) struct Events {
    file: File,
    path: PathBuf,
}

#[derive(Serialize)]
struct Line<'a> {
    time: String,
    kind: &'a str,
    data: &'a Value,
}

impl Events {
    /// Opens the events of a run; a line that a dying process left unfinished is ended first.
    pub(crate) fn open(run: &Path) -> Result<Self, StoreError> {
        let path = path(run);
        let io = |source: std::io::Error| StoreError::state("open", &path, source);
        let mut file = private().read(true).append(true).create(true).open(&path).map_err(io)?;
        let mut last = [b'\n'];
        if file.seek(SeekFrom::End(0)).map_err(io)? > 0 {
            file.seek(SeekFrom::End(-1)).map_err(io)?;
            file.read_exact(&mut last).map_err(io)?;
        }
        let events = Self { file, path };
        if last != *b"\n" {
            events.write(b"\n")?;
        }
        Ok(events)
    }

    pub(crate) fn append(&self, kind: &str, data: &Value, durability: Durability) -> Result<(), StoreError> {
        let io = |source: std::io::Error| StoreError::state("write", &self.path, source);
        let line = Line { time: Moment::now().rfc3339(), kind, data };
        let mut bytes = serde_json::to_vec(&line).map_err(|error| io(error.into()))?;
        bytes.push(b'\n');
        self.write(&bytes)?;
        match durability {
            Durability::Soon => Ok(()),
            Durability::Now => files::sync(&self.file).map_err(|error| io(error.into())),
        }
    }

    fn write(&self, bytes: &[u8]) -> Result<(), StoreError> {
        files::write(&self.file, bytes).map_err(|source| StoreError::state("write", &self.path, source))
    }
}

fn path(run: &Path) -> PathBuf {
    run.join("events.jsonl")
}

/// Every event of a run; lines that a dying process left unfinished are left out.
pub(crate) fn read(run: &Path) -> Result<Vec<Value>, StoreError> {
    let path = path(run);
    match std::fs::read(&path) {
        Ok(bytes) => {
            Ok(bytes.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect())
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(StoreError::state("read", &path, error)),
    }
}
