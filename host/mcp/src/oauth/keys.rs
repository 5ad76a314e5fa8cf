//! Which key of an issuer may have signed a token.

use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, KeyOperations, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey};
use serde::Deserialize;
use serde_json::Value;

/// The longest name of a key.
const NAME: usize = 256;

/// The keys of an issuer (RFC 7517).
#[derive(Default)]
pub(super) struct Keys(Vec<Jwk>);

#[derive(Deserialize)]
struct Document {
    keys: Vec<Value>,
}

impl Keys {
    /// The keys of a document that can be used, at most so many. One that cannot be read hides no other.
    ///
    /// # Errors
    /// It is not a JWK set.
    pub(super) fn read(document: &[u8], most: usize) -> Result<Self, serde_json::Error> {
        let document: Document = serde_json::from_slice(document)?;
        let keys = document.keys.into_iter().take(most).filter_map(|key| serde_json::from_value(key).ok());
        Ok(Self(keys.filter(signs).collect()))
    }

    /// The key that may have signed with this algorithm: the one of this name, or without a name the only one.
    pub(super) fn find(&self, algorithm: Algorithm, name: Option<&str>) -> Option<DecodingKey> {
        let named = |key: &&Jwk| name.is_none_or(|name| key.common.key_id.as_deref() == Some(name));
        let mut fitting = self.0.iter().filter(named).filter(|key| fits(algorithm, key));
        let key = fitting.next()?;
        // Two that fit would be a guess.
        fitting.next().is_none().then(|| DecodingKey::from_jwk(key).ok()).flatten()
    }
}

/// A key name in a token is untrusted: it is only compared with the names of the issuer's keys.
pub(super) fn is_name(name: &str) -> bool {
    !name.is_empty() && name.len() <= NAME
}

fn signs(key: &Jwk) -> bool {
    let common = &key.common;
    common.public_key_use.as_ref().is_none_or(|used| *used == PublicKeyUse::Signature)
        && common.key_operations.as_ref().is_none_or(|operations| operations.contains(&KeyOperations::Verify))
}

/// Whether a key is of the kind that this algorithm takes. No shared secret is.
fn fits(algorithm: Algorithm, key: &Jwk) -> bool {
    use Algorithm as A;
    let kind = match (algorithm, &key.algorithm) {
        (A::RS256 | A::RS384 | A::RS512 | A::PS256 | A::PS384 | A::PS512, AlgorithmParameters::RSA(_)) => true,
        (A::ES256, AlgorithmParameters::EllipticCurve(key)) => key.curve == EllipticCurve::P256,
        (A::ES384, AlgorithmParameters::EllipticCurve(key)) => key.curve == EllipticCurve::P384,
        (A::EdDSA, AlgorithmParameters::OctetKeyPair(key)) => key.curve == EllipticCurve::Ed25519,
        _ => false,
    };
    let said = key.common.key_algorithm.map(|said| format!("{said:?}"));
    kind && said.is_none_or(|said| said == format!("{algorithm:?}"))
}

#[cfg(test)]
mod fuzzing {
    use bailiwick_fuzz::Target;
    use jsonwebtoken::Algorithm;

    #[test]
    fn issuers() {
        const WORDS: &[&str] = &[
            "{\"keys\":[",
            "\"kty\":\"RSA\"",
            "\"kty\":\"oct\",\"k\":\"AAAA\"",
            "\"kty\":\"EC\",\"crv\":\"P-256\"",
            "\"alg\":\"HS256\"",
            "\"use\":\"sig\"",
            "\"kid\":\"a\"",
            "\"n\":\"",
            "\"e\":\"AQAB\"",
            "null",
            "]}",
        ];
        Target { name: "issuers", words: WORDS }.run(|bytes| {
            let Ok(keys) = super::Keys::read(bytes, 8) else { return };
            assert!(keys.0.len() <= 8);
            for name in [None, Some("a")] {
                let _ = keys.find(Algorithm::RS256, name);
                // A shared secret does not say who signed.
                assert!(keys.find(Algorithm::HS256, name).is_none());
            }
        });
    }
}
