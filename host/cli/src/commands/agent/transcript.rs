//! The transcript of an agent run: `agent-runs/ID.jsonl` of the state directory, where no tool reaches.

use crate::exit::{Error, Result};
use crate::{places, secrets};
use bailiwick_agent::Transcript;
use bailiwick_runs::RunId;
use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, BufRead, BufReader};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};

/// How much text one field of a transcript may have.
const FIELD_BYTES: usize = 64 << 10;

/// Begins the transcript of a run, or goes on with it.
pub(super) fn open(id: &RunId) -> Result<Transcript> {
    let unwritable = |error: io::Error| Error::failed(format!("the transcript cannot be written: {error}"));
    let directory = places::state()?.join("agent-runs");
    DirBuilder::new().recursive(true).mode(0o700).create(&directory).map_err(unwritable)?;
    let path = directory.join(format!("{id}.jsonl"));
    let file = OpenOptions::new().read(true).append(true).create(true).mode(0o600).open(path).map_err(unwritable)?;
    let lines = whole_lines(&file).map_err(unwritable)?;
    Ok(Transcript::new(file, FIELD_BYTES).after(lines).scrubbed_by(secrets::known()))
}

/// Counts the lines, and removes one that a killed process did not write to its end.
fn whole_lines(file: &File) -> io::Result<u64> {
    let (mut lines, mut bytes, mut reader, mut line) = (0, 0, BufReader::new(file), Vec::new());
    loop {
        line.clear();
        let length = reader.read_until(b'\n', &mut line)?;
        if !line.ends_with(b"\n") {
            break;
        }
        (lines, bytes) = (lines + 1, bytes + length as u64);
    }
    file.set_len(bytes)?;
    Ok(lines)
}
