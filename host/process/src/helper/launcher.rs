//! The launcher: gives up all that the program must not have, then becomes the program.

use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Stdio;

use rustix::process::{Resource, Rlimit, Signal, getppid, set_parent_process_death_signal, setrlimit};

use crate::confine;
use crate::wire::{self, Failure, Launch, Request};

/// Becomes the program that the keeper names over `keeper`; returns only when that failed, after saying why.
pub(super) fn launch(keeper: &UnixStream) -> io::Result<()> {
    let Some(launch) = wire::receive::<Launch>(keeper)? else {
        return Ok(());
    };
    let failure = match become_program(&launch) {
        Ok(never) => match never {},
        Err(failure) => failure,
    };
    wire::send(keeper, &failure)
}

fn become_program(launch: &Launch) -> Result<std::convert::Infallible, Failure> {
    let request = &launch.request;
    close_inherited_on_exec()?;
    setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })?;
    std::env::set_current_dir(&request.directory).map_err(|error| Failure::Directory { reason: error.to_string() })?;
    if let Some(grants) = &request.confinement {
        confine::enforce(grants, launch.namespace)?;
    }
    // Last, because a change of credentials clears it.
    set_parent_process_death_signal(Some(Signal::KILL))?;
    if getppid().map(|pid| pid.as_raw_nonzero().get()) != Some(launch.keeper) {
        return Err(Failure::Start { reason: "the keeper is gone".to_owned() });
    }
    Err(execute(request))
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
fn close_inherited_on_exec() -> io::Result<()> {
    const FIRST: libc::c_uint = 3;
    #[expect(unsafe_code, reason = "neither std nor rustix offers close_range")]
    // SAFETY: The call takes three integers. It closes nothing now, it only sets a flag that takes
    // effect when this process image, and with it every owner of a descriptor, ceases to exist.
    let result = unsafe { libc::syscall(libc::SYS_close_range, FIRST, libc::c_uint::MAX, libc::CLOSE_RANGE_CLOEXEC) };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
