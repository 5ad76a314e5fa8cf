//! A text that is JSON from the start.
//!
//! An answer that is mostly one long text would otherwise hold it twice, as it is and as JSON. Every page of memory that
//! a call touches is wiped after it, and a text that was read a piece at a time is still in the processor's cache
//! when it is written.

use crate::escape::{Seen, write_escaped};
use crate::schema::camel_case;
use crate::{Output, Schema};

/// A text as a JSON string, written piece by piece. In an answer it is what a [`String`] is.
///
/// ```
/// use bailiwick_tool_sdk::{JsonText, Output, output};
///
/// output! {
///     /// An answer.
///     pub struct Answer {
///         /// What was said.
///         pub content: JsonText,
///         /// How often.
///         pub times: u32,
///     }
/// }
///
/// let mut content = JsonText::first_of_answer("content");
/// content.push_str("one\n");
/// content.push_str("two\n");
/// assert_eq!(Answer { content, times: 1 }.to_json(), r#"{"content":"one\ntwo\n","times":1}"#);
/// ```
#[derive(Debug)]
pub struct JsonText {
    /// What the answer is thought to begin with, a quote and the escaped text. Apart from [`push`](Self::push) all UTF-8.
    json: Vec<u8>,
    /// Where the quote is.
    start: usize,
}

impl JsonText {
    /// An empty text that will be the first property of an answer, so that its memory becomes the answer's. Anywhere else
    /// it is copied there, and as right.
    pub fn first_of_answer(property: &str) -> Self {
        Self::after(format!("{{\"{}\":", camel_case(property)))
    }

    fn after(begin: String) -> Self {
        let start = begin.len();
        let mut json = begin.into_bytes();
        json.push(b'"');
        Self { json, start }
    }

    /// Appends `text`.
    pub fn push_str(&mut self, text: &str) {
        self.push(text.as_bytes());
    }

    /// Makes room for a text of `length` bytes of which up to every fourth is escaped.
    pub(crate) fn reserve(&mut self, length: usize) {
        self.json.reserve(length + length / 4);
    }

    /// Appends part of a text, which may end within a character. The caller pushes the rest or drops all of it.
    pub(crate) fn push(&mut self, part: &[u8]) -> Seen {
        write_escaped(part, &mut self.json)
    }
}

impl Schema for JsonText {
    fn schema() -> serde_json::Value {
        String::schema()
    }
}

impl Output for JsonText {
    fn write_json(self, out: &mut String) {
        let Self { mut json, start } = self;
        json.push(b'"');
        // SAFETY: it was a string before the text, and every whole text has been escaped, which only replaces ASCII
        // characters by ASCII characters.
        #[expect(unsafe_code, reason = "checking a text that is known to be one costs as much as writing it")]
        let json = unsafe { String::from_utf8_unchecked(json) };
        if json[..start] == **out {
            *out = json;
        } else {
            out.push_str(&json[start..]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text(mut text: JsonText, pieces: &[String]) -> JsonText {
        pieces.iter().for_each(|piece| text.push_str(piece));
        text
    }

    #[test]
    fn the_memory_of_a_text_becomes_that_of_the_answer() {
        let mut out = r#"{"fileText":"#.to_owned();
        let text = text(JsonText::first_of_answer("file_text"), &["a".repeat(1000)]);
        let place = text.json.as_ptr();
        text.write_json(&mut out);
        assert_eq!(out.as_ptr(), place);
    }

    proptest! {
        #[test]
        fn a_text_is_the_same_wherever_it_stands(pieces in prop::collection::vec("(?s)([a-zé\n\"\0]|.){0,90}", 0..4),
                                                 before in r#"(\{"a":|\[|)"#) {
            let mut out = before.clone();
            text(JsonText::first_of_answer("a"), &pieces).write_json(&mut out);
            prop_assert_eq!(out, before + &pieces.concat().to_json());
        }
    }
}
