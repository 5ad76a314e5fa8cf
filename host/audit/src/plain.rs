//! Text that cannot do anything to a terminal or to the order of what a person reads.

use serde_json::ser::Formatter;
use std::borrow::Cow;
use std::io::{self, Write};

/// Control characters, line separators, and marks that reorder or hide text.
fn steers(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// The text with such characters as `\u{…}`, for a line that people read.
#[must_use]
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.chars().any(steers) {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if steers(character) {
            plain.extend(character.escape_unicode());
        } else {
            plain.push(character);
        }
    }
    Cow::Owned(plain)
}

/// One line of valid JSON with such characters as `\u` escapes, which mean the same.
#[must_use]
pub fn plain_json(json: &str) -> Cow<'_, str> {
    if !json.chars().any(steers) {
        return Cow::Borrowed(json);
    }
    let mut plain = String::with_capacity(json.len() + 16);
    for character in json.chars() {
        if character < ' ' {
            // In valid JSON it can only stand between values.
            plain.push(' ');
        } else if steers(character) {
            let units =
                character.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect::<String>();
            plain.push_str(&units);
        } else {
            plain.push(character);
        }
    }
    Cow::Owned(plain)
}

/// Compact JSON that escapes such characters, where JSON itself would only have to escape some of them.
pub(crate) struct Plain;

impl Formatter for Plain {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        // What is left to escape begins at DEL; nearly every fragment is plain ASCII.
        if fragment.bytes().all(|byte| byte < 0x7f) {
            return writer.write_all(fragment.as_bytes());
        }
        for character in fragment.chars() {
            let mut units = [0; 2];
            if steers(character) {
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
