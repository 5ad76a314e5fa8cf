//! Failures a caller can read and react to.

use crate::bindings::exports::bailiwick::tool::tool as contract;
use crate::rich_bindings::bailiwick::tool::content;
use std::fmt;
use wasip2::filesystem::types::ErrorCode;

/// The kinds of failure of `wit/tool.wit`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The input is off the schema or contradicts itself.
    InvalidInput,
    /// Outside every grant, or a write through a read-only one.
    NotPermitted,
    /// Nothing is there.
    NotFound,
    /// A directory where a file was meant, a FIFO, a socket, a device.
    WrongKind,
    /// Over a limit of the tool.
    TooLarge,
    /// Not text.
    NotText,
    /// More than one place matches.
    Ambiguous,
    /// No place matches.
    NoMatch,
    /// Anything else.
    Failed,
}

/// A failure of the call, for the caller. The message is one sentence in which paths are as the caller gave
/// them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolError {
    /// What kind of failure.
    pub kind: ErrorKind,
    /// One lower-case sentence without a full stop.
    pub message: String,
}

macro_rules! constructors {
    ($($(#[$meta:meta])* $name:ident => $kind:ident),* $(,)?) => {
        impl ToolError {
            $($(#[$meta])*
            pub fn $name(message: impl Into<String>) -> Self {
                Self { kind: ErrorKind::$kind, message: message.into() }
            })*
        }
    };
}

constructors! {
    /// The input is off the schema or contradicts itself.
    invalid_input => InvalidInput,
    /// Outside every grant, or a write through a read-only one.
    not_permitted => NotPermitted,
    /// Nothing is there.
    not_found => NotFound,
    /// A directory where a file was meant, a FIFO, a socket, a device.
    wrong_kind => WrongKind,
    /// Over a limit of the tool.
    too_large => TooLarge,
    /// Not text.
    not_text => NotText,
    /// More than one place matches.
    ambiguous => Ambiguous,
    /// No place matches.
    no_match => NoMatch,
    /// Anything else.
    failed => Failed,
}

impl ToolError {
    /// What the host's `code` for the path `shown` means to the caller.
    pub fn from_code(code: ErrorCode, shown: &str) -> Self {
        match code {
            ErrorCode::NotPermitted => Self::not_permitted(format!(
                "`{shown}` is not permitted: it leads out of what was granted, or is refused"
            )),
            ErrorCode::Access => Self::not_permitted(format!(
                "`{shown}` is not permitted: the grant hides it, or this machine refuses it"
            )),
            ErrorCode::ReadOnly => Self::not_permitted(format!("`{shown}` lies in a grant that is read-only")),
            ErrorCode::Loop => Self::not_permitted(format!("`{shown}` runs through links that are not followed")),
            ErrorCode::NoEntry => Self::not_found(format!("`{shown}` does not exist")),
            ErrorCode::IsDirectory => Self::wrong_kind(format!("`{shown}` is a directory")),
            ErrorCode::NotDirectory => {
                Self::wrong_kind(format!("`{shown}` is not a directory, or goes through something that is none"))
            }
            ErrorCode::BadDescriptor | ErrorCode::Unsupported | ErrorCode::NoDevice | ErrorCode::InvalidSeek => {
                Self::wrong_kind(format!("`{shown}` is not a regular file"))
            }
            ErrorCode::NameTooLong => Self::invalid_input(format!("`{shown}` has a name that is too long")),
            ErrorCode::Invalid | ErrorCode::IllegalByteSequence => {
                Self::invalid_input(format!("`{shown}` is not a path that can be used here"))
            }
            ErrorCode::FileTooLarge => Self::too_large(format!("`{shown}` is too large")),
            ErrorCode::Busy => Self::failed(format!(
                "`{shown}` was changed by somebody else in the meantime: nothing was written, read it again"
            )),
            ErrorCode::InsufficientSpace | ErrorCode::Quota => {
                Self::failed(format!("there is no space left to write `{shown}`"))
            }
            other => Self::failed(format!("`{shown}` cannot be used: {}", other.name())),
        }
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for ToolError {}

impl From<ToolError> for contract::ToolError {
    fn from(error: ToolError) -> Self {
        let kind = match error.kind {
            ErrorKind::InvalidInput => contract::ErrorKind::InvalidInput,
            ErrorKind::NotPermitted => contract::ErrorKind::NotPermitted,
            ErrorKind::NotFound => contract::ErrorKind::NotFound,
            ErrorKind::WrongKind => contract::ErrorKind::WrongKind,
            ErrorKind::TooLarge => contract::ErrorKind::TooLarge,
            ErrorKind::NotText => contract::ErrorKind::NotText,
            ErrorKind::Ambiguous => contract::ErrorKind::Ambiguous,
            ErrorKind::NoMatch => contract::ErrorKind::NoMatch,
            ErrorKind::Failed => contract::ErrorKind::Failed,
        };
        Self { kind, message: error.message }
    }
}

impl From<ToolError> for content::ToolError {
    fn from(error: ToolError) -> Self {
        let kind = match error.kind {
            ErrorKind::InvalidInput => content::ErrorKind::InvalidInput,
            ErrorKind::NotPermitted => content::ErrorKind::NotPermitted,
            ErrorKind::NotFound => content::ErrorKind::NotFound,
            ErrorKind::WrongKind => content::ErrorKind::WrongKind,
            ErrorKind::TooLarge => content::ErrorKind::TooLarge,
            ErrorKind::NotText => content::ErrorKind::NotText,
            ErrorKind::Ambiguous => content::ErrorKind::Ambiguous,
            ErrorKind::NoMatch => content::ErrorKind::NoMatch,
            ErrorKind::Failed => content::ErrorKind::Failed,
        };
        Self { kind, message: error.message }
    }
}
