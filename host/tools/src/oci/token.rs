//! Who asks: credentials and tokens.
//!
//! A credential goes to the registry that it is for, and to the token server that this registry names, encrypted as the
//! registry itself is; never along a redirect.

// What stands here is decided by others: nothing of it is an index or a number that is taken on trust.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use super::challenge::Challenge;
use super::credentials::{Credential, Kind, basic};
use super::error::OciError;
use super::reference::is_loopback;
use super::session::Session;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use reqwest::{StatusCode, Url};
use serde::Deserialize;

impl Session {
    /// Finds out what to send along from now on.
    pub(super) async fn authorize(&mut self, challenge: Challenge) -> Result<(), OciError> {
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
        let mut value = HeaderValue::from_str(&value).map_err(|_| self.protocol("its token is invalid".into()))?;
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
        let mut url =
            Url::parse(realm).map_err(|_| self.protocol("the address of its token server is invalid".into()))?;
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
    pub(super) fn may_know_credentials(&self, url: &Url) -> bool {
        let plain_as_registry = url.origin() == self.base.origin()
            || (url.host_str().is_some_and(is_loopback) && self.base.host_str().is_some_and(is_loopback));
        match url.scheme() {
            "https" => true,
            "http" => self.base.scheme() == "http" && plain_as_registry,
            _ => false,
        }
    }
}
