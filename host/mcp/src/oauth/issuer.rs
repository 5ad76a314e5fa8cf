//! What an issuer says of itself and its keys, fetched within bounds.

use super::keys::Keys;
use super::settings::{OAuthLimits, is_local, is_safe};
use reqwest::redirect::Policy;
use reqwest::{Client, Url};
use serde::Deserialize;

/// Why an issuer's keys cannot be had.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum IssuerError {
    #[error("no secure connection can be set up: {0}")]
    Setup(String),
    #[error("`{url}` cannot be had: {why}")]
    Unreachable { url: String, why: String },
    #[error("`{url}` is longer than {limit} bytes")]
    TooLong { url: String, limit: usize },
    #[error("`{url}` is not a usable metadata document: {why}")]
    Unreadable { url: String, why: String },
    #[error("`{url}` speaks for `{other}`, which is another issuer")]
    Other { url: String, other: String },
    #[error("the keys are at `{0}`, which is neither https nor on this machine")]
    Plain(String),
}

/// An issuer.
pub(super) struct Issuer {
    web: Client,
    name: String,
    limits: OAuthLimits,
}

#[derive(Deserialize)]
struct Metadata {
    issuer: String,
    jwks_uri: String,
}

impl Issuer {
    pub(super) fn new(name: &str, limits: &OAuthLimits) -> Result<Self, IssuerError> {
        // An error says that there is one already, which does as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
        // A server that redirects would speak for the issuer.
        let mut web = Client::builder().redirect(Policy::none());
        if Url::parse(name).is_ok_and(|url| is_local(&url)) {
            web = web.no_proxy();
        }
        let web = web.build().map_err(|error| IssuerError::Setup(error.to_string()))?;
        Ok(Self { web, name: name.to_owned(), limits: limits.clone() })
    }

    /// Its keys as they are now.
    pub(super) async fn keys(&self) -> Result<Keys, IssuerError> {
        let late = |_| IssuerError::Unreachable { url: self.name.clone(), why: "it takes too long".into() };
        tokio::time::timeout(self.limits.answer, self.ask()).await.map_err(late)?
    }

    async fn ask(&self) -> Result<Keys, IssuerError> {
        let (place, text) = self.metadata().await?;
        let unreadable = |why: String| IssuerError::Unreadable { url: place.clone(), why };
        let metadata: Metadata = serde_json::from_slice(&text).map_err(|error| unreadable(error.to_string()))?;
        // RFC 8414, section 3.3: otherwise one issuer could speak for another.
        if metadata.issuer != self.name {
            return Err(IssuerError::Other { url: place, other: shortened(&metadata.issuer) });
        }
        let keys = Url::parse(&metadata.jwks_uri).map_err(|error| unreadable(format!("`jwks_uri`: {error}")))?;
        if !is_safe(&keys) {
            return Err(IssuerError::Plain(shortened(keys.as_str())));
        }
        let text = self.fetch(&keys).await?;
        Keys::read(&text, self.limits.keys)
            .map_err(|error| IssuerError::Unreadable { url: shortened(keys.as_str()), why: error.to_string() })
    }

    /// The first of its documents that there is, and where.
    async fn metadata(&self) -> Result<(String, Vec<u8>), IssuerError> {
        let mut last = IssuerError::Unreachable { url: self.name.clone(), why: "it is not a URL".into() };
        for place in places(&self.name) {
            match self.fetch(&place).await {
                Ok(text) => return Ok((place.into(), text)),
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    async fn fetch(&self, url: &Url) -> Result<Vec<u8>, IssuerError> {
        let name = || shortened(url.as_str());
        let unreachable =
            |error: reqwest::Error| IssuerError::Unreachable { url: name(), why: error.without_url().to_string() };
        let mut response = self.web.get(url.clone()).send().await.map_err(unreachable)?;
        if response.status() != reqwest::StatusCode::OK {
            return Err(IssuerError::Unreachable { url: name(), why: format!("it answers {}", response.status()) });
        }
        let mut text = Vec::new();
        while let Some(piece) = response.chunk().await.map_err(unreachable)? {
            if text.len() + piece.len() > self.limits.document_bytes {
                return Err(IssuerError::TooLong { url: name(), limit: self.limits.document_bytes });
            }
            text.extend_from_slice(&piece);
        }
        Ok(text)
    }
}

/// In the order of the MCP specification: RFC 8414 before OpenID Connect, and where there is a path, first between host
/// and path.
fn places(issuer: &str) -> Vec<Url> {
    let Ok(url) = Url::parse(issuer) else { return Vec::new() };
    let path = url.path().trim_end_matches('/').to_owned();
    let mut paths = vec![
        format!("/.well-known/oauth-authorization-server{path}"),
        format!("/.well-known/openid-configuration{path}"),
    ];
    if !path.is_empty() {
        paths.push(format!("{path}/.well-known/openid-configuration"));
    }
    let at = |path: &String| {
        let mut url = url.clone();
        url.set_path(path);
        url
    };
    paths.iter().map(at).collect()
}

fn shortened(text: &str) -> String {
    text.chars().take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_looked_for_where_the_specification_says() {
        let places = |issuer| places(issuer).iter().map(Url::to_string).collect::<Vec<_>>();
        assert_eq!(
            places("https://a.example/realm"),
            [
                "https://a.example/.well-known/oauth-authorization-server/realm",
                "https://a.example/.well-known/openid-configuration/realm",
                "https://a.example/realm/.well-known/openid-configuration",
            ]
        );
        assert_eq!(
            places("https://a.example"),
            [
                "https://a.example/.well-known/oauth-authorization-server",
                "https://a.example/.well-known/openid-configuration",
            ]
        );
    }
}
