//! The secrets that this process knows, so that they are taken out of what it prints and writes down.
//!
//! They belong to the process and are not passed from call to call: every kind of output has to leave them out.

use bailiwick_agent::KnownSecrets;
use bailiwick_agent::transcript::Scrub as _;
use bailiwick_models::Secret;
use std::borrow::Cow;
use std::sync::{PoisonError, RwLock};

/// A shorter value is not redacted: it would be cut out of unrelated texts.
const SHORTEST: usize = 8;

/// The keys that were looked up for a model, from wherever they came.
static KEYS: RwLock<Option<KnownSecrets>> = RwLock::new(None);

/// Takes this key out of everything from now on.
pub(crate) fn learn(key: &Secret) {
    let mut keys = KEYS.write().unwrap_or_else(PoisonError::into_inner);
    *keys = Some(match keys.take() {
        Some(known) => known.and(key.known()),
        None => key.known(),
    });
}

/// What recordings and transcripts must not hold: the keys of models, and the values of environment variables that are
/// named like secrets.
pub(crate) fn known() -> KnownSecrets {
    const NAMES: [&str; 6] = ["KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIALS"];
    let of_environment = KnownSecrets::new(std::env::vars_os().filter_map(|(name, value)| {
        let (name, value) = (name.to_str()?.to_ascii_uppercase(), value.into_string().ok()?);
        let secret = NAMES.iter().any(|end| name.ends_with(end)) && value.len() >= SHORTEST;
        secret.then_some(value)
    }));
    match KEYS.read().unwrap_or_else(PoisonError::into_inner).as_ref() {
        Some(keys) => keys.clone().and(of_environment),
        None => of_environment,
    }
}

/// A text for stdout or stderr without the keys of models.
pub(crate) fn hidden(text: &str) -> Cow<'_, str> {
    match KEYS.read().unwrap_or_else(PoisonError::into_inner).as_ref() {
        Some(keys) => Cow::Owned(keys.scrub(text.to_owned())),
        None => Cow::Borrowed(text),
    }
}
