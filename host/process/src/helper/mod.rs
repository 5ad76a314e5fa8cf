//! The re-executed helper: entry point and dispatch.

pub(crate) mod init;
mod keeper;
mod launcher;
mod measure;
mod sweep;

pub(crate) use launcher::close_inherited_on_exec;

use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::process::ExitCode;

use crate::support;

/// The first argument by which a binary knows that it was started as the helper.
pub const HELPER_ARGUMENT: &str = "__confined";

/// The second argument of the launcher.
const LAUNCH: &str = "launch";
/// The second argument of the process that tries what the platform can enforce.
pub(crate) const SUPPORT: &str = "support";

/// A part of the helper that could not even report why it failed.
const BROKEN: u8 = 125;

/// Entry point of the re-executed helper. Call it first thing in `main`, before any thread exists,
/// when `argv[1]` is [`HELPER_ARGUMENT`], and return what it returns.
///
/// Its standard input is the socket over which it is told what to do.
#[must_use]
pub fn confined_main() -> ExitCode {
    let arguments: Vec<String> = std::env::args_os().skip(2).map(|one| one.to_string_lossy().into_owned()).collect();
    let done = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => inherited_socket().and_then(|socket| keeper::keep(&socket)),
        [LAUNCH] => inherited_socket().and_then(|socket| launcher::launch(&socket)),
        [SUPPORT, withheld] => support::print_tried(withheld),
        _ => Err(std::io::ErrorKind::InvalidInput.into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::from(BROKEN),
    }
}

/// Standard input as a socket that closes by itself when a program is executed.
fn inherited_socket() -> std::io::Result<UnixStream> {
    Ok(std::io::stdin().as_fd().try_clone_to_owned()?.into())
}
