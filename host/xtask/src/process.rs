//! Running other programs, with what they do said on stderr.

use anyhow::{Context, Result, bail};
use std::ffi::OsStr;
use std::fmt::Display;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How often a step that needs the network is tried.
const ATTEMPTS: u32 = 3;

/// Says one line on stderr. stdout is left to what the programs print.
pub(crate) fn say(line: impl Display) {
    // No person can read it when it fails.
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Does `work`, saying before what it is and after how long it took.
///
/// # Errors
/// Those of `work`.
pub(crate) fn step<T>(what: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    say(what);
    let started = Instant::now();
    let result = work();
    let ended = if result.is_ok() { "done" } else { "failed" };
    say(format_args!("{what}: {ended} after {:.1} s", started.elapsed().as_secs_f64()));
    result
}

/// Runs `command` and waits for it.
///
/// # Errors
/// When it cannot be started or does not end with success; its own output has said why.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let line = shown(command);
    let status = command.status().with_context(|| format!("cannot start `{line}`"))?;
    if !status.success() {
        bail!("`{line}` failed ({status})");
    }
    Ok(())
}

/// Runs what `command` builds, again after a while when it fails: it needs the network, which fails now and then.
///
/// # Errors
/// That of the last attempt.
pub(crate) fn run_with_retries(mut command: impl FnMut() -> Command) -> Result<()> {
    let mut pause = Duration::from_secs(2);
    for attempt in 1.. {
        match run(&mut command()) {
            Err(error) if attempt < ATTEMPTS => {
                say(format_args!("{error:#}; trying again in {} s", pause.as_secs()));
                thread::sleep(pause);
                pause *= 3;
            }
            last => return last,
        }
    }
    Ok(())
}

/// Runs `command` for at most `limit` and says whether it ended with success in that time. It is killed otherwise.
pub(crate) fn succeeds_within(command: &mut Command, limit: Duration) -> bool {
    let started = Instant::now();
    let Ok(mut child) = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn() else {
        return false;
    };
    while started.elapsed() < limit {
        match child.try_wait() {
            Ok(Some(status)) => return status.success(),
            Ok(None) => thread::sleep(Duration::from_millis(50)),
            Err(_) => break,
        }
    }
    // It may have ended in between.
    let _ = child.kill();
    let _ = child.wait();
    false
}

/// The first line `command` prints, if it runs and succeeds.
pub(crate) fn first_line(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let line = text.lines().next()?.trim();
    (output.status.success() && !line.is_empty()).then(|| line.to_owned())
}

/// The command line, as a person would type it.
fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let words = std::iter::once(program.file_name().unwrap_or(program.as_os_str())).chain(command.get_args());
    words.map(OsStr::to_string_lossy).collect::<Vec<_>>().join(" ")
}
