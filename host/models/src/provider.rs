//! A provider's model as a backend.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bailiwick_agent::{Backend, BackendError, ToolCall, TurnRequest, TurnResponse};
use genai::adapter::AdapterKind;
use genai::chat::{ChatOptions, ReasoningEffort};
use genai::resolver::{AuthData, Endpoint};
use genai::{Client, Headers, ModelIden, ServiceTarget};
use reqwest::redirect::Policy;
use serde_json::Value;
use tokio::time::{sleep, timeout};

use crate::choice::Dialect;
use crate::failure::{Failure, judge};
use crate::retry::{self, Retries};
use crate::secret::Secret;
use crate::settings::{Address, KeyHeader, Settings};
use crate::{answer, request};

/// How long a connection may take to come about.
const CONNECT: Duration = Duration::from_secs(10);

/// Says in a line what is being waited for.
pub type Progress = Arc<dyn Fn(&str) + Send + Sync>;

/// A provider's model. Requests are sent again as [`Retries`] say, visibly; answers are not streamed.
pub struct Provider {
    name: String,
    dialect: Dialect,
    client: Client,
    target: ServiceTarget,
    options: ChatOptions,
    key: Option<Secret>,
    key_source: String,
    retries: Retries,
    progress: Progress,
}

/// Why a provider cannot be spoken to from this machine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no secure connection can be set up: {0}; `SSL_CERT_FILE` can name a file of certificates")]
pub struct SetupError(String);

impl Provider {
    /// A backend of checked settings. Nothing is sent.
    ///
    /// # Errors
    /// When this machine has no certificates to check a provider by.
    pub fn new(settings: Settings, retries: Retries, progress: Progress) -> Result<Self, SetupError> {
        // An error says that there is one already, which does as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut web = reqwest::Client::builder()
            .connect_timeout(CONNECT)
            // A redirect would take the key to another place: only some headers are held back.
            .redirect(Policy::none())
            .user_agent(concat!("bailiwick/", env!("CARGO_PKG_VERSION")));
        if settings.is_local() {
            // A proxy elsewhere would get the key, and in plain text.
            web = web.no_proxy();
        }
        let web = web.build().map_err(|error| SetupError(error.without_url().to_string()))?;
        Ok(Self {
            name: settings.choice.to_string(),
            dialect: settings.choice.dialect,
            client: Client::builder().with_reqwest(web).build().map_err(|_| SetupError("no client".into()))?,
            target: target(&settings),
            options: options(settings.choice.dialect),
            key: settings.key,
            key_source: settings.key_source,
            retries,
            progress,
        })
    }

    /// With at most this many tokens of output a turn; the provider's own limit otherwise.
    #[must_use]
    pub fn with_output_limit(mut self, tokens: u32) -> Self {
        self.options = self.options.with_max_tokens(tokens);
        self
    }

    async fn attempts(&self, turn: &TurnRequest) -> Result<TurnResponse, BackendError> {
        let chat = request::build(turn, self.dialect);
        for attempt in 1.. {
            let sent = self.client.exec_chat(self.target.clone(), chat.clone(), Some(&self.options)).await;
            let (message, asked) = match sent {
                Ok(response) => return answer::read(response, &turn.tools),
                Err(error) => match judge(error, &self.key_source, &|text| self.scrub(text)) {
                    Failure::Final(error) => return Err(error),
                    Failure::Passing { message, retry_after } => (self.scrub(message), retry_after),
                },
            };
            let Some(wait) = self.retries.wait(attempt, asked, retry::chance()) else {
                return Err(BackendError::Unavailable { message, retry_after: asked });
            };
            (self.progress)(&format!(
                "{}: {message}; trying again in {:.1} s ({attempt} of {} attempts made)",
                self.name,
                wait.as_secs_f64(),
                self.retries.attempts
            ));
            sleep(wait).await;
        }
        unreachable!("the number of attempts ends the loop")
    }

    fn scrub(&self, text: String) -> String {
        match &self.key {
            Some(key) => key.scrub(text),
            None => text,
        }
    }

    fn scrub_value(&self, value: Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.scrub(text)),
            Value::Array(elements) => elements.into_iter().map(|element| self.scrub_value(element)).collect(),
            Value::Object(fields) => {
                fields.into_iter().map(|(name, field)| (self.scrub(name), self.scrub_value(field))).collect()
            }
            other => other,
        }
    }

    /// An endpoint may repeat the key it was sent, in an answer as in an error.
    fn scrub_response(&self, response: TurnResponse) -> TurnResponse {
        let calls = response.calls.into_iter().map(|call| ToolCall {
            id: self.scrub(call.id),
            name: self.scrub(call.name),
            arguments: self.scrub_value(call.arguments),
        });
        TurnResponse { text: self.scrub(response.text), calls: calls.collect(), usage: response.usage }
    }

    fn scrub_error(&self, error: BackendError) -> BackendError {
        match error {
            BackendError::Unavailable { message, retry_after } => {
                BackendError::Unavailable { message: self.scrub(message), retry_after }
            }
            BackendError::Malformed { message, usage } => {
                BackendError::Malformed { message: self.scrub(message), usage }
            }
            BackendError::Refused { message } => BackendError::Refused { message: self.scrub(message) },
            other => other,
        }
    }
}

#[async_trait]
impl Backend for Provider {
    fn name(&self) -> &str {
        &self.name
    }

    async fn turn(&self, request: &TurnRequest) -> Result<TurnResponse, BackendError> {
        let deadline = self.retries.deadline;
        let outcome = timeout(deadline, self.attempts(request)).await.unwrap_or_else(|_| {
            let message = format!("there was no answer within {} s", deadline.as_secs());
            Err(BackendError::Unavailable { message, retry_after: None })
        });
        match outcome {
            Ok(response) => Ok(self.scrub_response(response)),
            Err(error) => Err(self.scrub_error(error)),
        }
    }
}

fn target(settings: &Settings) -> ServiceTarget {
    let key = settings.key.as_ref().map(Secret::expose);
    let (kind, usual) = match settings.choice.dialect {
        Dialect::OpenAi | Dialect::Azure | Dialect::OpenAiCompatible => {
            (AdapterKind::OpenAI, "https://api.openai.com/v1/")
        }
        Dialect::OpenAiResponses => (AdapterKind::OpenAIResp, "https://api.openai.com/v1/"),
        Dialect::Anthropic => (AdapterKind::Anthropic, "https://api.anthropic.com/v1/"),
        Dialect::Gemini => (AdapterKind::Gemini, "https://generativelanguage.googleapis.com/v1beta/"),
        Dialect::Ollama => (AdapterKind::Ollama, "http://localhost:11434/"),
    };
    let (endpoint, auth) = match &settings.address {
        Address::Usual => (Endpoint::from_static(usual), None),
        Address::Base(url) => (Endpoint::from_owned(url.as_str()), None),
        Address::Whole { url, header } => {
            let headers = key.map(|key| match header {
                KeyHeader::ApiKey => Headers::from(("api-key".to_owned(), key.to_owned())),
                KeyHeader::Bearer => Headers::from(("authorization".to_owned(), format!("Bearer {key}"))),
            });
            let headers = headers.unwrap_or_default();
            (Endpoint::from_static(usual), Some(AuthData::RequestOverride { url: url.to_string(), headers }))
        }
    };
    let auth = auth.or_else(|| key.map(AuthData::from_single)).unwrap_or(AuthData::None);
    ServiceTarget { endpoint, auth, model: ModelIden::new(kind, settings.choice.model.as_str()) }
}

fn options(dialect: Dialect) -> ChatOptions {
    // The body tells an answer that was cut off from one that is broken.
    let options = ChatOptions::default().with_capture_raw_body(true);
    match dialect {
        // genai takes an ending such as `-high` off a name and makes an effort of it, unless an effort is given; this
        // one is not sent to OpenAI.
        Dialect::OpenAi | Dialect::OpenAiResponses | Dialect::Azure | Dialect::OpenAiCompatible => {
            options.with_reasoning_effort(ReasoningEffort::Budget(0))
        }
        Dialect::Anthropic | Dialect::Gemini | Dialect::Ollama => options,
    }
}
