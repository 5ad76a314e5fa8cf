//! Killing everything below the calling process, which is a child subreaper.

use std::io;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitOptions, WaitStatus, kill_process, wait};

/// Pause after a round in which nobody ended.
const PAUSE: Duration = Duration::from_millis(1);

/// The children of this process: the program and the orphans that were adopted.
pub(super) struct Family {
    main: Pid,
    status: Option<WaitStatus>,
}

/// What one collection of ended children found.
enum Left {
    /// No child is left.
    Nobody,
    /// Children are left; this many had ended.
    Some { ended: usize },
}

impl Family {
    pub(super) fn new(main: Pid) -> Self {
        Self { main, status: None }
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

    /// Kills until no child is left, and returns those who could not be killed within `limit`.
    ///
    /// Only direct children are killed: their ids cannot be reused before they are waited for, so
    /// nobody else is ever hit. A killed child's own children become direct ones in the next round.
    pub(super) fn kill_all(&mut self, limit: Duration) -> io::Result<Vec<i32>> {
        let until = Instant::now() + limit;
        loop {
            let Left::Some { ended } = self.collect_ended()? else {
                return Ok(Vec::new());
            };
            let children = children()?;
            for child in &children {
                // Ended meanwhile, or another user's: the next round or the limit tells.
                let _ = kill_process(*child, Signal::KILL);
            }
            if Instant::now() >= until {
                return Ok(children.iter().map(|child| child.as_raw_nonzero().get()).collect());
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
                Err(rustix::io::Errno::CHILD) => return Ok(Left::Nobody),
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
}

/// The direct children. The list may miss some while others end; the caller repeats.
fn children() -> io::Result<Vec<Pid>> {
    match std::fs::read_to_string("/proc/thread-self/children") {
        Ok(list) => Ok(list.split_whitespace().filter_map(parse_pid).collect()),
        // A kernel without CONFIG_PROC_CHILDREN.
        Err(error) if error.kind() == io::ErrorKind::NotFound => children_by_scan(),
        Err(error) => Err(error),
    }
}

fn children_by_scan() -> io::Result<Vec<Pid>> {
    let own = std::process::id().to_string();
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc")?.flatten() {
        let name = entry.file_name();
        let Some(pid) = name.to_str().and_then(parse_pid) else {
            continue;
        };
        let Ok(stat) = std::fs::read_to_string(entry.path().join("stat")) else {
            continue;
        };
        // The name in parentheses may hold anything, so fields are counted from its last end:
        // state, then the parent.
        let parent = stat.rsplit_once(')').and_then(|(_, fields)| fields.split_whitespace().nth(1));
        if parent == Some(own.as_str()) {
            found.push(pid);
        }
    }
    Ok(found)
}

fn parse_pid(text: &str) -> Option<Pid> {
    text.parse().ok().and_then(Pid::from_raw)
}

#[cfg(test)]
mod tests {
    use super::{children, children_by_scan, parse_pid};

    #[test]
    fn both_ways_of_listing_find_a_child() {
        let mut child = std::process::Command::new("sleep").arg("30").spawn().unwrap();
        let pid = parse_pid(&child.id().to_string()).unwrap();
        let found = (children().unwrap().contains(&pid), children_by_scan().unwrap().contains(&pid));
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(found, (true, true));
    }
}
