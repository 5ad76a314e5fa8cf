//! SHA-256 of what a person is shown, so that nothing else passes for it.

use bailiwick_base::text::hex;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

/// What stands before the hexadecimal digits.
const PREFIX: &str = "sha256:";

/// A SHA-256, written `sha256:` and 64 lower-case hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Digest(String);

/// It is not written as a digest is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a digest is `sha256:` and 64 hexadecimal digits in lower case")]
pub struct NoDigest;

impl Digest {
    /// That of some bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(hex(&Sha256::digest(bytes)))
    }

    /// From 64 hexadecimal digits without the prefix.
    ///
    /// # Errors
    /// They are not 64 hexadecimal digits in lower case.
    pub fn from_hex(digits: &str) -> Result<Self, NoDigest> {
        let plain = digits.len() == 64 && digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        if plain { Ok(Self(digits.to_owned())) } else { Err(NoDigest) }
    }

    /// The 64 digits alone.
    #[must_use]
    pub fn hex(&self) -> &str {
        &self.0
    }

    /// So much of it as a person compares at a glance.
    #[must_use]
    pub fn short(&self) -> &str {
        &self.0[..16]
    }
}

impl FromStr for Digest {
    type Err = NoDigest;

    fn from_str(text: &str) -> Result<Self, NoDigest> {
        Self::from_hex(text.strip_prefix(PREFIX).ok_or(NoDigest)?)
    }
}

impl TryFrom<String> for Digest {
    type Error = NoDigest;

    fn try_from(text: String) -> Result<Self, NoDigest> {
        text.parse()
    }
}

impl From<Digest> for String {
    fn from(digest: Digest) -> Self {
        digest.to_string()
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{PREFIX}{}", self.0)
    }
}

impl JsonSchema for Digest {
    fn schema_name() -> Cow<'static, str> {
        "Digest".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^sha256:[0-9a-f]{64}$" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digest_is_written_in_one_way_only() {
        let digest = Digest::of(b"abc");
        let text = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(digest.to_string(), text);
        assert_eq!(text.parse(), Ok(digest));
        for other in ["", "sha256:", &text[7..], &text.to_uppercase(), &format!("{text}0"), "sha256:../../etc/passwd"] {
            assert_eq!(other.parse::<Digest>(), Err(NoDigest), "{other}");
        }
    }
}
