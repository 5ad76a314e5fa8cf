//! Files of one JSON value a line, read with bounds and without giving up at a bad line.

use std::fs::File;
use std::io::{BufRead as _, BufReader, ErrorKind, Read as _};
use std::path::Path;

use serde_json::Value;

/// The most that is read of a file.
const FILE_BYTES: u64 = 256 << 20;
/// A longer line is left out. A transcript bounds each field of an entry to 64 KiB.
const LINE_BYTES: u64 = 16 << 20;

/// What was left out.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Kept {
    /// Lines that are not JSON, or too long.
    pub(super) unreadable: u64,
    /// Whether the file goes on.
    pub(super) cut: bool,
    /// Why nothing more could be read.
    pub(super) error: Option<ErrorKind>,
}

/// Gives each value to `found`. A missing file has none; a last line without its end was being written.
pub(super) fn each(path: &Path, mut found: impl FnMut(Value)) -> Kept {
    let mut kept = Kept::default();
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) => {
            kept.error = (error.kind() != ErrorKind::NotFound).then_some(error.kind());
            return kept;
        }
    };
    let mut reader = BufReader::new(file.take(FILE_BYTES + 1));
    let (mut line, mut total) = (Vec::new(), 0_u64);
    loop {
        line.clear();
        match reader.by_ref().take(LINE_BYTES).read_until(b'\n', &mut line) {
            Ok(0) => return kept,
            Ok(count) => total += count as u64,
            Err(error) => {
                kept.error = Some(error.kind());
                return kept;
            }
        }
        if total > FILE_BYTES {
            kept.cut = true;
            return kept;
        }
        let whole = line.last() == Some(&b'\n');
        if !whole && (line.len() as u64) < LINE_BYTES {
            return kept;
        }
        match serde_json::from_slice(&line) {
            Ok(value) if whole => found(value),
            _ if line.iter().all(u8::is_ascii_whitespace) => {}
            _ => kept.unreadable += 1,
        }
        if !whole && reader.skip_until(b'\n').is_err() {
            return kept;
        }
    }
}
