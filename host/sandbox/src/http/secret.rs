//! A header that the host adds and the component never sees.

use super::host::{Host, HostError};
use super::policy::belongs_to_the_connection;
use super::rule::Scheme;
use bailiwick_audit::KnownSecrets;
use http::{HeaderName, HeaderValue, header};
use std::fmt;

/// A header with a secret in it, for one host over TLS.
#[derive(Clone)]
pub struct HeaderSecret {
    host: Host,
    header: HeaderName,
    value: HeaderValue,
    secret: String,
}

/// Why a secret cannot be put into a header. Nothing here holds it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HeaderSecretError {
    /// Its host cannot be read. There is no `*`: a secret is one host's.
    #[error("`{}` is not a host: {reason}", .host.escape_debug())]
    Host {
        /// The host as it was written.
        host: String,
        /// Why.
        reason: HostError,
    },
    /// No name of a header, or that of one by which a request is read.
    #[error("`{}` is not a header that can hold a secret", .0.escape_debug())]
    Header(String),
    /// The prefix is more than words in ASCII.
    #[error("the prefix is not printable ASCII")]
    Prefix,
    /// The secret is empty, or has characters that no header has.
    #[error("the secret is empty or not printable ASCII")]
    Value,
    /// The secret is so short that it would be taken out of any text.
    #[error("the secret has fewer than {0} characters")]
    Short(usize),
}

/// A secret shorter than this is found in texts that have nothing to do with it.
const SHORTEST: usize = 8;

/// Headers that say how a request or its answer is to be read.
const HOW_TO_READ: [HeaderName; 5] =
    [header::CONTENT_LENGTH, header::CONTENT_ENCODING, header::ACCEPT_ENCODING, header::RANGE, header::IF_RANGE];

impl HeaderSecret {
    /// `header: <prefix><secret>` for requests to `host`.
    ///
    /// # Errors
    /// See [`HeaderSecretError`].
    pub fn new(host: &str, header: &str, prefix: &str, secret: &str) -> Result<Self, HeaderSecretError> {
        let host = Host::parse(host).map_err(|reason| HeaderSecretError::Host { host: host.to_owned(), reason })?;
        let named = HeaderName::from_bytes(header.as_bytes())
            .ok()
            .filter(|name| !belongs_to_the_connection(name) && !HOW_TO_READ.contains(name));
        let Some(header) = named else { return Err(HeaderSecretError::Header(header.chars().take(64).collect())) };
        let secret = secret.trim();
        if secret.is_empty() || !secret.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(HeaderSecretError::Value);
        }
        if secret.len() < SHORTEST {
            return Err(HeaderSecretError::Short(SHORTEST));
        }
        if !prefix.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ') {
            return Err(HeaderSecretError::Prefix);
        }
        let mut value = HeaderValue::from_str(&format!("{prefix}{secret}")).map_err(|_| HeaderSecretError::Value)?;
        value.set_sensitive(true);
        Ok(Self { host, header, value, secret: secret.to_owned() })
    }

    /// Whether it is added to requests to this place: never in plain text.
    pub(super) fn is_for(&self, scheme: Scheme, host: &Host) -> bool {
        scheme == Scheme::Https && self.host == *host
    }

    pub(super) fn header(&self) -> (&HeaderName, &HeaderValue) {
        (&self.header, &self.value)
    }

    /// What takes these secrets out of texts.
    pub(super) fn known(secrets: &[Self]) -> KnownSecrets {
        KnownSecrets::new(secrets.iter().map(|secret| secret.secret.clone()))
    }

    /// Whether the secret is in a text in which capital letters were made small.
    pub(super) fn is_in_lower_case(&self, text: &str) -> bool {
        text.contains(&self.secret.to_ascii_lowercase())
    }
}

impl PartialEq for HeaderSecret {
    fn eq(&self, other: &Self) -> bool {
        (&self.host, &self.header, &self.value) == (&other.host, &other.header, &other.value)
    }
}

impl Eq for HeaderSecret {}

impl fmt::Debug for HeaderSecret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("HeaderSecret").field("host", &self.host).field("header", &self.header).finish()
    }
}
