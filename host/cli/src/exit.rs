//! Exit codes and the one kind of error that commands return.

use std::process::ExitCode;

/// What the process says with its exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Code {
    /// Done.
    Done = 0,
    /// Ended without success: the report says why.
    NoSuccess = 1,
    /// The command line, the paths or the input cannot be used. Nothing was started.
    Usage = 2,
    /// Refused by policy: outside a grant, not confinable, not allowed here.
    Refused = 3,
    /// Stopped by a person (Ctrl-C) or by the system, as shells say it.
    Interrupted = 130,
}

impl From<Code> for ExitCode {
    fn from(code: Code) -> Self {
        Self::from(code as u8)
    }
}

/// An error for people: one sentence, perhaps a hint, and the exit code.
#[derive(Debug)]
pub(crate) struct Error {
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
    pub(crate) code: Code,
}

pub(crate) type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// Something the caller can put right.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None, code: Code::Usage }
    }

    /// Something that went wrong on the way.
    pub(crate) fn failed(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None, code: Code::NoSuccess }
    }

    /// Something that is not allowed.
    pub(crate) fn refused(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None, code: Code::Refused }
    }

    /// Stopped from outside.
    pub(crate) fn interrupted(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None, code: Code::Interrupted }
    }

    /// With the way out of it.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}
