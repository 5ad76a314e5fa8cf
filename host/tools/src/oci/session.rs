//! Requests to one repository: who asks, how much is taken of an answer, and what it means.
//!
//! A credential goes to the registry that it is for, and to the token server that this registry names, encrypted as the
//! registry itself is; never along a redirect.

use super::challenge::Challenge;
use super::credentials::{Credential, Credentials, Kind, basic};
use super::error::OciError;
use super::reference::{Reference, is_loopback};
use super::registry::{Limits, PlainHttp};
use crate::digest::Digest;
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE, HeaderName, HeaderValue, WWW_AUTHENTICATE};
use reqwest::redirect::{Attempt, Policy};
use reqwest::{Client, ClientBuilder, Method, Response, StatusCode, Url};
use serde::Deserialize;
use sha2::{Digest as _, Sha256};
use std::error::Error as _;

/// Docker Hub's registry answers under another name than its images have.
const HUB: (&str, &str) = ("docker.io", "registry-1.docker.io");

/// How often a blob may lead elsewhere.
const MOST_REDIRECTS: usize = 3;

/// What is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verb {
    Get,
    Head,
    Post,
    Put,
}

pub(super) struct Session {
    host: String,
    base: Url,
    repository: String,
    /// What a token is asked for.
    actions: &'static str,
    credentials: Credentials,
    had_credential: bool,
    authorization: Option<HeaderValue>,
    /// Follows redirects, for what is only loaded.
    following: Client,
    straight: Client,
    limits: Limits,
}

impl Session {
    pub(super) fn open(
        reference: &Reference,
        plain: PlainHttp,
        credentials: Credentials,
        limits: Limits,
    ) -> Result<Self, OciError> {
        // An error says that there is a provider already, which does as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let host = reference.host().to_owned();
        let is_local = reference.is_loopback();
        let scheme = if is_local || plain == PlainHttp::Allowed { "http" } else { "https" };
        let address = if host == HUB.0 { HUB.1 } else { &host };
        let base = Url::parse(&format!("{scheme}://{address}/v2/{}/", reference.repository()))
            .map_err(|error| OciError::Setup(error.to_string()))?;
        let builder = || {
            let builder = Client::builder()
                .connect_timeout(limits.idle)
                .read_timeout(limits.idle)
                .timeout(limits.deadline)
                // A digest is that of the bytes as they are kept, and a few packed bytes could be very many.
                .no_gzip()
                .user_agent(concat!("bailiwick/", env!("CARGO_PKG_VERSION")));
            // A proxy elsewhere knows another machine by this name.
            if is_local { builder.no_proxy() } else { builder }
        };
        let built = |builder: ClientBuilder| builder.build().map_err(|error| OciError::Setup(chain(error)));
        let origin = base.clone();
        let following = built(builder().redirect(Policy::custom(move |attempt| redirect(&origin, attempt))))?;
        let straight = built(builder().redirect(Policy::none()))?;
        Ok(Self {
            host,
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

    /// Finds out what to send along from now on.
    async fn authorize(&mut self, challenge: Challenge) -> Result<(), OciError> {
        let (credentials, host) = (self.credentials.clone(), self.host.clone());
        // It may run a program that asks a person.
        let found = tokio::task::spawn_blocking(move || credentials.find(&host)).await;
        let credential = found.map_err(|_| OciError::Setup("the credentials were not looked up".into()))??;
        self.had_credential = credential.is_some();
        let value = match challenge {
            Challenge::Basic => match credential.map(|credential| credential.0) {
                Some(Kind::Password { user, password }) => basic(&user, &password),
                Some(Kind::Identity(_)) | None => return Err(self.denied()),
            },
            Challenge::Bearer { realm, service } => {
                let token = self.token(&realm, service.as_deref(), credential).await?;
                format!("Bearer {token}")
            }
        };
        let mut value = HeaderValue::from_str(&value).map_err(|_| self.protocol("its token is none".into()))?;
        value.set_sensitive(true);
        self.authorization = Some(value);
        Ok(())
    }

    /// A token of the server that the registry names. What it is asked for is what is done here, not what a registry says.
    async fn token(
        &self,
        realm: &str,
        service: Option<&str>,
        credential: Option<Credential>,
    ) -> Result<String, OciError> {
        #[derive(Deserialize)]
        struct Answer {
            token: Option<String>,
            access_token: Option<String>,
        }
        let mut url = Url::parse(realm).map_err(|_| self.protocol("the address of its token server is none".into()))?;
        if !self.may_know_credentials(&url) {
            return Err(self.protocol("its token server is not encrypted as the registry is".into()));
        }
        let scope = format!("repository:{}:{}", self.repository, self.actions);
        let mut asked = vec![("scope", scope.as_str())];
        asked.extend(service.map(|service| ("service", service)));
        let request = match credential.map(|credential| credential.0) {
            Some(Kind::Identity(token)) => {
                let mut form = Url::parse("form:").map_err(|error| OciError::Setup(error.to_string()))?;
                let fixed =
                    [("grant_type", "refresh_token"), ("client_id", "bailiwick"), ("refresh_token", token.as_str())];
                form.query_pairs_mut().extend_pairs(fixed).extend_pairs(asked);
                let body = form.query().unwrap_or_default().to_owned();
                self.straight.post(url).header(CONTENT_TYPE, "application/x-www-form-urlencoded").body(body)
            }
            Some(Kind::Password { user, password }) => {
                url.query_pairs_mut().extend_pairs(asked);
                let mut value = HeaderValue::from_str(&basic(&user, &password)).map_err(|_| self.denied())?;
                value.set_sensitive(true);
                self.straight.get(url).header(AUTHORIZATION, value)
            }
            None => {
                url.query_pairs_mut().extend_pairs(asked);
                self.straight.get(url)
            }
        };
        let response = request.send().await.map_err(|error| self.unreachable(error))?;
        match response.status() {
            StatusCode::OK => {}
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => return Err(self.denied()),
            _ => return Err(self.unexpected(response, "a token").await),
        }
        let bytes = self.body(response, "answer of the token server", self.limits.answer_bytes, None).await?;
        let answer: Answer =
            serde_json::from_slice(&bytes).map_err(|_| self.protocol("its token server sends no token".into()))?;
        let token = answer.token.or(answer.access_token).filter(|token| !token.is_empty());
        token.ok_or_else(|| self.protocol("its token server sends no token".into()))
    }

    /// Encrypted, or on this machine as the registry is, or the registry itself where a person allowed plain HTTP.
    fn may_know_credentials(&self, url: &Url) -> bool {
        let plain_as_registry = url.origin() == self.base.origin()
            || (url.host_str().is_some_and(is_loopback) && self.base.host_str().is_some_and(is_loopback));
        match url.scheme() {
            "https" => true,
            "http" => self.base.scheme() == "http" && plain_as_registry,
            _ => false,
        }
    }

    /// The body of an answer: at most `most` bytes, and exactly those of the digest and length where there are ones.
    pub(super) async fn body(
        &self,
        mut response: Response,
        what: &str,
        most: u64,
        expected: Option<(&Digest, u64)>,
    ) -> Result<Vec<u8>, OciError> {
        let announced =
            response.headers().get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
        if let (Some(announced), Some((_, length))) = (announced, expected)
            && announced != length
        {
            return Err(OciError::Length { what: what.to_owned(), expected: length, found: announced });
        }
        if announced.is_some_and(|announced| announced > most) {
            return Err(OciError::TooLarge { what: what.to_owned(), limit: most });
        }
        let (mut bytes, mut digest) = (Vec::new(), Sha256::new());
        loop {
            let chunk = match response.chunk().await {
                Ok(Some(chunk)) => chunk,
                Ok(None) => break,
                Err(error) => return Err(self.unreachable(error)),
            };
            if (bytes.len() + chunk.len()) as u64 > most {
                return Err(OciError::TooLarge { what: what.to_owned(), limit: most });
            }
            digest.update(&chunk);
            bytes.extend_from_slice(&chunk);
        }
        let Some((wanted, length)) = expected else { return Ok(bytes) };
        if bytes.len() as u64 != length {
            return Err(OciError::Length { what: what.to_owned(), expected: length, found: bytes.len() as u64 });
        }
        let hex: String = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        if hex != wanted.hex() {
            let found = Digest::of(&bytes);
            return Err(OciError::WrongDigest { what: what.to_owned(), expected: wanted.clone(), found });
        }
        Ok(bytes)
    }

    /// What an answer means that is not the one that was hoped for.
    pub(super) async fn unexpected(&self, response: Response, what: &str) -> OciError {
        #[derive(Deserialize)]
        struct Errors {
            errors: Vec<One>,
        }
        #[derive(Deserialize)]
        struct One {
            code: String,
        }
        let status = response.status();
        match status {
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => return self.denied(),
            StatusCode::NOT_FOUND => return OciError::NotFound { host: self.host.clone(), what: what.to_owned() },
            _ => {}
        }
        let body = self.body(response, "error", self.limits.answer_bytes, None).await.unwrap_or_default();
        let errors = serde_json::from_slice::<Errors>(&body).map(|errors| errors.errors).unwrap_or_default();
        let known = |code: &str| {
            (1..=40).contains(&code.len()) && code.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
        };
        let code = errors.into_iter().find(|error| known(&error.code));
        OciError::Status {
            host: self.host.clone(),
            status: status.as_u16(),
            what: what.to_owned(),
            code: code.map(|error| format!(" ({})", error.code)).unwrap_or_default(),
        }
    }

    fn denied(&self) -> OciError {
        OciError::Denied { host: self.host.clone(), with_credentials: self.had_credential }
    }

    fn protocol(&self, reason: String) -> OciError {
        OciError::Protocol { host: self.host.clone(), reason }
    }

    fn unreachable(&self, error: reqwest::Error) -> OciError {
        if error.is_timeout() {
            return OciError::TooSlow { host: self.host.clone(), seconds: self.limits.deadline.as_secs() };
        }
        OciError::Unreachable { host: self.host.clone(), reason: chain(error) }
    }
}

const ACCEPTED: &str = "application/vnd.oci.image.manifest.v1+json, application/vnd.oci.image.index.v1+json, */*;q=0.1";

/// Registries keep blobs elsewhere and lead there. Not out of encryption, and not from elsewhere into this machine.
fn redirect(origin: &Url, attempt: Attempt<'_>) -> reqwest::redirect::Action {
    if attempt.previous().len() > MOST_REDIRECTS {
        return attempt.error("it leads elsewhere too often");
    }
    match may_lead(origin, attempt.url()) {
        true => attempt.follow(),
        false => attempt.error("it leads to where it must not"),
    }
}

fn may_lead(origin: &Url, next: &Url) -> bool {
    let local = |url: &Url| url.host_str().is_some_and(is_loopback);
    if local(next) && !local(origin) {
        return false;
    }
    match next.scheme() {
        "https" => true,
        "http" => origin.scheme() == "http" && (local(origin) && local(next) || origin.host() == next.host()),
        _ => false,
    }
}

/// An error of a connection with its causes, without the address, which may hold a token.
fn chain(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let more = inner.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        cause = inner.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirect_leaves_neither_encryption_nor_enters_this_machine() {
        let cases = [
            ("https://r.example.com/", "https://storage.example.net/x", true),
            ("https://r.example.com/", "http://storage.example.net/x", false),
            ("https://r.example.com/", "http://r.example.com/x", false),
            ("https://r.example.com/", "https://127.0.0.1/x", false),
            ("https://r.example.com/", "https://[::1]/x", false),
            ("https://r.example.com/", "https://localhost/x", false),
            ("https://r.example.com/", "file:///etc/passwd", false),
            ("http://127.0.0.1:5000/", "http://127.0.0.1:6000/x", true),
            ("http://127.0.0.1:5000/", "http://example.com/x", false),
            ("http://r.example.com/", "http://r.example.com:81/x", true),
            ("http://r.example.com/", "http://other.example.com/x", false),
        ];
        for (origin, next, expected) in cases {
            assert_eq!(may_lead(&Url::parse(origin).unwrap(), &Url::parse(next).unwrap()), expected, "{origin} {next}");
        }
    }

    #[test]
    fn credentials_go_to_no_token_server_that_is_less_safe_than_the_registry() {
        let limits = super::super::registry::tests::LIMITS;
        let open =
            |reference: &str, plain| Session::open(&reference.parse().unwrap(), plain, Credentials::None, limits);
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
