//! Strings as JSON. Most answers are one long string, and writing it is what most of such a call's time goes into, so
//! it goes in steps of sixteen bytes: all are copied, and behind each that has to be escaped the rest is copied again.
//! Which bytes those are depends on nothing written before, so a processor can look at several steps at once.

use crate::lanes::{LANES as STEP, to_escape};
use std::mem::MaybeUninit;

/// The longest escape, `\u001f`.
const LONGEST: usize = 6;
/// What a step can need: every byte escaped, and what is copied beyond the end.
const ROOM: usize = STEP * LONGEST + STEP;

/// The second character of a byte's escape, if two are enough.
const SHORT: [u8; 256] = {
    let mut short = [0; 256];
    short[b'\n' as usize] = b'n';
    short[b'\r' as usize] = b'r';
    short[b'\t' as usize] = b't';
    short[b'"' as usize] = b'"';
    short[b'\\' as usize] = b'\\';
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
    out.reserve(text.len() + text.len() / 8 + ROOM);
    let mut at = 0;
    // The second half of what is looked at is what gets copied again behind an escape.
    while let Some(window) = text[at..].first_chunk::<{ 2 * STEP }>()
        && let Some(step) = window.first_chunk::<STEP>()
    {
        if out.capacity() - out.len() < ROOM {
            out.reserve((text.len() - at) * 2 + ROOM);
        }
        let start = out.len();
        // What is written is new memory, which nobody has to fill with zeroes before.
        let room = out.spare_capacity_mut();
        let mut end = 0;
        let mut marks = to_escape(step);
        let mut from = 0;
        room[..STEP].write_copy_of_slice(step);
        while marks != 0 {
            let marked = marks.trailing_zeros() as usize % STEP;
            marks &= marks - 1;
            end += marked - from;
            end += write_escape(window[marked], &mut room[end..]);
            from = marked + 1;
            room[end..end + STEP].write_copy_of_slice(&window[from..from + STEP]);
        }
        end += STEP - from;
        // SAFETY: every byte up to `end` was written above, copy by copy and escape by escape.
        #[expect(unsafe_code, reason = "zeroing the memory first would take as long as writing it")]
        unsafe {
            out.set_len(start + end);
        }
        at += STEP;
    }
    for byte in &text[at..] {
        if matches!(byte, b'"' | b'\\' | 0..0x20) {
            let mut escape = [MaybeUninit::new(0); LONGEST];
            let length = write_escape(*byte, &mut escape);
            out.extend(escape[..length].iter().map(|byte| {
                // SAFETY: the whole array was initialised.
                #[expect(unsafe_code, reason = "one function writes escapes, to new memory and to old")]
                unsafe {
                    byte.assume_init()
                }
            }));
        } else {
            out.push(*byte);
        }
    }
}

/// Writes the escape of `byte` at the start of `out` and returns how long it is.
fn write_escape(byte: u8, out: &mut [MaybeUninit<u8>]) -> usize {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let short = SHORT[usize::from(byte)];
    if short != 0 {
        out[..2].write_copy_of_slice(&[b'\\', short]);
        return 2;
    }
    let digits = [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]];
    out[..LONGEST].write_copy_of_slice(&[b'\\', b'u', b'0', b'0', digits[0], digits[1]]);
    LONGEST
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

    #[test]
    fn a_text_of_nothing_but_escapes_fits() {
        let text = "\u{1}".repeat(1000);
        let mut out = String::new();
        write_string(&text, &mut out);
        assert_eq!(out, format!("\"{}\"", "\\u0001".repeat(1000)));
    }
}
