//! Strings as JSON. Most answers are one long string, and writing it is what most of such a call's time goes into, so
//! it goes in steps of sixteen bytes: all are copied, and where one has to be escaped the next step begins behind it.
//! Room for the worst is made for many steps at once, so that a step checks nothing.

use crate::lanes::{LANES as STEP, copy_and_mark};

/// The longest escape, `\u001f`.
const LONGEST: usize = 6;
/// How much text is written before room is made again.
const BLOCK: usize = 2048;

/// The two characters of a byte's escape, if two are enough.
const SHORT: [[u8; 2]; 256] = {
    let mut short = [[0; 2]; 256];
    short[b'\n' as usize] = *b"\\n";
    short[b'\r' as usize] = *b"\\r";
    short[b'\t' as usize] = *b"\\t";
    short[b'"' as usize] = *b"\\\"";
    short[b'\\' as usize] = *b"\\\\";
    short
};

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

fn write_escaped(text: &[u8], out: &mut Vec<u8>) {
    // Source text has about one character to escape, mostly the line feed, in sixteen.
    out.reserve(text.len() + text.len() / 8 + STEP);
    let mut rest = text;
    while rest.len() > STEP {
        // A step looks at whole rows, so the last few bytes are left for the end.
        let block = BLOCK.min(rest.len() - STEP);
        let room = block * LONGEST + STEP * 2;
        if out.capacity() - out.len() < room {
            out.reserve(room + rest.len());
        }
        // SAFETY: there is room for every byte of the block escaped and a row copied beyond, and at least a row of text
        // behind every byte of the block.
        #[expect(unsafe_code, reason = "the checks are made once a block instead of at every byte")]
        let read = unsafe { write_block(rest, block, out) };
        rest = &rest[read..];
    }
    for byte in rest {
        if matches!(byte, b'"' | b'\\' | 0..0x20) {
            match SHORT[usize::from(*byte)] {
                [0, _] => out.extend_from_slice(&long(*byte)),
                short => out.extend_from_slice(&short),
            }
        } else {
            out.push(*byte);
        }
    }
}

/// Writes the first `block` bytes of `text`, or a few more, and returns how many they were.
///
/// # Safety
/// `text` is longer than `block` by a row, and `out` has room for `LONGEST` bytes for each of the block's and two rows.
#[expect(unsafe_code, reason = "see `write_escaped`")]
unsafe fn write_block(text: &[u8], block: usize, out: &mut Vec<u8>) -> usize {
    let (from, to) = (text.as_ptr(), out.spare_capacity_mut().as_mut_ptr().cast::<u8>());
    let (mut read, mut written) = (0, 0);
    while read < block {
        // SAFETY: `read` is within the block, so a row follows; `written` is at most `LONGEST` times `read`, so a row
        // and an escape fit behind it.
        unsafe {
            let marks = copy_and_mark(from.add(read), to.add(written));
            if marks == 0 {
                read += STEP;
                written += STEP;
                continue;
            }
            let plain = marks.trailing_zeros() as usize;
            let byte = *from.add(read + plain);
            let short = SHORT[usize::from(byte)];
            let place = to.add(written + plain);
            place.cast::<[u8; 2]>().write(short);
            read += plain + 1;
            written += plain + 2;
            if short[0] == 0 {
                place.cast::<[u8; LONGEST]>().write(long(byte));
                written += LONGEST - 2;
            }
        }
    }
    // SAFETY: that many bytes were written, one after the other.
    unsafe { out.set_len(out.len() + written) };
    read
}

/// The escape of a byte that has no short one.
#[cold]
fn long(byte: u8) -> [u8; LONGEST] {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    [b'\\', b'u', b'0', b'0', DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]
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
