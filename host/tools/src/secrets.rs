//! Secrets that a person keeps for tools. A tool never sees one: the host puts it into a header of requests to the one
//! host that it was kept for, whatever a manifest says.
//!
//! `<state>/tools/secrets/<name>` holds each, for this user alone: the secret itself, or the command that prints it, such as
//! a keyring's. The state directory is never granted to a tool.

use crate::file;
use bailiwick_base::files::Replace;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::io::ErrorKind;
use std::path::PathBuf;

/// The longest secret, in bytes.
pub const LONGEST: usize = 8 << 10;

/// The longest file: a secret may be escaped in it.
const LONGEST_FILE: u64 = 64 << 10;

/// So many are kept.
const MOST: usize = 256;

/// So many words has a command.
const MOST_WORDS: usize = 64;

/// One secret and whose it is. Its `Debug` says nothing of it, and it has no `Display`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "OnDisk", into = "OnDisk")]
pub struct Kept {
    /// The one host that it is sent to, in lower case.
    pub host: String,
    place: Place,
}

/// Where a secret is.
#[derive(Clone, PartialEq, Eq)]
pub enum Place {
    /// Here.
    Here(Value),
    /// Elsewhere: a program and its arguments, which prints it in its first line. No shell reads them.
    Command(Vec<String>),
}

/// A secret that can stand in a header. It has neither `Debug` nor `Display`.
#[derive(Clone, PartialEq, Eq)]
pub struct Value(String);

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct OnDisk {
    host: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    command: Option<Vec<String>>,
}

impl TryFrom<OnDisk> for Kept {
    type Error = SecretError;

    fn try_from(OnDisk { host, value, command }: OnDisk) -> Result<Self, SecretError> {
        match (value, command) {
            (Some(value), None) => Self::new(&host, &value),
            (None, Some(words)) => Self::printed_by(&host, words),
            _ => Err(SecretError::Value),
        }
    }
}

impl From<Kept> for OnDisk {
    fn from(Kept { host, place }: Kept) -> Self {
        match place {
            Place::Here(Value(value)) => Self { host, value: Some(value), command: None },
            Place::Command(words) => Self { host, value: None, command: Some(words) },
        }
    }
}

impl Value {
    /// A secret, wherever it came from.
    ///
    /// # Errors
    /// It is empty, too long, or not of characters that a header can have.
    pub fn new(value: &str) -> Result<Self, SecretError> {
        let value = value.trim();
        if value.is_empty() || value.len() > LONGEST || !value.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(SecretError::Value);
        }
        Ok(Self(value.to_owned()))
    }

    /// The secret itself, for the header alone.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl Kept {
    /// A secret for a host.
    ///
    /// # Errors
    /// As [`Value::new`].
    pub fn new(host: &str, value: &str) -> Result<Self, SecretError> {
        Ok(Self { host: host.to_ascii_lowercase(), place: Place::Here(Value::new(value)?) })
    }

    /// A secret for a host that a command prints: a program and its arguments. It is not run here.
    ///
    /// # Errors
    /// There is no program, or there are too many words, or they are too long.
    pub fn printed_by(host: &str, command: Vec<String>) -> Result<Self, SecretError> {
        let bytes: usize = command.iter().map(String::len).sum();
        let odd = command.iter().any(|word| word.contains('\0'));
        if command.first().is_none_or(String::is_empty) || command.len() > MOST_WORDS || bytes > LONGEST || odd {
            return Err(SecretError::Command);
        }
        Ok(Self { host: host.to_ascii_lowercase(), place: Place::Command(command) })
    }

    /// Where it is.
    #[must_use]
    pub fn place(&self) -> &Place {
        &self.place
    }
}

impl fmt::Debug for Kept {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Kept").field("host", &self.host).finish_non_exhaustive()
    }
}

/// Why a secret is not kept, or not read. Nothing here holds it.
#[derive(Debug, thiserror::Error)]
pub enum SecretError {
    /// The name is not one of a file.
    #[error("`{}` is not the name of a secret: use up to 64 letters, digits, `-` and `_`", .0.escape_debug())]
    Name(String),
    /// It cannot stand in a header.
    #[error("the secret is empty, longer than {LONGEST} bytes, or not printable ASCII in one line")]
    Value,
    /// It is not a command.
    #[error("a command is a program and its arguments, at most {MOST_WORDS} words and {LONGEST} bytes")]
    Command,
    /// No secret has this name.
    #[error("there is no secret `{0}`")]
    Unknown(String),
    /// There are too many.
    #[error("there are {MOST} secrets already")]
    TooMany,
    /// Others may read or write where they are kept.
    #[error("`{}` is not this user's alone", .0.display())]
    Open(PathBuf),
    /// What is there cannot be read or written.
    #[error("`{}`: {reason}", .path.display())]
    Broken {
        /// Where.
        path: PathBuf,
        /// What the system says, or that it is not what was written.
        reason: String,
    },
}

/// The secrets of this machine's user.
#[derive(Debug, Clone)]
pub struct Secrets {
    directory: PathBuf,
}

impl Secrets {
    /// Those in a directory, such as `<state>/tools/secrets`. Nothing is made yet.
    #[must_use]
    pub fn at(directory: impl Into<PathBuf>) -> Self {
        Self { directory: directory.into() }
    }

    /// All of them by name, sorted.
    ///
    /// # Errors
    /// The directory is not this user's alone, or holds something else.
    pub fn list(&self) -> Result<Vec<(String, Kept)>, SecretError> {
        if !self.secure()? {
            return Ok(Vec::new());
        }
        let mut all = Vec::new();
        for entry in std::fs::read_dir(&self.directory).map_err(|error| self.broken(&error))? {
            let name = entry.map_err(|error| self.broken(&error))?.file_name();
            // The lock, and what a process that died left of a secret, have a dot in their names.
            let Some(name) = name.to_str().filter(|name| check(name).is_ok()) else { continue };
            all.push((name.to_owned(), self.get(name)?));
        }
        all.sort_by(|(one, _), (other, _)| one.cmp(other));
        Ok(all)
    }

    /// One of them.
    ///
    /// # Errors
    /// It does not exist, or it cannot be read.
    pub fn get(&self, name: &str) -> Result<Kept, SecretError> {
        check(name)?;
        if !self.secure()? {
            return Err(SecretError::Unknown(name.to_owned()));
        }
        let path = self.directory.join(name);
        let broken = |reason: String| SecretError::Broken { path: path.clone(), reason };
        match file::plain(&path, LONGEST_FILE) {
            // What the parser says of it could repeat it.
            Ok(text) => serde_json::from_slice(&text).map_err(|_| broken("it is not what was written".into())),
            Err(error) if error.kind() == ErrorKind::NotFound => Err(SecretError::Unknown(name.to_owned())),
            Err(error) => Err(broken(error.to_string())),
        }
    }

    /// Keeps one, in place of what was kept under its name.
    ///
    /// # Errors
    /// It cannot be written; then what was kept is as it was.
    pub fn set(&self, name: &str, secret: &Kept) -> Result<(), SecretError> {
        check(name)?;
        file::make(&self.directory).map_err(|error| self.broken(&error))?;
        self.secure()?;
        let _lock = file::lock(&self.directory.join("secrets.lock")).map_err(|error| self.broken(&error))?;
        let known = self.list()?;
        if known.len() >= MOST && known.iter().all(|(other, _)| other != name) {
            return Err(SecretError::TooMany);
        }
        let text = serde_json::to_vec(secret).map_err(|_| SecretError::Value)?;
        Replace::PRIVATE.write(&self.directory.join(name), &text).map_err(|error| self.broken(&error))
    }

    /// Forgets one.
    ///
    /// # Errors
    /// It does not exist, or it cannot be removed.
    pub fn remove(&self, name: &str) -> Result<(), SecretError> {
        check(name)?;
        if !self.secure()? {
            return Err(SecretError::Unknown(name.to_owned()));
        }
        match std::fs::remove_file(self.directory.join(name)) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == ErrorKind::NotFound => Err(SecretError::Unknown(name.to_owned())),
            Err(error) => Err(self.broken(&error)),
        }
    }

    /// Whether the directory is there.
    fn secure(&self) -> Result<bool, SecretError> {
        match file::own(&self.directory).map_err(|error| self.broken(&error))? {
            None => Ok(false),
            Some(true) => Ok(true),
            Some(false) => Err(SecretError::Open(self.directory.clone())),
        }
    }

    fn broken(&self, error: &std::io::Error) -> SecretError {
        SecretError::Broken { path: self.directory.clone(), reason: error.to_string() }
    }
}

fn check(name: &str) -> Result<(), SecretError> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    if name.is_empty() || name.len() > 64 || !name.bytes().all(plain) {
        return Err(SecretError::Name(name.chars().take(64).collect()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn secret_is_kept_for_this_user_alone_and_forgotten_when_asked() {
        let base = tempfile::tempdir().unwrap();
        let place = base.path().join("tools/secrets");
        let secrets = Secrets::at(&place);
        assert!(secrets.list().unwrap().is_empty());
        assert!(matches!(secrets.get("token"), Err(SecretError::Unknown(_))));
        let kept = Kept::new("API.example.com", " sk-canary\n").unwrap();
        secrets.set("token", &kept).unwrap();
        assert!(secrets.get("token").unwrap() == kept && kept.host == "api.example.com");
        assert!(secrets.list().unwrap() == [("token".to_owned(), kept.clone())]);
        let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&place), mode(&place.join("token"))), (0o700, 0o600));
        assert!(!format!("{kept:?}").contains("canary"));
        secrets.remove("token").unwrap();
        assert!(matches!(secrets.remove("token"), Err(SecretError::Unknown(_))));
    }

    #[test]
    fn what_others_could_have_written_is_not_read_and_no_error_repeats_a_secret() {
        let base = tempfile::tempdir().unwrap();
        let place = base.path().join("secrets");
        let secrets = Secrets::at(&place);
        secrets.set("token", &Kept::new("a.example", "sk-canary").unwrap()).unwrap();
        std::fs::set_permissions(&place, std::fs::Permissions::from_mode(0o755)).unwrap();
        assert!(matches!(secrets.get("token"), Err(SecretError::Open(_))));
        assert!(matches!(secrets.set("token", &Kept::new("a.example", "other").unwrap()), Err(SecretError::Open(_))));
        std::fs::set_permissions(&place, std::fs::Permissions::from_mode(0o700)).unwrap();
        std::fs::write(place.join("token"), "sk-canary in plain").unwrap();
        let error = secrets.get("token").unwrap_err();
        assert!(!format!("{error} {error:?}").contains("canary"), "{error}");
    }

    #[test]
    fn command_is_kept_as_the_words_that_it_has_and_no_secret_with_it() {
        let base = tempfile::tempdir().unwrap();
        let secrets = Secrets::at(base.path().join("secrets"));
        let words = ["print", "it of $HOME"].map(str::to_owned).to_vec();
        secrets.set("token", &Kept::printed_by("a.example", words.clone()).unwrap()).unwrap();
        assert!(*secrets.get("token").unwrap().place() == Place::Command(words));
        let text = std::fs::read_to_string(base.path().join("secrets/token")).unwrap();
        assert_eq!(text, r#"{"host":"a.example","command":["print","it of $HOME"]}"#);
        for wrong in [vec![], vec![String::new()], vec!["x".to_owned(); 65], vec!["x\0".to_owned()]] {
            assert!(matches!(Kept::printed_by("a.example", wrong), Err(SecretError::Command)));
        }
        // bailiwick writes neither both nor neither of them.
        for text in [r#"{"host":"a","value":"sk-canary","command":["x"]}"#, r#"{"host":"a"}"#] {
            std::fs::write(base.path().join("secrets/token"), text).unwrap();
            let error = secrets.get("token").unwrap_err();
            assert!(matches!(error, SecretError::Broken { .. }) && !error.to_string().contains("canary"));
        }
    }

    #[test]
    fn name_that_leads_elsewhere_and_value_that_no_header_has_are_refused() {
        let base = tempfile::tempdir().unwrap();
        let secrets = Secrets::at(base.path().join("secrets"));
        for name in ["", "..", "../added.json", "a/b", "a.new", "a b", &"x".repeat(65)] {
            let kept = Kept::new("a.example", "sk-canary").unwrap();
            assert!(matches!(secrets.set(name, &kept), Err(SecretError::Name(_))), "{name}");
        }
        for value in ["", " ", "a b", "a\nb", "schlüssel", &"x".repeat(LONGEST + 1)] {
            assert!(matches!(Kept::new("a.example", value), Err(SecretError::Value)), "{value}");
        }
        assert!(!base.path().join("added.json").exists());
    }
}
