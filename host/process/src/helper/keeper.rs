//! The keeper: adopts every descendant of the program and outlives none of them.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::Stdio;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, WaitStatus, getpid, pidfd_open, set_child_subreaper, setsid};

use super::measure::Measure;
use super::sweep::Family;
use super::{HELPER_ARGUMENT, LAUNCH};
use crate::wire::{self, Exceeded, Failure, Launch, Report, Request, UserNamespace, Word};

/// How long the keeper goes on killing before it names who is left.
pub(crate) const SWEEP_LIMIT: Duration = Duration::from_secs(5);

/// Runs the one program that the caller asks for over `caller` and reports how it ended.
///
/// The open `caller` is the caller's sign of life. A parent-death signal would not do: it is sent when
/// the *thread* that started the keeper ends, and threads of an async runtime come and go.
pub(super) fn keep(caller: &UnixStream) -> io::Result<()> {
    // A session of its own: no terminal to read from or to be stopped by.
    setsid()?;
    set_child_subreaper(Some(getpid()))?;
    let Some(request) = wire::receive::<Request>(caller)? else {
        return Ok(());
    };
    let report = match run(caller, &request, UserNamespace::Try) {
        Ok(Report::Failed(Failure::NamespaceUnusable)) => run(caller, &request, UserNamespace::Skip),
        other => other,
    };
    wire::send(caller, &report.unwrap_or_else(|error| Report::Failed(error.into())))
}

fn run(caller: &UnixStream, request: &Request, user_namespace: UserNamespace) -> io::Result<Report> {
    let (ours, theirs) = UnixStream::pair()?;
    // This path names the running file even when it was replaced on disk meanwhile.
    let launcher = std::process::Command::new("/proc/self/exe")
        .args([HELPER_ARGUMENT, LAUNCH])
        .env_clear()
        .stdin(Stdio::from(OwnedFd::from(theirs)))
        .process_group(0)
        .spawn()?;
    let mut family = Family::new(Pid::from_child(&launcher));
    let watched = watch(caller, &ours, request, user_namespace, &mut family);
    // Whatever happened above, nothing stays.
    let survivors = family.kill_all(SWEEP_LIMIT);
    let watched = watched?;
    if !survivors.is_empty() {
        return Ok(Report::Survivors(survivors));
    }
    match watched {
        Watched::Exceeded(exceeded) => Ok(Report::Exceeded(exceeded)),
        // With all of them dead the launcher's end is closed: by its own failure, by the program's start, or by the end of
        // the namespace.
        Watched::Ended => ended(wire::receive_all(&ours)?, family.main_status()),
    }
}

/// Why the keeper stopped watching.
enum Watched {
    /// The program ended, or the caller is gone.
    Ended,
    /// A limit was exceeded.
    Exceeded(Exceeded),
}

/// Lets the launcher begin, and waits until the program ends, exceeds a limit, or the caller is gone.
fn watch(
    caller: &UnixStream,
    ours: &UnixStream,
    request: &Request,
    user_namespace: UserNamespace,
    family: &mut Family,
) -> io::Result<Watched> {
    // Everything that needs a descriptor comes before the program, which could take them away.
    let program = pidfd_open(family.main(), PidfdFlags::empty())?;
    let mut measure = Measure::begin(request);
    let keeper = getpid().as_raw_nonzero().get();
    wire::send(ours, &Launch { keeper, user_namespace, request: request.clone() })?;
    let mut next = Instant::now() + measure.pause();
    loop {
        let mut watched = [PollFd::new(caller, PollFlags::IN), PollFd::new(&program, PollFlags::IN)];
        match poll(&mut watched, Some(&until(next))) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        // After the request the caller sends nothing, so anything readable is its end.
        if watched.iter().any(|fd| !fd.revents().is_empty()) {
            return Ok(measure.disk_exceeded().map_or(Watched::Ended, Watched::Exceeded));
        }
        family.collect()?;
        if Instant::now() >= next {
            if let Some(exceeded) = measure.exceeded()? {
                return Ok(Watched::Exceeded(exceeded));
            }
            next = Instant::now() + measure.pause();
        }
    }
}

fn until(next: Instant) -> Timespec {
    // A whole millisecond more, so that it does not wake up just before.
    let left = next.saturating_duration_since(Instant::now()) + Duration::from_millis(1);
    Timespec::try_from(left).unwrap_or(Timespec { tv_sec: 1, tv_nsec: 0 })
}

/// How the program ended, by what the launcher and the first process of a namespace said, and by how the launcher ended,
/// which became the program where there is no namespace.
fn ended(words: Vec<Word>, launcher: Option<WaitStatus>) -> io::Result<Report> {
    let mut separated = false;
    for word in words {
        match word {
            Word::Separated => separated = true,
            Word::Failed(failure) => return Ok(Report::Failed(failure)),
            Word::Code(code) => return Ok(Report::Code(code)),
            Word::Signal(signal) => return Ok(by_signal(signal)),
        }
    }
    launcher
        .filter(|_| !separated)
        .and_then(|status| {
            let code = status.exit_status().map(Report::Code);
            code.or_else(|| status.terminating_signal().map(by_signal))
        })
        .ok_or_else(|| io::Error::other("the program's exit status was lost"))
}

fn by_signal(signal: i32) -> Report {
    if signal == libc::SIGXFSZ { Report::Exceeded(Exceeded::FileSize) } else { Report::Signal(signal) }
}
