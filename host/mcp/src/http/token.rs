//! A fixed token, which every request has to show.

use bailiwick_base::random;
use bailiwick_base::text::hex;
use std::io;
use std::sync::Arc;

/// What every request has to show.
#[derive(Clone)]
pub struct Token(Arc<str>);

impl Token {
    /// A token that cannot be guessed.
    ///
    /// # Errors
    /// The system has no random bytes.
    pub fn generate() -> io::Result<Self> {
        Ok(Self(hex(&random::bytes::<32>()?).into()))
    }

    /// This one; `None` if it is shorter than 32 characters or could not stand in a header.
    #[must_use]
    pub fn given(text: &str) -> Option<Self> {
        let usable = text.len() >= 32 && text.bytes().all(|byte| byte.is_ascii_graphic());
        usable.then(|| Self(text.into()))
    }

    /// The token itself, to be shown to a person once.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Compares in a time that does not depend on where they differ.
    pub(super) fn is(&self, other: &[u8]) -> bool {
        let own = self.0.as_bytes();
        let differing = own.iter().zip(other).fold(0, |differing, (left, right)| differing | (left ^ right));
        own.len() == other.len() && differing == 0
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Token")
    }
}
