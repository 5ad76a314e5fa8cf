//! What a process that died left behind the last line that `head` knows.

use crate::chain::{Chain, Fed, LONGEST_TORN};
use crate::head::Head;
use crate::line::{Hash, LONGEST};
use std::fs::File;
use std::io::{self, Read, Take};
use std::os::unix::fs::FileExt as _;

pub(crate) enum Found {
    /// A whole line that `head` missed; `unended` when only its line break is missing.
    Line { hash: Hash, unended: bool },
    /// Bytes that are no line.
    Torn { bytes: u64, digest: Hash },
    /// More than a crash can leave.
    Added,
}

/// Looks at the bytes between the end that `head` knows and the end of the file.
pub(crate) fn examine(file: &File, head: &Head, length: u64) -> io::Result<Found> {
    let count = length.saturating_sub(head.length);
    if count > LONGEST_TORN {
        return Ok(Found::Added);
    }
    let mut bytes = vec![0; usize::try_from(count).unwrap_or_default()];
    file.read_exact_at(&mut bytes, head.length)?;
    let torn = Found::Torn { bytes: count, digest: Hash::of(&bytes) };

    let unended = bytes.last() != Some(&b'\n');
    let mut chain = Chain::at(head.seq, head.hash);
    let mut lines = bytes.strip_suffix(b"\n").unwrap_or(&bytes).split(|byte| *byte == b'\n');
    while let Some(line) = lines.next() {
        match chain.feed(line) {
            // Nobody writes a longer one.
            Fed::Torn if line.len() <= LONGEST => {}
            Fed::Line(parsed, _) if lines.next().is_none() => return Ok(Found::Line { hash: parsed.hash, unended }),
            _ => return Ok(Found::Added),
        }
    }
    Ok(torn)
}

/// Lines in the first `length` bytes, to say where something is wrong.
pub(crate) fn count_lines(file: &File, length: u64) -> u64 {
    let mut reader: Take<At<'_>> = At { file, offset: 0 }.take(length);
    let (mut buffer, mut lines) = ([0; 8192], 0);
    while let Ok(count @ 1..) = reader.read(&mut buffer) {
        lines += buffer[..count].iter().filter(|byte| **byte == b'\n').count() as u64;
    }
    lines
}

struct At<'a> {
    file: &'a File,
    offset: u64,
}

impl Read for At<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read_at(buffer, self.offset)?;
        self.offset += count as u64;
        Ok(count)
    }
}
