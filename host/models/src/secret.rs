//! A key, which nothing prints.

use std::fmt;

use bailiwick_agent::transcript::REDACTED;

/// A key of a provider. It has no `Display`, its `Debug` says nothing, and nothing serialises it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// A key, without the white space around it. `None` if it is empty or cannot stand in the header of a request.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        let usable = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
        usable.then(|| Self(text.to_owned()))
    }

    /// The key itself, for the request alone.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }

    /// The text without the key: a provider may repeat what it was sent.
    #[must_use]
    pub fn scrub(&self, text: String) -> String {
        if text.contains(&self.0) { text.replace(&self.0, REDACTED) } else { text }
    }
}

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
    }

    #[test]
    fn key_that_would_break_a_header_is_none() {
        for text in ["", "  ", "a\nb", "a b", "schlüssel"] {
            assert!(Secret::new(text).is_none(), "{text:?}");
        }
    }
}
