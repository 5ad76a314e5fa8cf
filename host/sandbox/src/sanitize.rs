//! Sanitises a guest's text for one line of a log or of a terminal.
//!
//! A message repeats what the caller wrote, and a hostile guest writes what it likes: a line feed forges a line of a log,
//! an escape sequence moves the cursor of a terminal, and a direction mark shows a name as another one.

use bailiwick_audit::is_invisible;
use serde_json::Value;
use std::borrow::Cow;

// A message is read by a person or a model; one that repeats megabytes of input serves neither.
const LONGEST: usize = 4096;

/// `text` with what cannot be seen written as `\u{1b}`, and cut where it becomes too long to read. A tab stays.
pub(crate) fn sanitized(text: &str) -> Cow<'_, str> {
    if text.len() > LONGEST {
        let kept = &text[..text.floor_char_boundary(LONGEST)];
        return Cow::Owned(format!("{}… ({} bytes in all)", sanitized(kept), text.len()));
    }
    if !text.contains(is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut seen = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_escaped(character) {
            seen.extend(character.escape_unicode());
        } else {
            seen.push(character);
        }
    }
    Cow::Owned(seen)
}

/// Every text of a JSON value, names of members too, with what cannot be seen written as `\u{1b}`: a schema is read by
/// people and models like a description. Line ends stay.
pub(crate) fn sanitized_json(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(sanitized_lines(text)),
        Value::Array(items) => items.into_iter().map(sanitized_json).collect(),
        Value::Object(members) => {
            members.into_iter().map(|(name, member)| (sanitized_lines(name), sanitized_json(member))).collect()
        }
        other => other,
    }
}

/// [`sanitized`], line by line.
pub(crate) fn sanitized_lines(text: String) -> String {
    if !text.contains(is_escaped) {
        return text;
    }
    text.split('\n').map(|line| sanitized(line).into_owned()).collect::<Vec<_>>().join("\n")
}

fn is_escaped(character: char) -> bool {
    is_invisible(character) && character != '\t'
}

#[cfg(test)]
mod tests {
    use super::*;
    use bailiwick_audit::printable;

    #[test]
    fn only_what_cannot_be_seen_is_escaped() {
        for (text, expected) in [
            ("`a b.txt` does not exist", "`a b.txt` does not exist"),
            ("caf\u{e9} \u{1f600}\t\\n", "caf\u{e9} \u{1f600}\t\\n"),
            ("a\r\nb", "a\\u{d}\\u{a}b"),
            ("\u{1b}[2J\u{9b}2J\u{7f}\0", "\\u{1b}[2J\\u{9b}2J\\u{7f}\\u{0}"),
            ("x\u{202e}txt.exe\u{2028}", "x\\u{202e}txt.exe\\u{2028}"),
        ] {
            assert_eq!(sanitized(text), expected);
        }
    }

    #[test]
    fn schema_shows_all_that_it_says_and_keeps_what_was_seen() {
        let schema = serde_json::json!({ "description": "a\n\u{202e}b", "properties": { "x\u{200b}": { "enum": ["\u{1b}", 1] } } });
        let shown = sanitized_json(schema).to_string();
        assert_eq!(shown, r#"{"description":"a\n\\u{202e}b","properties":{"x\\u{200b}":{"enum":["\\u{1b}",1]}}}"#);
        let plain = serde_json::json!({ "description": "several\nlines\tcaf\u{e9}", "required": ["a"] });
        assert_eq!(sanitized_json(plain.clone()), plain);
    }

    #[test]
    fn message_and_a_line_of_the_log_show_every_character_but_a_tab_alike() {
        for character in ('\0'..=char::MAX).filter(|character| *character != '\t') {
            let text = character.to_string();
            assert_eq!(sanitized(&text), printable(&text), "{character:?}");
        }
    }
}
