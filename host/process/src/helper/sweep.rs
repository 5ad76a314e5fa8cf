//! Killing everything below the calling process, which is a child subreaper.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, WaitOptions, WaitStatus, kill_process, wait, waitid};

/// Pause after a round in which no process ended.
const PAUSE: Duration = Duration::from_millis(1);

/// The children of this process: the program and the orphans that were adopted.
pub(super) struct Family {
    main: Pid,
    status: Option<WaitStatus>,
    listing: Listing,
}

/// What one collection of ended children found.
enum Left {
    /// No child is left.
    None,
    /// Children are left; this many had ended.
    Some { ended: usize },
}

impl Family {
    /// To be called before the program starts, because a program may take all descriptors from this process by lowering
    /// its limit.
    pub(super) fn new(main: Pid) -> Self {
        Self { main, status: None, listing: Listing::open() }
    }

    pub(super) fn main(&self) -> Pid {
        self.main
    }

    /// How the program ended, once it was collected.
    pub(super) fn main_status(&self) -> Option<WaitStatus> {
        self.status
    }

    /// Takes note of every child that has ended.
    pub(super) fn collect(&mut self) -> io::Result<()> {
        self.collect_ended().map(|_| ())
    }

    /// Kills until no child is left, and returns those who could not be killed within `limit`. No error ends this
    /// before: one that is left behind would be out of everybody's sight.
    ///
    /// Only direct children are killed: their ids cannot be reused before they are waited for, so
    /// no other process is ever hit. A killed child's own children become direct ones in the next round.
    pub(super) fn kill_all(&mut self, limit: Duration) -> Vec<i32> {
        let until = Instant::now() + limit;
        loop {
            let ended = match self.collect_ended() {
                Ok(Left::None) => return Vec::new(),
                Ok(Left::Some { ended }) => ended,
                // Seen from no kernel; to go on is right in any case.
                Err(_) => 0,
            };
            let children = self.listing.children();
            for child in &children {
                // Ended meanwhile, or another user's: the next round or the limit tells.
                let _ = kill_process(*child, Signal::KILL);
            }
            if Instant::now() >= until {
                return children.iter().map(|child| child.as_raw_nonzero().get()).collect();
            }
            if ended == 0 {
                std::thread::sleep(PAUSE);
            }
        }
    }

    fn collect_ended(&mut self) -> io::Result<Left> {
        let mut ended = 0;
        loop {
            match wait(WaitOptions::NOHANG) {
                Ok(Some((pid, status))) => {
                    ended += 1;
                    if pid == self.main {
                        self.status = Some(status);
                    }
                }
                Ok(None) => return Ok(Left::Some { ended }),
                Err(rustix::io::Errno::CHILD) => return Ok(Left::None),
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
}

/// The ways to list direct children. Each list may miss some while others end; the caller repeats.
struct Listing {
    /// Kept open, so that reading it again needs no descriptor.
    children: Option<File>,
    /// The number below which process ids are.
    end: i32,
}

impl Listing {
    /// The kernel's own default on large systems, and the most that can be set.
    const MOST: i32 = 1 << 22;

    fn open() -> Self {
        let end = std::fs::read_to_string("/proc/sys/kernel/pid_max").ok().and_then(|text| text.trim().parse().ok());
        Self { children: File::open("/proc/thread-self/children").ok(), end: end.unwrap_or(Self::MOST) }
    }

    /// The file that the kernel may have (`CONFIG_PROC_CHILDREN`), else all of `/proc`, else every number there can be.
    fn children(&self) -> Vec<Pid> {
        let listed = self.children.as_ref().and_then(|file| read_again(file).ok());
        if let Some(list) = listed {
            return list.split_whitespace().filter_map(parse_pid).collect();
        }
        by_parent().unwrap_or_else(|_| self.by_number())
    }

    /// Asks for each number whether that is a child. Slow, and needs neither descriptors nor `/proc`.
    fn by_number(&self) -> Vec<Pid> {
        let is_child = |pid: &Pid| {
            let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
            waitid(WaitId::Pid(*pid), look).is_ok()
        };
        (1..self.end).filter_map(Pid::from_raw).filter(is_child).collect()
    }
}

fn read_again(file: &File) -> io::Result<String> {
    let mut bytes = Vec::new();
    let mut chunk = [0; 4096];
    loop {
        match file.read_at(&mut chunk, bytes.len() as u64) {
            Ok(0) => return String::from_utf8(bytes).map_err(io::Error::other),
            Ok(count) => bytes.extend_from_slice(&chunk[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

fn by_parent() -> io::Result<Vec<Pid>> {
    let own = i32::try_from(std::process::id()).map_err(io::Error::other)?;
    Ok(super::measure::processes()?
        .iter()
        .filter(|one| one.parent == own)
        .filter_map(|one| Pid::from_raw(one.pid))
        .collect())
}

fn parse_pid(text: &str) -> Option<Pid> {
    text.parse().ok().and_then(Pid::from_raw)
}

#[cfg(test)]
mod tests {
    use super::{Listing, by_parent, parse_pid};

    #[test]
    fn each_way_of_listing_finds_a_child() {
        let listing = Listing::open();
        let mut child = std::process::Command::new("sleep").arg("30").spawn().unwrap();
        let pid = parse_pid(&child.id().to_string()).unwrap();
        let found = [listing.children(), by_parent().unwrap(), listing.by_number()].map(|list| list.contains(&pid));
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(found, [true, true, true]);
    }
}
