//! Bytes of a file as text.

use crate::lanes::{LANES, MOST_ROWS, survey};
use crate::{JsonText, ToolError};

/// `content` as text and how many lines it has, as [`count_lines`] counts. Its first line is line `first` of the file
/// shown as `shown`.
///
/// # Errors
/// Not text when it is not UTF-8 or has a NUL, with the line where that begins.
pub fn decode(content: Vec<u8>, shown: &str, first: u32) -> Result<(String, u32), ToolError> {
    let found = Found::in_bytes(&content);
    if found.nul {
        return Err(binary(shown));
    }
    let lines = found.lines(&content);
    if found.ascii {
        // SAFETY: every byte is ASCII.
        #[expect(unsafe_code, reason = "the same was just found out in a tenth of the time")]
        return Ok((unsafe { String::from_utf8_unchecked(content) }, lines));
    }
    match String::from_utf8(content) {
        Ok(text) => Ok((text, lines)),
        Err(error) => {
            let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let line = first.saturating_add(Found::in_bytes(valid).line_feeds);
            Err(not_utf8(shown, line))
        }
    }
}

/// A text that is read piece by piece and is JSON at once: [`decode`] for a file that is only passed on.
pub struct Incoming {
    text: JsonText,
    line_feeds: u32,
    /// Whether the last byte was something else than a line feed.
    open: bool,
    nul: bool,
    /// The beginning of a character that the last piece ended within.
    cut: Vec<u8>,
    /// How many line feeds stand before the first byte that is not UTF-8.
    invalid: Option<u32>,
}

impl Incoming {
    /// Nothing yet; what comes is appended to `text`.
    pub fn into_text(text: JsonText) -> Self {
        Self { text, line_feeds: 0, open: false, nul: false, cut: Vec::new(), invalid: None }
    }

    /// Makes room for `length` bytes more. Memory that stays unused costs nothing; a text that has to move does.
    pub(crate) fn expect(&mut self, length: u64) {
        self.text.reserve(usize::try_from(length).unwrap_or(0));
    }

    /// Takes the next bytes. Where they end does not matter.
    pub fn feed(&mut self, piece: &[u8]) {
        if self.invalid.is_some() {
            // Only which of the two reasons to refuse it is still open.
            self.nul |= Found::in_bytes(piece).nul;
            return;
        }
        let Some(last) = piece.last() else { return };
        let seen = self.text.push(piece);
        if !seen.ascii || !self.cut.is_empty() {
            self.check(piece);
        }
        self.open = *last != b'\n';
        self.nul |= seen.nul;
        self.line_feeds = self.line_feeds.saturating_add(seen.line_feeds);
    }

    /// Finds the first byte that is not UTF-8.
    fn check(&mut self, piece: &[u8]) {
        let mut rest = piece;
        // A character has at most four bytes, so this ends soon.
        while !self.cut.is_empty() {
            let Some((next, after)) = rest.split_first() else { return };
            self.cut.push(*next);
            rest = after;
            match std::str::from_utf8(&self.cut) {
                Ok(_) => self.cut.clear(),
                Err(error) if error.error_len().is_none() => {}
                Err(_) => {
                    self.invalid = Some(self.line_feeds);
                    return;
                }
            }
        }
        if let Err(error) = std::str::from_utf8(rest) {
            let (valid, wrong) = rest.split_at(error.valid_up_to());
            if error.error_len().is_none() {
                self.cut.extend_from_slice(wrong);
            } else {
                self.invalid = Some(self.line_feeds.saturating_add(Found::in_bytes(valid).line_feeds));
            }
        }
    }

    /// The text and how many lines came, as [`count_lines`] counts, once all of the file shown as `shown` was fed.
    ///
    /// # Errors
    /// Those of [`decode`].
    pub fn finish(self, shown: &str) -> Result<(JsonText, u32), ToolError> {
        if self.nul {
            return Err(binary(shown));
        }
        let cut = (!self.cut.is_empty()).then_some(self.line_feeds);
        match self.invalid.or(cut) {
            Some(line_feeds) => Err(not_utf8(shown, line_feeds.saturating_add(1))),
            None => Ok((self.text, self.line_feeds.saturating_add(u32::from(self.open)))),
        }
    }
}

fn binary(shown: &str) -> ToolError {
    ToolError::not_text(format!("`{shown}` is binary: it has NUL bytes"))
}

fn not_utf8(shown: &str, line: u32) -> ToolError {
    ToolError::not_text(format!("`{shown}` is not UTF-8 text: line {line} has other bytes"))
}

/// How many lines `content` has. A last line without a line feed counts, an empty one does not.
pub fn count_lines(content: &[u8]) -> u32 {
    Found::in_bytes(content).lines(content)
}

/// What one look over some bytes finds.
struct Found {
    line_feeds: u32,
    nul: bool,
    ascii: bool,
}

impl Found {
    fn in_bytes(bytes: &[u8]) -> Self {
        let (rows, rest) = bytes.as_chunks::<LANES>();
        let feeds_in_rest = rest.iter().filter(|byte| **byte == b'\n').count();
        let mut found = Self {
            line_feeds: u32::try_from(feeds_in_rest).unwrap_or(u32::MAX),
            nul: rest.contains(&0),
            ascii: rest.is_ascii(),
        };
        for rows in rows.chunks(MOST_ROWS) {
            let survey = survey(rows);
            found.line_feeds = found.line_feeds.saturating_add(survey.line_feeds);
            found.nul |= survey.least == 0;
            found.ascii &= survey.bits.is_ascii();
        }
        found
    }

    fn lines(&self, content: &[u8]) -> u32 {
        let open = content.last().is_some_and(|last| *last != b'\n');
        self.line_feeds.saturating_add(u32::from(open))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ErrorKind, Output};
    use proptest::prelude::*;

    #[test]
    fn bytes_that_are_not_text_are_refused_with_their_line() {
        let error = decode(b"one\ntwo\ncaf\xe9\n".to_vec(), "sdk/a.txt", 1).unwrap_err();
        assert_eq!(error.kind, ErrorKind::NotText);
        assert!(error.message.contains("line 3"), "{}", error.message);
        for place in [0, 20, 39] {
            let mut content = [b'a'; 40];
            content[place] = 0;
            assert_eq!(decode(content.to_vec(), "sdk/a.png", 1).unwrap_err().kind, ErrorKind::NotText, "{place}");
        }
    }

    #[test]
    fn a_byte_order_mark_and_line_endings_stay() {
        let original = "\u{feff}one\r\ntwo\n";
        assert_eq!(decode(original.as_bytes().to_vec(), "x", 1).unwrap(), (original.to_owned(), 2));
    }

    #[test]
    fn lines_are_counted_with_and_without_a_final_line_feed() {
        for (content, lines) in [("", 0), ("a", 1), ("a\n", 1), ("\n", 1), ("a\nb", 2), ("a\n\n", 2)] {
            assert_eq!(count_lines(content.as_bytes()), lines, "{content:?}");
        }
        assert_eq!(count_lines(&[b'\n'; 10_000]), 10_000);
    }

    /// What [`decode`] and [`Incoming`] make of the same bytes.
    fn both(content: &[u8], piece: usize) -> [Result<(String, u32), (ErrorKind, String)>; 2] {
        let mut incoming = Incoming::into_text(JsonText::first_of_answer("content"));
        content.chunks(piece).for_each(|piece| incoming.feed(piece));
        [
            decode(content.to_vec(), "a.txt", 1).map(|(text, lines)| (text.to_json(), lines)),
            incoming.finish("a.txt").map(|(text, lines)| (text.to_json(), lines)),
        ]
        .map(|result| result.map_err(|error| (error.kind, error.message)))
    }

    #[test]
    fn a_character_cut_anywhere_is_the_same_character_or_the_same_mistake() {
        let texts: [&[u8]; 7] = [
            "a\né\n€\n😀\n".as_bytes(),
            b"\n\xf0\x9f\x98",
            b"\n\xe2\x82\n\xac",
            b"\xe2\x82\0",
            b"\n\xc3\n\0",
            b"a\n\x80",
            b"",
        ];
        for text in texts {
            for piece in 1..8 {
                let [whole, pieces] = both(text, piece);
                assert_eq!(whole, pieces, "{text:?} in pieces of {piece}");
            }
        }
    }

    proptest! {
        #[test]
        fn pieces_are_taken_as_the_whole_is(
            parts in prop::collection::vec(
                prop_oneof![
                    8 => "(?s)([a-z \"\\\\\t]{0,70}|\r\n|\n|[é€😀]{1,40}|.{0,9})".prop_map(String::into_bytes),
                    1 => prop::collection::vec(any::<u8>(), 0..4),
                ],
                0..12,
            ),
            piece in prop_oneof![1usize..9, 60usize..300],
        ) {
            let [whole, pieces] = both(&parts.concat(), piece);
            prop_assert_eq!(whole, pieces);
        }
    }

    proptest! {
        #[test]
        fn exactly_what_is_utf8_without_nul_is_text(long in 0usize..40, bytes in prop::collection::vec(any::<u8>(), 0..8)) {
            let content = [vec![b'a'; long], bytes].concat();
            let is_text = std::str::from_utf8(&content).is_ok() && !content.contains(&0);
            prop_assert_eq!(decode(content, "x", 1).is_ok(), is_text);
        }
    }
}
