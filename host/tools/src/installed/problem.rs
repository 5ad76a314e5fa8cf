//! Why an added tool cannot be fetched, added or used, in words for a person.

use bailiwick_sandbox::{GrantError, PatternError};

use crate::StoreError;
use crate::oci::OciError;
use crate::secrets::SecretError;
use crate::signature::SignatureError;

/// What kind of problem it is; callers map it to their exit codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProblemKind {
    /// The caller can put it right.
    Usage,
    /// Something went wrong on the way.
    Failed,
    /// It is not allowed.
    Refused,
}

/// A problem: one sentence, and perhaps a hint.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Problem {
    /// What kind it is.
    pub kind: ProblemKind,
    /// One sentence without a full stop.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl Problem {
    /// Something the caller can put right.
    #[must_use]
    pub fn usage(message: impl Into<String>) -> Self {
        Self { kind: ProblemKind::Usage, message: message.into(), hint: None }
    }

    /// Something that went wrong on the way.
    #[must_use]
    pub fn failed(message: impl Into<String>) -> Self {
        Self { kind: ProblemKind::Failed, message: message.into(), hint: None }
    }

    /// Something that is not allowed.
    #[must_use]
    pub fn refused(message: impl Into<String>) -> Self {
        Self { kind: ProblemKind::Refused, message: message.into(), hint: None }
    }

    /// With what to do about it.
    #[must_use]
    pub fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        let said = error.to_string();
        match error {
            StoreError::NotPrivate(directory) => {
                Self::refused(said).hint(format!("`chmod 700 {}` if it is yours", directory.display()))
            }
            StoreError::Unknown { known, .. } => {
                let names: Vec<_> = known.iter().map(|name| format!("`{name}`")).collect();
                Self::usage(said).hint(match names.is_empty() {
                    true => "`bailiwick tool add FILE` adds one".to_owned(),
                    false => format!("these were added: {}", names.join(", ")),
                })
            }
            StoreError::Unreadable { name, .. } => Self::failed(said).hint(again(&name)),
            StoreError::Exchanged { name, .. } => Self::refused(said).hint(again(&name)),
            StoreError::Moved(name) => {
                Self::refused(said).hint(format!("look at it again with `bailiwick tool inspect {name}`"))
            }
            StoreError::NothingToApprove(_) => Self::usage(said),
            StoreError::Full(_) => Self::usage(said).hint("`bailiwick tool remove NAME` takes one away"),
            _ => Self::failed(said),
        }
    }
}

fn again(name: &str) -> String {
    format!("take it away with `bailiwick tool remove {name}` and add it again if you trust it")
}

impl From<&OciError> for Problem {
    fn from(error: &OciError) -> Self {
        let said = error.to_string();
        match error {
        OciError::NotFound { .. } | OciError::NoTool(_) => Self::usage(said),
        OciError::Denied { with_credentials: false, .. } => Self::refused(said)
            .hint("`docker login HOST`, or another program that writes Docker's configuration, keeps credentials"),
        OciError::Denied { .. } => Self::refused(said).hint("log in again, or ask the operator of the registry"),
        OciError::Certificate { host, .. } => Self::refused(said).hint(format!(
            "where you know who issued it, name them in `bailiwick.toml`: `[registries.\"{host}\"]` and `ca = \"FILE.pem\"`"
        )),
        OciError::NoSignature(_) | OciError::WrongDigest { .. } | OciError::Length { .. } | OciError::TooLarge { .. } => Self::refused(said),
        OciError::Poisoned { .. } => {
            Self::refused(said).hint("without `--offline` it is loaded again; find out who changed it")
        }
        _ => Self::failed(said),
    }
    }
}

impl From<&SignatureError> for Problem {
    fn from(error: &SignatureError) -> Self {
        let said = error.to_string();
        match error {
            SignatureError::Manifest(_) => {
                Self::usage(said).hint("`bailiwick tool schema` prints the JSON Schema of `tool.toml`")
            }
            SignatureError::Unsigned { .. } | SignatureError::OtherKey { .. } => {
                Self::refused(said).hint("the keys are those of `[sources]` in `bailiwick.toml`; nothing was compiled")
            }
            SignatureError::Legacy => Self::refused(said).hint("its author signs it again with minisign 0.10 or later"),
            SignatureError::OtherComponent { .. } => Self::refused(said)
                .hint("its author runs `bailiwick tool build`, which writes the digest of what it built"),
            _ => Self::refused(said),
        }
    }
}

impl From<&SecretError> for Problem {
    fn from(error: &SecretError) -> Self {
        match error {
            SecretError::Name(_) | SecretError::Value | SecretError::Command => Self::usage(error.to_string()),
            SecretError::Unknown(name) => Self::usage(error.to_string())
                .hint(format!("`bailiwick tool secret set {name} --host HOST` asks for it")),
            SecretError::Open(path) => {
                Self::refused(error.to_string()).hint(format!("run `chmod 700 {}`", path.display()))
            }
            SecretError::TooMany | SecretError::Broken { .. } => Self::failed(error.to_string()),
        }
    }
}

impl From<&GrantError> for Problem {
    fn from(error: &GrantError) -> Self {
        match error {
            GrantError::Open { .. } => Self::usage(error.to_string()).hint("a grant is an existing directory"),
            GrantError::Reserved(_) | GrantError::Kernel(_) => {
                Self::refused(error.to_string()).hint("grant the directory that the tool is to work on, and no more")
            }
            GrantError::NotSensitive(_) => {
                Self::usage(error.to_string()).hint("`bailiwick doctor` lists the sensitive places, such as `.git`")
            }
            GrantError::Pattern { reason: PatternError::NotHidden, .. } => Self::usage(error.to_string())
                .hint("leave `--unhide` out; `bailiwick doctor` lists what is hidden by default, such as `.env`"),
            GrantError::Pattern { .. } => Self::usage(error.to_string())
                .hint("a pattern is a glob such as `*.snap` (a name at any depth) or `docs/internal` (a path)"),
            GrantError::Within { .. } => {
                Self::usage(error.to_string()).hint("grant directories that lie apart, or both with the same access")
            }
            GrantError::Name(_) | GrantError::Duplicate(_) => Self::usage(error.to_string()),
        }
    }
}
