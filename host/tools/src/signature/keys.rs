//! Whose signatures count, by the source that a tool comes from.
//!
//! A source is `files`, a host of registries (`registry.example.com`), a host and the beginning of its repositories
//! (`registry.example.com/team`), or `*` for every source that no other one names. The narrowest one that fits counts,
//! and no other.

use super::Origin;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// Tools of files that a person names.
pub const FILES: &str = "files";
/// Every source that has no keys of its own.
pub const ANY: &str = "*";

/// Bytes before the id in a key and in a signature: what kind it is.
const KIND: usize = 2;
const ID: usize = 8;

/// The keys that a person named.
#[derive(Debug, Clone, Default)]
pub struct TrustedKeys {
    sources: Vec<(String, Vec<Key>)>,
}

#[derive(Debug, Clone)]
pub(super) struct Key {
    pub(super) key: minisign_verify::PublicKey,
    pub(super) id: String,
}

/// Why a source or a key cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KeyError {
    /// A source is not written as one.
    #[error("`{}` is not a source of tools", .0.escape_debug())]
    Source(String),
    /// It has an empty list, which would mean anything or nothing.
    #[error("the source `{0}` names no key")]
    NoKeys(String),
    /// A key is not one.
    #[error("key {number} of the source `{source_name}` is not a minisign public key")]
    Key {
        /// The source.
        source_name: String,
        /// Counted from 1.
        number: usize,
    },
}

impl TrustedKeys {
    /// Reads sources and their keys, each the one line of text that `minisign -G` prints and writes to `minisign.pub`.
    ///
    /// # Errors
    /// A source or a key is not written as one.
    pub fn parse(sources: impl IntoIterator<Item = (String, Vec<String>)>) -> Result<Self, KeyError> {
        let mut parsed = Vec::new();
        for (source, texts) in sources {
            if !is_source(&source) {
                return Err(KeyError::Source(source));
            }
            if texts.is_empty() {
                return Err(KeyError::NoKeys(source));
            }
            let key = |(number, text): (usize, &String)| {
                let wrong = || KeyError::Key { source_name: source.clone(), number: number + 1 };
                let key = minisign_verify::PublicKey::from_base64(text.trim()).map_err(|_| wrong())?;
                Ok(Key { key, id: id_of(text.trim()).ok_or_else(wrong)? })
            };
            let keys = texts.iter().enumerate().map(key).collect::<Result<_, _>>()?;
            parsed.push((source.to_ascii_lowercase(), keys));
        }
        Ok(Self { sources: parsed })
    }

    /// Whether a tool of this origin has to be signed.
    #[must_use]
    pub fn ask(&self, origin: &Origin) -> bool {
        self.of(origin).is_some()
    }

    /// The keys of the narrowest source that an origin is of, with that source; `None` where no key is asked for.
    pub(super) fn of(&self, origin: &Origin) -> Option<(&str, &[Key])> {
        let place = match origin {
            Origin::File => FILES.to_owned(),
            Origin::Registry(reference) => reference.source(),
        };
        let within = |source: &str| {
            source == ANY || place.strip_prefix(source).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        // `*` is shorter than any other, and what is within has the same beginning.
        let narrowest = self.sources.iter().filter(|(source, _)| within(source)).max_by_key(|(source, _)| source.len());
        narrowest.map(|(source, keys)| (source.as_str(), keys.as_slice()))
    }
}

fn is_source(source: &str) -> bool {
    if source == FILES || source == ANY {
        return true;
    }
    // A host is one of a reference, and so is what may come after it.
    let whole = if source.contains('/') { format!("oci://{source}") } else { format!("oci://{source}/tool") };
    whole.parse::<crate::oci::Reference>().is_ok_and(|reference| {
        let written = reference.source();
        written == source.to_ascii_lowercase() || written == format!("{}/tool", source.to_ascii_lowercase())
    })
}

/// The id of a public key, as minisign prints it.
fn id_of(key: &str) -> Option<String> {
    let bytes = STANDARD.decode(key).ok()?;
    // Little-endian, which is how minisign reads it as a number.
    Some(bytes.get(KIND..KIND + ID)?.iter().rev().map(|byte| format!("{byte:02X}")).collect())
}

/// The id of the key that made a signature, from the text of its file.
pub(super) fn id_in(signature: &str) -> Option<String> {
    id_of(signature.lines().nth(1)?)
}
