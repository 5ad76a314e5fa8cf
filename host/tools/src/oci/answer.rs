//! Answers: how much is taken of one, and what it means.

// What stands here is decided by others: nothing of it is an index or a number that is taken on trust.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use super::error::OciError;
use super::session::Session;
use crate::digest::Digest;
use bailiwick_base::text;
use reqwest::header::CONTENT_LENGTH;
use reqwest::{Response, StatusCode};
use serde::Deserialize;
use sha2::{Digest as _, Sha256};

impl Session {
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
            if bytes.len().saturating_add(chunk.len()) as u64 > most {
                return Err(OciError::TooLarge { what: what.to_owned(), limit: most });
            }
            digest.update(&chunk);
            bytes.extend_from_slice(&chunk);
        }
        let Some((wanted, length)) = expected else { return Ok(bytes) };
        if bytes.len() as u64 != length {
            return Err(OciError::Length { what: what.to_owned(), expected: length, found: bytes.len() as u64 });
        }
        if text::hex(&digest.finalize()) != wanted.hex() {
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
}
