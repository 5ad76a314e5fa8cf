//! Issuer, audience and scopes, as the operator names them.

use reqwest::Url;
use std::time::Duration;

/// What asking an issuer may cost, and how far its clock may be off.
#[derive(Debug, Clone)]
pub struct OAuthLimits {
    /// How long the issuer may take to tell its keys, all of its answers together.
    pub answer: Duration,
    /// Length of one document of the issuer, in bytes.
    pub document_bytes: usize,
    /// Keys of the issuer that are looked at.
    pub keys: usize,
    /// How long keys are used before they are asked for anew.
    pub keys_valid: Duration,
    /// The least time between two questions to the issuer, whatever tokens clients show.
    pub between_questions: Duration,
    /// Length of a token, in bytes.
    pub token_bytes: usize,
    /// How far clocks may be apart.
    pub skew: Duration,
}

/// This server as an issuer knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resource {
    /// The issuer, exactly as tokens name it.
    pub(crate) issuer: String,
    /// The URL of this server, exactly as tokens name it in `aud`.
    pub(crate) audience: String,
    /// What a token has to allow, all of it.
    pub(crate) scopes: Vec<String>,
}

/// Why an issuer, audience or scope cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// No absolute URL.
    #[error("the {what} `{given}` is not a URL: {why}")]
    NoUrl {
        /// `issuer` or `audience`.
        what: &'static str,
        /// What was given.
        given: String,
        /// Why.
        why: String,
    },
    /// Keys over plain HTTP could come from an attacker.
    #[error("the issuer `{0}` is neither https nor on this machine")]
    Plain(String),
    /// Something that a URL of this kind does not have.
    #[error("the {what} `{given}` has {extra}")]
    Extra {
        /// `issuer` or `audience`.
        what: &'static str,
        /// What was given.
        given: String,
        /// What it has and should not.
        extra: &'static str,
    },
    /// Not a scope token of RFC 6749, section 3.3.
    #[error("the scope `{0}` is invalid: use printable ASCII without spaces, quotes and backslashes")]
    Scope(String),
}

impl Resource {
    /// A checked resource. `audience` is the URL that clients connect to.
    ///
    /// # Errors
    /// A URL or a scope cannot be used.
    pub fn new(issuer: &str, audience: &str, scopes: Vec<String>) -> Result<Self, SettingsError> {
        if !is_safe(&plain("issuer", issuer)?) {
            return Err(SettingsError::Plain(issuer.to_owned()));
        }
        plain("audience", audience)?;
        if let Some(scope) = scopes.iter().find(|scope| !is_scope(scope)) {
            return Err(SettingsError::Scope(scope.clone()));
        }
        Ok(Self { issuer: issuer.to_owned(), audience: audience.to_owned(), scopes })
    }

    /// The host of the audience, which requests may name.
    #[must_use]
    pub fn host(&self) -> Option<String> {
        Url::parse(&self.audience).ok()?.host_str().map(str::to_owned)
    }
}

/// A URL of the web with nothing in it but a place.
fn plain(what: &'static str, given: &str) -> Result<Url, SettingsError> {
    let no_url = |why: String| SettingsError::NoUrl { what, given: given.to_owned(), why };
    let url = Url::parse(given).map_err(|error| no_url(error.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return Err(no_url("it is not of the web".into()));
    }
    let extra = match &url {
        url if !url.username().is_empty() || url.password().is_some() => "a user in it",
        url if url.query().is_some() => "a query",
        url if url.fragment().is_some() => "a fragment",
        _ => return Ok(url),
    };
    Err(SettingsError::Extra { what, given: given.to_owned(), extra })
}

/// Whether what comes from there is what its owner sent.
pub(super) fn is_safe(url: &Url) -> bool {
    url.scheme() == "https" || (url.scheme() == "http" && is_local(url))
}

/// Whether the URL leads to this machine, judged by its address and not by a name that has to be resolved.
pub(super) fn is_local(url: &Url) -> bool {
    let Some(host) = url.host_str() else { return false };
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<std::net::IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

fn is_scope(scope: &str) -> bool {
    !scope.is_empty() && scope.bytes().all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\\'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issuer_without_a_safe_address_is_refused() {
        for (issuer, usable) in [
            ("https://login.example", true),
            ("https://login.example/tenant/v2.0", true),
            ("http://127.0.0.1:8080", true),
            ("http://[::1]:8080/realm", true),
            ("http://localhost", true),
            ("http://login.example", false),
            ("http://localhost.example", false),
            ("http://127.0.0.1.example", false),
            ("https://user@login.example", false),
            ("https://login.example?a=b", false),
            ("https://login.example#a", false),
            ("file:///etc/passwd", false),
            ("login.example", false),
            ("", false),
        ] {
            let made = Resource::new(issuer, "https://mcp.example/mcp", Vec::new());
            assert_eq!(made.is_ok(), usable, "{issuer}: {made:?}");
        }
    }

    #[test]
    fn scope_is_one_word_that_can_stand_in_a_header() {
        for (scope, usable) in [("mcp.tools:call", true), ("", false), ("a b", false), ("a\"b", false), ("ä", false)] {
            let made = Resource::new("https://login.example", "https://mcp.example/mcp", vec![scope.into()]);
            assert_eq!(made.is_ok(), usable, "{scope}");
        }
    }
}
