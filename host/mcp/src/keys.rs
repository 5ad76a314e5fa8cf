//! The keys under which this server seals what others carry for it: the state of a question that a client sends back, and
//! what replicas of this server tell one another.
//!
//! A server alone has a key that ends with its process. Replicas share theirs, so that one opens what another sealed. The
//! first key seals; all of them open, so that a key can be replaced while sealed states are about.

mod message;

use crate::failure::Failure;
use bailiwick_base::random;
use bailiwick_base::text::hex;
use ring::hmac;
use rmcp::model::RequestStateCodec;
use std::io;
use std::sync::Arc;

/// Fewest bytes of a key.
pub const SHORTEST: usize = 32;
/// How long the names of keys are, which stand in what was sealed.
const NAME: usize = 8;

/// Why keys cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadKeys {
    /// No key is given.
    #[error("there is no key")]
    None,
    /// One is too short.
    #[error("a key has less than {SHORTEST} bytes")]
    Short,
    /// Two are the same.
    #[error("two keys are the same")]
    Twice,
}

/// What sealed states of questions are for: a state of one kind is refused as one of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Questions to a person about a run.
    Approval,
    /// Prompts for the client's model.
    Sampling,
    /// Questions of added tools.
    AddedTool,
}

impl Kind {
    fn label(self) -> &'static [u8] {
        match self {
            Self::Approval => b"approval",
            Self::Sampling => b"sampling",
            Self::AddedTool => b"added tool",
        }
    }
}

/// One key or several.
#[derive(Clone)]
pub struct Keys(Arc<[hmac::Key]>);

impl Keys {
    /// A key that this process alone knows.
    ///
    /// # Errors
    /// The system has no random bytes.
    pub fn of_this_process() -> Result<Self, Failure> {
        let key = random::bytes::<SHORTEST>().map_err(|error| no_random_bytes(&error))?;
        Ok(Self([hmac::Key::new(hmac::HMAC_SHA256, &key)].into()))
    }

    /// Keys that others have, too. The first one seals.
    ///
    /// # Errors
    /// No key is given, one is too short, or two are the same.
    pub fn shared<'a>(keys: impl IntoIterator<Item = &'a [u8]>) -> Result<Self, BadKeys> {
        let keys: Vec<_> = keys.into_iter().collect();
        if keys.iter().any(|key| key.len() < SHORTEST) {
            return Err(BadKeys::Short);
        }
        if keys.iter().enumerate().any(|(place, key)| keys[..place].contains(key)) {
            return Err(BadKeys::Twice);
        }
        match keys.is_empty() {
            true => Err(BadKeys::None),
            false => Ok(Self(keys.into_iter().map(|key| hmac::Key::new(hmac::HMAC_SHA256, key)).collect())),
        }
    }

    /// Seals and opens states of this kind.
    ///
    /// # Errors
    /// None that a key from [`Keys::shared`] leads to.
    pub(crate) fn states(&self, kind: Kind) -> Result<RequestStateCodec, Failure> {
        let named = |key: &hmac::Key| (hex(&derived(key, b"name", &[])[..NAME]), derived(key, b"state", kind.label()));
        let keys: Vec<_> = self.0.iter().map(named).collect();
        let sealing = keys[0].0.clone();
        let keys = keys.into_iter().map(|(name, key)| (name, key.to_vec()));
        RequestStateCodec::new_with_keyring(sealing, keys).map_err(|error| Failure::new(error.to_string()))
    }
}

impl std::fmt::Debug for Keys {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Keys")
    }
}

/// A key for one use of a key.
fn derived(key: &hmac::Key, purpose: &[u8], label: &[u8]) -> [u8; 32] {
    let mut context = hmac::Context::with_key(key);
    for part in [b"bailiwick/".as_slice(), purpose, b"/", label] {
        context.update(part);
    }
    let mut bytes = [0; 32];
    bytes.copy_from_slice(context.sign().as_ref());
    bytes
}

fn no_random_bytes(error: &io::Error) -> Failure {
    Failure::new(format!("the system has no random bytes: {error}"))
}

#[cfg(test)]
mod tests;
