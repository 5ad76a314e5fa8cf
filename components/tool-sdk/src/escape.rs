//! Strings as JSON. Most answers are one long string, and writing it is what most of such a call's time goes into, so
//! it goes in steps of sixteen bytes: all are copied, and where one has to be escaped the next step begins behind it.
//! Room for the worst is made for many steps at once, so that a step checks nothing.

use crate::lanes::{LANES as STEP, copy, copy_and_mark};

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
    while rest.len() > 2 * STEP {
        // A step looks at whole rows and moves a row from behind any byte of it, so the last ones are left for the end.
        let block = BLOCK.min((rest.len() - 1) / STEP * STEP - STEP);
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

/// Writes the first `block` bytes of `text`, whole rows of them, and returns how many they were.
///
/// Which bytes of a row are escaped depends on nothing written before, so a processor looks at several rows at once;
/// only the place they are written to is handed from one to the next.
///
/// # Safety
/// `block` is a number of rows, `text` is longer than it by a row, and `out` has room for `LONGEST` bytes for each of the
/// block's and a row more.
#[expect(unsafe_code, reason = "see `write_escaped`")]
unsafe fn write_block(text: &[u8], block: usize, out: &mut Vec<u8>) -> usize {
    let (from, to) = (text.as_ptr(), out.spare_capacity_mut().as_mut_ptr().cast::<u8>());
    let (mut read, mut written) = (0, 0);
    while read < block {
        // SAFETY: the row lies in the block, and behind every byte of it there is a row of text; what was written is at
        // most `LONGEST` times what was read, so an escape and a row fit behind it.
        unsafe {
            let mut marks = copy_and_mark(from.add(read), to.add(written));
            let mut done = 0;
            while marks != 0 {
                let marked = marks.trailing_zeros() as usize;
                marks &= marks - 1;
                let place = to.add(written + marked - done);
                let byte = *from.add(read + marked);
                let short = SHORT[usize::from(byte)];
                place.cast::<[u8; 2]>().write(short);
                written += marked - done + 2;
                if short[0] == 0 {
                    place.cast::<[u8; LONGEST]>().write(long(byte));
                    written += LONGEST - 2;
                }
                done = marked + 1;
                // The rest of the row moves behind the escape, with some of the next that will be written over.
                copy(from.add(read + done), to.add(written));
            }
            written += STEP - done;
        }
        read += STEP;
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
