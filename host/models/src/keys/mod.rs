//! Where a key is from: a file, a command such as a keyring's, or a variable of the provider's own, in this order.

pub mod command;
mod file;

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;

use crate::choice::{Dialect, Origin};
use crate::secret::Secret;
use crate::settings::SettingsError;

pub use command::CommandFault;

/// Names a file that holds the key, in place of the provider's own variable.
pub const KEY_FILE: &str = "BAILIWICK_KEY_FILE";

/// A command that prints the key, in place of the provider's own variable.
pub const KEY_COMMAND: &str = "BAILIWICK_KEY_COMMAND";

/// Every variable that holds a key, or says where one is.
#[must_use]
pub fn variables() -> Vec<&'static str> {
    let of_providers = Dialect::ALL.map(|(_, dialect)| variable(dialect).0);
    [KEY_FILE, KEY_COMMAND].into_iter().chain(of_providers).collect()
}

/// Whether a provider answers without a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Need {
    Key,
    Nothing,
}

/// A provider's own variable.
pub(crate) fn variable(dialect: Dialect) -> (&'static str, Need) {
    match dialect {
        Dialect::OpenAi | Dialect::OpenAiResponses => ("OPENAI_API_KEY", Need::Key),
        Dialect::Azure => ("AZURE_OPENAI_API_KEY", Need::Key),
        Dialect::Anthropic => ("ANTHROPIC_API_KEY", Need::Key),
        Dialect::Gemini => ("GEMINI_API_KEY", Need::Key),
        Dialect::Ollama => ("OLLAMA_API_KEY", Need::Nothing),
        Dialect::OpenAiCompatible => ("OPENAI_COMPATIBLE_API_KEY", Need::Nothing),
    }
}

/// Where a key is from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeySource {
    /// The provider's variable of this name.
    Variable(&'static str),
    /// The file of `BAILIWICK_KEY_FILE`.
    File(PathBuf),
    /// The command of `BAILIWICK_KEY_COMMAND`.
    Command,
}

impl fmt::Display for KeySource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variable(name) => write!(formatter, "`{name}`"),
            Self::File(path) => write!(formatter, "the file `{}` of `{KEY_FILE}`", path.display()),
            Self::Command => write!(formatter, "what the command of `{KEY_COMMAND}` printed"),
        }
    }
}

/// Looks for the key of a provider. A command is waited for, which may be while a person answers a keyring.
pub(crate) fn find(
    dialect: Dialect,
    origin: Origin,
    environment: &dyn Fn(&str) -> Option<OsString>,
) -> Result<Option<(Secret, KeySource)>, SettingsError> {
    let set = |name: &str| environment(name).filter(|value| !value.is_empty());
    let (text, source) = match (set(KEY_FILE), set(KEY_COMMAND)) {
        (Some(_), Some(_)) => return Err(SettingsError::TwoKeys),
        (Some(path), None) => {
            // It is some provider's, and nothing says whose.
            if origin == Origin::AgentFile {
                return Err(SettingsError::WhoseKey { variable: KEY_FILE });
            }
            let path = PathBuf::from(path);
            let text =
                file::read_private(&path).map_err(|reason| SettingsError::KeyFile { path: path.clone(), reason })?;
            (text, KeySource::File(path))
        }
        (None, Some(line)) => {
            let unusable = |fault| SettingsError::KeyCommand { fault };
            let command = command::KeyCommand::parse(&line, dialect).map_err(unusable)?;
            if origin == Origin::AgentFile && !command.names_provider() {
                return Err(SettingsError::WhoseKey { variable: KEY_COMMAND });
            }
            (command.run(command::LIMITS).map_err(unusable)?, KeySource::Command)
        }
        (None, None) => {
            let (name, _) = variable(dialect);
            let Some(value) = set(name) else { return Ok(None) };
            let source = KeySource::Variable(name);
            (value.into_string().map_err(|_| SettingsError::BadKey(source.clone()))?, source)
        }
    };
    match Secret::new(&text) {
        Some(secret) => Ok(Some((secret, source))),
        None => Err(SettingsError::BadKey(source)),
    }
}

#[cfg(test)]
mod tests;
