//! What a process that died left behind the last line that `head` knows.

use crate::chain::{Chain, Fed, LONGEST_TORN};
use crate::error::Fault;
use crate::head::Head;
use crate::line::{self, Hash, LONGEST};
use std::fs::File;
use std::io::{self, Read, Take};
use std::os::unix::fs::FileExt as _;

pub(crate) enum Found {
    /// A whole line that `head` missed; `unended` when only its line break is missing. It is the last of `lines`, the
    /// others are `closed` bytes of torn ones.
    Line { hash: Hash, time: String, unended: bool, lines: u64, closed: Option<u64> },
    /// Bytes that do not form a line.
    Torn { bytes: u64, digest: Hash },
    /// More than a crash can leave.
    Added,
}

/// The rule for what may stand behind the end, for appending and for verification. Looks at the bytes between the end that `head` knows and the end of the file.
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
    let mut count_lines = 0;
    while let Some(line) = lines.next() {
        count_lines += 1;
        match chain.feed(line) {
            // bailiwick never writes a longer one.
            Fed::Torn if line.len() <= LONGEST => {}
            Fed::Line(parsed, closed) if lines.next().is_none() => {
                let (hash, time) = (parsed.hash, parsed.time.to_owned());
                return Ok(Found::Line { hash, time, unended, lines: count_lines, closed });
            }
            _ => return Ok(Found::Added),
        }
    }
    Ok(torn)
}

/// The rule for the last line that `head` knows: it is where `head` says, intact, and the one that `head` means.
pub(crate) fn last_line(file: &File, head: &Head) -> io::Result<Option<Fault>> {
    if head.length == 0 {
        return Ok(None);
    }
    // An ordinary line is short. The longest one, with its own line break and the one before it:
    let longest = LONGEST as u64 + 2;
    let mut bytes = Vec::new();
    for most in [8 << 10, longest] {
        let count = head.length.min(most);
        bytes.resize(usize::try_from(count).unwrap_or_default(), 0);
        file.read_exact_at(&mut bytes, head.length - count)?;
        if bytes.iter().rev().skip(1).any(|byte| *byte == b'\n') {
            break;
        }
    }
    let line = bytes.strip_suffix(b"\n").and_then(|bytes| bytes.rsplit(|byte| *byte == b'\n').next());
    Ok(match line.and_then(line::parse) {
        None => Some(Fault::Altered),
        Some(parsed) if parsed.seq != head.seq || parsed.hash != head.hash => Some(Fault::Head),
        Some(_) => None,
    })
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
