//! Texts of a guest that a person or a model reads outside of its answer.

// What stands here is decided by others: nothing of it is an index or a number that is taken on trust.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use crate::sanitize::sanitized;
use serde_json::Value;

/// One line without unseen characters, bounded like a message. Line ends become spaces.
pub(super) fn line(text: &str) -> String {
    let plain: String = text.chars().map(|c| if matches!(c, '\n' | '\r' | '\t') { ' ' } else { c }).collect();
    sanitized(&plain).into_owned()
}

/// The same for what may be missing.
pub(super) fn lines(text: Option<String>) -> Option<String> {
    text.map(|text| line(&text))
}

/// Every text in a JSON value as one line: a schema of a form is shown to a person, names and choices included.
pub(super) fn value(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(line(&text)),
        Value::Array(items) => items.into_iter().map(self::value).collect(),
        Value::Object(members) => {
            members.into_iter().map(|(name, member)| (line(&name), self::value(member))).collect()
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn text_for_people_is_one_line_without_control_characters() {
        assert_eq!(line("a\r\nb\tc"), "a  b c");
        assert_eq!(line("x\u{202e}txt\u{1b}[2J"), "x\\u{202e}txt\\u{1b}[2J");
        assert_eq!(value(json!({"a\nb": ["\u{1b}", 1]})), json!({"a b": ["\\u{1b}", 1]}));
    }
}
