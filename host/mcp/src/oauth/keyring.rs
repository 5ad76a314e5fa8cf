//! The keys that are known, and when the issuer is asked for them again.
//!
//! Any sender of a token can name an unknown key. So the issuer is asked at a limited rate, by one request at a
//! time, and tokens with a known key never wait for that request.

use super::issuer::{Issuer, IssuerError};
use super::keys::Keys;
use super::settings::OAuthLimits;
use jsonwebtoken::{Algorithm, DecodingKey};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Instant;
use tokio::sync::Mutex;

/// Why there is no key for a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoKey {
    /// The issuer has none that fits.
    Unknown,
    /// The issuer cannot be asked.
    Unreachable,
}

struct Known {
    keys: Arc<Keys>,
    since: Instant,
}

pub(super) struct Keyring {
    issuer: Issuer,
    limits: OAuthLimits,
    known: RwLock<Option<Known>>,
    /// When the issuer was last asked. The holder of the lock is the one that asks.
    asked: Mutex<Option<Instant>>,
}

impl Keyring {
    pub(super) fn new(issuer: &str, limits: &OAuthLimits) -> Result<Self, IssuerError> {
        let issuer = Issuer::new(issuer, limits)?;
        Ok(Self { issuer, limits: limits.clone(), known: RwLock::new(None), asked: Mutex::new(None) })
    }

    /// The key that may have signed with this algorithm.
    pub(super) async fn key(&self, algorithm: Algorithm, name: Option<&str>) -> Result<DecodingKey, NoKey> {
        let find = || self.keys().map(|keys| keys.find(algorithm, name).ok_or(NoKey::Unknown));
        if let Some(Ok(key)) = find() {
            return Ok(key);
        }
        let mut asked = self.asked.lock().await;
        // Another request may have asked meanwhile.
        if let Some(Ok(key)) = find() {
            return Ok(key);
        }
        if asked.is_none_or(|asked| asked.elapsed() >= self.limits.between_questions) {
            let answer = self.issuer.keys().await;
            *asked = Some(Instant::now());
            match answer {
                Ok(keys) => {
                    let known = Known { keys: Arc::new(keys), since: Instant::now() };
                    *self.known.write().unwrap_or_else(PoisonError::into_inner) = Some(known);
                }
                // For the operator: what a client is told names no place.
                Err(error) => tracing::warn!(%error, "the issuer's keys cannot be had"),
            }
        }
        find().unwrap_or(Err(NoKey::Unreachable))
    }

    /// The keys, if they are not too old.
    fn keys(&self) -> Option<Arc<Keys>> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.as_ref().filter(|known| known.since.elapsed() < self.limits.keys_valid).map(|known| known.keys.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::net::TcpListener;
    use std::sync::Mutex as StdMutex;
    use std::time::Duration;

    /// A stand-in for an issuer: tells where its keys are, and counts how often it is asked for them.
    struct StandIn {
        url: String,
        names: Arc<StdMutex<Vec<&'static str>>>,
        asked: Arc<StdMutex<usize>>,
    }

    fn stand_in(names: &[&'static str]) -> StandIn {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let standing =
            StandIn { url: url.clone(), names: Arc::new(StdMutex::new(names.to_vec())), asked: Arc::default() };
        let (names, asked) = (standing.names.clone(), standing.asked.clone());
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let mut head = [0; 4096];
                let read = stream.read(&mut head).unwrap();
                let body = if head[..read].starts_with(b"GET /keys") {
                    *asked.lock().unwrap() += 1;
                    let key = |name: &&str| {
                        format!(
                            "{{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"{}\",\"kid\":\"{name}\"}}",
                            "A".repeat(43)
                        )
                    };
                    format!("{{\"keys\":[{}]}}", names.lock().unwrap().iter().map(key).collect::<Vec<_>>().join(","))
                } else {
                    format!("{{\"issuer\":\"{url}\",\"jwks_uri\":\"{url}/keys\"}}")
                };
                let length = body.len();
                let _ =
                    write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}");
            }
        });
        standing
    }

    fn limits(between_questions: Duration, keys_valid: Duration) -> OAuthLimits {
        OAuthLimits {
            answer: Duration::from_secs(60),
            document_bytes: 1 << 16,
            keys: 8,
            keys_valid,
            between_questions,
            token_bytes: 1 << 12,
            skew: Duration::ZERO,
        }
    }

    const AGES: Duration = Duration::from_secs(1 << 20);

    #[tokio::test]
    async fn issuer_is_asked_once_whatever_keys_tokens_name() {
        let issuer = stand_in(&["a"]);
        let keyring = Keyring::new(&issuer.url, &limits(AGES, AGES)).unwrap();
        for index in 0..50 {
            let name = format!("https://attacker.example/{index}");
            assert_eq!(keyring.key(Algorithm::EdDSA, Some(&name)).await.err(), Some(NoKey::Unknown));
        }
        assert!(keyring.key(Algorithm::EdDSA, Some("a")).await.is_ok());
        assert!(keyring.key(Algorithm::EdDSA, None).await.is_ok(), "the only one");
        assert_eq!(keyring.key(Algorithm::ES256, Some("a")).await.err(), Some(NoKey::Unknown), "of another kind");
        assert_eq!(keyring.key(Algorithm::HS256, Some("a")).await.err(), Some(NoKey::Unknown), "a shared secret");
        assert_eq!(*issuer.asked.lock().unwrap(), 1);
    }

    #[tokio::test]
    async fn new_key_is_learned_and_an_old_one_forgotten() {
        let issuer = stand_in(&["a"]);
        let keyring = Keyring::new(&issuer.url, &limits(Duration::ZERO, AGES)).unwrap();
        assert!(keyring.key(Algorithm::EdDSA, Some("a")).await.is_ok());
        *issuer.names.lock().unwrap() = vec!["b", "c"];
        assert!(keyring.key(Algorithm::EdDSA, Some("b")).await.is_ok());
        assert_eq!(keyring.key(Algorithm::EdDSA, Some("a")).await.err(), Some(NoKey::Unknown));
        assert_eq!(keyring.key(Algorithm::EdDSA, None).await.err(), Some(NoKey::Unknown), "one of two is a guess");
    }

    #[tokio::test]
    async fn keys_that_are_too_old_are_not_used_when_the_issuer_is_gone() {
        let keyring = Keyring::new("http://127.0.0.1:1", &limits(Duration::ZERO, AGES)).unwrap();
        assert_eq!(keyring.key(Algorithm::EdDSA, Some("a")).await.err(), Some(NoKey::Unreachable));
        let issuer = stand_in(&["a"]);
        let keyring = Keyring::new(&issuer.url, &limits(AGES, Duration::ZERO)).unwrap();
        assert_eq!(keyring.key(Algorithm::EdDSA, Some("a")).await.err(), Some(NoKey::Unreachable));
    }
}
