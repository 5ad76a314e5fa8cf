//! A header that the host adds and the component never sees.

use super::host::{Host, HostError};
use std::fmt;

/// A header with a secret in it, for one host over TLS.
#[derive(Clone)]
pub struct HeaderSecret {
    host: Host,
    header: String,
    value: String,
    secret: String,
}

/// Why a secret cannot be put into a header.
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
    /// No name of a header, or of one that the connection needs.
    #[error("`{}` is not a header that can hold a secret", .0.escape_debug())]
    Header(String),
    /// The prefix is more than a word in ASCII.
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

impl HeaderSecret {
    /// `header: <prefix><secret>` for requests to `host`.
    ///
    /// # Errors
    /// See [`HeaderSecretError`]; none of them holds the secret.
    pub fn new(host: &str, header: &str, prefix: &str, secret: &str) -> Result<Self, HeaderSecretError> {
        let host = Host::parse(host).map_err(|reason| HeaderSecretError::Host { host: host.to_owned(), reason })?;
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
        Ok(Self { host, header: header.to_owned(), value: format!("{prefix}{secret}"), secret: secret.to_owned() })
    }
}

impl fmt::Debug for HeaderSecret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("HeaderSecret").field("host", &self.host).field("header", &self.header).finish()
    }
}
