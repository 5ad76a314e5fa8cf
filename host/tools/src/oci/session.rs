//! Requests to one repository.

use super::challenge::Challenge;
use super::credentials::Credentials;
use super::error::OciError;
use super::fault;
use super::reference::Reference;
use super::registry::Limits;
use super::route::Route;
use reqwest::header::{ACCEPT, AUTHORIZATION, HeaderName, HeaderValue, WWW_AUTHENTICATE};
use reqwest::{Client, Method, Response, StatusCode, Url};

/// What is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verb {
    Get,
    Head,
    Post,
    Put,
}

pub(super) struct Session {
    pub(super) host: String,
    /// Whether the registry is on this machine.
    local: bool,
    pub(super) base: Url,
    pub(super) repository: String,
    /// What a token is asked for.
    pub(super) actions: &'static str,
    pub(super) credentials: Credentials,
    pub(super) had_credential: bool,
    pub(super) authorization: Option<HeaderValue>,
    /// Follows redirects, for what is only loaded.
    following: Client,
    pub(super) straight: Client,
    pub(super) limits: Limits,
}

impl Session {
    pub(super) fn open(
        reference: &Reference,
        route: &Route,
        credentials: Credentials,
        limits: Limits,
    ) -> Result<Self, OciError> {
        let base = route.base(reference)?;
        let [following, straight] = route.clients(reference, &base, &limits)?;
        Ok(Self {
            host: reference.host().to_owned(),
            local: reference.is_loopback(),
            base,
            repository: reference.repository().to_owned(),
            actions: "pull",
            credentials,
            had_credential: false,
            authorization: None,
            following,
            straight,
            limits,
        })
    }

    /// Asks for the right to push, too.
    pub(super) fn also_push(&mut self) {
        self.actions = "pull,push";
        self.authorization = None;
    }

    pub(super) fn url(&self, path: &str) -> Result<Url, OciError> {
        self.base.join(path).map_err(|error| self.protocol(error.to_string()))
    }

    /// Where the rest of an upload goes: the registry's own address, or a credential would go somewhere else.
    pub(super) fn upload_location(&self, asked: &Url, location: &str) -> Result<Url, OciError> {
        let url = asked.join(location).map_err(|_| self.protocol("it names no place for an upload".into()))?;
        if url.origin() != self.base.origin() {
            return Err(self.protocol("it wants an upload to go to another place".into()));
        }
        Ok(url)
    }

    /// Asks for what the repository has, and says what is missing where it has nothing.
    pub(super) async fn get(&mut self, path: &str, what: &str) -> Result<Response, OciError> {
        let url = self.url(path)?;
        let response = self.send(Verb::Get, &url, Some((ACCEPT, ACCEPTED)), None).await?;
        match response.status() {
            StatusCode::OK => Ok(response),
            _ => Err(self.unexpected(response, what).await),
        }
    }

    /// Sends a request, and once more with what the registry wants to know where it wants to.
    pub(super) async fn send(
        &mut self,
        verb: Verb,
        url: &Url,
        header: Option<(HeaderName, &str)>,
        body: Option<&[u8]>,
    ) -> Result<Response, OciError> {
        let response = self.once(verb, url, header.clone(), body).await?;
        if response.status() != StatusCode::UNAUTHORIZED {
            return Ok(response);
        }
        let challenges = response.headers().get_all(WWW_AUTHENTICATE);
        let Some(challenge) = Challenge::read(challenges.iter().filter_map(|value| value.to_str().ok())) else {
            return Err(self.denied());
        };
        self.authorize(challenge).await?;
        self.once(verb, url, header, body).await
    }

    async fn once(
        &self,
        verb: Verb,
        url: &Url,
        header: Option<(HeaderName, &str)>,
        body: Option<&[u8]>,
    ) -> Result<Response, OciError> {
        let (client, method) = match verb {
            Verb::Get => (&self.following, Method::GET),
            Verb::Head => (&self.straight, Method::HEAD),
            Verb::Post => (&self.straight, Method::POST),
            Verb::Put => (&self.straight, Method::PUT),
        };
        let mut request = client.request(method, url.clone());
        if let Some((name, value)) = header {
            request = request.header(name, value);
        }
        if let Some(authorization) = &self.authorization {
            request = request.header(AUTHORIZATION, authorization.clone());
        }
        if let Some(body) = body {
            request = request.body(body.to_vec());
        }
        request.send().await.map_err(|error| self.unreachable(error))
    }

    pub(super) fn denied(&self) -> OciError {
        OciError::Denied { host: self.host.clone(), with_credentials: self.had_credential }
    }

    pub(super) fn protocol(&self, reason: String) -> OciError {
        OciError::Protocol { host: self.host.clone(), reason }
    }

    pub(super) fn unreachable(&self, error: reqwest::Error) -> OciError {
        fault::told(&self.host, self.local, error, &self.limits)
    }
}

const ACCEPTED: &str = "application/vnd.oci.image.manifest.v1+json, application/vnd.oci.image.index.v1+json, */*;q=0.1";

#[cfg(test)]
mod tests {
    use super::super::registry::PlainHttp;
    use super::*;

    #[test]
    fn credentials_go_to_no_token_server_that_is_less_safe_than_the_registry() {
        let limits = super::super::registry::tests::LIMITS;
        let open = |reference: &str, plain| {
            Session::open(&reference.parse().unwrap(), &PlainHttp::into(plain), Credentials::None, limits)
        };
        let cases = [
            ("oci://r.example.com/a", PlainHttp::Loopback, "https://auth.example.net/t", true),
            ("oci://r.example.com/a", PlainHttp::Loopback, "http://r.example.com/t", false),
            ("oci://r.example.com/a", PlainHttp::Loopback, "http://127.0.0.1/t", false),
            ("oci://r.example.com/a", PlainHttp::Allowed, "http://r.example.com/t", true),
            ("oci://r.example.com/a", PlainHttp::Allowed, "http://other.example.com/t", false),
            ("oci://127.0.0.1:1/a", PlainHttp::Loopback, "http://localhost:2/t", true),
            ("oci://127.0.0.1:1/a", PlainHttp::Loopback, "http://example.com/t", false),
            ("oci://127.0.0.1:1/a", PlainHttp::Loopback, "ftp://127.0.0.1:1/t", false),
        ];
        for (reference, plain, realm, expected) in cases {
            let session = open(reference, plain).unwrap();
            assert_eq!(session.may_know_credentials(&Url::parse(realm).unwrap()), expected, "{reference} {realm}");
        }
        let session = open("oci://r.example.com/a", PlainHttp::Loopback).unwrap();
        let asked = session.url("blobs/uploads/").unwrap();
        assert!(session.upload_location(&asked, "/v2/a/blobs/uploads/1?x=y").is_ok());
        for elsewhere in [
            "https://evil.example.com/u",
            "http://r.example.com/u",
            "//evil.example.com/u",
            "https://r.example.com:8443/u",
        ] {
            assert!(session.upload_location(&asked, elsewhere).is_err(), "{elsewhere}");
        }
    }
}
