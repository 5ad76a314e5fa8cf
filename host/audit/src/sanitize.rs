//! Makes text harmless for terminals: no control characters, and nothing that reorders what is displayed.

use serde_json::ser::Formatter;
use std::borrow::Cow;
use std::io::{self, Write};

use crate::invisible::is_invisible;

/// The text with unseen characters as `\u{…}`, for a line that people read.
#[must_use]
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_invisible) {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_invisible(character) {
            plain.extend(character.escape_unicode());
        } else {
            plain.push(character);
        }
    }
    Cow::Owned(plain)
}

/// Text of any number of lines for a terminal: unseen characters as `\u{…}`, but for ends of lines and tabs, which stay.
#[must_use]
pub fn printable_lines(text: &str) -> Cow<'_, str> {
    let escaped = |character: char| is_invisible(character) && !matches!(character, '\n' | '\t');
    if !text.contains(escaped) {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if escaped(character) {
            plain.extend(character.escape_unicode());
        } else {
            plain.push(character);
        }
    }
    Cow::Owned(plain)
}

/// One line of valid JSON with unseen characters as `\u` escapes, which mean the same.
#[must_use]
pub fn plain_json(json: &str) -> Cow<'_, str> {
    if !json.chars().any(is_invisible) {
        return Cow::Borrowed(json);
    }
    let mut plain = String::with_capacity(json.len() + 16);
    for character in json.chars() {
        if character < ' ' {
            // In valid JSON it can only stand between values.
            plain.push(' ');
        } else if is_invisible(character) {
            let units =
                character.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect::<String>();
            plain.push_str(&units);
        } else {
            plain.push(character);
        }
    }
    Cow::Owned(plain)
}

/// Compact JSON that escapes unseen characters, where JSON itself would only have to escape some of them.
pub(crate) struct Sanitized;

impl Formatter for Sanitized {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        // What is left to escape begins at DEL; nearly every fragment is plain ASCII.
        if fragment.bytes().all(|byte| byte < 0x7f) {
            return writer.write_all(fragment.as_bytes());
        }
        for character in fragment.chars() {
            let mut units = [0; 2];
            if is_invisible(character) {
                for unit in character.encode_utf16(&mut units) {
                    write!(writer, "\\u{unit:04x}")?;
                }
            } else {
                writer.write_all(character.encode_utf8(&mut [0; 4]).as_bytes())?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Serialize;

    #[test]
    fn every_way_to_show_text_escapes_exactly_the_characters_that_are_not_seen() {
        for character in '\0'..=char::MAX {
            let text = character.to_string();
            assert_eq!(printable(&text) != text, is_invisible(character), "{character:?}");
            let stays = !is_invisible(character) || matches!(character, '\n' | '\t');
            assert_eq!(printable_lines(&text) == text, stays, "{character:?}");
            let mut line = Vec::new();
            text.serialize(&mut serde_json::Serializer::with_formatter(&mut line, Sanitized)).unwrap();
            let line = String::from_utf8(line).unwrap();
            assert!(!line.contains(is_invisible), "{character:?}");
            assert_eq!(serde_json::from_str::<String>(&line).unwrap(), text);
            let json = serde_json::to_string(&text).unwrap();
            let plain = plain_json(&json);
            assert!(!plain.contains(is_invisible), "{character:?}");
            assert_eq!(serde_json::from_str::<String>(&plain).unwrap(), text);
            if !is_invisible(character) {
                assert_eq!((plain.as_ref(), &line), (json.as_str(), &json));
            }
        }
    }
}
