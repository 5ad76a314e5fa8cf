//! Strings as JSON. Most answers are one long string, and writing it is what most of such a call's time goes into, so
//! it goes in groups of 64 bytes: first all that have to be escaped are found, then what stands between them is copied
//! in pieces of a fixed size, usually one, of which the next escape writes over what was too much.
//! Room for the worst is made for many groups at once, so that a step checks nothing.

use crate::lanes::{Bits, COPIED, GROUP, copy, mark};

/// The shortest escape, `\n`.
const SHORTEST: usize = 2;
/// The longest escape, `\u001f`.
const LONGEST: usize = 6;
/// How much text is written before room is made again.
const BLOCK: usize = 2048;

/// How each byte is escaped that has to be: its escape in the first six bytes, and behind that [`FEED`] or [`LONG`]. It is
/// one number so that a step takes it in one load, writes all of it in one store and needs no branch.
const ESCAPES: [u64; 256] = {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut escapes = [0; 256];
    let mut byte = 0;
    while byte < 0x20 {
        let (high, low) = (DIGITS[byte >> 4], DIGITS[byte & 15]);
        escapes[byte] = LONG << NOTES | u64::from_le_bytes([b'\\', b'u', b'0', b'0', high, low, 0, 0]);
        byte += 1;
    }
    let mut index = 0;
    while index < SHORT.len() {
        let (byte, letter) = SHORT[index];
        escapes[byte as usize] = u64::from_le_bytes([b'\\', letter, 0, 0, 0, 0, 0, 0]);
        index += 1;
    }
    escapes[b'\n' as usize] |= FEED << NOTES;
    escapes
};
/// The bytes with an escape of two characters, and its second.
const SHORT: [(u8, u8); 5] = [(b'\n', b'n'), (b'\r', b'r'), (b'\t', b't'), (b'"', b'"'), (b'\\', b'\\')];
/// Behind how many bits of an escape it is noted what it is. The notes of all escapes of a block are added up.
const NOTES: u32 = 48;
/// A line feed.
const FEED: u64 = 1;
/// An escape that is not as short as two characters but as long as six. In a sum there is room for every line feed below.
const LONG: u64 = 1 << 12;
const _: () = assert!(BLOCK < LONG as usize, "the line feeds of a block are counted below");

/// What was seen in a text while it was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seen {
    /// How many line feeds it has.
    pub(crate) line_feeds: u32,
    /// Whether it has a NUL.
    pub(crate) nul: bool,
    /// Whether it is nothing but ASCII.
    pub(crate) ascii: bool,
}

impl Seen {
    /// Takes what is noted of all escapes of `text`.
    fn note(&mut self, text: &[u8], notes: u64) {
        self.line_feeds += (notes % LONG) as u32;
        // Next to no text has a long escape.
        self.nul |= notes >= LONG && text.contains(&0);
    }
}

/// Appends `text` as a JSON string.
pub(crate) fn write_string(text: &str, out: &mut String) {
    let mut bytes = std::mem::take(out).into_bytes();
    bytes.push(b'"');
    write_escaped(text.as_bytes(), &mut bytes);
    bytes.push(b'"');
    // SAFETY: `bytes` were a string; what was added is `text` with whole ASCII characters replaced by ASCII characters.
    #[expect(unsafe_code, reason = "checking a text that is known to be one costs as much as writing it")]
    let written = unsafe { String::from_utf8_unchecked(bytes) };
    *out = written;
}

/// Appends what stands for `text` between the quotes of a JSON string. Bytes that are not ASCII are copied as they are,
/// so a text may be given in parts that end within a character.
pub(crate) fn write_escaped(text: &[u8], out: &mut Vec<u8>) -> Seen {
    // Source text has about one character to escape, mostly the line feed, in sixteen. Behind it is room for the worst block.
    out.reserve(text.len() + text.len() / 8 + BLOCK.min(text.len()) * LONGEST + COPIED);
    let mut seen = Seen { line_feeds: 0, nul: false, ascii: true };
    let mut rest = text;
    while rest.len() >= GROUP + COPIED {
        // What is copied from any byte of a group may reach behind it, so the last bytes are left for the end.
        let block = BLOCK.min((rest.len() - COPIED) / GROUP * GROUP);
        let room = block * LONGEST + COPIED;
        if out.capacity() - out.len() < room {
            out.reserve(room + rest.len());
        }
        // SAFETY: there is room for every byte of the block escaped and some that are too much, and enough text behind
        // the block.
        #[expect(unsafe_code, reason = "the checks are made once a block instead of at every byte")]
        unsafe {
            write_block(rest, block, out, &mut seen);
        }
        rest = &rest[block..];
    }
    let mut notes = 0;
    for byte in rest {
        if !matches!(byte, b'"' | b'\\' | 0..0x20) {
            out.push(*byte);
            continue;
        }
        let escape = ESCAPES[usize::from(*byte)];
        out.extend_from_slice(&escape.to_le_bytes()[..length(escape >> NOTES)]);
        notes += escape >> NOTES;
    }
    seen.note(rest, notes);
    seen.ascii &= rest.is_ascii();
    seen
}

/// Writes the first `block` bytes of `text`, whole groups of them.
///
/// Which bytes of a group are escaped depends on nothing written before, so a processor looks at several at once;
/// only the place they are written to is handed from one to the next.
///
/// # Safety
/// `block` is a number of groups, `text` is longer than it by what is copied at once, and `out` has room for `LONGEST`
/// bytes for each of the block's and as many more.
#[expect(unsafe_code, reason = "see `write_escaped`")]
unsafe fn write_block(text: &[u8], block: usize, out: &mut Vec<u8>, seen: &mut Seen) {
    let begin = out.spare_capacity_mut().as_mut_ptr().cast::<u8>();
    let (mut bits, mut notes) = (Bits::none(), 0);
    // SAFETY: the groups lie in the block, and what is copied begins within one and ends within `text`; what was written
    // is at most `LONGEST` times what was read, so an escape and a copy fit behind it. Then that many bytes were
    // written, one after the other.
    unsafe {
        let (mut from, mut to) = (text.as_ptr(), begin);
        let end = from.add(block);
        while from < end {
            let mut marks = mark(from, &mut bits);
            let mut done = 0;
            'group: while marks != 0 {
                // Several at once, since a guest is asked at every turn of a loop whether its time is over.
                for _ in 0..4 {
                    let marked = marks.trailing_zeros() as usize;
                    marks &= marks - 1;
                    to = copy_some(from.add(done), marked - done, to);
                    done = marked + 1;
                    let escape = ESCAPES[usize::from(*from.add(marked))];
                    to.cast::<u64>().write_unaligned(escape.to_le());
                    to = to.add(length(escape >> NOTES));
                    notes += escape >> NOTES;
                    if marks == 0 {
                        break 'group;
                    }
                }
            }
            to = copy_some(from.add(done), GROUP - done, to);
            from = from.add(GROUP);
        }
        out.set_len(out.len() + to.offset_from_unsigned(begin));
    }
    seen.note(&text[..block], notes);
    seen.ascii &= bits.is_ascii();
}

/// How long an escape is of which this is noted.
#[inline(always)]
fn length(notes: u64) -> usize {
    SHORTEST + (notes / LONG) as usize * (LONGEST - SHORTEST)
}

/// Copies `count` bytes, at most a group, and some that are too much, and returns where they end.
///
/// # Safety
/// There are `COPIED` bytes to read at `from` and room for them at `to`, and as many more if there are more to copy.
#[inline(always)]
#[expect(unsafe_code, reason = "see `write_escaped`")]
unsafe fn copy_some(from: *const u8, count: usize, to: *mut u8) -> *mut u8 {
    // SAFETY: as the caller says.
    unsafe {
        copy(from, to);
        if count > COPIED {
            copy(from.add(COPIED), to.add(COPIED));
        }
        to.add(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_string_reads_back_as_it_was(before in "[a-z]{0,20}", text in "(?s)([a-z\"\\\\\n\t\0\u{1f}\u{7f}éß😀]|.){0,80}") {
            let mut out = before.clone();
            write_string(&text, &mut out);
            let json = out.strip_prefix(&before).unwrap();
            prop_assert!(std::str::from_utf8(out.as_bytes()).is_ok());
            prop_assert_eq!(serde_json::from_str::<String>(json).unwrap(), text);
        }
    }

    proptest! {
        #[test]
        fn a_text_longer_than_a_block_reads_back_as_it_was(
            piece in "(?s)([a-z\"\n\u{1}é]{1,40})",
            length in BLOCK - 40..BLOCK * 3,
        ) {
            let text: String = piece.chars().cycle().take(length).collect();
            let mut out = String::new();
            write_string(&text, &mut out);
            prop_assert_eq!(serde_json::from_str::<String>(&out).unwrap(), text);
        }
    }

    #[test]
    fn a_text_of_nothing_but_escapes_fits() {
        let text = "\u{1}".repeat(10_000);
        let mut out = String::new();
        write_string(&text, &mut out);
        assert_eq!(out, format!("\"{}\"", "\\u0001".repeat(10_000)));
    }
}
