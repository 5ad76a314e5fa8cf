//! The launcher: gives up all that the program must not have, then becomes the program.

use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Stdio;

use rustix::process::{Resource, Rlimit, Signal, getppid, getrlimit, set_parent_process_death_signal, setrlimit};

use super::init::{self, Part, Proc};
use crate::command::Network;
use crate::confine;
use crate::confine::namespaces::{Entered, Kind, Users};
use crate::wire::{self, Failure, Launch, Request, Word};

/// The kernel's own limit of processes is so many times the one that the keeper enforces: a program that meets the
/// kernel's ends by itself, without a reported cause.
const BEYOND_LIMIT: u64 = 8;

/// Becomes the program that the keeper names over `keeper`, or starts it in a process namespace and returns when all of
/// that is dead. Otherwise returns only when that failed, after saying why.
pub(super) fn launch(keeper: &UnixStream) -> io::Result<()> {
    let Some(launch) = wire::receive::<Launch>(keeper)? else {
        return Ok(());
    };
    match start(keeper, &launch) {
        Ok(()) => Ok(()),
        Err(failure) => wire::send(keeper, &Word::Failed(failure)),
    }
}

fn start(keeper: &UnixStream, launch: &Launch) -> Result<(), Failure> {
    let request = &launch.request;
    close_inherited_on_exec()?;
    lower(Resource::Core, 0)?;
    std::env::set_current_dir(&request.directory).map_err(|error| Failure::Directory { reason: error.to_string() })?;
    let entered = match &request.confinement {
        Some(grants) => confine::separate(launch.user_namespace, grants, &request.withheld)?,
        None => Entered::nothing(),
    };
    if let Some(Network::Proxied { door }) = request.confinement.as_ref().map(|grants| &grants.network) {
        confine::loopback::hand_over(door, &entered)?;
    }
    // After the namespaces, because a change of credentials clears it.
    die_with_the_keeper(launch)?;
    if entered.own(Kind::Processes).is_ok() {
        wire::send(keeper, &Word::Separated)?;
        let proc = if entered.own(Kind::Mounts).is_ok() { Proc::Own } else { Proc::Callers };
        match init::begin(keeper, proc)? {
            Part::Program => {}
            Part::Over => return Ok(()),
        }
        return Err(become_program(request, &entered, || Ok(())));
    }
    Err(become_program(request, &entered, || die_with_the_keeper(launch)))
}

/// Returns only when it is not possible. `last` comes right before the execution.
fn become_program(request: &Request, entered: &Entered, last: impl FnOnce() -> Result<(), Failure>) -> Failure {
    // When the system runs out of memory it kills this one first, and not the caller. Where that cannot be said the
    // program runs all the same.
    let _ = std::fs::write("/proc/self/oom_score_adj", "1000");
    let prepared = bound(request, entered)
        .and_then(|()| match &request.confinement {
            Some(grants) => confine::enforce(grants, entered, &request.withheld),
            None => Ok(()),
        })
        .and_then(|()| last());
    match prepared {
        Ok(()) => execute(request),
        Err(failure) => failure,
    }
}

fn die_with_the_keeper(launch: &Launch) -> Result<(), Failure> {
    set_parent_process_death_signal(Some(Signal::KILL))?;
    if getppid().map(|pid| pid.as_raw_nonzero().get()) != Some(launch.keeper) {
        return Err(Failure::Start { reason: "the keeper is gone".to_owned() });
    }
    Ok(())
}

/// The limits that the kernel enforces.
fn bound(request: &Request, entered: &Entered) -> Result<(), Failure> {
    lower(Resource::Fsize, request.bounds.file_bytes)?;
    // Elsewhere the kernel counts all processes of the user, and for root it does not count at all.
    if entered.users == Users::Own {
        lower(Resource::Nproc, request.bounds.processes.saturating_mul(BEYOND_LIMIT))?;
    }
    Ok(())
}

/// Sets a limit for good. One that is lower already stays, because raising it takes a privilege.
fn lower(resource: Resource, most: u64) -> io::Result<()> {
    let most = getrlimit(resource).maximum.map_or(most, |already| already.min(most));
    Ok(setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })?)
}

/// Executes the program, or says why that is impossible.
fn execute(request: &Request) -> Failure {
    let error = std::process::Command::new(&request.program)
        .args(&request.arguments)
        .env_clear()
        .envs(request.environment.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::null())
        .exec();
    match error.kind() {
        io::ErrorKind::NotFound if names_existing_file(&request.program) => {
            Failure::Start { reason: "the interpreter that it names does not exist".to_owned() }
        }
        io::ErrorKind::NotFound => Failure::NotFound,
        io::ErrorKind::PermissionDenied => Failure::NotPermitted,
        _ => error.into(),
    }
}

fn names_existing_file(program: &OsStr) -> bool {
    program.as_bytes().contains(&b'/') && Path::new(program).exists()
}

/// Marks every descriptor above standard error, so that none which some ancestor forgot to mark
/// reaches the program.
pub(crate) fn close_inherited_on_exec() -> io::Result<()> {
    const FIRST: libc::c_uint = 3;
    #[expect(unsafe_code, reason = "neither std nor rustix offers close_range")]
    // SAFETY: The call takes three integers. It closes nothing now, it only sets a flag that takes
    // effect when this process image, and with it every owner of a descriptor, ceases to exist.
    let result = unsafe { libc::syscall(libc::SYS_close_range, FIRST, libc::c_uint::MAX, libc::CLOSE_RANGE_CLOEXEC) };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
