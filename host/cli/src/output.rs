//! The only place that prints. stdout carries data, stderr everything for people.

use crate::exit::{Code, Error};
use crate::secrets;
use bailiwick_audit::{plain_json, printable};
use serde::Serialize;
use std::borrow::Cow;
use std::io::{ErrorKind, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

/// Prints a value as JSON.
pub(crate) fn json(value: &impl Serialize) {
    let text = serde_json::to_string_pretty(value).unwrap_or_else(|error| format!("{{\"error\":\"{error}\"}}"));
    line(&text);
}

/// JSON leaves some control characters and direction marks as they are. Escaped they are the same JSON, and a terminal
/// shows them instead of obeying them.
fn steadied(text: &str) -> Cow<'_, str> {
    if !text.starts_with(['{', '[', '"']) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.split('\n').map(plain_json).collect::<Vec<_>>().join("\n"))
}

/// Whether data could not be written: a full disk, a closed stdout.
static LOST: AtomicBool = AtomicBool::new(false);

/// Prints a line of data. A reader that went away (`| head`) is no error of ours; everything else that keeps data from
/// where it was to go makes the command fail at its end ([`settled`]).
pub(crate) fn line(text: &str) {
    let text = secrets::hidden(text);
    let text = steadied(&text);
    let mut stdout = std::io::stdout().lock();
    if let Err(error) = writeln!(stdout, "{text}").and_then(|()| stdout.flush())
        && error.kind() != ErrorKind::BrokenPipe
    {
        LOST.store(true, Ordering::SeqCst);
        progress(&format!("error: stdout cannot be written: {error}"));
    }
}

/// The exit code, which is no success when data was lost.
pub(crate) fn settled(code: Code) -> Code {
    if code == Code::Done && LOST.load(Ordering::SeqCst) { Code::NoSuccess } else { code }
}

/// Whether a line stands on the terminal that the next one is to replace.
static PASSING: AtomicBool = AtomicBool::new(false);

/// Whether stderr is a terminal that can put one line in the place of another.
pub(crate) fn can_replace_lines() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("TERM").is_some_and(|term| term != "dumb")
}

/// Shows a line that stays until the next one; without text only takes it away. For terminals alone.
pub(crate) fn passing(text: &str) {
    let mut stderr = std::io::stderr().lock();
    // A line that is wrapped could not be taken back.
    let text: String = printable(text).chars().take(78).collect();
    let _ = write!(stderr, "{ERASE}{text}").and_then(|()| stderr.flush());
    PASSING.store(!text.is_empty(), Ordering::SeqCst);
}

/// Goes to the beginning of the line and empties it.
const ERASE: &str = "\r\u{1b}[K";

/// Prints a line of progress.
pub(crate) fn progress(text: &str) {
    let mut stderr = std::io::stderr().lock();
    if PASSING.swap(false, Ordering::SeqCst) {
        let _ = write!(stderr, "{ERASE}");
    }
    for line in secrets::hidden(text).split('\n') {
        // What a tool, a file or the command line says can hold anything; a terminal is to show it and not to obey it.
        let _ = writeln!(stderr, "{}", printable(line));
    }
}

/// Prints an error with its hint, as JSON on stdout too where JSON was asked for.
pub(crate) fn report(error: &Error, as_json: bool) -> Code {
    if as_json {
        json(&serde_json::json!({
            "error": { "message": error.message, "hint": error.hint, "exitCode": error.code as u8 }
        }));
    }
    progress(&format!("error: {}", error.message));
    if let Some(hint) = &error.hint {
        progress(&format!("\nhint: {hint}"));
    }
    error.code
}

/// What clap has to say: help and version on stdout, a usage error on stderr.
pub(crate) fn usage(error: &clap::Error) -> ExitCode {
    // clap gave up before it could say whether JSON was asked for.
    if error.use_stderr() && std::env::args_os().any(|argument| argument == "--json") {
        let text = error.render().to_string();
        let message = text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned();
        json(&serde_json::json!({ "error": { "message": message, "hint": null, "exitCode": Code::Usage as u8 } }));
    }
    let _ = error.print();
    if error.use_stderr() { Code::Usage.into() } else { Code::Done.into() }
}
