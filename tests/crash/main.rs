//! `kill -9` before every system call of the host that changes a file system.
//!
//! Each command is run once under `ptrace` (`traced`) to count these calls, then again and again, killed before one of
//! them each time. After each kill the next command, `run list`, puts things right, and then
//!
//! - both repositories are byte for byte (contents, modes, links) as before the command or as after it, never between,
//! - no temporary file of a run lies in them,
//! - nothing that the killed process had started is left,
//! - the next command works.
//!
//! An added tool is there as a whole or not at all. `docs/contributing/crash-points.md` has the table of what was seen; it is written
//! by these tests with `BAILIWICK_REWRITE_SNAPSHOTS=1`.
//!
//! `BAILIWICK_CRASH_POINTS` is how many calls of each command are tried, evenly spread; which ones differs from day to
//! day. `all` tries every one: about 1,600 kills, half an hour on two busy cores.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "helpers of tests stop at the first surprise")]

mod commands;
mod page;
mod traced;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use bailiwick_tests::World;

/// Calls of each command that are tried unless the environment says otherwise.
const POINTS: usize = 8;

/// What was seen of one command.
pub(crate) struct Seen {
    pub(crate) command: &'static str,
    /// Changing calls of a whole run by name.
    pub(crate) calls: BTreeMap<&'static str, usize>,
    pub(crate) tried: usize,
    /// How often each outcome was found; that of a whole run may have been found after no kill.
    pub(crate) outcomes: BTreeMap<&'static str, usize>,
}

/// A command and how to judge what is left of it.
pub(crate) struct Attempt<'a> {
    pub(crate) command: &'static str,
    /// Brings everything to where the command begins; returns its arguments.
    pub(crate) prepare: Box<dyn FnMut() -> Vec<String> + 'a>,
    /// Judges what the kill left; returns the outcome in words.
    pub(crate) judge: Box<dyn FnMut() -> &'static str + 'a>,
}

/// Kills the command before each of the calls that are due.
pub(crate) fn kill_everywhere(world: &World, attempt: &mut Attempt<'_>) -> Seen {
    let run = |arguments: &[String], kill| {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        traced::run(world.command(&arguments), kill)
    };
    let arguments = (attempt.prepare)();
    let whole = run(&arguments, None);
    assert_eq!(whole.code, Some(0), "{}: {}{}", attempt.command, whole.stdout, whole.stderr);
    let outcome = (attempt.judge)();
    let mut outcomes = BTreeMap::from([(outcome, 0)]);
    let mut calls = BTreeMap::new();
    for name in &whole.calls {
        *calls.entry(*name).or_insert(0) += 1;
    }
    let due = due(whole.calls.len());
    for point in &due {
        let arguments = (attempt.prepare)();
        let killed = run(&arguments, Some(*point));
        let last = killed.calls.get(*point).copied().unwrap_or("end");
        // Where it had no so many calls this time, it came to its end.
        assert!(killed.code.is_none() || killed.calls.len() <= *point, "{}: {:?}", attempt.command, killed.code);
        alone(world, attempt.command, *point);
        let outcome = (attempt.judge)();
        let _ = writeln!(std::io::stderr(), "{}: killed before call {point} ({last}): {outcome}", attempt.command);
        *outcomes.entry(outcome).or_insert(0) += 1;
    }
    Seen { command: attempt.command, calls, tried: due.len(), outcomes }
}

/// The calls to try: evenly spread, others each day.
fn due(calls: usize) -> Vec<usize> {
    let points = match std::env::var("BAILIWICK_CRASH_POINTS").as_deref() {
        Ok("all") => calls,
        Ok(number) => number.parse().unwrap(),
        Err(_) => POINTS,
    };
    let step = calls.div_ceil(points.max(1)).max(1);
    let day = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs() / 86_400;
    (usize::try_from(day).unwrap() % step..calls).step_by(step).collect()
}

/// Nothing that was started in the world is left, ten seconds after the kill at the latest.
fn alone(world: &World, command: &str, point: usize) {
    let deadline = Instant::now() + Duration::from_secs(10);
    loop {
        let left = world.processes();
        if left.is_empty() {
            return;
        }
        assert!(Instant::now() < deadline, "{command}, killed before call {point}: {left:?} are left");
        std::thread::sleep(Duration::from_millis(20));
    }
}
