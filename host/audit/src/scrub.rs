//! Takes secrets out of what is written down.

use std::fmt;

use serde_json::Value;

use super::secret_encodings::Encoding;

/// What stands where a secret was.
pub const REDACTED: &str = "[redacted]";

/// A secret that begins with a backslash itself is looked for this far before the end of a run of them.
const MOST_BACKSLASHES: usize = 64;

/// Takes secrets out of a text.
pub trait Scrub: Send + Sync {
    /// The text without its secrets.
    fn scrub(&self, text: String) -> String;
}

impl<F: Fn(String) -> String + Send + Sync> Scrub for F {
    fn scrub(&self, text: String) -> String {
        self(text)
    }
}

/// Takes out secrets whose values are known, wherever they stand: an API key that a tool's output repeats. They are
/// known escaped for JSON, percent-encoded and in Base64 too.
#[derive(Clone)]
pub struct KnownSecrets {
    /// The longest first: a secret may be the beginning of another.
    encodings: Vec<Encoding>,
    /// For each byte, the encodings that can begin with it: every character of long texts is looked up here.
    beginnings: Vec<Vec<usize>>,
}

impl KnownSecrets {
    /// Empty values are passed over.
    pub fn new(values: impl IntoIterator<Item = String>) -> Self {
        let values = values.into_iter().filter(|value| !value.is_empty());
        Self::of(values.flat_map(|value| Encoding::all(&value)).collect())
    }

    /// These secrets and those.
    #[must_use]
    pub fn and(mut self, others: Self) -> Self {
        self.encodings.extend(others.encodings);
        Self::of(self.encodings)
    }

    fn of(mut encodings: Vec<Encoding>) -> Self {
        encodings.sort_by_key(|encoding| std::cmp::Reverse(encoding.len()));
        let mut beginnings = vec![Vec::new(); 256];
        for (position, encoding) in encodings.iter().enumerate() {
            for byte in encoding.beginnings() {
                beginnings[usize::from(byte)].push(position);
            }
        }
        Self { encodings, beginnings }
    }

    /// Bytes without the secrets, where these are ASCII: binary data may hold one, too.
    #[must_use]
    pub fn scrub_bytes(&self, bytes: Vec<u8>) -> Vec<u8> {
        match String::from_utf8(bytes) {
            Ok(text) => self.scrub(text).into_bytes(),
            Err(error) => {
                // Every byte as the character of its number, and back.
                let text: String = error.into_bytes().into_iter().map(char::from).collect();
                self.scrub(text).chars().filter_map(|character| u8::try_from(u32::from(character)).ok()).collect()
            }
        }
    }

    /// The first place at or after `from` where one stands, and where it ends.
    fn find(&self, text: &str, from: usize) -> Option<(usize, usize)> {
        let bytes = text.as_bytes();
        // Any number of backslashes escapes the same. So what does not begin with a run of them does not begin within it,
        // and a text of nothing else, which a server can send, is not looked through again at every one of them.
        let mut run_ends = from;
        (from..bytes.len()).find_map(|start| {
            let within = start < run_ends;
            if bytes[start] == b'\\' && !within {
                run_ends = start + bytes[start..].iter().take_while(|byte| **byte == b'\\').count();
            }
            let far = run_ends.saturating_sub(start) > MOST_BACKSLASHES;
            let candidates = &self.beginnings[usize::from(bytes[start])];
            let length = candidates.iter().find_map(|&encoding| {
                let encoding = &self.encodings[encoding];
                if within && (far || !encoding.begins_with_backslash()) {
                    return None;
                }
                encoding.at(text.get(start..)?)
            })?;
            Some((start, start + length))
        })
    }
}

impl fmt::Debug for KnownSecrets {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(REDACTED)
    }
}

impl Scrub for KnownSecrets {
    fn scrub(&self, text: String) -> String {
        let mut kept = 0;
        let mut scrubbed = String::new();
        while let Some((start, end)) = self.find(&text, kept) {
            scrubbed.push_str(&text[kept..start]);
            scrubbed.push_str(REDACTED);
            kept = end;
        }
        if kept == 0 {
            return text;
        }
        scrubbed.push_str(&text[kept..]);
        scrubbed
    }
}

/// Scrubs every text in a value, names of fields included.
pub fn value(value: Value, scrub: &dyn Scrub) -> Value {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => value,
        Value::String(text) => Value::String(scrub.scrub(text)),
        Value::Array(elements) => elements.into_iter().map(|element| self::value(element, scrub)).collect(),
        Value::Object(fields) => {
            fields.into_iter().map(|(name, field)| (scrub.scrub(name), self::value(field, scrub))).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn secret_is_redacted_in_values_and_names_at_any_depth() {
        let secrets = KnownSecrets::new(["k3y".to_string(), String::new()]);
        let scrubbed = value(json!({"a": ["x k3y y"], "k3y": {"b": "k3y"}}), &secrets);
        assert_eq!(scrubbed, json!({"a": ["x [redacted] y"], "[redacted]": {"b": "[redacted]"}}));
    }

    #[test]
    fn text_of_backslashes_is_looked_through_once_and_a_secret_behind_them_is_found() {
        // At each of them anew this would take many minutes.
        let many = "\\".repeat(1 << 20);
        let secrets = KnownSecrets::new(["sk-canary".to_string(), "\\begins-so".to_string()]);
        assert_eq!(secrets.scrub(format!("{many}sk-canary x")), "[redacted] x");
        assert_eq!(secrets.scrub(many.clone()), many);
        let found = secrets.scrub(format!("{many}begins-so"));
        assert!(found.ends_with("[redacted]") && !found.contains("begins"), "{}", &found[found.len() - 20..]);
    }

    #[test]
    fn secret_is_taken_out_of_bytes_that_are_not_text() {
        let secrets = KnownSecrets::new(["sk-canary".to_string()]);
        let found = secrets.scrub_bytes(b"\xff\x00sk-canary\xfe c2stY2FuYXJ5".to_vec());
        assert_eq!(found, b"\xff\x00[redacted]\xfe [redacted]");
        assert_eq!(secrets.scrub_bytes("ä sk-canary".into()), "ä [redacted]".as_bytes());
        assert_eq!(secrets.scrub_bytes(vec![0xff, 0x80]), [0xff, 0x80]);
    }

    #[test]
    fn secret_that_begins_another_leaves_no_remainder() {
        let secrets = KnownSecrets::new(["abc".to_string(), "abcdef".to_string()]);
        assert_eq!(secrets.scrub("abcdef abc".into()), "[redacted] [redacted]");
    }

    #[test]
    fn every_secret_of_two_sets_is_taken_out_of_texts_in_any_script() {
        let secrets = KnownSecrets::new(["sk-öne/1".to_string()]).and(KnownSecrets::new(["sk-two+2".to_string()]));
        let text = "ü sk-öne/1sk-two+2 %73k-two%2B2 ä sk-öne\\/1".to_string();
        assert_eq!(secrets.scrub(text), "ü [redacted][redacted] [redacted] ä [redacted]");
        assert_eq!(secrets.scrub("ü sk-öne\\".into()), "ü sk-öne\\");
        assert!(!format!("{secrets:?}").contains("sk-"));
    }
}
