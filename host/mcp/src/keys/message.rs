//! Sealed messages: what replicas tell one another and keep in their registry.

use super::{Keys, derived, no_random_bytes};
use crate::failure::Failure;
use bailiwick_base::random;
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, Nonce, UnboundKey};
use ring::hmac;

/// Bytes of what makes each message's key its own.
const SALT: usize = 32;

impl Keys {
    /// Seals a message: only who has a key can read or change it. `about` says what it is and is needed to open it.
    ///
    /// # Errors
    /// The system has no random bytes.
    pub(crate) fn seal(&self, about: &str, message: &[u8]) -> Result<Vec<u8>, Failure> {
        let salt = random::bytes::<SALT>().map_err(|error| no_random_bytes(&error))?;
        let mut sealed = message.to_vec();
        cipher(&self.0[0], &salt)
            .and_then(|key| key.seal_in_place_append_tag(once(), Aad::from(about.as_bytes()), &mut sealed).ok())
            .ok_or_else(|| Failure::new("a message could not be sealed"))?;
        Ok([&salt[..], &sealed].concat())
    }

    /// The message in what was sealed under one of these keys, and about this; `None` where it was not.
    pub(crate) fn open(&self, about: &str, sealed: &[u8]) -> Option<Vec<u8>> {
        let (salt, sealed) = sealed.split_at_checked(SALT)?;
        self.0.iter().find_map(|key| {
            let mut message = sealed.to_vec();
            let opened = cipher(key, salt)?.open_in_place(once(), Aad::from(about.as_bytes()), &mut message).ok()?;
            Some(opened.to_vec())
        })
    }
}

/// The cipher of one message: its salt makes the key its own.
fn cipher(key: &hmac::Key, salt: &[u8]) -> Option<LessSafeKey> {
    UnboundKey::new(&CHACHA20_POLY1305, &derived(key, b"message", salt)).ok().map(LessSafeKey::new)
}

/// Each key seals one message, so each has the same nonce.
fn once() -> Nonce {
    Nonce::assume_unique_for_key([0; 12])
}
