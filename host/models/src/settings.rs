//! The key and the address that a choice needs, out of the environment.

use std::ffi::OsString;
use std::path::PathBuf;

use reqwest::Url;

use crate::address;
use crate::choice::{Choice, ChoiceError, Dialect, Origin};
use crate::keys::{self, CommandFault, KeySource, Need};
use crate::secret::Secret;

/// A choice with everything that a request needs.
#[derive(Debug, Clone)]
pub struct Settings {
    /// What was chosen.
    pub choice: Choice,
    /// The key; `None` where a provider takes requests without one.
    pub key: Option<Secret>,
    /// Where the key is from, for messages.
    pub(crate) key_source: String,
    /// Where requests go.
    pub(crate) address: Address,
}

/// Where requests go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Address {
    /// Where the provider usually is.
    Usual,
    /// Below this address, which ends in a slash.
    Base(Url),
    /// To this very address, with the key in the header of this name.
    Whole { url: Url, header: KeyHeader },
}

/// How a key is sent to a [`Address::Whole`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyHeader {
    /// `api-key: KEY`.
    ApiKey,
    /// `authorization: Bearer KEY`.
    Bearer,
}

/// Why a choice cannot be used on this machine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// There is no key.
    #[error(
        "`{choice}` needs a key, and there is none: `{variable}` is not set, and neither are `BAILIWICK_KEY_FILE` and `BAILIWICK_KEY_COMMAND`"
    )]
    NoKey {
        /// What was chosen.
        choice: String,
        /// The provider's variable.
        variable: &'static str,
    },
    /// There is something that cannot be a key.
    #[error("the key in {0} cannot be used: it is empty, or has spaces or characters beyond ASCII in it")]
    BadKey(KeySource),
    /// A file and a command.
    #[error("`BAILIWICK_KEY_FILE` and `BAILIWICK_KEY_COMMAND` are both set, and there is one key")]
    TwoKeys,
    /// An agent file chose the provider, and nothing says that the key is that provider's.
    #[error("`{variable}` holds one key and does not say of which provider, and it is not you who chose this one")]
    WhoseKey {
        /// The variable.
        variable: &'static str,
    },
    /// The key file cannot be used.
    #[error("the key file `{path}` of `BAILIWICK_KEY_FILE` cannot be used: {reason}", path = path.display())]
    KeyFile {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The key command cannot be used.
    #[error("the command of `BAILIWICK_KEY_COMMAND` cannot be used: {fault}")]
    KeyCommand {
        /// What is wrong with it.
        fault: CommandFault,
    },
    /// Azure has no address of its own.
    #[error("`{0}` needs an address: set `AZURE_OPENAI_ENDPOINT` to `https://NAME.openai.azure.com`")]
    NoEndpoint(String),
    /// A variable holds an address that cannot be used.
    #[error("`{variable}` cannot be used: {source}")]
    Endpoint {
        /// The variable.
        variable: &'static str,
        /// What is wrong with its value.
        source: ChoiceError,
    },
    /// The version of Azure's API is not a version.
    #[error("`AZURE_OPENAI_API_VERSION` cannot be used: it has to be like `2024-10-21` or `2025-04-01-preview`")]
    ApiVersion,
    /// The key would go over the network for everyone on the way to read.
    #[error("the key in {source_of_key} would go to `{host}` over plain http, for everyone on the way to read")]
    PlainHttp {
        /// The host.
        host: String,
        /// Where the key is from.
        source_of_key: KeySource,
    },
}

impl SettingsError {
    /// The way out of it.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Self::NoKey { variable, .. } => format!(
                "set `{variable}`, or `BAILIWICK_KEY_FILE` to a file that holds the key, or `BAILIWICK_KEY_COMMAND` to a command that prints it"
            ),
            Self::BadKey(source) => format!("put the key alone in {source}"),
            Self::TwoKeys => "unset one of them".into(),
            Self::WhoseKey { .. } => {
                "choose the model with `--model`, or put `{provider}` into `BAILIWICK_KEY_COMMAND`, or set the provider's own variable".into()
            }
            Self::KeyFile { .. } => "name a file that you alone can read and that holds the key and nothing else".into(),
            Self::KeyCommand { .. } => {
                "try the command by itself: its first line is the key; it is split like a shell's and given to none".into()
            }
            Self::NoEndpoint(_) | Self::Endpoint { .. } => {
                "write the address with `https://`, the host and no key in it".into()
            }
            Self::ApiVersion => "leave it out for the form `v1`".into(),
            Self::PlainHttp { host, .. } => format!(
                "write `https://`; if the way to that host is safe all the same, set `{}={host}`",
                address::PLAIN_HTTP
            ),
        }
    }
}

impl Settings {
    /// Looks up what a choice needs, for the person who chose and whose environment it is. Nothing is sent. A key
    /// command is waited for, for up to a minute: a keyring may ask a person.
    ///
    /// # Errors
    /// When something is missing or cannot be used: one sentence that names the variable.
    pub fn resolve(choice: Choice, environment: &dyn Fn(&str) -> Option<OsString>) -> Result<Self, SettingsError> {
        Self::resolve_from(choice, Origin::Flag, environment)
    }

    /// The same for a choice of this origin: an agent file gets no key that may be another provider's.
    ///
    /// # Errors
    /// As [`Settings::resolve`], and [`SettingsError::WhoseKey`].
    pub fn resolve_from(
        choice: Choice,
        origin: Origin,
        environment: &dyn Fn(&str) -> Option<OsString>,
    ) -> Result<Self, SettingsError> {
        let (variable, need) = keys::variable(choice.dialect);
        let (key, source) = match keys::find(choice.dialect, origin, environment)? {
            Some((key, source)) => (Some(key), source),
            None if need == Need::Key => {
                return Err(SettingsError::NoKey { choice: choice.to_string(), variable });
            }
            None => (None, KeySource::Variable(variable)),
        };
        let address = address::address(&choice, environment)?;
        if key.is_some() {
            address::check_private(&address, &source, environment)?;
        }
        Ok(Self { choice, key, key_source: source.to_string(), address })
    }

    /// Whether requests stay on this machine. They then go past any proxy, which could be elsewhere.
    pub(crate) fn is_local(&self) -> bool {
        match &self.address {
            Address::Usual => self.choice.dialect == Dialect::Ollama,
            Address::Base(url) | Address::Whole { url, .. } => address::is_local(url),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolve(choice: &str, variables: &[(&str, &str)]) -> Result<Settings, SettingsError> {
        let look = |name: &str| {
            variables.iter().find(|(variable, _)| *variable == name).map(|(_, value)| OsString::from(value))
        };
        Settings::resolve(choice.parse().unwrap(), &look)
    }

    fn url(settings: &Settings) -> &str {
        match &settings.address {
            Address::Whole { url, .. } | Address::Base(url) => url.as_str(),
            Address::Usual => "",
        }
    }

    #[test]
    fn missing_key_is_named_by_the_variable_of_its_provider() {
        let cases = [
            ("openai:m", "OPENAI_API_KEY"),
            ("openai-responses:m", "OPENAI_API_KEY"),
            ("azure:m", "AZURE_OPENAI_API_KEY"),
            ("anthropic:m", "ANTHROPIC_API_KEY"),
            ("gemini:m", "GEMINI_API_KEY"),
        ];
        for (choice, variable) in cases {
            for environment in [&[][..], &[(variable, "")]] {
                let error = resolve(choice, environment).unwrap_err();
                for text in [error.to_string(), error.hint()] {
                    for name in [variable, "BAILIWICK_KEY_FILE", "BAILIWICK_KEY_COMMAND"] {
                        assert!(text.contains(&format!("`{name}`")), "{text}");
                    }
                }
            }
        }
        for choice in ["ollama:m", "openai-compatible:m@http://h/v1"] {
            assert!(resolve(choice, &[]).unwrap().key.is_none(), "{choice}");
        }
    }

    #[test]
    fn key_in_the_environment_is_in_no_error_and_no_debug_output() {
        let error = resolve("openai:m", &[("OPENAI_API_KEY", "canary canary")]).unwrap_err();
        assert!(!format!("{error} {error:?}").contains("canary"), "{error}");
        let settings = resolve("openai:m", &[("OPENAI_API_KEY", "canary")]).unwrap();
        assert!(!format!("{settings:?}").contains("canary"));
    }

    #[test]
    fn key_goes_over_plain_http_to_this_machine_and_to_a_host_that_was_named() {
        let key = ("OPENAI_COMPATIBLE_API_KEY", "canary-1");
        for here in ["http://localhost:1/v1", "http://127.1.2.3/v1", "http://[::1]:8080/v1", "https://example.com/v1"] {
            resolve(&format!("openai-compatible:m@{here}"), &[key]).unwrap();
        }
        for there in ["http://example.com/v1", "http://10.0.0.1:8080/v1", "http://localhost.example.com"] {
            let choice = format!("openai-compatible:m@{there}");
            // Without a key there is nothing to lose that is ours to judge.
            resolve(&choice, &[]).unwrap();
            let error = resolve(&choice, &[key]).unwrap_err();
            let SettingsError::PlainHttp { host, .. } = &error else { panic!("{error}") };
            assert!(error.hint().contains(&format!("`BAILIWICK_PLAIN_HTTP_HOST={host}`")), "{}", error.hint());
            resolve(&choice, &[key, (address::PLAIN_HTTP, host)]).unwrap();
            for other in ["1", "example.org", ""] {
                resolve(&choice, &[key, (address::PLAIN_HTTP, other)]).unwrap_err();
            }
        }
        for (choice, variables) in [
            ("openai:m@http://example.com/v1", &[("OPENAI_API_KEY", "canary-1")][..]),
            ("ollama:m@http://example.com", &[("OLLAMA_API_KEY", "canary-1")]),
            ("azure:m", &[("AZURE_OPENAI_API_KEY", "canary-1"), ("AZURE_OPENAI_ENDPOINT", "http://example.com")]),
        ] {
            assert!(matches!(resolve(choice, variables), Err(SettingsError::PlainHttp { .. })), "{choice}");
        }
        assert!(resolve("ollama:m", &[("OLLAMA_API_KEY", "canary-1")]).unwrap().is_local());
    }

    #[test]
    fn azure_takes_the_form_that_the_environment_names() {
        let endpoint = ("AZURE_OPENAI_ENDPOINT", "https://mine.openai.azure.com");
        let key = ("AZURE_OPENAI_API_KEY", "k");
        let settings = resolve("azure:my deployment".replace(' ', "-").as_str(), &[endpoint, key]).unwrap();
        assert_eq!(url(&settings), "https://mine.openai.azure.com/openai/v1/chat/completions");
        let version = ("AZURE_OPENAI_API_VERSION", "2024-10-21");
        let settings = resolve("azure:a/b", &[endpoint, key, version]).unwrap();
        assert_eq!(
            url(&settings),
            "https://mine.openai.azure.com/openai/deployments/a%2Fb/chat/completions?api-version=2024-10-21"
        );
        assert!(matches!(resolve("azure:m", &[key]), Err(SettingsError::NoEndpoint(_))));
        assert!(matches!(
            resolve("azure:m", &[key, ("AZURE_OPENAI_ENDPOINT", "mine")]),
            Err(SettingsError::Endpoint { .. })
        ));
        let bad = resolve("azure:m", &[endpoint, key, ("AZURE_OPENAI_API_VERSION", "2024&x=1")]);
        assert_eq!(bad.unwrap_err(), SettingsError::ApiVersion);
    }
}
