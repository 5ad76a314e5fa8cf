//! The `head` file: how far the log goes, so that a missing end shows.

// Another program may have changed the file.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use crate::line::Hash;
use serde::Deserialize;

pub(crate) const NAME: &str = "head";
/// Always as long as this, so that writing it anew is one write in place.
pub(crate) const BYTES: usize = 256;

/// The last line: in which file, where it ends, which entry it is, and its hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) file: u32,
    pub(crate) seq: u64,
    pub(crate) length: u64,
    pub(crate) hash: Hash,
}

impl Head {
    /// Before the first line.
    pub(crate) const GENESIS: Self = Self { file: 1, seq: 0, length: 0, hash: Hash::GENESIS };

    pub(crate) fn bytes(&self) -> [u8; BYTES] {
        let Self { file, seq, length, hash } = self;
        let text = format!("{{\"file\":{file},\"seq\":{seq},\"length\":{length},\"hash\":\"{hash}\"}}");
        let mut bytes = [b' '; BYTES];
        // The longest numbers leave it shorter than 160 bytes.
        bytes.iter_mut().zip(text.bytes()).for_each(|(place, byte)| *place = byte);
        if let Some(last) = bytes.last_mut() {
            *last = b'\n';
        }
        bytes
    }

    /// `None` for anything that was not written by [`Self::bytes`].
    pub(crate) fn parse(bytes: &[u8]) -> Option<Self> {
        #[derive(Deserialize)]
        struct Fields {
            file: u32,
            seq: u64,
            length: u64,
            hash: String,
        }
        let Fields { file, seq, length, hash } = serde_json::from_slice(bytes).ok()?;
        let head = Self { file, seq, length, hash: Hash::parse(hash.as_bytes())? };
        (head.bytes() == bytes).then_some(head)
    }
}

/// The name of a file of lines.
pub(crate) fn file_name(number: u32) -> String {
    format!("audit-{number:06}.jsonl")
}

/// The number in such a name.
pub(crate) fn file_number(name: &str) -> Option<u32> {
    let number = name.strip_prefix("audit-")?.strip_suffix(".jsonl")?.parse().ok()?;
    (number > 0 && file_name(number) == name).then_some(number)
}
