//! Landlock: what of the file system, of TCP and of other processes stays reachable.

use std::ffi::OsString;
use std::os::fd::OwnedFd;
use std::path::Path;

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, LandlockStatus, NetPort, PathBeneath,
    RestrictionStatus, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError, RulesetStatus, Scope, make_bitflags,
};
use rustix::fs::{CWD, FileType, Mode, OFlags, ResolveFlags, fstat, open as open_path, openat2};
use rustix::io::Errno;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::command::{Network, PROXY_PORT};
use crate::wire::{Failure, Grants, Missing};

/// The version that is required: below it `truncate` would reach files outside the rules.
const REQUIRED: ABI = ABI::V3;

const READ: BitFlags<AccessFs> = make_bitflags!(AccessFs::{Execute | ReadFile | ReadDir});

const LIST: BitFlags<AccessFs> = make_bitflags!(AccessFs::{ReadDir});

/// All of writing but device nodes: root could make one of the disk and read everything through it.
const WRITE: BitFlags<AccessFs> = make_bitflags!(AccessFs::{
    Execute | ReadFile | ReadDir | WriteFile | Truncate | Refer | RemoveDir | RemoveFile
    | MakeDir | MakeReg | MakeSym | MakeFifo | MakeSock
});

/// Devices without content or effect, which programs expect.
const DEVICES: &[(&str, BitFlags<AccessFs>)] = &[
    ("/dev/null", make_bitflags!(AccessFs::{ReadFile | WriteFile})),
    ("/dev/zero", make_bitflags!(AccessFs::{ReadFile})),
    ("/dev/random", make_bitflags!(AccessFs::{ReadFile})),
    ("/dev/urandom", make_bitflags!(AccessFs::{ReadFile})),
];

/// A path of the rules, held open so that it cannot be exchanged any more.
pub(crate) struct Opened {
    handle: OwnedFd,
    access: BitFlags<AccessFs>,
}

/// What Landlock enforces on this kernel.
pub(crate) struct Enforced {
    pub(crate) abi: ABI,
    pub(crate) tcp: Tcp,
    pub(crate) signals: Signals,
}

/// Whether Landlock refuses signals to processes outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Signals {
    Refused,
    Unrestricted,
}

/// Whether Landlock refuses TCP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tcp {
    Refused,
    Unrestricted,
}

/// Opens every path of the rules.
pub(crate) fn open(grants: &Grants) -> Result<Vec<Opened>, Failure> {
    make_room(grants)?;
    let mut opened = Vec::new();
    for (path, access) in DEVICES {
        if let Ok(handle) = open_path(*path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty()) {
            opened.push(Opened { handle, access: *access });
        }
    }
    let to_read = grants.read.iter().map(|path| (path, READ));
    for (path, access) in to_read.chain(grants.list.iter().map(|path| (path, LIST))) {
        match open_one(path, access) {
            Ok(one) => opened.push(one),
            Err(Errno::NOENT | Errno::NOTDIR) => {}
            Err(error) => return Err(refused(path, error)),
        }
    }
    for path in &grants.write {
        opened.push(open_one(path, WRITE).map_err(|error| refused(path, error))?);
    }
    Ok(opened)
}

/// Lets the process have a handle for every path of the rules at once.
fn make_room(grants: &Grants) -> Result<(), Failure> {
    /// What the process has open beside.
    const OTHERS: u64 = 64;
    let wanted = OTHERS + (grants.read.len() + grants.list.len() + grants.write.len()) as u64;
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current.is_some_and(|current| current < wanted) {
        let current = Some(maximum.map_or(wanted, |most| most.min(wanted)));
        setrlimit(Resource::Nofile, Rlimit { current, maximum })?;
    }
    Ok(())
}

fn open_one(path: &OsString, access: BitFlags<AccessFs>) -> Result<Opened, Errno> {
    let flags = OFlags::PATH | OFlags::CLOEXEC;
    let handle = if path == "/proc/self" {
        open_path(path, flags, Mode::empty())?
    } else if Path::new(path).is_absolute() {
        openat2(CWD, path, flags, Mode::empty(), ResolveFlags::NO_SYMLINKS)?
    } else {
        return Err(Errno::INVAL);
    };
    // The kernel takes no directory rights on a file.
    let is_directory = FileType::from_raw_mode(fstat(&handle)?.st_mode) == FileType::Directory;
    let access = if is_directory { access } else { access & AccessFs::from_file(REQUIRED) };
    Ok(Opened { handle, access })
}

fn refused(path: &OsString, error: Errno) -> Failure {
    Failure::Rule {
        path: path.to_string_lossy().into_owned(),
        reason: match error {
            Errno::LOOP => "it leads through a symbolic link".to_owned(),
            Errno::INVAL => "it is not absolute".to_owned(),
            other => std::io::Error::from(other).to_string(),
        },
    }
}

/// Restricts the calling thread to what was opened.
///
/// # Errors
/// [`Failure::CannotConfine`] when the kernel cannot enforce all of the file system's rules.
pub(crate) fn restrict(opened: &[Opened], network: &Network, withheld: &[Missing]) -> Result<Enforced, Failure> {
    let scope = if withheld.contains(&Missing::ProcessScope) {
        BitFlags::EMPTY
    } else {
        Scope::AbstractUnixSocket | Scope::Signal
    };
    let status = apply(opened, network, scope).map_err(|error| Failure::CannotConfine {
        missing: format!("Landlock cannot enforce the file system's rules, which takes Linux 6.2 or newer ({error})"),
    })?;
    let LandlockStatus::Available { effective_abi, .. } = status.landlock else {
        return Err(not_enforced());
    };
    if status.ruleset == RulesetStatus::NotEnforced || !status.no_new_privs {
        return Err(not_enforced());
    }
    Ok(Enforced {
        abi: effective_abi,
        tcp: match network {
            Network::Refused if effective_abi >= ABI::V4 => Tcp::Refused,
            Network::Refused | Network::Allowed | Network::Ports(_) | Network::Proxied { .. } => Tcp::Unrestricted,
        },
        signals: if effective_abi >= ABI::V6 && scope.contains(Scope::Signal) {
            Signals::Refused
        } else {
            Signals::Unrestricted
        },
    })
}

fn not_enforced() -> Failure {
    Failure::CannotConfine { missing: "Landlock is not enabled in this kernel".to_owned() }
}

fn apply(opened: &[Opened], network: &Network, scope: BitFlags<Scope>) -> Result<RestrictionStatus, RulesetError> {
    let mut ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(REQUIRED))?
        // From here on what the kernel has: device ioctls (Linux 6.10), signals and abstract
        // sockets to processes outside (6.12), TCP (6.7).
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::IoctlDev)?;
    if !scope.is_empty() {
        ruleset = ruleset.scope(scope)?;
    }
    if *network != Network::Allowed {
        ruleset = ruleset.handle_access(AccessNet::BindTcp | AccessNet::ConnectTcp)?;
    }
    let ports = match network {
        Network::Ports(ports) => ports.as_slice(),
        Network::Proxied { .. } => &[PROXY_PORT],
        Network::Refused | Network::Allowed => &[],
    };
    // A kernel without TCP rules takes none of them, and everything else as before.
    let created = ports
        .iter()
        .try_fold(ruleset.create()?, |created, port| created.add_rule(NetPort::new(*port, AccessNet::ConnectTcp)))?;
    opened
        .iter()
        .try_fold(created.set_compatibility(CompatLevel::HardRequirement), |created, one| {
            created.add_rule(PathBeneath::new(&one.handle, one.access))
        })?
        .restrict_self()
}
