//! Whether a token is good (RFC 9068, RFC 8725).

use super::issuer::IssuerError;
use super::keyring::{Keyring, NoKey};
use super::keys::is_name;
use super::settings::{OAuthLimits, Resource};
use super::signature;
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{Algorithm, Header, Validation, decode, decode_header, get_current_timestamp};
use serde::Deserialize;
use serde_json::Value;
use std::time::Duration;

/// What a token may be signed with: public keys only.
const ALGORITHMS: [Algorithm; 9] = [
    Algorithm::RS256,
    Algorithm::RS384,
    Algorithm::RS512,
    Algorithm::PS256,
    Algorithm::PS384,
    Algorithm::PS512,
    Algorithm::ES256,
    Algorithm::ES384,
    Algorithm::EdDSA,
];

/// Why a token is refused. The texts are for the client that sent it and contain nothing of the token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// Longer than any valid token.
    #[error("the token is too long")]
    TooLong,
    /// No JSON Web Token.
    #[error("the token is not a JSON Web Token")]
    Malformed,
    /// `none`, a shared secret, or something unknown.
    #[error("the token is not signed with a key of the kinds that are taken")]
    Algorithm,
    /// Something else than an access token, such as an identity token with a type of its own.
    #[error("the token is not an access token")]
    Kind,
    /// Something in its header that has to be understood and is not.
    #[error("the token asks for what is not supported")]
    Critical,
    /// No key of the issuer fits.
    #[error("the token is signed with a key that the issuer does not have")]
    UnknownKey,
    /// Changed, or signed with another key.
    #[error("the signature of the token is wrong")]
    Signature,
    /// Its time is over.
    #[error("the token has expired")]
    Expired,
    /// Its time has not come.
    #[error("the token is not valid yet")]
    TooEarly,
    /// Of another issuer.
    #[error("the token is of another issuer")]
    Issuer,
    /// For another server.
    #[error("the token is for another server")]
    Audience,
    /// Without one of `exp`, `iss`, `aud` and `sub`, or with one of another type.
    #[error("the token lacks what an access token has")]
    Claims,
    /// It allows something else.
    #[error("the token does not allow this")]
    Scope,
    /// Not the token's fault.
    #[error("the issuer cannot be asked for its keys")]
    Unreachable,
}

/// What a good token says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verified {
    /// Whose it is.
    pub subject: String,
    /// The subject and the program that the token was given to: one person's two programs are two clients.
    pub client: String,
    /// How long it is still good, the clocks' difference included.
    pub remaining: Duration,
}

#[derive(Deserialize)]
struct Claims {
    exp: f64,
    iss: String,
    sub: String,
    #[serde(default)]
    client_id: Option<String>,
    #[serde(default)]
    azp: Option<String>,
    #[serde(default)]
    iat: Option<f64>,
    #[serde(default)]
    scope: Option<String>,
    /// What some issuers write in place of `scope`, as a text or as a list.
    #[serde(default)]
    scp: Option<Value>,
}

/// Judges tokens for one resource.
pub struct Guard {
    resource: Resource,
    limits: OAuthLimits,
    keys: Keyring,
}

impl Guard {
    /// Nothing is asked of the issuer before the first token is shown.
    ///
    /// # Errors
    /// This machine has no certificates to check an issuer by.
    pub fn new(resource: Resource, limits: OAuthLimits) -> Result<Self, String> {
        signature::install();
        let keys = Keyring::new(&resource.issuer, &limits).map_err(|error: IssuerError| error.to_string())?;
        Ok(Self { resource, limits, keys })
    }

    /// What tokens have to be for.
    #[must_use]
    pub fn resource(&self) -> &Resource {
        &self.resource
    }

    /// Judges one token.
    ///
    /// # Errors
    /// It is not taken.
    pub async fn judge(&self, token: &str) -> Result<Verified, Refused> {
        if token.len() > self.limits.token_bytes {
            return Err(Refused::TooLong);
        }
        let header = self.header(token)?;
        let key = self.keys.key(header.alg, header.kid.as_deref()).await.map_err(|no_key| match no_key {
            NoKey::Unknown => Refused::UnknownKey,
            NoKey::Unreachable => Refused::Unreachable,
        })?;
        let claims =
            decode::<Claims>(token, &key, &self.validation(header.alg)).map_err(|error| refused(error.kind()))?.claims;
        let (now, skew) = (get_current_timestamp(), self.limits.skew);
        #[expect(clippy::cast_precision_loss, reason = "seconds since 1970 are exact in a float for ages")]
        let now = now as f64;
        // Everybody without a name would be one person.
        if claims.sub.is_empty() {
            return Err(Refused::Claims);
        }
        // A list of issuers is refused, even if one of them is right.
        if claims.iss != self.resource.issuer {
            return Err(Refused::Issuer);
        }
        if claims.iat.is_some_and(|issued| issued > now + skew.as_secs_f64()) {
            return Err(Refused::TooEarly);
        }
        if !self.resource.scopes.iter().all(|scope| claims.allows(scope)) {
            return Err(Refused::Scope);
        }
        let remaining = Duration::try_from_secs_f64(claims.exp - now).unwrap_or_default() + skew;
        Ok(Verified { client: claims.client(), subject: claims.sub, remaining })
    }

    /// What a token says of itself before it is believed. Places to fetch keys from (`jku`, `x5u`) and keys that a token
    /// brings along are not looked at.
    fn header(&self, token: &str) -> Result<Header, Refused> {
        let header = decode_header(token).map_err(|error| match error.kind() {
            ErrorKind::Json(_) | ErrorKind::InvalidAlgorithmName | ErrorKind::InvalidAlgorithm => Refused::Algorithm,
            _ => Refused::Malformed,
        })?;
        if !ALGORITHMS.contains(&header.alg) {
            return Err(Refused::Algorithm);
        }
        // RFC 9068 has `at+jwt`; many issuers write `JWT`. Whatever else it is, it is something else.
        let kind = header.typ.as_deref().unwrap_or("JWT");
        let kind = kind.strip_prefix("application/").unwrap_or(kind);
        if !["at+jwt", "JWT"].iter().any(|known| kind.eq_ignore_ascii_case(known)) {
            return Err(Refused::Kind);
        }
        if header.crit.is_some() || header.enc.is_some() || header.zip.is_some() {
            return Err(Refused::Critical);
        }
        if header.kid.as_deref().is_some_and(|name| !is_name(name)) {
            return Err(Refused::UnknownKey);
        }
        Ok(header)
    }

    fn validation(&self, algorithm: Algorithm) -> Validation {
        let mut validation = Validation::new(algorithm);
        validation.leeway = self.limits.skew.as_secs();
        validation.validate_nbf = true;
        validation.set_audience(&[&self.resource.audience]);
        validation.set_issuer(&[&self.resource.issuer]);
        validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        validation
    }
}

impl Claims {
    fn allows(&self, scope: &str) -> bool {
        let within = |text: &str| text.split(' ').any(|allowed| allowed == scope);
        self.scope.as_deref().is_some_and(within)
            || match &self.scp {
                Some(Value::String(text)) => within(text),
                Some(Value::Array(items)) => items.iter().any(|item| item.as_str() == Some(scope)),
                _ => false,
            }
    }

    /// Subject and program together, as no other two are written.
    fn client(&self) -> String {
        let program = self.client_id.as_deref().or(self.azp.as_deref()).unwrap_or_default();
        Value::from([self.sub.as_str(), program].as_slice()).to_string()
    }
}

fn refused(kind: &ErrorKind) -> Refused {
    match kind {
        ErrorKind::InvalidSignature => Refused::Signature,
        ErrorKind::ExpiredSignature => Refused::Expired,
        ErrorKind::ImmatureSignature => Refused::TooEarly,
        ErrorKind::InvalidIssuer => Refused::Issuer,
        ErrorKind::InvalidAudience => Refused::Audience,
        ErrorKind::InvalidAlgorithm | ErrorKind::InvalidKeyFormat => Refused::Algorithm,
        ErrorKind::Base64(_) | ErrorKind::InvalidToken => Refused::Malformed,
        _ => Refused::Claims,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_programs_have_one_name_whatever_an_issuer_calls_them() {
        let name = |subject: &str, program: &str| {
            let claims = serde_json::json!({ "exp": 0, "iss": "", "sub": subject, "client_id": program });
            serde_json::from_value::<Claims>(claims).unwrap().client()
        };
        let names = [("a", "b"), ("a\nb", ""), ("a", "\nb"), ("a\n", "b"), ("a\",\"b", ""), ("a", "\",\"b")];
        let all: std::collections::BTreeSet<String> = names.iter().map(|(one, two)| name(one, two)).collect();
        assert_eq!(all.len(), names.len(), "{all:?}");
    }
}
