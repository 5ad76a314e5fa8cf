//! Reading contents in bounded memory.

use std::fs::File;
use std::io::Read as _;

use bailiwick_base::files::{Facts, facts_of};

use crate::digest::{Digest, Hasher};

/// What a reading gave.
pub(crate) struct Streamed {
    pub(crate) digest: Digest,
    /// Facts after the last byte was read.
    pub(crate) facts: Facts,
    /// Whether the file was written to meanwhile, so that the digest belongs to no state that it ever had.
    pub(crate) torn: bool,
}

/// Reads `file` from its start to its end, gives every piece to `sink`, and hashes it.
/// `before` are the facts at opening; `buffer` bounds the memory.
pub(crate) fn stream(
    mut file: &File,
    before: &Facts,
    buffer: &mut [u8],
    mut sink: impl FnMut(&[u8]) -> std::io::Result<()>,
) -> std::io::Result<Streamed> {
    let mut hasher = Hasher::default();
    let mut length = 0;
    loop {
        let count = file.read(buffer)?;
        if count == 0 {
            break;
        }
        length += count as u64;
        hasher.update(&buffer[..count]);
        sink(&buffer[..count])?;
    }
    let facts = facts_of(file)?;
    let torn = facts.size != length || facts.modified != before.modified || facts.changed != before.changed;
    Ok(Streamed { digest: hasher.finish(), facts, torn })
}
