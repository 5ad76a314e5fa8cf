//! What the processes below the keeper take: their number, their memory, and space on the disk.

use std::collections::HashMap;
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::time::Duration;

use rustix::fs::{CWD, Mode, OFlags, StatVfs, fstatvfs, openat};
use rustix::process::getpid;
use rustix::time::{ClockId, clock_gettime};

use crate::command::Measured;
use crate::wire::{Bounds, Exceeded, Request};

/// Pause between two measurements.
const PAUSE: Duration = Duration::from_millis(100);

/// The same when more than half of a limit is reached.
const SHORT_PAUSE: Duration = Duration::from_millis(20);

/// Measuring may take at most one part in so many of a processor's time, on systems with very many processes too.
const SHARE: u32 = 20;

/// The pause is never longer for that.
const LONGEST_PAUSE: Duration = Duration::from_millis(500);

/// What a file or a directory counts for, be it empty: as many bytes as file systems have for each. A program that makes files
/// without end takes the last inode, and then no program can make a file.
const ENTRY: u64 = 16 << 10;

/// Processes below the keeper that are not the program's: the launcher and the first process of a namespace.
const OWN_PROCESSES: u64 = 2;

/// One process of the system, as `/proc/PID/stat` has it (proc_pid_stat(5)).
#[derive(Debug, Clone, Copy)]
pub(super) struct Process {
    pub(super) pid: i32,
    pub(super) parent: i32,
    threads: u64,
    /// Pages in main memory. A page that several processes share is counted in each.
    pages: u64,
}

/// The limits of one run, and what to compare with them.
pub(super) struct Measure {
    bounds: Bounds,
    page_bytes: u64,
    disks: Vec<Disk>,
    pause: Duration,
}

/// A file system that the program may write.
struct Disk {
    path: std::ffi::OsString,
    handle: OwnedFd,
    identity: u64,
    at_start: Space,
}

/// What is free of a file system, and how many files and directories it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Space {
    free: u64,
    entries: u64,
}

impl Measure {
    /// To be called before the program starts.
    pub(super) fn begin(request: &Request) -> Self {
        let writable = match &request.confinement {
            Some(grants) => grants.write.as_slice(),
            None => std::slice::from_ref(&request.directory),
        };
        let mut disks: Vec<Disk> = Vec::new();
        for path in writable {
            // What cannot be opened cannot be written either; the launcher says so.
            if let Ok(disk) = Disk::open(path)
                && disks.iter().all(|known| known.identity != disk.identity)
            {
                disks.push(disk);
            }
        }
        let bounds = request.bounds;
        Self { bounds, page_bytes: page_bytes(), disks, pause: usual(bounds) }
    }

    /// How long to wait for the next measurement.
    pub(super) fn pause(&self) -> Duration {
        self.pause
    }

    /// The limit that the processes below this one have exceeded, if any.
    ///
    /// # Errors
    /// When `/proc` cannot be read.
    pub(super) fn exceeded(&mut self) -> io::Result<Option<Exceeded>> {
        let begun = spent();
        let below = below(getpid().as_raw_nonzero().get(), &processes()?);
        let count = below.iter().map(|one| one.threads.max(1)).sum::<u64>().saturating_sub(OWN_PROCESSES);
        if count > self.bounds.processes {
            return Ok(Some(Exceeded::Processes));
        }
        let memory = below.iter().map(|one| one.pages.saturating_mul(self.page_bytes)).sum::<u64>();
        // The sum may count one page many times; the exact figure is dear, so it is asked for only here.
        if memory > self.bounds.memory_bytes && self.proportional(&below) > self.bounds.memory_bytes {
            return Ok(Some(Exceeded::Memory));
        }
        let near = count > self.bounds.processes / 2 || memory > self.bounds.memory_bytes / 2;
        let dear = (spent().saturating_sub(begun) * SHARE).min(LONGEST_PAUSE);
        self.pause = if near { SHORT_PAUSE } else { usual(self.bounds) }.max(dear);
        Ok(self.disk_exceeded())
    }

    /// The file system whose free space fell too far, if any.
    pub(super) fn disk_exceeded(&self) -> Option<Exceeded> {
        let over = |disk: &&Disk| {
            fstatvfs(&disk.handle)
                .is_ok_and(|found| disk.at_start.taken_until(Space::of(&found)) > self.bounds.disk_bytes)
        };
        self.disks.iter().find(over).map(|disk| Exceeded::Disk { path: disk.path.clone() })
    }

    fn proportional(&self, below: &[Process]) -> u64 {
        below.iter().map(|one| share(one.pid).unwrap_or_else(|| one.pages.saturating_mul(self.page_bytes))).sum()
    }
}

fn usual(bounds: Bounds) -> Duration {
    match bounds.measured {
        Measured::Often => PAUSE,
        Measured::Seldom => LONGEST_PAUSE,
    }
}

impl Disk {
    fn open(path: &std::ffi::OsString) -> io::Result<Self> {
        let handle = openat(CWD, path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?;
        let found = fstatvfs(&handle)?;
        Ok(Self { path: path.clone(), handle, identity: found.f_fsid, at_start: Space::of(&found) })
    }
}

impl Space {
    fn of(found: &StatVfs) -> Self {
        Self {
            free: found.f_bfree.saturating_mul(found.f_frsize),
            // Not those that are free, which some file systems make of free space. One that does not count them has none.
            entries: found.f_files.saturating_sub(found.f_ffree),
        }
    }

    /// How many bytes were taken from here until `now`.
    fn taken_until(self, now: Self) -> u64 {
        let entries = now.entries.saturating_sub(self.entries);
        self.free.saturating_sub(now.free).max(entries.saturating_mul(ENTRY))
    }
}

/// Bytes in main memory, a page that several processes share divided among them; `None` where the kernel does not tell.
fn share(pid: i32) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("Pss:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|kib| kib << 10)
}

/// Every process of the system, as far as it can be seen.
pub(super) fn processes() -> io::Result<Vec<Process>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc")? {
        let entry = entry?;
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else {
            continue;
        };
        let directory = Path::new("/proc").join(entry.file_name());
        match read(&directory.join("stat")) {
            Ok(stat) => found.extend(parse(pid, &stat).map(|one| with_memory(one, &stat, &directory))),
            // It ended meanwhile, or is not to be seen.
            Err(error) if is_about_one_process(&error) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(found)
}

/// A program names itself, in any bytes.
fn read(stat: &Path) -> io::Result<String> {
    Ok(String::from_utf8_lossy(&std::fs::read(stat)?).into_owned())
}

/// A process whose first thread ended seems to have no memory. The others of its threads tell.
fn with_memory(process: Process, stat: &str, directory: &Path) -> Process {
    let first_ended = stat.rsplit_once(')').is_some_and(|(_, fields)| fields.trim_start().starts_with('Z'));
    if !first_ended || process.threads < 2 {
        return process;
    }
    let threads = std::fs::read_dir(directory.join("task")).into_iter().flatten().flatten();
    let pages = threads.filter_map(|thread| Some(parse(process.pid, &read(&thread.path().join("stat")).ok()?)?.pages));
    Process { pages: pages.max().unwrap_or(process.pages), ..process }
}

fn is_about_one_process(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied)
        || error.raw_os_error() == Some(libc::ESRCH)
}

fn parse(pid: i32, stat: &str) -> Option<Process> {
    // The name in parentheses may hold anything, so fields are counted from its last end; the first is field 3.
    let (_, rest) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let field = |number: usize| fields.get(number - 3).copied();
    Some(Process {
        pid,
        parent: field(4)?.parse().ok()?,
        threads: field(20)?.parse().ok()?,
        pages: field(24)?.parse().unwrap_or(0),
    })
}

/// Those that `root` started, and those that they started, and so on.
fn below(root: i32, all: &[Process]) -> Vec<Process> {
    let mut children: HashMap<i32, Vec<&Process>> = HashMap::new();
    for one in all {
        children.entry(one.parent).or_default().push(one);
    }
    let mut found = Vec::new();
    let mut parents = vec![root];
    while let Some(parent) = parents.pop() {
        // Taken out, so that numbers which changed hands between two reads cannot make a circle.
        for one in children.remove(&parent).unwrap_or_default() {
            found.push(*one);
            parents.push(one.pid);
        }
    }
    found
}

/// Processor time of this process. On a busy machine a measurement takes longer without costing more.
fn spent() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap_or_default()
}

fn page_bytes() -> u64 {
    const USUAL: u64 = 4096;
    #[expect(unsafe_code, reason = "neither std nor this build of rustix tells the page size")]
    // SAFETY: The call takes an integer and returns one.
    let size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    u64::try_from(size).unwrap_or(USUAL)
}

#[cfg(test)]
mod tests {
    use super::{ENTRY, Space, below, parse, processes};

    #[test]
    fn files_without_content_take_space_and_what_others_remove_gives_none() {
        let start = Space { free: 1 << 30, entries: 100 };
        for (free, entries, taken) in [
            (1 << 30, 100, 0),
            ((1 << 30) - 5, 100, 5),
            (1 << 30, 1_100, 1_000 * ENTRY),
            ((1 << 30) - 100 * ENTRY, 110, 100 * ENTRY),
            (2 << 30, 50, 0),
        ] {
            assert_eq!(start.taken_until(Space { free, entries }), taken, "{free} {entries}");
        }
    }

    #[test]
    fn name_that_looks_like_fields_does_not_shift_them() {
        let stat = "7 (a) S 1 (b) S 3 7 7 0 -1 4194304 0 0 0 0 0 0 0 0 20 0 5 0 100 4096 25 0";
        let process = parse(7, stat).unwrap();
        assert_eq!((process.parent, process.threads, process.pages), (3, 5, 25));
    }

    #[test]
    fn processes_below_are_found_and_the_others_are_not() {
        let all = [(2, 1), (3, 2), (4, 3), (5, 1), (6, 6)].map(|(pid, parent)| {
            parse(pid, &format!("{pid} (x) S {parent} 0 0 0 0 0 0 0 0 0 0 0 0 0 20 0 1 0 0 0 1")).unwrap()
        });
        let mut found: Vec<_> = below(2, &all).iter().map(|one| one.pid).collect();
        found.sort_unstable();
        assert_eq!(found, [3, 4]);
    }

    #[test]
    fn this_process_is_among_all() {
        let own = i32::try_from(std::process::id()).unwrap();
        let found = processes().unwrap();
        let one = found.iter().find(|one| one.pid == own).unwrap();
        assert!(one.threads >= 1 && one.pages > 0, "{one:?}");
    }
}

#[cfg(test)]
mod fuzzing {
    use bailiwick_fuzz::Target;

    /// A program chooses the name in its own line.
    #[test]
    fn processes() {
        const WORDS: &[&str] = &[")", "(", " ", "\n", "S 1 1 1", "18446744073709551616", "-1", "\u{0}"];
        Target { name: "processes", words: WORDS }.run_text(|text| {
            let found = super::parse(7, text);
            // No name makes a process another one's child.
            let named = super::parse(7, &format!("7 ({text}) S 3 7 7 0 -1 0 0 0 0 0 0 0 0 0 20 0 2 0 5 6 9 10\n"));
            if !text.contains('\0') {
                assert_eq!(named.map(|one| (one.pid, one.parent)), Some((7, 3)), "{found:?}");
            }
        });
    }
}
