//! One request and its answer, in pieces or in one; never more of it than is allowed.

use std::time::Instant;

use bailiwick_agent::BackendError;
use reqwest::header::{CONTENT_TYPE, HeaderMap};
use reqwest::{Client, Response};
use serde_json::Value;
use tokio::time::{Duration, timeout};

use crate::endpoint::Endpoint;
use crate::failure::{Failure, bounded, by_error, by_status, connection, malformed};
use crate::framing::Frames;
use crate::provider::{Answering, Watch};
use crate::retry::Retries;
use crate::secret::Secret;
use crate::wire::{Assemble, Delivery, Form};

/// How much of an error's body is read.
const ERROR_BYTES: usize = 64 << 10;

/// How often it is said that an answer is coming.
const TELL: Duration = Duration::from_millis(500);

/// How long the end of a stream is waited for once its answer is whole, so that the connection can be used again.
const DRAIN: Duration = Duration::from_millis(100);

/// What an exchange needs.
pub(crate) struct Exchange<'a> {
    pub(crate) web: &'a Client,
    pub(crate) endpoint: &'a Endpoint,
    pub(crate) form: Form,
    pub(crate) key: Option<&'a Secret>,
    pub(crate) key_source: &'a str,
    pub(crate) retries: &'a Retries,
    pub(crate) watch: Option<&'a Watch>,
}

impl Exchange<'_> {
    /// Sends a request and gives the whole body of its answer.
    pub(crate) async fn ask(&self, request: &Value, delivery: Delivery) -> Result<Value, Failure> {
        let body = serde_json::to_vec(request).map_err(|error| {
            Failure::Final(BackendError::Refused { message: format!("it cannot be sent: {error}") })
        })?;
        let sent = self.web.post(self.endpoint.answers(delivery)).header(CONTENT_TYPE, "application/json").body(body);
        let sent = self.endpoint.authorized(sent, self.key).send();
        let response = self.awaited(sent).await?.map_err(connection)?;
        let status = response.status();
        if !status.is_success() {
            let headers = response.headers().clone();
            // Before anything of it is cut off: half a key could be left over.
            let body = scrubbed(self.key, self.error_body(response).await?);
            return Err(match by_status(status, &body, &headers, self.key_source) {
                Failure::NoStream { message } if delivery == Delivery::Whole => {
                    Failure::Final(BackendError::Refused { message })
                }
                failure => failure,
            });
        }
        match kind(response.headers(), self.key) {
            Kind::Json => self.whole(response).await,
            Kind::Pieces if delivery == Delivery::Streamed => self.streamed(response).await,
            Kind::Pieces => Err(malformed("it came in pieces, which was not asked for".into())),
            Kind::Other(kind) => Err(malformed(format!("it is of type `{kind}` and not JSON"))),
        }
    }

    async fn whole(&self, mut response: Response) -> Result<Value, Failure> {
        let mut body = Vec::new();
        while let Some(bytes) = self.chunk(&mut response).await? {
            self.fits(body.len() + bytes.len())?;
            body.extend_from_slice(&bytes);
        }
        serde_json::from_slice(&body)
            .map_err(|error| malformed(format!("it is not JSON: {}", bounded(&error.to_string()))))
    }

    async fn streamed(&self, mut response: Response) -> Result<Value, Failure> {
        let mut incoming = Incoming::new(self.form, self.key);
        let mut told = Telling { watch: self.watch, last: Instant::now() };
        let mut received = 0;
        while let Some(bytes) = self.chunk(&mut response).await? {
            received += bytes.len();
            self.fits(received)?;
            if let Some(body) = incoming.feed(&bytes)? {
                let _ = timeout(DRAIN, response.chunk()).await;
                return Ok(body);
            }
            told.tell(incoming.characters);
        }
        incoming.end()
    }

    async fn error_body(&self, mut response: Response) -> Result<String, Failure> {
        let mut body = Vec::new();
        // An error that breaks off is one all the same.
        while let Ok(Some(bytes)) = self.chunk(&mut response).await {
            body.extend_from_slice(&bytes);
            if body.len() >= ERROR_BYTES {
                body.truncate(ERROR_BYTES);
                break;
            }
        }
        Ok(String::from_utf8_lossy(&body).into_owned())
    }

    async fn chunk(&self, response: &mut Response) -> Result<Option<Vec<u8>>, Failure> {
        let bytes = self.awaited(response.chunk()).await?.map_err(connection)?;
        Ok(bytes.map(|bytes| bytes.to_vec()))
    }

    async fn awaited<T>(&self, work: impl Future<Output = T>) -> Result<T, Failure> {
        let stall = self.retries.stall;
        timeout(stall, work).await.map_err(|_| Failure::Passing {
            message: format!("nothing came for {} s", stall.as_secs_f32()),
            retry_after: None,
        })
    }

    fn fits(&self, bytes: usize) -> Result<(), Failure> {
        let most = self.retries.answer_bytes;
        if bytes > most {
            return Err(malformed(format!("it is longer than the {most} bytes that an answer may have")));
        }
        Ok(())
    }
}

fn scrubbed(key: Option<&Secret>, text: String) -> String {
    match key {
        Some(key) => key.scrub(text),
        None => text,
    }
}

/// What a content type says about an answer.
enum Kind {
    Json,
    Pieces,
    Other(String),
}

fn kind(headers: &HeaderMap, key: Option<&Secret>) -> Kind {
    let said = headers.get(CONTENT_TYPE).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
    let value = said.as_deref().map(str::to_ascii_lowercase);
    match value.as_deref().map(|value| value.split(';').next().unwrap_or_default().trim()) {
        Some("application/json") => Kind::Json,
        // Some servers do not say what they send, or call it text.
        None | Some("" | "text/event-stream" | "application/x-ndjson" | "application/jsonl" | "text/plain") => {
            Kind::Pieces
        }
        Some(_) => Kind::Other(bounded(&scrubbed(key, said.unwrap_or_default()))),
    }
}

/// An answer on its way.
struct Incoming {
    frames: Frames,
    assembler: Box<dyn Assemble>,
    /// Taken out of an error before that is cut off.
    key: Option<Secret>,
    characters: usize,
}

impl Incoming {
    fn new(form: Form, key: Option<&Secret>) -> Self {
        let (frames, assembler) = (Frames::new(form.framing()), form.assembler());
        Self { frames, assembler, key: key.cloned(), characters: 0 }
    }

    /// Takes in bytes; the body once it is whole.
    fn feed(&mut self, bytes: &[u8]) -> Result<Option<Value>, Failure> {
        let mut pieces = Vec::new();
        self.frames.take(bytes, |piece| pieces.push(piece.to_vec()));
        for piece in pieces {
            self.take(&piece)?;
            if let Some(body) = self.assembler.whole() {
                return Ok(Some(body));
            }
        }
        Ok(None)
    }

    /// What is to be had when no more bytes come.
    fn end(mut self) -> Result<Value, Failure> {
        let mut pieces = Vec::new();
        self.frames.end(|piece| pieces.push(piece.to_vec()));
        for piece in pieces {
            // What cannot be read here was cut off in the middle.
            let _ = self.take(&piece);
        }
        self.assembler.whole().ok_or_else(|| Failure::Passing {
            message: format!("the answer broke off after {} characters", self.characters),
            retry_after: None,
        })
    }

    fn take(&mut self, piece: &[u8]) -> Result<(), Failure> {
        let Ok(value) = serde_json::from_slice::<Value>(piece) else {
            let known = std::str::from_utf8(piece).is_ok_and(|word| self.assembler.take_word(word));
            return if known { Ok(()) } else { Err(malformed("a piece of it is not JSON".into())) };
        };
        if let Some(error) = error(&value) {
            return Err(by_error(&match &self.key {
                Some(key) => key.scrub_value(error.clone()),
                None => error.clone(),
            }));
        }
        self.characters += self.assembler.take(&value).map_err(malformed)?;
        Ok(())
    }
}

/// The error that a piece is, if it is one.
fn error(piece: &Value) -> Option<&Value> {
    match piece.get("error") {
        Some(error) if !error.is_null() => Some(error),
        _ => (piece["type"] == "error").then_some(piece),
    }
}

/// Says now and then how far an answer has come.
struct Telling<'a> {
    watch: Option<&'a Watch>,
    last: Instant,
}

impl Telling<'_> {
    fn tell(&mut self, characters: usize) {
        if let Some(watch) = self.watch
            && self.last.elapsed() >= TELL
        {
            self.last = Instant::now();
            watch(Answering::Coming { characters });
        }
    }
}

/// The streams of the tests of whole exchanges.
#[cfg(test)]
#[expect(dead_code, reason = "those use the rest")]
#[path = "../tests/it/common/streams.rs"]
mod streams;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::Dialect;

    #[test]
    fn stream_that_is_cut_at_any_byte_is_not_an_answer_unless_all_of_it_came() {
        for (name, dialect) in Dialect::ALL {
            let form = Form::of(dialect);
            for size in [9, 1000] {
                let body = streams::body(name, size);
                // The line ends behind the last piece say nothing.
                let last = body.trim_end().len();
                for at in 0..=body.len() {
                    let mut incoming = Incoming::new(form, None);
                    let fed = incoming.feed(&body.as_bytes()[..at]).unwrap_or_else(|_| panic!("{name}, {at}"));
                    let outcome = fed.map_or_else(|| incoming.end(), Ok);
                    assert_eq!(outcome.is_ok(), at >= last, "{name}, pieces of {size}, cut at {at} of {last}");
                    match outcome {
                        Ok(body) => assert_eq!(form.read(&body).usage.total(), 42, "{name}"),
                        Err(failure) => assert!(matches!(failure, Failure::Passing { .. }), "{name}, {at}"),
                    }
                }
            }
        }
    }
}
