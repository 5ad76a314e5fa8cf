//! The arithmetic of signatures, which is ring's. Nothing is signed here, and there are no shared secrets.

use jsonwebtoken::crypto::{CryptoProvider, JwkUtils, JwtSigner, JwtVerifier};
use jsonwebtoken::errors::{Error, ErrorKind};
use jsonwebtoken::signature::{Error as SignatureError, Verifier};
use jsonwebtoken::{Algorithm, AlgorithmFamily, DecodingKey, DecodingKeyKind, EncodingKey};
use ring::signature::{self, RsaParameters, RsaPublicKeyComponents, UnparsedPublicKey, VerificationAlgorithm};

static PROVIDER: CryptoProvider = CryptoProvider {
    signer_factory: no_signer,
    verifier_factory: verifier,
    // This module does not parse keys itself.
    jwk_utils: JwkUtils::new_unimplemented(),
};

/// Makes this the arithmetic of the process. Before any token is looked at.
pub(super) fn install() {
    // An error says that it was done before.
    let _ = PROVIDER.install_default();
}

fn no_signer(_: &Algorithm, _: &EncodingKey) -> Result<Box<dyn JwtSigner>, Error> {
    Err(ErrorKind::InvalidAlgorithm.into())
}

fn verifier(algorithm: &Algorithm, key: &DecodingKey) -> Result<Box<dyn JwtVerifier>, Error> {
    let method = Method::of(*algorithm).ok_or(ErrorKind::InvalidAlgorithm)?;
    if key.family() != method.family() {
        return Err(ErrorKind::InvalidKeyFormat.into());
    }
    Ok(Box::new(Signed { algorithm: *algorithm, method, key: key.clone() }))
}

/// How ring checks one algorithm.
enum Method {
    Rsa(&'static RsaParameters),
    Curve(AlgorithmFamily, &'static dyn VerificationAlgorithm),
}

impl Method {
    /// The kind of key that it takes.
    fn family(&self) -> AlgorithmFamily {
        match self {
            Self::Rsa(_) => AlgorithmFamily::Rsa,
            Self::Curve(family, _) => *family,
        }
    }

    /// `None` for everything with a shared secret.
    fn of(algorithm: Algorithm) -> Option<Self> {
        Some(match algorithm {
            Algorithm::RS256 => Self::Rsa(&signature::RSA_PKCS1_2048_8192_SHA256),
            Algorithm::RS384 => Self::Rsa(&signature::RSA_PKCS1_2048_8192_SHA384),
            Algorithm::RS512 => Self::Rsa(&signature::RSA_PKCS1_2048_8192_SHA512),
            Algorithm::PS256 => Self::Rsa(&signature::RSA_PSS_2048_8192_SHA256),
            Algorithm::PS384 => Self::Rsa(&signature::RSA_PSS_2048_8192_SHA384),
            Algorithm::PS512 => Self::Rsa(&signature::RSA_PSS_2048_8192_SHA512),
            Algorithm::ES256 => Self::Curve(AlgorithmFamily::Ec, &signature::ECDSA_P256_SHA256_FIXED),
            Algorithm::ES384 => Self::Curve(AlgorithmFamily::Ec, &signature::ECDSA_P384_SHA384_FIXED),
            Algorithm::EdDSA => Self::Curve(AlgorithmFamily::Ed, &signature::ED25519),
            _ => return None,
        })
    }
}

struct Signed {
    algorithm: Algorithm,
    method: Method,
    key: DecodingKey,
}

impl Verifier<Vec<u8>> for Signed {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> Result<(), SignatureError> {
        let checked = match (&self.method, self.key.kind()) {
            (Method::Rsa(parameters), DecodingKeyKind::RsaModulusExponent { n, e }) => {
                RsaPublicKeyComponents { n, e }.verify(parameters, message, signature)
            }
            (Method::Curve(_, algorithm), DecodingKeyKind::SecretOrDer(key)) => {
                UnparsedPublicKey::new(*algorithm, key).verify(message, signature)
            }
            _ => return Err(SignatureError::new()),
        };
        checked.map_err(|_| SignatureError::new())
    }
}

impl JwtVerifier for Signed {
    fn algorithm(&self) -> Algorithm {
        self.algorithm
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of RFC 7515, appendix A.2.
    const N: &str = "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ";
    const MESSAGE: &[u8] = b"eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ";
    const SIGNATURE: &str = "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw";

    #[test]
    fn example_of_the_standard_holds_and_nothing_near_it() {
        install();
        let key = DecodingKey::from_rsa_components(N, "AQAB").unwrap();
        let holds =
            |message: &[u8], algorithm| jsonwebtoken::crypto::verify(SIGNATURE, message, &key, algorithm).unwrap();
        assert!(holds(MESSAGE, Algorithm::RS256));
        assert!(!holds(&MESSAGE[1..], Algorithm::RS256));
        assert!(!holds(MESSAGE, Algorithm::PS256) && !holds(MESSAGE, Algorithm::RS512));
    }

    #[test]
    fn shared_secret_and_key_of_another_kind_check_nothing() {
        install();
        let secret = DecodingKey::from_secret(N.as_bytes());
        let rsa = DecodingKey::from_rsa_components(N, "AQAB").unwrap();
        for (key, algorithm) in [
            (&secret, Algorithm::HS256),
            (&secret, Algorithm::RS256),
            (&rsa, Algorithm::HS256),
            (&rsa, Algorithm::ES256),
            (&rsa, Algorithm::EdDSA),
        ] {
            assert!(jsonwebtoken::crypto::verify(SIGNATURE, MESSAGE, key, algorithm).is_err(), "{algorithm:?}");
        }
    }
}
