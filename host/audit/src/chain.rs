//! The chain as a machine that is fed lines, for verification and for what an append finds at the end of a file.

// Another program may have changed the log.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use crate::line::{self, Hash, Parsed};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// Bytes that dying processes may leave at one place.
pub(crate) const LONGEST_TORN: u64 = 4 << 20;

/// The fields of a line of kind `torn`.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct TornFields {
    /// Number of bytes before this line, without the line break between them, that do not form a line.
    pub(crate) bytes: u64,
    /// Their SHA-256.
    pub(crate) digest: String,
}

/// Bytes that do not form a line and are not closed off yet.
pub(crate) struct Torn {
    hasher: Sha256,
    pub(crate) bytes: u64,
}

impl Torn {
    fn closed_by(&self, line: &[u8]) -> bool {
        serde_json::from_slice::<TornFields>(line).is_ok_and(|fields| {
            fields.bytes == self.bytes && fields.digest.as_bytes() == Hash::finish(self.hasher.clone()).as_bytes()
        })
    }
}

/// Where the chain stands.
pub(crate) struct Chain {
    pub(crate) seq: u64,
    pub(crate) hash: Hash,
    pub(crate) torn: Option<Torn>,
}

/// What a line turned out to be.
pub(crate) enum Fed<'a> {
    /// The next entry, and the torn bytes it closed off.
    Line(Parsed<'a>, Option<u64>),
    /// Not a line, or more bytes that are not a line.
    Torn,
    /// Intact in itself, but the entry that comes next is another one.
    OutOfPlace(Parsed<'a>),
    /// It has the next number but does not continue the line before it.
    Unconnected,
    /// The bytes before it do not form a line, and it does not account for them.
    Unclosed,
}

impl Chain {
    pub(crate) fn at(seq: u64, hash: Hash) -> Self {
        Self { seq, hash, torn: None }
    }

    /// Takes the next line, without its line break.
    pub(crate) fn feed<'a>(&mut self, line: &'a [u8]) -> Fed<'a> {
        let Some(parsed) = line::parse(line) else {
            match &mut self.torn {
                None => {
                    self.torn = Some(Torn { hasher: Sha256::new_with_prefix(line), bytes: line.len() as u64 });
                }
                Some(torn) => {
                    torn.hasher.update(b"\n");
                    torn.hasher.update(line);
                    torn.bytes = torn.bytes.saturating_add(1).saturating_add(line.len() as u64);
                }
            }
            return if self.torn.as_ref().is_some_and(|torn| torn.bytes > LONGEST_TORN) {
                Fed::Unclosed
            } else {
                Fed::Torn
            };
        };
        let expected = self.seq.checked_add(1);
        let mut closed = None;
        match &self.torn {
            Some(torn) if expected == Some(parsed.seq) && parsed.kind == "torn" && torn.closed_by(line) => {
                closed = Some(torn.bytes);
            }
            Some(_) => return Fed::Unclosed,
            None if expected != Some(parsed.seq) => return Fed::OutOfPlace(parsed),
            None if parsed.kind == "torn" => return Fed::Unconnected,
            None => {}
        }
        if parsed.prev != self.hash {
            return Fed::Unconnected;
        }
        self.torn = None;
        self.seq = parsed.seq;
        self.hash = parsed.hash;
        Fed::Line(parsed, closed)
    }
}
