//! Writing an answer as JSON. Most answers are one long string, so a string is copied in runs and not byte by byte.

use crate::Schema;
use crate::schema::camel_case;
use std::fmt::Write;
use std::num::NonZeroU32;

/// A type that can be (part of) an answer; [`output!`](crate::output) declares one.
pub trait Output: Schema {
    /// Appends this value's JSON.
    fn write_json(&self, out: &mut String);

    /// Whether an object leaves the property out.
    fn is_absent(&self) -> bool {
        false
    }

    /// About how many bytes the JSON has; an answer that fits is written without growing the buffer.
    fn size_hint(&self) -> usize {
        16
    }

    /// This value's JSON.
    fn to_json(&self) -> String {
        let mut out = String::with_capacity(self.size_hint());
        self.write_json(&mut out);
        out
    }
}

impl Output for String {
    fn write_json(&self, out: &mut String) {
        write_string(self, out);
    }

    fn size_hint(&self) -> usize {
        // Source text has about one character to escape, mostly the line feed, in sixteen.
        self.len() + self.len() / 8 + 8
    }
}

impl Output for bool {
    fn write_json(&self, out: &mut String) {
        out.push_str(if *self { "true" } else { "false" });
    }
}

macro_rules! number {
    ($($type:ty),*) => {
        $(impl Output for $type {
            fn write_json(&self, out: &mut String) {
                // Writing to a string cannot fail.
                let _ = write!(out, "{self}");
            }
        })*
    };
}

number!(u32, u64, NonZeroU32);

impl<T: Output> Output for Option<T> {
    fn write_json(&self, out: &mut String) {
        match self {
            Some(value) => value.write_json(out),
            None => out.push_str("null"),
        }
    }

    fn is_absent(&self) -> bool {
        self.is_none()
    }

    fn size_hint(&self) -> usize {
        self.as_ref().map_or(0, T::size_hint)
    }
}

impl<T: Output> Output for Vec<T> {
    fn write_json(&self, out: &mut String) {
        out.push('[');
        for (index, value) in self.iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            value.write_json(out);
        }
        out.push(']');
    }

    fn size_hint(&self) -> usize {
        self.iter().map(|value| value.size_hint() + 1).sum::<usize>() + 2
    }
}

/// Opens an object.
pub fn open(out: &mut String) {
    out.push('{');
}

/// Writes one property of the object that was opened last, its name in camel case, unless it is absent.
pub fn field(out: &mut String, name: &str, value: &impl Output) {
    if value.is_absent() {
        return;
    }
    if !out.ends_with('{') {
        out.push(',');
    }
    write_string(&camel_case(name), out);
    out.push(':');
    value.write_json(out);
}

/// Closes the object.
pub fn close(out: &mut String) {
    out.push('}');
}

/// Appends `text` as a JSON string.
fn write_string(text: &str, out: &mut String) {
    out.push('"');
    let mut rest = text;
    while let Some(at) = first_to_escape(rest.as_bytes()) {
        let (plain, from) = rest.split_at(at);
        out.push_str(plain);
        match from.as_bytes()[0] {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            control => {
                let _ = write!(out, "\\u{control:04x}");
            }
        }
        rest = &from[1..];
    }
    out.push_str(rest);
    out.push('"');
}

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// Where the first quote, backslash or control character is. Eight bytes are looked at together: a borrow can mark a
/// byte above a true hit by mistake but never one below it, so the lowest mark is always right.
fn first_to_escape(bytes: &[u8]) -> Option<usize> {
    let mut chunks = bytes.chunks_exact(8);
    let mut at = 0;
    for chunk in &mut chunks {
        let mut word = [0; 8];
        word.copy_from_slice(chunk);
        let word = u64::from_le_bytes(word);
        let quote = word ^ (ONES * u64::from(b'"'));
        let backslash = word ^ (ONES * u64::from(b'\\'));
        let marks = (word.wrapping_sub(ONES * 0x20) & !word)
            | (quote.wrapping_sub(ONES) & !quote)
            | (backslash.wrapping_sub(ONES) & !backslash);
        if marks & HIGH != 0 {
            return Some(at + ((marks & HIGH).trailing_zeros() / 8) as usize);
        }
        at += 8;
    }
    chunks.remainder().iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20)).map(|offset| at + offset)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_string_reads_back_as_it_was(text in "(?s)([a-z\"\\\\\n\t\0\u{1f}\u{7f}éß😀]|.){0,60}") {
            let json = text.to_json();
            prop_assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
        }
    }

    #[test]
    fn a_string_within_braces_does_not_confuse_the_commas() {
        let mut out = String::new();
        open(&mut out);
        field(&mut out, "first_one", &"{".to_owned());
        field(&mut out, "left_out", &None::<u32>);
        field(&mut out, "second", &vec![1_u32, 2]);
        close(&mut out);
        assert_eq!(out, r#"{"firstOne":"{","second":[1,2]}"#);
    }
}
