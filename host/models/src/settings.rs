//! The key and the address that a choice needs, out of the environment.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use reqwest::Url;

use crate::choice::{self, Choice, ChoiceError, Dialect};
use crate::secret::Secret;

/// Names a file that holds the key, in place of the provider's own variable.
pub const KEY_FILE: &str = "BAILIWICK_KEY_FILE";

/// The longest key file that is read.
const KEY_FILE_BYTES: u64 = 16 << 10;

/// A choice with everything that a request needs.
#[derive(Debug, Clone)]
pub struct Settings {
    /// What was chosen.
    pub choice: Choice,
    /// The key; `None` where a provider takes requests without one.
    pub key: Option<Secret>,
    /// The variable or the file that the key is from, for messages.
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
    #[error("`{choice}` needs a key: set `{variable}`, or `BAILIWICK_KEY_FILE` to a file that holds it")]
    NoKey {
        /// What was chosen.
        choice: String,
        /// The provider's variable.
        variable: &'static str,
    },
    /// There is something that cannot be a key.
    #[error("the key in {0} cannot be used: it is empty, or has spaces or characters beyond ASCII in it")]
    BadKey(String),
    /// The key file cannot be used.
    #[error("the key file `{path}` of `BAILIWICK_KEY_FILE` cannot be used: {reason}", path = path.display())]
    KeyFile {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
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
    /// The version of Azure's API is no version.
    #[error("`AZURE_OPENAI_API_VERSION` cannot be used: it has to be like `2024-10-21` or `2025-04-01-preview`")]
    ApiVersion,
}

impl Settings {
    /// Looks up what a choice needs. Nothing is sent.
    ///
    /// # Errors
    /// When something is missing or cannot be used: one sentence that names the variable.
    pub fn resolve(choice: Choice, environment: &dyn Fn(&str) -> Option<OsString>) -> Result<Self, SettingsError> {
        let (variable, need) = key_variable(choice.dialect);
        let (key, key_source) = match key(variable, environment)? {
            Some(found) => found,
            None if need == Need::Key => {
                return Err(SettingsError::NoKey { choice: choice.to_string(), variable });
            }
            None => (None, format!("`{variable}`")),
        };
        let address = address(&choice, environment)?;
        Ok(Self { choice, key, key_source, address })
    }
}

#[derive(PartialEq, Eq)]
enum Need {
    Key,
    Nothing,
}

fn key_variable(dialect: Dialect) -> (&'static str, Need) {
    match dialect {
        Dialect::OpenAi | Dialect::OpenAiResponses => ("OPENAI_API_KEY", Need::Key),
        Dialect::Azure => ("AZURE_OPENAI_API_KEY", Need::Key),
        Dialect::Anthropic => ("ANTHROPIC_API_KEY", Need::Key),
        Dialect::Gemini => ("GEMINI_API_KEY", Need::Key),
        Dialect::Ollama => ("OLLAMA_API_KEY", Need::Nothing),
        Dialect::OpenAiCompatible => ("OPENAI_COMPATIBLE_API_KEY", Need::Nothing),
    }
}

type Found = (Option<Secret>, String);

fn key(variable: &str, environment: &dyn Fn(&str) -> Option<OsString>) -> Result<Option<Found>, SettingsError> {
    if let Some(path) = environment(KEY_FILE).filter(|path| !path.is_empty()) {
        let path = PathBuf::from(path);
        let source = format!("the file `{}`", path.display());
        let text = read_private(&path).map_err(|reason| SettingsError::KeyFile { path, reason })?;
        let secret = Secret::new(&text).ok_or_else(|| SettingsError::BadKey(source.clone()))?;
        return Ok(Some((Some(secret), source)));
    }
    let Some(value) = environment(variable).filter(|value| !value.is_empty()) else { return Ok(None) };
    let source = format!("`{variable}`");
    let secret = value.to_str().and_then(Secret::new).ok_or_else(|| SettingsError::BadKey(source.clone()))?;
    Ok(Some((Some(secret), source)))
}

/// Reads a file that nobody but its owner may read.
fn read_private(path: &Path) -> Result<String, String> {
    use std::io::Read;
    // Before it is opened: a pipe would be waited for.
    if !std::fs::metadata(path).map_err(|error| error.to_string())?.is_file() {
        return Err("it is not a file".into());
    }
    let file = std::fs::File::open(path).map_err(|error| error.to_string())?;
    let metadata = file.metadata().map_err(|error| error.to_string())?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        if metadata.permissions().mode() & 0o077 != 0 {
            return Err(format!("others may read it; run `chmod 600 {}`", path.display()));
        }
    }
    let mut text = String::new();
    file.take(KEY_FILE_BYTES).read_to_string(&mut text).map_err(|error| error.to_string())?;
    Ok(text)
}

fn address(choice: &Choice, environment: &dyn Fn(&str) -> Option<OsString>) -> Result<Address, SettingsError> {
    match (choice.dialect, &choice.url) {
        (Dialect::Azure, url) => azure(choice, url.as_ref(), environment),
        (Dialect::OpenAiCompatible, Some(url)) => {
            let url = below(url, "chat/completions");
            Ok(Address::Whole { url, header: KeyHeader::Bearer })
        }
        (_, Some(url)) => Ok(Address::Base(url.clone())),
        (_, None) => Ok(Address::Usual),
    }
}

/// With `AZURE_OPENAI_API_VERSION` the form with deployments, without it the form `v1`.
fn azure(
    choice: &Choice,
    url: Option<&Url>,
    environment: &dyn Fn(&str) -> Option<OsString>,
) -> Result<Address, SettingsError> {
    const ENDPOINT: &str = "AZURE_OPENAI_ENDPOINT";
    let endpoint = match (url, environment(ENDPOINT)) {
        (Some(url), _) => url.clone(),
        (None, Some(text)) => choice::parse_url(&text.to_string_lossy())
            .map_err(|source| SettingsError::Endpoint { variable: ENDPOINT, source })?,
        (None, None) => return Err(SettingsError::NoEndpoint(choice.to_string())),
    };
    let version = environment("AZURE_OPENAI_API_VERSION").filter(|version| !version.is_empty());
    let url = match version {
        None => below(&endpoint, "openai/v1/chat/completions"),
        Some(version) => {
            let version = version.to_str().filter(|text| {
                text.starts_with("20") && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            });
            let version = version.ok_or(SettingsError::ApiVersion)?;
            let mut url = below(&endpoint, "openai/deployments/");
            if let Ok(mut segments) = url.path_segments_mut() {
                segments.pop_if_empty().extend([choice.model.as_str(), "chat", "completions"]);
            }
            url.set_query(Some(&format!("api-version={version}")));
            url
        }
    };
    Ok(Address::Whole { url, header: KeyHeader::ApiKey })
}

fn below(base: &Url, path: &str) -> Url {
    let mut url = base.clone();
    url.set_path(&format!("{}{path}", base.path()));
    url
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{Permissions, set_permissions, write};
    use std::os::unix::fs::PermissionsExt;

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
            let error = resolve(choice, &[]).unwrap_err().to_string();
            assert!(error.contains(&format!("`{variable}`")), "{error}");
            let error = resolve(choice, &[(variable, "")]).unwrap_err().to_string();
            assert!(error.contains(&format!("`{variable}`")), "{error}");
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
    fn key_file_is_used_only_if_nobody_else_may_read_it() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("key");
        write(&path, "canary\n").unwrap();
        let name = path.to_str().unwrap();
        for (mode, usable) in [(0o600, true), (0o400, true), (0o640, false), (0o604, false), (0o660, false)] {
            set_permissions(&path, Permissions::from_mode(mode)).unwrap();
            let settings = resolve("openai:m", &[(KEY_FILE, name), ("OPENAI_API_KEY", "other")]);
            assert_eq!(settings.is_ok(), usable, "{mode:o}");
            if let Ok(settings) = settings {
                assert_eq!(settings.key, Secret::new("canary"), "the file is used, not the variable");
            }
        }
        for missing in [directory.path().join("none"), directory.path().to_owned()] {
            let error = resolve("openai:m", &[(KEY_FILE, missing.to_str().unwrap())]).unwrap_err();
            assert!(error.to_string().contains("BAILIWICK_KEY_FILE"), "{error}");
        }
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
