//! What the platform can enforce, found out by trying it in a process that is thrown away.

use std::io::{self, Write};
use std::path::Path;

use landlock::ABI;
use rustix::process::{getpid, set_child_subreaper};
use serde::{Deserialize, Serialize};

use crate::command::Network;
use crate::confine::sockets::Sockets;
use crate::confine::{filesystem, namespace, privileges, sockets};
use crate::helper::{HELPER_ARGUMENT, SUPPORT};
use crate::wire::{Failure, Grants};

/// What this platform can enforce.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Support {
    /// Every mechanism, in the order in which a person would ask for them.
    pub mechanisms: Vec<Mechanism>,
}

/// One means of confinement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mechanism {
    /// A stable short name, such as `file rules`.
    pub name: String,
    /// What it keeps a child from.
    pub purpose: String,
    /// Whether it is there.
    pub availability: Availability,
}

/// Whether a mechanism is there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Availability {
    /// It works; with the version or the way.
    Yes(String),
    /// It does not; with the reason.
    No(String),
}

const FILE_RULES: &str = "file rules";
const SOCKET_FILTER: &str = "socket filter";
const NETWORK_NAMESPACE: &str = "network namespace";
const TCP_RULES: &str = "tcp rules";
const PROCESS_SCOPE: &str = "process scope";
const DEVICE_RULES: &str = "device rules";
const SUBREAPER: &str = "subreaper";

impl Support {
    /// Whether a child without a network can be confined here.
    ///
    /// # Errors
    /// What is missing, in the words of the mechanisms.
    pub fn confines(&self) -> Result<(), String> {
        self.needs(FILE_RULES)?;
        self.needs(SOCKET_FILTER)?;
        self.needs(NETWORK_NAMESPACE)
            .or_else(|namespace| self.needs(TCP_RULES).map_err(|tcp| format!("{namespace}; {tcp}")))
    }

    fn needs(&self, name: &str) -> Result<(), String> {
        match self.mechanisms.iter().find(|one| one.name == name) {
            Some(Mechanism { availability: Availability::Yes(_), .. }) => Ok(()),
            Some(Mechanism { availability: Availability::No(reason), .. }) => Err(format!("{name}: {reason}")),
            None => Err(format!("{name}: not tried")),
        }
    }
}

/// What this platform can enforce, each mechanism with yes or no and the reason. The current
/// executable is the helper, so its `main` must call [`crate::confined_main`]; otherwise see
/// [`crate::Supervisor::support`].
pub fn support() -> Support {
    match std::env::current_exe() {
        Ok(helper) => ask(&helper),
        Err(error) => unknown(&error.to_string()),
    }
}

/// Has `helper` try everything.
pub(crate) fn ask(helper: &Path) -> Support {
    let asked = std::process::Command::new(helper)
        .args([HELPER_ARGUMENT, SUPPORT])
        .env_clear()
        .stdin(std::process::Stdio::null())
        .output()
        .and_then(|output| Ok(serde_json::from_slice(&output.stdout)?));
    asked.unwrap_or_else(|error| unknown(&format!("the helper `{}` could not try it ({error})", helper.display())))
}

fn unknown(reason: &str) -> Support {
    let no = || Availability::No(reason.to_owned());
    Support { mechanisms: describe([no(), no(), no(), no(), no(), no(), no()]) }
}

/// In the helper: tries everything on itself and prints the result as JSON.
pub(crate) fn print_tried() -> io::Result<()> {
    let tried = serde_json::to_vec(&tried())?;
    io::stdout().write_all(&tried)
}

fn tried() -> Support {
    let subreaper = yes_or_no(set_child_subreaper(Some(getpid())).map_err(io::Error::from), "");
    let nothing = Grants { read: Vec::new(), write: Vec::new(), network: Network::Refused };
    let opened = filesystem::open(&nothing);
    let namespace = match namespace::enter() {
        Ok(Ok(())) => Availability::Yes("a network without interfaces".to_owned()),
        Ok(Err(reason)) => Availability::No(reason),
        Err(_) => Availability::No("user namespaces exist and may not be used".to_owned()),
    };
    let landlock = opened
        .and_then(|opened| privileges::drop_all_but_file_access().map(|()| opened))
        .and_then(|opened| filesystem::restrict(&opened, Network::Refused));
    let since = |version: ABI, linux: &str| match &landlock {
        Ok(enforced) if enforced.abi >= version => Availability::Yes(format!("Landlock version {}", enforced.abi)),
        Ok(enforced) => Availability::No(format!("Landlock version {} is too old, Linux {linux} has it", enforced.abi)),
        Err(Failure::CannotConfine { missing }) => Availability::No(missing.clone()),
        Err(_) => Availability::No("the process could not prepare itself".to_owned()),
    };
    let [files, tcp, devices, processes] =
        [since(ABI::V3, "6.2"), since(ABI::V4, "6.7"), since(ABI::V5, "6.10"), since(ABI::V6, "6.12")];
    let filter = yes_or_no(sockets::filter(Sockets::None), "seccomp");
    Support { mechanisms: describe([files, filter, namespace, tcp, processes, devices, subreaper]) }
}

fn yes_or_no<E: std::fmt::Display>(result: Result<(), E>, way: &str) -> Availability {
    match result {
        Ok(()) => Availability::Yes(way.to_owned()),
        Err(error) => Availability::No(error.to_string()),
    }
}

fn describe(availabilities: [Availability; 7]) -> Vec<Mechanism> {
    const PURPOSES: [(&str, &str); 7] = [
        (FILE_RULES, "reading and writing outside the granted paths"),
        (SOCKET_FILTER, "reaching daemons through local sockets"),
        (NETWORK_NAMESPACE, "every kind of network"),
        (TCP_RULES, "TCP connections, where there is no network namespace"),
        (PROCESS_SCOPE, "signals to processes outside"),
        (DEVICE_RULES, "commands to devices"),
        (SUBREAPER, "leaving processes behind"),
    ];
    PURPOSES
        .into_iter()
        .zip(availabilities)
        .map(|((name, purpose), availability)| Mechanism {
            name: name.to_owned(),
            purpose: purpose.to_owned(),
            availability,
        })
        .collect()
}
