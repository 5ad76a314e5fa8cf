//! A key, which nothing prints.

use std::fmt;

use bailiwick_agent::KnownSecrets;
use bailiwick_agent::transcript::{REDACTED, Scrub as _};
use serde_json::Value;

/// A key shorter than this is a word that a server without keys wants to see (`none`, `ollama`), and no secret: taking
/// it out of every text would spoil them.
const SHORTEST: usize = 8;

/// A key of a provider. It has no `Display`, its `Debug` says nothing, and nothing serialises it.
#[derive(Clone)]
pub struct Secret {
    text: String,
    known: KnownSecrets,
}

impl Secret {
    /// A key, without the white space around it. `None` if it is empty or cannot stand in the header of a request.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        let usable = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
        let secret = Some(text.to_owned()).filter(|text| text.len() >= SHORTEST);
        usable.then(|| Self { text: text.to_owned(), known: KnownSecrets::new(secret) })
    }

    /// The key itself, for the request alone.
    pub(crate) fn expose(&self) -> &str {
        &self.text
    }

    /// What takes the key out of texts. A key of fewer than 8 characters is not taken out.
    #[must_use]
    pub fn known(&self) -> KnownSecrets {
        self.known.clone()
    }

    /// The text without the key: a provider may repeat what it was sent.
    #[must_use]
    pub fn scrub(&self, text: String) -> String {
        self.known.scrub(text)
    }

    /// The same for every text and every name in a value.
    #[must_use]
    pub fn scrub_value(&self, value: Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.scrub(text)),
            Value::Array(elements) => elements.into_iter().map(|element| self.scrub_value(element)).collect(),
            Value::Object(fields) => {
                fields.into_iter().map(|(name, field)| (self.scrub(name), self.scrub_value(field))).collect()
            }
            other => other,
        }
    }
}

impl PartialEq for Secret {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Secret {}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(REDACTED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_is_in_no_debug_output_and_is_taken_out_of_texts() {
        let secret = Secret::new(" sk-canary\n").unwrap();
        assert!(!format!("{secret:?} {:?}", Some(&secret)).contains("canary"));
        assert_eq!(secret.scrub("no such key: sk-canary!".into()), "no such key: [redacted]!");
        assert_eq!(secret.scrub("no such key: sk%2Dcanary!".into()), "no such key: [redacted]!");
    }

    #[test]
    fn word_in_place_of_a_key_is_left_in_texts() {
        let secret = Secret::new("ollama").unwrap();
        assert_eq!(secret.scrub("import ollama".into()), "import ollama");
    }

    #[test]
    fn key_that_would_break_a_header_is_refused() {
        for text in ["", "  ", "a\nb", "a b", "schlüssel"] {
            assert!(Secret::new(text).is_none(), "{text:?}");
        }
    }
}
