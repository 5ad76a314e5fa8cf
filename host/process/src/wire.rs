//! What travels between caller, keeper and launcher: one JSON value per line over a socket.

use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::command::{Command, Confinement, Limits, Measured, Network};

/// A [`Command`] as the helper sees it. Paths travel as `OsString`, the only form of serde's that
/// can hold bytes that are not UTF-8.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Request {
    pub(crate) program: OsString,
    pub(crate) arguments: Vec<OsString>,
    pub(crate) directory: OsString,
    pub(crate) environment: Vec<(OsString, OsString)>,
    pub(crate) confinement: Option<Grants>,
    pub(crate) bounds: Bounds,
    /// Mechanisms that the helper does without; see [`crate::Supervisor::as_if_without`].
    pub(crate) withheld: Vec<Missing>,
}

/// The limits of [`Limits`] that the helper enforces.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Bounds {
    pub(crate) measured: Measured,
    pub(crate) processes: u64,
    pub(crate) memory_bytes: u64,
    pub(crate) file_bytes: u64,
    pub(crate) disk_bytes: u64,
}

impl From<&Limits> for Bounds {
    fn from(limits: &Limits) -> Self {
        let Limits { measured, deadline: _, output_bytes: _, processes, memory_bytes, file_bytes, disk_bytes } =
            *limits;
        Self { measured, processes, memory_bytes, file_bytes, disk_bytes }
    }
}

/// A mechanism that a system may lack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Missing {
    /// Namespaces for users without privileges.
    UserNamespace,
    /// Process numbers of one's own.
    ProcessNamespace,
    /// Mounts of one's own, and so a `/proc`.
    MountNamespace,
    /// System V objects of one's own.
    IpcNamespace,
    /// A network of one's own.
    NetworkNamespace,
    /// Landlock's scope for signals and abstract sockets (Linux 6.12).
    ProcessScope,
}

/// [`crate::Rules`] as the helper sees them.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Grants {
    pub(crate) read: Vec<OsString>,
    pub(crate) list: Vec<OsString>,
    pub(crate) write: Vec<OsString>,
    pub(crate) network: Network,
}

impl Request {
    pub(crate) fn new(command: &Command, withheld: &[Missing]) -> Self {
        let owned = |paths: &[std::path::PathBuf]| paths.iter().map(OsString::from).collect();
        Self {
            program: command.program.clone().into(),
            arguments: command.arguments.clone(),
            directory: command.directory.clone().into(),
            environment: command.environment.clone().into_iter().collect(),
            confinement: match &command.confinement {
                Confinement::Unconfined => None,
                Confinement::Confined(rules) => Some(Grants {
                    read: owned(&rules.read),
                    list: owned(&rules.list),
                    write: owned(&rules.write),
                    network: rules.network.clone(),
                }),
            },
            bounds: Bounds::from(&command.limits),
            withheld: withheld.to_vec(),
        }
    }
}

/// From keeper to launcher.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Launch {
    /// The keeper's process id, by which the launcher notices that the keeper died before it looked.
    pub(crate) keeper: i32,
    pub(crate) user_namespace: UserNamespace,
    pub(crate) request: Request,
}

/// Whether the launcher enters a user namespace where it has no privilege for the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum UserNamespace {
    Try,
    Skip,
}

/// From launcher to keeper. Without a process namespace nothing is said of a program that started: the keeper sees its
/// end itself.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Word {
    /// The program gets a process namespace, so its end will be told.
    Separated,
    /// The program ended by itself with this code.
    Code(i32),
    /// This signal ended the program.
    Signal(i32),
    /// The program was not started.
    Failed(Failure),
}

/// From keeper to caller, once everything is dead.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Report {
    Code(i32),
    Signal(i32),
    Survivors(Vec<i32>),
    Exceeded(Exceeded),
    Failed(Failure),
}

/// The limit over which everything was killed.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Exceeded {
    Processes,
    Memory,
    FileSize,
    Disk { path: OsString },
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

/// All values until the other end closes.
pub(crate) fn receive_all<T: DeserializeOwned>(socket: &UnixStream) -> io::Result<Vec<T>> {
    BufReader::new(socket).lines().map(|line| Ok(serde_json::from_str(&line?)?)).collect()
}

/// The only value that is ever sent, or `None` when the other end closed without sending one.
pub(crate) fn receive<T: DeserializeOwned>(socket: &UnixStream) -> io::Result<Option<T>> {
    let mut line = Vec::new();
    BufReader::new(socket).read_until(b'\n', &mut line)?;
    match line.last() {
        None => Ok(None),
        Some(b'\n') => Ok(Some(serde_json::from_slice(&line)?)),
        Some(_) => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}
