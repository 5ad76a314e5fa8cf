//! The first process of a process namespace, and the one outside that waits for it.
//!
//! The program is not the first process itself: the kernel keeps most signals from that one, also the ones that a program
//! sends to itself, and leaves it all orphans to collect.

use std::io;
use std::os::unix::net::UnixStream;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{
    DumpableBehavior, Pid, Signal, WaitOptions, WaitStatus, set_dumpable_behavior, set_parent_process_death_signal,
    setsid, wait,
};

use crate::confine::proc::mount_own;
use crate::wire::{self, Word};

/// Whether the first process tries for a `/proc` of the namespace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Proc {
    Own,
    Callers,
}

/// What the calling process is after [`begin`].
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// The process that is to become the program, inside.
    Program,
    /// Another one, whose work is done: everything inside is dead, or dies when this process ends.
    Over,
}

/// Starts the first process of the namespace, which starts a process for the program. Returns in each of the three.
///
/// # Errors
/// When a process cannot be started, or the first process ended before the program.
pub(super) fn begin(keeper: &UnixStream, proc: Proc) -> io::Result<Part> {
    // Nothing inside may look into this one or its child; both keep what the program gives up.
    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    match fork()? {
        Some(first) => {
            let status = ended(first)?;
            // It ends when it has told the keeper how the program ended.
            if status.exit_status() == Some(0) {
                Ok(Part::Over)
            } else {
                Err(io::Error::other("the first process of the namespace was killed"))
            }
        }
        None => first_process(keeper, proc),
    }
}

fn first_process(keeper: &UnixStream, proc: Proc) -> io::Result<Part> {
    // The kernel delivers this one although it keeps other signals away: it comes from outside the namespace.
    set_parent_process_death_signal(Some(Signal::KILL))?;
    if is_closed(keeper)? {
        return Ok(Part::Over);
    }
    if proc == Proc::Own {
        // Without it everything works but what asks `/proc` for the number of another process.
        let _ = mount_own();
    }
    let Some(program) = fork()? else {
        // A session and a group of its own: what it sends to its group must not reach the processes outside.
        setsid()?;
        set_dumpable_behavior(DumpableBehavior::Dumpable)?;
        return Ok(Part::Program);
    };
    let status = ended(program)?;
    let word = match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => Word::Code(code),
        (None, Some(signal)) => Word::Signal(signal),
        (None, None) => return Err(io::Error::other("the program's exit status was lost")),
    };
    wire::send(keeper, &word)?;
    Ok(Part::Over)
}

/// Collects every child that ends, until `awaited` does.
fn ended(awaited: Pid) -> io::Result<WaitStatus> {
    loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((pid, status))) if pid == awaited => return Ok(status),
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// Whether the keeper died before the signal for that was asked for.
fn is_closed(keeper: &UnixStream) -> io::Result<bool> {
    let mut watched = [PollFd::new(keeper, PollFlags::IN)];
    poll(&mut watched, Some(&Timespec { tv_sec: 0, tv_nsec: 0 }))?;
    Ok(watched.iter().any(|fd| fd.revents().contains(PollFlags::HUP)))
}

/// Whether a process namespace that the calling process has entered, with one of mounts, can have a `/proc` of its own.
pub(crate) fn try_own_proc() -> io::Result<()> {
    let Some(first) = fork()? else {
        let error = mount_own().err().and_then(|error| error.raw_os_error());
        #[expect(unsafe_code, reason = "the other process must do nothing else")]
        // SAFETY: The call ends the process and does not return.
        unsafe {
            libc::_exit(error.unwrap_or(0))
        }
    };
    match ended(first)?.exit_status() {
        Some(0) => Ok(()),
        Some(error) => Err(io::Error::from_raw_os_error(error)),
        None => Err(io::Error::other("the process that tried it was killed")),
    }
}

/// The child's id, or `None` in the child.
fn fork() -> io::Result<Option<Pid>> {
    #[expect(unsafe_code, reason = "rustix and std have no safe fork")]
    // SAFETY: The helper has one thread, so no lock can be held by one that the child lacks, and the child may do
    // whatever the parent may.
    let child = unsafe { libc::fork() };
    if child < 0 { Err(io::Error::last_os_error()) } else { Ok(Pid::from_raw(child)) }
}
