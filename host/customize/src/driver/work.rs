//! What a run works with inside its own directory.

use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::PathBuf;

use bailiwick_agent::Transcript;
use bailiwick_runs::Run;

use super::{CustomizeError, Customizer};

// A field of a transcript entry longer than this says nothing more to a reader.
const TRANSCRIPT_FIELD_BYTES: usize = 64 * 1024;

/// An empty directory for copies, scratch and stages. A step that broke off may have left its own there.
pub(super) fn fresh_work(run: &Run) -> Result<PathBuf, CustomizeError> {
    let work = run.scratch();
    let _ = std::fs::remove_dir_all(&work);
    std::fs::create_dir_all(&work).map_err(CustomizeError::io(&work, "created"))?;
    Ok(work)
}

/// The transcript of a run. One that is gone on with goes on in its transcript.
pub(super) fn transcript(customizer: &Customizer, run: &Run) -> Result<Transcript, CustomizeError> {
    let path = run.directory().join("transcript.jsonl");
    let file = OpenOptions::new().create(true).append(true).mode(0o600).open(&path);
    let file = file.map_err(CustomizeError::io(&path, "created"))?;
    Ok(Transcript::new(file, TRANSCRIPT_FIELD_BYTES).scrubbed_by(customizer.secrets.clone()))
}
