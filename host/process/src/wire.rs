//! What travels between caller, keeper and launcher: one JSON value per line over a socket.

use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::command::{Command, Confinement, Network};

/// A [`Command`] as the helper sees it. Paths travel as `OsString`, the only form of serde's that
/// can hold bytes which are no UTF-8.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Request {
    pub(crate) program: OsString,
    pub(crate) arguments: Vec<OsString>,
    pub(crate) directory: OsString,
    pub(crate) environment: Vec<(OsString, OsString)>,
    pub(crate) confinement: Option<Grants>,
}

/// [`crate::Rules`] as the helper sees them.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Grants {
    pub(crate) read: Vec<OsString>,
    pub(crate) write: Vec<OsString>,
    pub(crate) network: Network,
}

impl From<&Command> for Request {
    fn from(command: &Command) -> Self {
        let owned = |paths: &[std::path::PathBuf]| paths.iter().map(OsString::from).collect();
        Self {
            program: command.program.clone().into(),
            arguments: command.arguments.clone(),
            directory: command.directory.clone().into(),
            environment: command.environment.clone().into_iter().collect(),
            confinement: match &command.confinement {
                Confinement::Unconfined => None,
                Confinement::Confined(rules) => {
                    Some(Grants { read: owned(&rules.read), write: owned(&rules.write), network: rules.network })
                }
            },
        }
    }
}

/// From keeper to launcher.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Launch {
    /// The keeper's process id, by which the launcher notices that the keeper died before it looked.
    pub(crate) keeper: i32,
    pub(crate) namespace: Namespace,
    pub(crate) request: Request,
}

/// Whether the launcher tries for a network namespace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Namespace {
    Try,
    Skip,
}

/// From keeper to caller, once everything is dead.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Report {
    Code(i32),
    Signal(i32),
    Survivors(Vec<i32>),
    Failed(Failure),
}

/// Why the launcher did not become the program.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Failure {
    NotFound,
    NotPermitted,
    Directory {
        reason: String,
    },
    Rule {
        path: String,
        reason: String,
    },
    CannotConfine {
        missing: String,
    },
    Start {
        reason: String,
    },
    /// A namespace was entered and cannot be used; a fresh launcher has to skip it.
    NamespaceUnusable,
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Start { reason: error.to_string() }
    }
}

impl From<rustix::io::Errno> for Failure {
    fn from(error: rustix::io::Errno) -> Self {
        io::Error::from(error).into()
    }
}

pub(crate) fn encode(value: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec(value)?;
    bytes.push(b'\n');
    Ok(bytes)
}

pub(crate) fn send(mut socket: &UnixStream, value: &impl Serialize) -> io::Result<()> {
    socket.write_all(&encode(value)?)
}

/// The next value, or `None` when the other end closed without sending one.
pub(crate) fn receive<T: DeserializeOwned>(socket: &UnixStream) -> io::Result<Option<T>> {
    let mut line = Vec::new();
    BufReader::new(socket).read_until(b'\n', &mut line)?;
    match line.last() {
        None => Ok(None),
        Some(b'\n') => Ok(Some(serde_json::from_slice(&line)?)),
        Some(_) => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}
