//! One question that costs nothing, before anything runs: is the provider there, does it take the key, does it have the
//! model. What it says about the model's window is kept.

use std::time::Duration;

use bailiwick_agent::Backend;
use reqwest::header::CONTENT_TYPE;
use reqwest::{Response, StatusCode};
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use crate::choice::Dialect;
use crate::failure::said;
use crate::provider::Provider;

/// How long everything may take. A provider that is there and slow is found out about by the first turn.
const DEADLINE: Duration = Duration::from_secs(15);

/// How long to wait before the one attempt more.
const WAIT: Duration = Duration::from_millis(300);

/// How much of the answer is read: a list of models can be long.
const ANSWER_BYTES: usize = 4 << 20;

/// Why a provider will not serve any request.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PreflightError {
    /// There is no connection.
    #[error("`{endpoint}` cannot be reached: {reason}")]
    Unreachable {
        /// Scheme, host and port.
        endpoint: String,
        /// What happened.
        reason: String,
    },
    /// The provider does not take the key.
    #[error("the key in {key_source} was not accepted by `{endpoint}` ({status}){said}")]
    KeyRefused {
        /// The variable or the file.
        key_source: String,
        /// Scheme, host and port.
        endpoint: String,
        /// The status it answered with.
        status: u16,
        /// What it said, with a colon before it; may be empty.
        said: String,
    },
    /// The provider wants a key, and there is none.
    #[error("`{endpoint}` wants a key ({status}) and {key_source} holds none{said}")]
    NoKey {
        /// The variable.
        key_source: String,
        /// Scheme, host and port.
        endpoint: String,
        /// The status it answered with.
        status: u16,
        /// What it said, with a colon before it; may be empty.
        said: String,
    },
    /// The provider has no such model.
    #[error("there is no model `{model}` at `{endpoint}`{said}")]
    UnknownModel {
        /// The provider's name for it.
        model: String,
        /// Scheme, host and port.
        endpoint: String,
        /// What it said, with a colon before it; may be empty.
        said: String,
    },
}

impl PreflightError {
    /// What the reader can do about it.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Self::Unreachable { .. } => "check the address, and that the server runs".into(),
            Self::KeyRefused { key_source, .. } => format!("put a key that is valid there into {key_source}"),
            Self::NoKey { key_source, .. } => format!("set {key_source}, or `BAILIWICK_KEY_FILE`"),
            Self::UnknownModel { .. } => "check the name; providers list the models that a key may use".into(),
        }
    }
}

impl Provider {
    /// Asks the provider whether it can serve requests. It costs nothing, and only what is certain is an error: no
    /// connection, a refused key, a model that the provider says it does not have.
    ///
    /// # Errors
    /// See [`PreflightError`]. None of them holds the key.
    pub async fn preflight(&mut self) -> Result<(), PreflightError> {
        let asked = timeout(DEADLINE, self.asked()).await;
        let Ok(asked) = asked else {
            tracing::debug!(model = self.name(), "the preflight got no answer in time and goes on");
            return Ok(());
        };
        let Some((status, body)) = asked? else { return Ok(()) };
        tracing::debug!(model = self.name(), status = status.as_u16(), "preflight");
        self.judge(status, &body)?;
        if status.is_success() {
            self.learn(&serde_json::from_str(&body).unwrap_or_default());
        }
        Ok(())
    }

    /// The answer; `None` if the server did not answer though it is reachable.
    async fn asked(&self) -> Result<Option<(StatusCode, String)>, PreflightError> {
        for attempt in 1.. {
            let url = self.endpoint.facts();
            let request = match self.dialect {
                Dialect::Ollama => {
                    let body = json!({ "model": self.model }).to_string();
                    self.web.post(url).header(CONTENT_TYPE, "application/json").body(body)
                }
                _ => self.web.get(url),
            };
            match self.endpoint.authorized(request, self.key.as_ref()).send().await {
                Ok(response) => return Ok(read(response).await),
                Err(error) if !error.is_connect() => return Ok(None),
                Err(_) if attempt == 1 => sleep(WAIT).await,
                Err(error) => {
                    let reason = self.scrub(crate::failure::chain(&error.without_url()));
                    return Err(PreflightError::Unreachable { endpoint: self.endpoint.shown(), reason });
                }
            }
        }
        unreachable!("the second attempt returns")
    }

    fn judge(&self, status: StatusCode, body: &str) -> Result<(), PreflightError> {
        // Before it is cut off: half a key could be left over.
        let body = &self.scrub(body.to_owned());
        let words = said(body);
        let (endpoint, number) = (self.endpoint.shown(), status.as_u16());
        let said = if words.is_empty() { String::new() } else { self.scrub(format!(": {words}")) };
        let key_source = self.key_source.clone();
        let parsed: Value = serde_json::from_str(body).unwrap_or_default();
        match number {
            // A key may be good for answers and for nothing else.
            401 | 403 if words.to_ascii_lowercase().contains("scope") => Ok(()),
            401 | 403 if self.key.is_none() => {
                Err(PreflightError::NoKey { key_source, endpoint, status: number, said })
            }
            401 | 403 => Err(PreflightError::KeyRefused { key_source, endpoint, status: number, said }),
            400 if is_bad_gemini_key(&parsed) => {
                Err(PreflightError::KeyRefused { key_source, endpoint, status: number, said })
            }
            404 if self.is_unknown(&parsed, &words) => {
                Err(PreflightError::UnknownModel { model: self.model.clone(), endpoint, said })
            }
            _ => Ok(()),
        }
    }

    /// Whether the provider itself says that it has no such model: a server that does not know the question answers
    /// with 404 as well.
    fn is_unknown(&self, body: &Value, words: &str) -> bool {
        let error = &body["error"];
        let named = words.contains(self.model.as_str());
        match self.dialect {
            Dialect::OpenAi | Dialect::OpenAiResponses => error["code"] == "model_not_found",
            Dialect::Anthropic => body["type"] == "error" && error["type"] == "not_found_error" && named,
            Dialect::Gemini => error["status"] == "NOT_FOUND" && named,
            Dialect::Ollama => error.is_string() && named,
            // They are asked which models they have, and need not know all of them.
            Dialect::Azure | Dialect::OpenAiCompatible => false,
        }
    }

    /// Keeps what the provider says about the window, unless it is known already.
    fn learn(&mut self, body: &Value) {
        let window = match self.dialect {
            Dialect::Gemini => body["inputTokenLimit"].as_u64(),
            Dialect::Ollama => ollama_window(body),
            Dialect::OpenAiCompatible => listed_window(body, &self.model),
            _ => None,
        };
        if let Some(tokens) = window.filter(|tokens| *tokens > 0)
            && self.window.is_none()
        {
            tracing::debug!(model = self.name(), tokens, "the provider says its window");
            self.window = Some(tokens);
        }
        let most = u32::try_from(body["outputTokenLimit"].as_u64().unwrap_or_default()).unwrap_or_default();
        if self.dialect == Dialect::Gemini && most > 0 {
            self.retries.most_output_tokens = self.retries.most_output_tokens.min(most);
        }
    }
}

fn is_bad_gemini_key(body: &Value) -> bool {
    let details = body.pointer("/error/details").and_then(Value::as_array);
    details.is_some_and(|details| details.iter().any(|detail| detail["reason"] == "API_KEY_INVALID"))
}

/// The window that the model is run with, if its file sets one, else the one it was trained for.
fn ollama_window(body: &Value) -> Option<u64> {
    let parameters = body["parameters"].as_str().unwrap_or_default();
    let set = parameters.lines().find_map(|line| line.trim().strip_prefix("num_ctx")?.trim().parse().ok());
    let trained = || {
        let info = body["model_info"].as_object()?;
        info.iter().find(|(name, _)| name.ends_with(".context_length"))?.1.as_u64()
    };
    set.or_else(trained)
}

/// What a list of models says of this one, or of the only one: llama-server answers to any name.
fn listed_window(body: &Value, model: &str) -> Option<u64> {
    let models = body["data"].as_array()?;
    let named = models.iter().find(|one| one["id"] == model);
    let one = named.or(if models.len() == 1 { models.first() } else { None })?;
    [&one["meta"]["n_ctx"], &one["max_model_len"], &one["context_length"]].iter().find_map(|value| value.as_u64())
}

/// Status and body; `None` when the answer breaks off or is too long.
async fn read(mut response: Response) -> Option<(StatusCode, String)> {
    let status = response.status();
    let mut body = Vec::new();
    while let Some(bytes) = response.chunk().await.ok()? {
        body.extend_from_slice(&bytes);
        if body.len() > ANSWER_BYTES {
            return None;
        }
    }
    Some((status, String::from_utf8_lossy(&body).into_owned()))
}
