//! The bytes of one line: how it begins, how it is sealed, and how it is checked.

// Another program may have changed the log.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use bailiwick_base::time::Moment;
use sha2::{Digest as _, Sha256};
use std::fmt;
use std::io::Write as _;

/// Bytes a line may have; a line of an honest call has about a thousand.
pub(crate) const LONGEST: usize = 1 << 20;
/// What stands between the hashed bytes and the hash.
const SEAL: &[u8] = b",\"hash\":\"";
const END: &[u8] = b"\"}";

/// A SHA-256 in lower-case hexadecimal.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Hash([u8; 64]);

impl Hash {
    /// What the first line continues.
    pub(crate) const GENESIS: Self = Self([b'0'; 64]);

    pub(crate) fn of(bytes: &[u8]) -> Self {
        Self::finish(Sha256::new_with_prefix(bytes))
    }

    pub(crate) fn finish(hasher: Sha256) -> Self {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let mut text = [0; 64];
        for (pair, byte) in text.chunks_exact_mut(2).zip(hasher.finalize()) {
            for (place, digit) in pair.iter_mut().zip([byte >> 4, byte & 15]) {
                *place = DIGITS.get(usize::from(digit)).copied().unwrap_or_default();
            }
        }
        Self(text)
    }

    pub(crate) fn parse(text: &[u8]) -> Option<Self> {
        let text: [u8; 64] = text.try_into().ok()?;
        text.iter().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f')).then_some(Self(text))
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&String::from_utf8_lossy(&self.0))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

/// Appends a whole line with its line break; `fields` is a JSON object. Returns its hash.
pub(crate) fn write(line: &mut Vec<u8>, seq: u64, prev: &Hash, kind: &str, fields: &[u8]) -> Hash {
    let start = line.len();
    // A vector takes every byte.
    let _ = write!(line, "{{\"seq\":{seq},\"prev\":\"");
    line.extend_from_slice(prev.as_bytes());
    line.extend_from_slice(b"\",\"time\":\"");
    line.extend_from_slice(Moment::now().rfc3339().as_bytes());
    let _ = write!(line, "\",\"kind\":\"{kind}\",");
    // The object's own braces go: its fields are the line's.
    line.extend_from_slice(fields.get(1..fields.len().saturating_sub(1)).unwrap_or_default());
    let hash = Hash::of(line.get(start..).unwrap_or_default());
    line.extend_from_slice(SEAL);
    line.extend_from_slice(hash.as_bytes());
    line.extend_from_slice(END);
    line.push(b'\n');
    hash
}

/// A line whose hash is that of its bytes.
#[derive(Debug)]
pub(crate) struct Parsed<'a> {
    pub(crate) seq: u64,
    pub(crate) prev: Hash,
    pub(crate) time: &'a str,
    pub(crate) kind: &'a str,
    pub(crate) hash: Hash,
}

/// Checks a line without its line break by itself, not what it continues.
pub(crate) fn parse(line: &[u8]) -> Option<Parsed<'_>> {
    let rest = line.strip_suffix(END)?;
    let (rest, hash) = rest.split_at_checked(rest.len().checked_sub(64)?)?;
    let hashed = rest.strip_suffix(SEAL)?;
    let hash = Hash::parse(hash)?;
    if Hash::of(hashed) != hash {
        return None;
    }
    let hashed = std::str::from_utf8(hashed).ok()?;
    let (seq, rest) = hashed.strip_prefix("{\"seq\":")?.split_once(",\"prev\":\"")?;
    let (prev, rest) = rest.split_once("\",\"time\":\"")?;
    let (time, rest) = rest.split_once("\",\"kind\":\"")?;
    let (kind, _) = rest.split_once('"')?;
    Some(Parsed { seq: seq.parse().ok()?, prev: Hash::parse(prev.as_bytes())?, time, kind, hash })
}
