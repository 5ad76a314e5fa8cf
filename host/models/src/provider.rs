//! A provider's model as a backend.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use bailiwick_agent::{Backend, BackendError, Prices, TurnRequest, TurnResponse, Usage};
use reqwest::Client;
use reqwest::redirect::Policy;
use serde_json::Value;
use tokio::time::{sleep, timeout};

use crate::choice::Dialect;
use crate::endpoint::Endpoint;
use crate::exchange::Exchange;
use crate::failure::{Failure, by_error};
use crate::request;
use crate::retry::{self, Retries};
use crate::secret::Secret;
use crate::settings::Settings;
use crate::wire::{Ask, Delivery, Form};

/// How long a connection may take to come about: two attempts fit into the question beforehand.
const CONNECT: Duration = Duration::from_secs(5);

/// Says in a line what is being waited for.
pub type Progress = Arc<dyn Fn(&str) + Send + Sync>;

/// Is told, now and then, how far an answer has come.
pub type Watch = Arc<dyn Fn(Answering) + Send + Sync>;

/// How far an answer has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answering {
    /// It is on its way.
    Coming {
        /// How many characters of text, thoughts and calls came so far.
        characters: usize,
    },
    /// It came, or what came of it will not be used.
    Over,
}

/// A provider's model. Requests are sent again as [`Retries`] say, visibly; answers are streamed.
pub struct Provider {
    name: String,
    pub(crate) dialect: Dialect,
    pub(crate) model: String,
    pub(crate) web: Client,
    pub(crate) endpoint: Endpoint,
    pub(crate) key: Option<Secret>,
    pub(crate) key_source: String,
    pub(crate) retries: Retries,
    pub(crate) window: Option<u64>,
    prices: Option<Prices>,
    output_limit: Option<u32>,
    progress: Progress,
    watch: Option<Watch>,
    /// Set once the provider has shown that it streams nothing.
    unstreamed: AtomicBool,
    /// Set once it was said that tokens are estimated.
    estimating: AtomicBool,
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
        let mut web = Client::builder()
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
            model: settings.choice.model.clone(),
            web,
            endpoint: Endpoint::new(&settings),
            key: settings.key,
            key_source: settings.key_source,
            retries,
            window: None,
            prices: None,
            output_limit: None,
            progress,
            watch: None,
            unstreamed: AtomicBool::new(false),
            estimating: AtomicBool::new(false),
        })
    }

    /// With at most this many tokens of output a turn; the provider's own limit otherwise.
    #[must_use]
    pub fn with_output_limit(mut self, tokens: u32) -> Self {
        self.output_limit = Some(tokens);
        self
    }

    /// With a window of this many tokens, whatever the provider says.
    #[must_use]
    pub fn with_window(mut self, tokens: u64) -> Self {
        self.window = Some(tokens);
        self
    }

    /// With these prices, so that an agent can have a limit on money.
    #[must_use]
    pub fn with_prices(mut self, prices: Prices) -> Self {
        self.prices = Some(prices);
        self
    }

    /// With a listener for the progress of an answer: called about twice a second while it comes, and at its end.
    #[must_use]
    pub fn watched(mut self, watch: Watch) -> Self {
        self.watch = Some(watch);
        self
    }

    /// A turn, asked for once more with room for a longer answer if it was cut off.
    async fn answered(&self, turn: &TurnRequest) -> Result<TurnResponse, BackendError> {
        let chat = request::build(turn, self.dialect);
        let first = match self.attempts(turn, &chat, self.output_limit).await {
            Err(BackendError::Truncated { usage }) => usage,
            outcome => return outcome,
        };
        let Some(limit) = self.retries.more_output(self.output_limit, first.output_tokens) else {
            return Err(BackendError::Truncated { usage: first });
        };
        self.say(&format!("the answer was cut off at its output limit; asking once more with {limit} tokens"));
        match self.attempts(turn, &chat, Some(limit)).await {
            Ok(response) => Ok(TurnResponse { usage: both(first, response.usage), ..response }),
            Err(BackendError::Truncated { usage }) => Err(BackendError::Truncated { usage: both(first, usage) }),
            Err(BackendError::Malformed { message, usage }) => {
                Err(BackendError::Malformed { message, usage: both(first, usage) })
            }
            // It may well be that the model has no more room.
            Err(BackendError::Refused { .. }) => Err(BackendError::Truncated { usage: first }),
            Err(other) => Err(other),
        }
    }

    async fn attempts(
        &self,
        turn: &TurnRequest,
        chat: &request::Chat,
        output_limit: Option<u32>,
    ) -> Result<TurnResponse, BackendError> {
        for attempt in 1.. {
            let (message, asked) = match self.attempt(turn, chat, output_limit).await {
                Ok(response) => return Ok(response),
                Err(Failure::Final(error)) => return Err(error),
                Err(Failure::NoStream { message }) => return Err(BackendError::Refused { message }),
                Err(Failure::Passing { message, retry_after }) => (self.scrub(message), retry_after),
            };
            let Some(wait) = self.retries.wait(attempt, asked, retry::chance()) else {
                return Err(BackendError::Unavailable { message, retry_after: asked });
            };
            tracing::warn!(model = self.name, attempt, wait_ms = wait.as_millis(), "a request is sent again");
            self.say(&format!(
                "{message}; trying again in {:.1} s ({attempt} of {} attempts made)",
                wait.as_secs_f64(),
                self.retries.attempts
            ));
            sleep(wait).await;
        }
        unreachable!("the number of attempts ends the loop")
    }

    /// One request and its answer; two where the provider turns out not to stream.
    async fn attempt(
        &self,
        turn: &TurnRequest,
        chat: &request::Chat,
        output_limit: Option<u32>,
    ) -> Result<TurnResponse, Failure> {
        let form = Form::of(self.dialect);
        let exchange = Exchange {
            web: &self.web,
            endpoint: &self.endpoint,
            form,
            key: self.key.as_ref(),
            key_source: &self.key_source,
            retries: &self.retries,
            watch: self.watch.as_ref(),
        };
        let ask = |delivery| {
            let request = form.request(&Ask { chat, model: &self.model, output_limit, delivery });
            let exchange = &exchange;
            async move { exchange.ask(&request, delivery).await }
        };
        let watched = Watched(self.watch.as_ref());
        let body = if self.unstreamed.load(Ordering::Relaxed) {
            ask(Delivery::Whole).await
        } else {
            match ask(Delivery::Streamed).await {
                Err(Failure::NoStream { message }) => {
                    tracing::debug!(model = self.name, "the answer is asked for in one piece");
                    let whole = ask(Delivery::Whole).await;
                    if whole.is_ok() {
                        self.unstreamed.store(true, Ordering::Relaxed);
                        let message = self.scrub(message);
                        self.say(&format!("{message}; answers come in one piece from now on"));
                    }
                    whole
                }
                outcome => outcome,
            }
        };
        drop(watched);
        let body = body?;
        let mut answer = form.read(&body);
        if answer.usage.total() == 0 {
            answer.usage = self.estimated(turn, &body);
        }
        match &answer.error {
            Some(error) => Err(by_error(&self.scrub_value(error.clone()))),
            None => answer.turn(&turn.tools).map_err(Failure::Final),
        }
    }

    /// What a turn may have taken of which the provider does not say it. A limit on tokens or money that it passed over
    /// would be none.
    fn estimated(&self, turn: &TurnRequest, body: &Value) -> Usage {
        // A token is about four characters of English and fewer of anything else.
        const BYTES: usize = 3;
        if !self.estimating.swap(true, Ordering::Relaxed) {
            self.say("the provider does not say how many tokens it takes; they are estimated by the length of texts");
        }
        let tokens = |bytes: usize| bytes.div_ceil(BYTES) as u64;
        let sent = serde_json::to_vec(turn).map_or(0, |bytes| bytes.len());
        Usage { input_tokens: tokens(sent), output_tokens: tokens(body.to_string().len()), ..Usage::default() }
    }

    fn say(&self, what: &str) {
        (self.progress)(&format!("{}: {what}", self.name));
    }
}

#[async_trait]
impl Backend for Provider {
    fn name(&self) -> &str {
        &self.name
    }

    fn window(&self) -> Option<u64> {
        self.window
    }

    fn prices(&self) -> Option<Prices> {
        self.prices
    }

    async fn turn(&self, request: &TurnRequest) -> Result<TurnResponse, BackendError> {
        let deadline = self.retries.deadline;
        let outcome = timeout(deadline, self.answered(request)).await.unwrap_or_else(|_| {
            let message = format!("there was no answer within {} s", deadline.as_secs());
            Err(BackendError::Unavailable { message, retry_after: None })
        });
        match outcome {
            Ok(response) => Ok(self.scrub_response(response)),
            Err(error) => Err(self.scrub_error(error)),
        }
    }
}

/// Says that an answer is over, also when it is given up in the middle.
struct Watched<'a>(Option<&'a Watch>);

impl Drop for Watched<'_> {
    fn drop(&mut self) {
        if let Some(watch) = self.0 {
            watch(Answering::Over);
        }
    }
}

fn both(first: Usage, second: Usage) -> Usage {
    Usage {
        input_tokens: first.input_tokens.saturating_add(second.input_tokens),
        cached_input_tokens: first.cached_input_tokens.saturating_add(second.cached_input_tokens),
        output_tokens: first.output_tokens.saturating_add(second.output_tokens),
    }
}
