//! The keeper: adopts every descendant of the program and outlives none of them.

use std::io;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::Stdio;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, getpid, pidfd_open, set_child_subreaper, setsid};

use super::sweep::Family;
use super::{HELPER_ARGUMENT, LAUNCH};
use crate::wire::{self, Failure, Launch, Namespace, Report, Request};

/// How often orphans that ended are collected while the program runs.
const COLLECT_EVERY: Timespec = Timespec { tv_sec: 1, tv_nsec: 0 };

/// How long the keeper goes on killing before it names who is left.
pub(crate) const SWEEP_LIMIT: Duration = Duration::from_secs(5);

/// Runs the one program that the caller asks for over `caller` and reports how it ended.
///
/// The open `caller` is the caller's sign of life. A parent-death signal would be none: it is sent when
/// the *thread* that started the keeper ends, and threads of an async runtime come and go.
pub(super) fn keep(caller: &UnixStream) -> io::Result<()> {
    // A session of its own: no terminal to read from or to be stopped by.
    setsid()?;
    set_child_subreaper(Some(getpid()))?;
    let Some(request) = wire::receive::<Request>(caller)? else {
        return Ok(());
    };
    let report = match run(caller, &request, Namespace::Try) {
        Ok(Report::Failed(Failure::NamespaceUnusable)) => run(caller, &request, Namespace::Skip),
        other => other,
    };
    wire::send(caller, &report.unwrap_or_else(|error| Report::Failed(error.into())))
}

fn run(caller: &UnixStream, request: &Request, namespace: Namespace) -> io::Result<Report> {
    let (ours, theirs) = UnixStream::pair()?;
    // This path names the running file even when it was replaced on disk meanwhile.
    let launcher = std::process::Command::new("/proc/self/exe")
        .args([HELPER_ARGUMENT, LAUNCH])
        .env_clear()
        .stdin(Stdio::from(std::os::fd::OwnedFd::from(theirs)))
        .process_group(0)
        .spawn()?;
    let mut family = Family::new(Pid::from_child(&launcher));
    let watched =
        wire::send(&ours, &Launch { keeper: getpid().as_raw_nonzero().get(), namespace, request: request.clone() })
            .and_then(|()| watch(caller, &mut family));
    // Whatever happened above, nothing stays.
    let survivors = family.kill_all(SWEEP_LIMIT)?;
    watched?;
    if !survivors.is_empty() {
        return Ok(Report::Survivors(survivors));
    }
    // With all of them dead the launcher's end is closed: by its own failure, or by the program's start.
    if let Some(failure) = wire::receive::<Failure>(&ours)? {
        return Ok(Report::Failed(failure));
    }
    family
        .main_status()
        .and_then(|status| {
            let code = status.exit_status().map(Report::Code);
            code.or_else(|| status.terminating_signal().map(Report::Signal))
        })
        .ok_or_else(|| io::Error::other("the program's exit status was lost"))
}

/// Waits until the program ends or the caller is gone.
fn watch(caller: &UnixStream, family: &mut Family) -> io::Result<()> {
    let program = pidfd_open(family.main(), PidfdFlags::empty())?;
    loop {
        let mut watched = [PollFd::new(caller, PollFlags::IN), PollFd::new(&program, PollFlags::IN)];
        match poll(&mut watched, Some(&COLLECT_EVERY)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        // After the request the caller sends nothing, so anything readable is its end.
        if watched.iter().any(|fd| !fd.revents().is_empty()) {
            return Ok(());
        }
        family.collect()?;
    }
}
