//! What is said to a child and what it says, within a time.
//!
//! git waits without end for a pipe in the place of a file of `.git`, for a disk that does not answer, and for what it starts. What
//! it starts may hold its pipes open for longer than it lives, so they are read until git has ended, and not until they are.

use std::io::{Error, ErrorKind, Read, Result, Write as _};
use std::os::fd::AsFd;
use std::process::{Child, ChildStdin, ExitStatus};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, kill_process_group, pidfd_open};

/// How long git may take to remove its lock files once it is told to end, and how long the system may take to end it.
const GRACE: Duration = Duration::from_secs(5);
/// How often it is looked at where the system does not say that it has ended.
const LOOK: Duration = Duration::from_millis(20);
/// As much as a pipe can hold.
const PIPE: usize = 1 << 20;

/// What is ended with a child.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    /// The process group that it leads.
    Group,
    /// Nothing else.
    Alone,
}

/// How long a child took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pace {
    InTime,
    Late,
}

/// What came of a child.
#[derive(Debug)]
pub(super) struct Exchanged {
    pub(super) status: ExitStatus,
    pub(super) pace: Pace,
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: Vec<u8>,
}

/// Where a child that is late stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Works,
    /// It was told to end, and removes its lock files.
    IsTold,
    /// It was killed. A process that waits for a disk ends when that answers.
    IsKilled,
}

/// Feeds a child, whose three streams are pipes, and reads it until it ends, which it is made to after `longest`.
///
/// # Errors
/// Those of the system; [`ErrorKind::TimedOut`] where not even the system can end it.
pub(super) fn exchange(mut child: Child, input: &[u8], family: Family, longest: Duration) -> Result<Exchanged> {
    let pid = Pid::from_child(&child);
    let ended = pidfd_open(pid, PidfdFlags::empty()).ok();
    let (mut stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let (mut stdout, mut stderr) = (Stream::of(stdout)?, Stream::of(stderr)?);
    if let Some(stdin) = &stdin {
        set_nonblocking(stdin)?;
    }
    let mut input = input;
    let (mut stage, mut until) = (Stage::Works, Instant::now() + longest);
    loop {
        // In this order: what it wrote before it ended is read.
        let status = child.try_wait()?;
        feed(&mut stdin, &mut input);
        stdout.read()?;
        stderr.read()?;
        if let Some(status) = status {
            let pace = if stage == Stage::Works { Pace::InTime } else { Pace::Late };
            if pace == Pace::Late && family == Family::Group {
                // What it started does not outlive it. Nothing may be left of the group.
                let _ = kill_process_group(pid, Signal::KILL);
            }
            return Ok(Exchanged { status, pace, stdout: stdout.came, stderr: stderr.came });
        }
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            (stage, until) = match stage {
                Stage::Works => {
                    signal(pid, family, Signal::TERM)?;
                    (Stage::IsTold, Instant::now() + GRACE)
                }
                Stage::IsTold => {
                    signal(pid, family, Signal::KILL)?;
                    (Stage::IsKilled, Instant::now() + GRACE)
                }
                Stage::IsKilled => {
                    // It is no longer waited for here.
                    std::thread::spawn(move || child.wait());
                    return Err(ErrorKind::TimedOut.into());
                }
            };
            continue;
        }
        let left = if ended.is_some() { left } else { left.min(LOOK) };
        let mut all: Vec<PollFd<'_>> = Vec::new();
        all.extend(stdin.iter().map(|stdin| PollFd::new(stdin, PollFlags::OUT)));
        all.extend(stdout.open.iter().map(|stdout| PollFd::new(stdout, PollFlags::IN)));
        all.extend(stderr.open.iter().map(|stderr| PollFd::new(stderr, PollFlags::IN)));
        all.extend(ended.iter().map(|ended| PollFd::new(ended, PollFlags::IN)));
        match poll(&mut all, Some(&Timespec::try_from(left).map_err(Error::other)?)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(errno) => return Err(errno.into()),
        }
    }
}

fn signal(pid: Pid, family: Family, signal: Signal) -> rustix::io::Result<()> {
    match family {
        Family::Group => kill_process_group(pid, signal),
        Family::Alone => kill_process(pid, signal),
    }
}

fn set_nonblocking(pipe: impl AsFd) -> Result<()> {
    let flags = fcntl_getfl(&pipe)?;
    Ok(fcntl_setfl(pipe, flags | OFlags::NONBLOCK)?)
}

/// Writes what there is room for. A child that does not read its input says by its exit code what it makes of that.
fn feed(stdin: &mut Option<ChildStdin>, input: &mut &[u8]) {
    while let Some(pipe) = stdin {
        match pipe.write(input) {
            Ok(length) if length < input.len() => *input = &input[length..],
            Err(error) if error.kind() == ErrorKind::WouldBlock => return,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Ok(_) | Err(_) => *stdin = None,
        }
    }
}

/// A pipe that is read.
struct Stream<P> {
    /// `None` once it has ended.
    open: Option<P>,
    came: Vec<u8>,
}

impl<P: Read + AsFd> Stream<P> {
    fn of(pipe: Option<P>) -> Result<Self> {
        if let Some(pipe) = &pipe {
            set_nonblocking(pipe)?;
        }
        Ok(Self { open: pipe, came: Vec::new() })
    }

    /// Reads what is there, and no more than was there: others may write without end.
    fn read(&mut self) -> Result<()> {
        let Some(pipe) = &mut self.open else { return Ok(()) };
        let before = self.came.len();
        match pipe.by_ref().take(PIPE as u64).read_to_end(&mut self.came) {
            // Its end, or as much as it can hold.
            Ok(_) => {
                if self.came.len() - before < PIPE {
                    self.open = None;
                }
                Ok(())
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(()),
            Err(error) => Err(error),
        }
    }
}
