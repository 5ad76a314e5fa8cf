//! Bytes of a file as text.

use crate::ToolError;
use crate::lanes::{LANES, MOST_ROWS, survey};

/// `content` as text and how many lines it has, as [`count_lines`] counts. Its first line is line `first` of the file
/// shown as `shown`.
///
/// # Errors
/// Not text when it is not UTF-8 or has a NUL, with the line where that begins.
pub fn decode(content: Vec<u8>, shown: &str, first: u32) -> Result<(String, u32), ToolError> {
    let found = Found::in_bytes(&content);
    if found.nul {
        return Err(ToolError::not_text(format!("`{shown}` is binary: it has NUL bytes")));
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
            Err(ToolError::not_text(format!("`{shown}` is not UTF-8 text: line {line} has other bytes")))
        }
    }
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
    use crate::ErrorKind;
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

    proptest! {
        #[test]
        fn exactly_what_is_utf8_without_nul_is_text(long in 0usize..40, bytes in prop::collection::vec(any::<u8>(), 0..8)) {
            let content = [vec![b'a'; long], bytes].concat();
            let is_text = std::str::from_utf8(&content).is_ok() && !content.contains(&0);
            prop_assert_eq!(decode(content, "x", 1).is_ok(), is_text);
        }
    }
}
