//! Bytes of a file as text.

use crate::ToolError;

/// `content` as text, of which the first line is line `first` of the file shown as `shown`.
///
/// # Errors
/// Not text when it is not UTF-8 or has a NUL, with the line where that begins.
pub fn decode(content: Vec<u8>, shown: &str, first: u32) -> Result<String, ToolError> {
    let text = String::from_utf8(content).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        if error.as_bytes().contains(&0) {
            return binary(shown);
        }
        let line = first.saturating_add(count_line_feeds(&error.as_bytes()[..valid]));
        ToolError::not_text(format!("`{shown}` is not UTF-8 text: line {line} has other bytes"))
    })?;
    if text.as_bytes().contains(&0) { Err(binary(shown)) } else { Ok(text) }
}

/// How many lines `content` has. A last line without a line feed counts, an empty one does not.
pub fn count_lines(content: &[u8]) -> u32 {
    let open = content.last().is_some_and(|last| *last != b'\n');
    count_line_feeds(content).saturating_add(u32::from(open))
}

/// Counted in blocks small enough for a byte to hold the count, which is what compilers turn into vector code.
fn count_line_feeds(content: &[u8]) -> u32 {
    content
        .chunks(192)
        .map(|block| u32::from(block.iter().map(|byte| u8::from(*byte == b'\n')).sum::<u8>()))
        .fold(0, u32::saturating_add)
}

fn binary(shown: &str) -> ToolError {
    ToolError::not_text(format!("`{shown}` is binary: it has NUL bytes"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;

    #[test]
    fn bytes_that_are_not_text_are_refused_with_their_line() {
        let error = decode(b"one\ntwo\ncaf\xe9\n".to_vec(), "sdk/a.txt", 1).unwrap_err();
        assert_eq!(error.kind, ErrorKind::NotText);
        assert!(error.message.contains("line 3"), "{}", error.message);
        assert_eq!(decode(b"PNG\0\0".to_vec(), "sdk/a.png", 1).unwrap_err().kind, ErrorKind::NotText);
    }

    #[test]
    fn a_byte_order_mark_and_line_endings_stay() {
        let original = "\u{feff}one\r\ntwo\n";
        assert_eq!(decode(original.as_bytes().to_vec(), "x", 1).unwrap(), original);
    }

    #[test]
    fn lines_are_counted_with_and_without_a_final_line_feed() {
        for (content, lines) in [("", 0), ("a", 1), ("a\n", 1), ("\n", 1), ("a\nb", 2), ("a\n\n", 2)] {
            assert_eq!(count_lines(content.as_bytes()), lines, "{content:?}");
        }
        assert_eq!(count_lines(&[b'\n'; 1000]), 1000);
    }
}
