//! Namespaces of one's own: what is not in them has no name there, so it cannot be reached.

use rustix::io::Errno;
use rustix::process::{getegid, geteuid};
use rustix::thread::{UnshareFlags, unshare_unsafe};

use crate::wire::{Failure, UserNamespace};

/// A kind of namespace that a confined child gets where it can be had.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Process numbers. Processes outside have none, and when its first process ends the kernel ends all others.
    Processes,
    /// What is mounted where. With a process namespace it can have a `/proc` of its own.
    Mounts,
    /// System V shared memory, semaphores and message queues, and POSIX message queues.
    Ipc,
    /// No interface but loopback, and that one is down.
    Network,
}

impl Kind {
    fn flag(self) -> UnshareFlags {
        match self {
            Self::Processes => UnshareFlags::NEWPID,
            Self::Mounts => UnshareFlags::NEWNS,
            Self::Ipc => UnshareFlags::NEWIPC,
            Self::Network => UnshareFlags::NEWNET,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Processes => "process",
            Self::Mounts => "mount",
            Self::Ipc => "IPC",
            Self::Network => "network",
        }
    }
}

/// Whose user namespace the process is in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Users {
    /// The caller's: the others could be had without one of their own.
    Callers,
    /// One of its own. In it the kernel counts the processes of the user apart.
    Own,
    /// The caller's, because there is none to be had, for this reason.
    Missing(String),
}

/// What came of [`enter`].
#[derive(Debug)]
pub(crate) struct Entered {
    pub(crate) users: Users,
    outcomes: Vec<(Kind, Result<(), String>)>,
}

impl Entered {
    /// Nothing was asked for.
    pub(crate) fn nothing() -> Self {
        Self { users: Users::Callers, outcomes: Vec::new() }
    }

    /// Whether the process has a namespace of that kind, or why not.
    pub(crate) fn own(&self, kind: Kind) -> Result<(), String> {
        match self.outcomes.iter().find(|(entered, _)| *entered == kind) {
            Some((_, outcome)) => outcome.clone(),
            None => Err("not asked for".to_owned()),
        }
    }
}

/// Moves the calling process into a namespace of each kind in `wanted`, as far as that is possible. Of
/// [`Kind::Processes`] only its later children are part.
///
/// # Errors
/// [`Failure::NamespaceUnusable`] when a user namespace was entered and its identities cannot be mapped (Ubuntu's
/// AppArmor rules do that): then this process is of no more use, and a fresh one has to skip it.
pub(crate) fn enter(wanted: &[Kind], user_namespace: UserNamespace) -> Result<Entered, Failure> {
    // With the privilege it needs no user namespace, and owners keep their names.
    let direct = each(wanted);
    if wanted.is_empty() || direct.iter().any(|(_, outcome)| outcome.is_ok()) {
        return Ok(Entered { users: Users::Callers, outcomes: direct });
    }
    let missing = |reason: String| Entered { users: Users::Missing(reason), outcomes: direct };
    match user_namespace {
        UserNamespace::Skip => return Ok(missing("user namespaces exist and may not be used".to_owned())),
        UserNamespace::Try => {}
    }
    let (uid, gid) = (geteuid().as_raw(), getegid().as_raw());
    if let Err(error) = unshare(UnshareFlags::NEWUSER) {
        return Ok(missing(format!("a user namespace cannot be created ({})", std::io::Error::from(error))));
    }
    // Every user keeps the number that he has. An unprivileged user may map only himself, and the group only after
    // giving up `setgroups`.
    let mapped = std::fs::write("/proc/self/setgroups", "deny")
        .and_then(|()| std::fs::write("/proc/self/uid_map", format!("{uid} {uid} 1")))
        .and_then(|()| std::fs::write("/proc/self/gid_map", format!("{gid} {gid} 1")));
    match mapped {
        Ok(()) => Ok(Entered { users: Users::Own, outcomes: each(wanted) }),
        Err(_) => Err(Failure::NamespaceUnusable),
    }
}

fn each(wanted: &[Kind]) -> Vec<(Kind, Result<(), String>)> {
    let outcome = |kind: Kind| {
        unshare(kind.flag())
            .map_err(|error| format!("a {} namespace cannot be created ({})", kind.name(), std::io::Error::from(error)))
    };
    wanted.iter().map(|kind| (*kind, outcome(*kind))).collect()
}

fn unshare(flags: UnshareFlags) -> Result<(), Errno> {
    #[expect(unsafe_code, reason = "rustix has no safe unshare")]
    // SAFETY: The call is unsafe for `FILES` only, which no caller passes.
    unsafe {
        unshare_unsafe(flags)
    }
}
