//! Takes secrets out of what is written down.

use serde_json::Value;

/// What stands where a secret was.
pub const REDACTED: &str = "[redacted]";

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

/// Takes out secrets whose values are known, wherever they stand: an API key that a tool's output repeats.
pub struct KnownSecrets(Vec<String>);

impl KnownSecrets {
    /// Empty values are passed over.
    pub fn new(values: impl IntoIterator<Item = String>) -> Self {
        let mut values: Vec<String> = values.into_iter().filter(|value| !value.is_empty()).collect();
        // The longest goes first: a secret may be the beginning of another.
        values.sort_by_key(|value| std::cmp::Reverse(value.len()));
        Self(values)
    }
}

impl Scrub for KnownSecrets {
    fn scrub(&self, mut text: String) -> String {
        for secret in &self.0 {
            if text.contains(secret) {
                text = text.replace(secret, REDACTED);
            }
        }
        text
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
    fn secret_that_begins_another_leaves_no_remainder() {
        let secrets = KnownSecrets::new(["abc".to_string(), "abcdef".to_string()]);
        assert_eq!(secrets.scrub("abcdef abc".into()), "[redacted] [redacted]");
    }
}
