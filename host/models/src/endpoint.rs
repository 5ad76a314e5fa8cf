//! Where requests go, and with which key.

use reqwest::header::{AUTHORIZATION, HeaderName, HeaderValue};
use reqwest::{RequestBuilder, Url};

use crate::choice::Dialect;
use crate::secret::Secret;
use crate::settings::{Address, KeyHeader, Settings};
use crate::wire::Delivery;

/// The version of Anthropic's API that is spoken here.
const ANTHROPIC_VERSION: &str = "2023-06-01";

/// Where the requests of a choice go.
pub(crate) struct Endpoint {
    dialect: Dialect,
    model: String,
    address: Address,
}

impl Endpoint {
    pub(crate) fn new(settings: &Settings) -> Self {
        let choice = &settings.choice;
        Self { dialect: choice.dialect, model: choice.model.clone(), address: settings.address.clone() }
    }

    /// Where an answer is asked for.
    pub(crate) fn answers(&self, delivery: Delivery) -> Url {
        match self.dialect {
            Dialect::OpenAi | Dialect::Azure | Dialect::OpenAiCompatible => self.at(&["chat", "completions"]),
            Dialect::OpenAiResponses => self.at(&["responses"]),
            Dialect::Anthropic => self.at(&["messages"]),
            Dialect::Ollama => self.at(&["api", "chat"]),
            Dialect::Gemini => {
                let (method, query) = match delivery {
                    Delivery::Streamed => ("streamGenerateContent", Some("alt=sse")),
                    Delivery::Whole => ("generateContent", None),
                };
                let mut url = self.at(&["models", &format!("{}:{method}", self.model)]);
                url.set_query(query);
                url
            }
        }
    }

    /// Where the provider says what it knows of the model, or, where it has no such place, which models it has.
    pub(crate) fn facts(&self) -> Url {
        match (self.dialect, &self.address) {
            (Dialect::Ollama, _) => self.at(&["api", "show"]),
            (Dialect::Azure | Dialect::OpenAiCompatible, Address::Whole { url, .. }) => {
                let mut facts = url.clone();
                // Beside `chat/completions`, or beside `deployments/NAME/chat/completions`.
                let above = if url.path().contains("/openai/deployments/") { 4 } else { 2 };
                if let Ok(mut segments) = facts.path_segments_mut() {
                    for _ in 0..above {
                        segments.pop();
                    }
                    segments.push("models");
                }
                facts
            }
            _ => self.at(&["models", &self.model]),
        }
    }

    /// The address for people: without a path, which may hold private data.
    pub(crate) fn shown(&self) -> String {
        self.answers(Delivery::Streamed).origin().ascii_serialization()
    }

    /// The request with the key where the provider wants it.
    pub(crate) fn authorized(&self, request: RequestBuilder, key: Option<&Secret>) -> RequestBuilder {
        let request = match self.dialect {
            Dialect::Anthropic => request.header("anthropic-version", ANTHROPIC_VERSION),
            _ => request,
        };
        let Some(key) = key else { return request };
        let (name, value) = match (self.dialect, &self.address) {
            // It runs without one; what a proxy in front of it wants is not known.
            (Dialect::Ollama, _) => return request,
            (Dialect::Anthropic, _) => (HeaderName::from_static("x-api-key"), key.expose().to_owned()),
            (Dialect::Gemini, _) => (HeaderName::from_static("x-goog-api-key"), key.expose().to_owned()),
            (_, Address::Whole { header: KeyHeader::ApiKey, .. }) => {
                (HeaderName::from_static("api-key"), key.expose().to_owned())
            }
            _ => (AUTHORIZATION, format!("Bearer {}", key.expose())),
        };
        match HeaderValue::from_str(&value) {
            Ok(mut value) => {
                // Kept out of what reqwest may print.
                value.set_sensitive(true);
                request.header(name, value)
            }
            // A secret is made of characters that can stand in a header.
            Err(_) => request,
        }
    }

    /// Below the base address, unless the whole address is given.
    fn at(&self, path: &[&str]) -> Url {
        let mut url = match &self.address {
            Address::Whole { url, .. } => return url.clone(),
            Address::Base(url) => url.clone(),
            Address::Usual => usual(self.dialect),
        };
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().extend(path);
        }
        url
    }
}

/// Where a provider usually is.
fn usual(dialect: Dialect) -> Url {
    let text = match dialect {
        Dialect::Anthropic => "https://api.anthropic.com/v1/",
        Dialect::Gemini => "https://generativelanguage.googleapis.com/v1beta/",
        Dialect::Ollama => "http://localhost:11434/",
        Dialect::OpenAi | Dialect::OpenAiResponses | Dialect::Azure | Dialect::OpenAiCompatible => {
            "https://api.openai.com/v1/"
        }
    };
    #[expect(clippy::unwrap_used, reason = "the texts above are addresses; a test parses each")]
    Url::parse(text).unwrap()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsString;

    fn endpoint(choice: &str, version: &str) -> Endpoint {
        let environment = |name: &str| match name {
            "AZURE_OPENAI_API_VERSION" => Some(OsString::from(version)),
            "BAILIWICK_PLAIN_HTTP_HOST" => Some(OsString::from("h")),
            name => name.ends_with("_API_KEY").then(|| OsString::from("key")),
        };
        Endpoint::new(&Settings::resolve(choice.parse().unwrap(), &environment).unwrap())
    }

    #[test]
    fn addresses_are_those_that_providers_document() {
        let cases = [
            ("openai:m", "", "https://api.openai.com/v1/chat/completions", "https://api.openai.com/v1/models/m"),
            ("openai-responses:m", "", "https://api.openai.com/v1/responses", "https://api.openai.com/v1/models/m"),
            ("anthropic:m", "", "https://api.anthropic.com/v1/messages", "https://api.anthropic.com/v1/models/m"),
            (
                "gemini:m-high",
                "",
                "https://generativelanguage.googleapis.com/v1beta/models/m-high:streamGenerateContent?alt=sse",
                "https://generativelanguage.googleapis.com/v1beta/models/m-high",
            ),
            ("ollama:q:7b", "", "http://localhost:11434/api/chat", "http://localhost:11434/api/show"),
            ("openai-compatible:a/b@http://h:1/v1", "", "http://h:1/v1/chat/completions", "http://h:1/v1/models"),
            ("azure:d@https://h", "", "https://h/openai/v1/chat/completions", "https://h/openai/v1/models"),
            (
                "azure:d@https://h",
                "2024-10-21",
                "https://h/openai/deployments/d/chat/completions?api-version=2024-10-21",
                "https://h/openai/models?api-version=2024-10-21",
            ),
        ];
        for (choice, version, answers, facts) in cases {
            let endpoint = endpoint(choice, version);
            assert_eq!(endpoint.answers(Delivery::Streamed).as_str(), answers, "{choice}");
            assert_eq!(endpoint.facts().as_str(), facts, "{choice}");
        }
        assert!(endpoint("gemini:m", "").answers(Delivery::Whole).as_str().ends_with("models/m:generateContent"));
        assert_eq!(endpoint("openai:m@http://h:8/secret/v1", "").shown(), "http://h:8");
    }
}
