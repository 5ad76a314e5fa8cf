//! Which model: `provider:name` or `provider:name@url`.

use std::fmt;
use std::str::FromStr;

use bailiwick_agent::file::nearest;
use reqwest::Url;

/// How a provider is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// OpenAI chat completions.
    OpenAi,
    /// OpenAI Responses.
    OpenAiResponses,
    /// Azure OpenAI.
    Azure,
    /// Anthropic messages.
    Anthropic,
    /// Gemini `generateContent`.
    Gemini,
    /// Ollama's own chat API.
    Ollama,
    /// Anything that speaks OpenAI chat completions.
    OpenAiCompatible,
}

impl Dialect {
    /// Every dialect, by the name a person writes.
    pub const ALL: [(&str, Self); 7] = [
        ("openai", Self::OpenAi),
        ("openai-responses", Self::OpenAiResponses),
        ("azure", Self::Azure),
        ("anthropic", Self::Anthropic),
        ("gemini", Self::Gemini),
        ("ollama", Self::Ollama),
        ("openai-compatible", Self::OpenAiCompatible),
    ];

    /// Whose key it takes: both forms of OpenAI's API take the same.
    #[must_use]
    pub fn provider(self) -> &'static str {
        match self {
            Self::OpenAi | Self::OpenAiResponses => "openai",
            Self::Azure => "azure",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
            Self::Ollama => "ollama",
            Self::OpenAiCompatible => "openai-compatible",
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::ALL.iter().find(|(_, dialect)| dialect == self).map_or("", |(name, _)| name);
        formatter.write_str(name)
    }
}

/// Where the name of a model is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The command line.
    Flag,
    /// The environment.
    Environment,
    /// The person's own `bailiwick.toml`.
    Configuration,
    /// An agent file, which may be untrusted.
    AgentFile,
}

impl fmt::Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Flag => "`--model`",
            Self::Environment => "`BAILIWICK_MODEL`",
            Self::Configuration => "`model` in `bailiwick.toml`",
            Self::AgentFile => "`model` in the agent file",
        })
    }
}

/// A model as a person names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// How it is spoken to.
    pub dialect: Dialect,
    /// The provider's name for it; a deployment's name for Azure.
    pub model: String,
    /// Where it is, if not where the provider usually is.
    pub url: Option<Url>,
}

/// Why a text names no model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChoiceError {
    /// No provider, and not the name of a model that is built in.
    #[error("there is no model `{0}`: write `mechanic`, or `PROVIDER:NAME` with one of the providers {names}", names = names())]
    NoProvider(String),
    /// No such provider.
    #[error("there is no provider `{provider}`, which `{choice}` names; the nearest is `{near}`", near = near(provider))]
    UnknownProvider {
        /// What stands before the colon.
        provider: String,
        /// The choice without its address.
        choice: String,
    },
    /// No name after the colon, or one that cannot be sent as it is.
    #[error("`{0}` is not the name of a model: a name has to follow the colon, without spaces and without `::`")]
    BadName(String),
    /// The address makes no sense.
    #[error("the address `{url}` of the model cannot be used: {reason}")]
    BadUrl {
        /// As it was written.
        url: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A dialect without an address of its own.
    #[error("`openai-compatible:{0}` needs an address: write `openai-compatible:{0}@http://HOST/v1`")]
    NoUrl(String),
}

fn names() -> String {
    Dialect::ALL.map(|(name, _)| format!("`{name}`")).join(", ")
}

fn near(provider: &str) -> &'static str {
    nearest(provider, &Dialect::ALL.map(|(name, _)| name))
}

impl ChoiceError {
    /// The way out of it.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Self::NoProvider(_) => "the model `mechanic` is built in and needs neither key nor network".into(),
            Self::UnknownProvider { .. } => format!("the providers are {}; `mechanic` is built in", names()),
            Self::BadName(_) => "write `PROVIDER:NAME`, or `PROVIDER:NAME@URL`".into(),
            Self::BadUrl { .. } | Self::NoUrl(_) => "write `PROVIDER:NAME@https://HOST/PATH`".into(),
        }
    }
}

impl FromStr for Choice {
    type Err = ChoiceError;

    fn from_str(text: &str) -> Result<Self, ChoiceError> {
        // An address can hold a password, so it does not come back in a message about the provider.
        let shown = || text.split('@').next().unwrap_or_default().to_owned();
        let (provider, rest) = text.split_once(':').ok_or_else(|| ChoiceError::NoProvider(shown()))?;
        let known = Dialect::ALL.into_iter().find(|(name, _)| *name == provider);
        let (_, dialect) = known.ok_or_else(|| {
            let provider = provider.split('@').next().unwrap_or_default().to_owned();
            ChoiceError::UnknownProvider { provider, choice: shown() }
        })?;
        let (model, url) = match rest.split_once('@') {
            Some((model, url)) => (model, Some(parse_url(url)?)),
            None => (rest, None),
        };
        // `::` would be taken for a namespace by the library that speaks to providers.
        let usable = !model.is_empty() && !model.contains("::") && !model.contains(|c: char| c.is_whitespace());
        if !usable || model.contains(char::is_control) {
            return Err(ChoiceError::BadName(format!("{provider}:{model}")));
        }
        if dialect == Dialect::OpenAiCompatible && url.is_none() {
            return Err(ChoiceError::NoUrl(model.to_owned()));
        }
        Ok(Self { dialect, model: model.to_owned(), url })
    }
}

/// Reads an address, which ends in a slash afterwards so that paths can be put behind it.
pub(crate) fn parse_url(text: &str) -> Result<Url, ChoiceError> {
    let bad = |shown: &str, reason: &str| ChoiceError::BadUrl { url: shown.to_owned(), reason: reason.to_owned() };
    // Whatever stands before an `@` in an address may be a password.
    let shown = text.rsplit_once('@').map_or_else(|| text.to_owned(), |(_, host)| format!("…@{host}"));
    if !text.starts_with("http://") && !text.starts_with("https://") {
        return Err(bad(&shown, "it has to begin with `http://` or `https://`"));
    }
    let mut url = Url::parse(text).map_err(|error| bad(&shown, &error.to_string()))?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(bad(&shown, "it holds a user name or a password; a key belongs in the environment or in a file"));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(bad(&shown, "it has to end with a path, without `?` or `#`"));
    }
    if !url.path().ends_with('/') {
        let path = format!("{}/", url.path());
        url.set_path(&path);
    }
    Ok(url)
}

impl fmt::Display for Choice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.dialect, self.model)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_provider_is_chosen_by_its_name_with_and_without_an_address() {
        for (name, dialect) in Dialect::ALL {
            let choice: Choice = format!("{name}:qwen2.5:7b@http://localhost:8080/v1").parse().unwrap();
            assert_eq!((choice.dialect, choice.model.as_str()), (dialect, "qwen2.5:7b"));
            assert_eq!(choice.url.as_ref().map(Url::as_str), Some("http://localhost:8080/v1/"));
            assert_eq!(choice.to_string(), format!("{name}:qwen2.5:7b"));
            let bare = format!("{name}:m").parse::<Choice>();
            assert_eq!(bare.is_ok(), dialect != Dialect::OpenAiCompatible, "{name}");
        }
    }

    #[test]
    fn malformed_choice_is_refused_and_named() {
        let cases: [(&str, &str); 12] = [
            ("gpt-5", "`gpt-5`"),
            ("", "``"),
            ("opnai:gpt-5", "`opnai:gpt-5`"),
            ("openai:", "`openai:`"),
            ("openai:a b", "`openai:a b`"),
            ("openai:groq::a", "`openai:groq::a`"),
            ("openai:@http://h/v1", "`openai:`"),
            ("openai:m@", "``"),
            ("openai:m@localhost:8080", "localhost:8080"),
            ("openai:m@ftp://h/", "ftp://h/"),
            ("openai:m@http://h/v1?key=1", "without `?`"),
            ("openai:m@http://", "http://"),
        ];
        for (text, part) in cases {
            let error = text.parse::<Choice>().unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn unknown_provider_is_answered_with_the_nearest() {
        for (text, near) in
            [("opnai:m", "openai"), ("Anthropic:m", "anthropic"), ("open-ai-compatible:m", "openai-compatible")]
        {
            let error = text.parse::<Choice>().unwrap_err();
            assert!(error.to_string().ends_with(&format!("the nearest is `{near}`")), "{error}");
            assert!(error.hint().contains("`gemini`"), "{}", error.hint());
        }
    }

    #[test]
    fn password_in_an_address_is_refused_and_not_repeated() {
        for text in [
            "openai:m@https://user:canary@host/v1",
            "opnai:m@https://user:canary@host/v1",
            "m@https://user:canary@host",
        ] {
            let error = text.parse::<Choice>().unwrap_err();
            assert!(!format!("{error} {error:?}").contains("canary"), "{error}");
        }
    }
}
