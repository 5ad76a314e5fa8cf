//! What the platform can enforce, found out by trying it in a process that is thrown away.

use std::io::{self, Write};
use std::path::Path;

use landlock::ABI;
use rustix::process::{getpid, set_child_subreaper};
use serde::{Deserialize, Serialize};

use crate::command::Network;
use crate::confine::namespaces::{Entered, Kind, Users};
use crate::confine::syscalls::{Ipc, Processes, Reach, Sockets};
use crate::confine::{self, filesystem, loopback, privileges, syscalls};
use crate::helper::{HELPER_ARGUMENT, SUPPORT, init};
use crate::wire::{Failure, Grants, Missing, UserNamespace};

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
    /// What is weaker or refused where it is missing.
    pub without: String,
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
const CALL_FILTER: &str = "system call filter";
const USER_NAMESPACE: &str = "user namespace";
const PROCESS_NAMESPACE: &str = "process namespace";
const PROCESS_FILES: &str = "process files";
const IPC_NAMESPACE: &str = "ipc namespace";
const NETWORK_NAMESPACE: &str = "network namespace";
const PROXIED_NETWORK: &str = "proxied network";
const TCP_RULES: &str = "tcp rules";
const PROCESS_SCOPE: &str = "process scope";
const DEVICE_RULES: &str = "device rules";
const SUBREAPER: &str = "subreaper";
/// How the last of them works.
const SWEPT: &str = "processes that a build leaves behind come to bailiwick, which ends them";

/// Name, what it keeps a child from, and what is weaker where it is missing.
const MECHANISMS: [(&str, &str, &str); 12] = [
    (FILE_RULES, "reading and writing outside the granted paths", "no build is started"),
    (CALL_FILTER, "local sockets, and calls that change other processes", "no build is started"),
    (
        USER_NAMESPACE,
        "nothing by itself: it gives the namespaces below to users without privileges",
        "without the privileges of root the namespaces below are missing as well",
    ),
    (
        PROCESS_NAMESPACE,
        "naming processes outside, and leaving processes behind",
        "processes outside have numbers for a build: only Landlock's process scope and the system call filter protect them; \
         what a build leaves behind is killed one by one",
    ),
    (
        PROCESS_FILES,
        "reading in `/proc` what other programs are and were started with",
        "a .NET build, which reads `/proc`, sees the names and arguments of your other programs; their environment and \
         memory stay closed to it",
    ),
    (
        IPC_NAMESPACE,
        "shared memory, semaphores and message queues of other programs",
        "the system call filter refuses them, and a build that needs them fails",
    ),
    (
        NETWORK_NAMESPACE,
        "every kind of network",
        "Landlock's TCP rules and the system call filter refuse the network, and a build that needs loopback fails",
    ),
    (
        PROXIED_NETWORK,
        "hosts beside the configured registries, and UDP, while something is installed",
        "an installer is limited to the TCP ports of the configured registries: a hostile one reaches any host on these, and \
         any over UDP",
    ),
    (
        TCP_RULES,
        "TCP connections, where there is no network namespace",
        "where the network namespace is missing as well, no build is started",
    ),
    (
        PROCESS_SCOPE,
        "signals to processes outside",
        "the process namespace alone keeps signals away; where that is missing as well, no build is started",
    ),
    (
        DEVICE_RULES,
        "commands to devices",
        "a build may send commands to the devices that it may read, such as `/dev/null`",
    ),
    (
        SUBREAPER,
        "leaving processes behind, where there is no process namespace",
        "where the process namespace is missing as well, a build may leave processes behind",
    ),
];

impl Support {
    /// Whether a child without a network can be confined here.
    ///
    /// # Errors
    /// What is missing, in the words of the mechanisms.
    pub fn confines(&self) -> Result<(), String> {
        self.needs(FILE_RULES)?;
        self.needs(CALL_FILTER)?;
        self.needs_either(NETWORK_NAMESPACE, TCP_RULES)?;
        // Without both, a build could end its caller and everything else of the user.
        self.needs_either(PROCESS_NAMESPACE, PROCESS_SCOPE)
    }

    /// Whether a child can have the network of [`crate::Network::Proxied`] here.
    #[must_use]
    pub fn proxies(&self) -> bool {
        self.needs(PROXIED_NETWORK).is_ok()
    }

    fn needs_either(&self, one: &str, other: &str) -> Result<(), String> {
        self.needs(one).or_else(|first| self.needs(other).map_err(|second| format!("{first}; {second}")))
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
        Ok(helper) => ask(&helper, &[]),
        Err(error) => unknown(&error.to_string()),
    }
}

/// Has `helper` try everything but what is withheld.
pub(crate) fn ask(helper: &Path, withheld: &[Missing]) -> Support {
    let asked = serde_json::to_string(withheld).map_err(io::Error::from).and_then(|withheld| {
        std::process::Command::new(helper)
            .args([HELPER_ARGUMENT, SUPPORT, &withheld])
            .env_clear()
            .stdin(std::process::Stdio::null())
            .output()
    });
    asked
        .and_then(|output| Ok(serde_json::from_slice(&output.stdout)?))
        .unwrap_or_else(|error| unknown(&format!("the helper `{}` could not try it ({error})", helper.display())))
}

fn unknown(reason: &str) -> Support {
    describe(|_| Availability::No(reason.to_owned()))
}

/// In the helper: tries everything on itself and prints the result as JSON. `withheld` is a list as JSON.
pub(crate) fn print_tried(withheld: &str) -> io::Result<()> {
    let tried = serde_json::to_vec(&tried(&serde_json::from_str::<Vec<Missing>>(withheld)?))?;
    io::stdout().write_all(&tried)
}

fn tried(withheld: &[Missing]) -> Support {
    let subreaper = yes_or_no(set_child_subreaper(Some(getpid())).map_err(io::Error::from), SWEPT);
    let nothing = Grants { read: Vec::new(), list: Vec::new(), write: Vec::new(), network: Network::Refused };
    let opened = filesystem::open(&nothing);
    let entered = confine::separate(UserNamespace::Try, &nothing, withheld);
    let own = |kind: Kind, way: &str| match &entered {
        Ok(entered) => yes_or_no(entered.own(kind), way),
        Err(_) => Availability::No("user namespaces exist and may not be used".to_owned()),
    };
    let users = match &entered {
        Ok(Entered { users: Users::Own, .. }) => {
            Availability::Yes("with the numbers of user and group kept".to_owned())
        }
        Ok(Entered { users: Users::Callers, .. }) => Availability::Yes("not needed by this user".to_owned()),
        Ok(Entered { users: Users::Missing(reason), .. }) => Availability::No(reason.clone()),
        Err(_) => Availability::No("it can be created, and users cannot be mapped in it".to_owned()),
    };
    let proc = match &entered {
        Ok(entered) => entered
            .own(Kind::Processes)
            .and_then(|()| entered.own(Kind::Mounts))
            .and_then(|()| init::try_own_proc().map_err(|error| format!("`/proc` cannot be mounted ({error})"))),
        Err(_) => Err("user namespaces exist and may not be used".to_owned()),
    };
    let proc = yes_or_no(proc, "a `/proc` of its own processes alone");
    let proxied = match &entered {
        Ok(entered) => entered
            .own(Kind::Network)
            .and_then(|()| loopback::raise().map_err(|error| format!("loopback cannot be set up ({error})"))),
        Err(_) => Err("user namespaces exist and may not be used".to_owned()),
    };
    let proxied = yes_or_no(proxied, "loopback alone, with a listener of bailiwick's");
    let landlock = opened
        .and_then(|opened| privileges::drop_all_but_file_access().map(|()| opened))
        .and_then(|opened| filesystem::restrict(&opened, &Network::Refused, withheld));
    let since = |version: ABI, linux: &str| match &landlock {
        Ok(enforced) if enforced.abi >= version => Availability::Yes(format!("Landlock version {}", enforced.abi)),
        Ok(enforced) => Availability::No(format!("Landlock version {} is too old, Linux {linux} has it", enforced.abi)),
        Err(Failure::CannotConfine { missing }) => Availability::No(missing.clone()),
        Err(_) => Availability::No("the process could not prepare itself".to_owned()),
    };
    let scope = if withheld.contains(&Missing::ProcessScope) {
        Availability::No("withheld".to_owned())
    } else {
        since(ABI::V6, "6.12")
    };
    // All that it can ever have to refuse.
    let most = Reach { sockets: Sockets::None, processes: Processes::Shared, ipc: Ipc::Shared };
    let filter = yes_or_no(syscalls::filter(most), "seccomp");
    describe(|name| match name {
        FILE_RULES => since(ABI::V3, "6.2"),
        CALL_FILTER => filter.clone(),
        USER_NAMESPACE => users.clone(),
        PROCESS_NAMESPACE => own(Kind::Processes, "numbers of its own, and everything ends with the first process"),
        PROCESS_FILES => proc.clone(),
        IPC_NAMESPACE => own(Kind::Ipc, "objects of its own"),
        NETWORK_NAMESPACE => own(Kind::Network, "a network without interfaces"),
        PROXIED_NETWORK => proxied.clone(),
        TCP_RULES => since(ABI::V4, "6.7"),
        PROCESS_SCOPE => scope.clone(),
        DEVICE_RULES => since(ABI::V5, "6.10"),
        _ => subreaper.clone(),
    })
}

fn yes_or_no<E: std::fmt::Display>(result: Result<(), E>, way: &str) -> Availability {
    match result {
        Ok(()) => Availability::Yes(way.to_owned()),
        Err(error) => Availability::No(error.to_string()),
    }
}

fn describe(availability: impl Fn(&str) -> Availability) -> Support {
    let mechanism = |(name, purpose, without): (&str, &str, &str)| Mechanism {
        name: name.to_owned(),
        purpose: purpose.to_owned(),
        without: without.to_owned(),
        availability: availability(name),
    };
    Support { mechanisms: MECHANISMS.into_iter().map(mechanism).collect() }
}
