//! The only place that prints. stdout carries data, stderr everything for people.
//!
//! Requests, models, builds, tools and repositories say much of what is printed. None of it reaches a terminal as anything
//! but text: what a terminal would obey, or a reader would not see, is escaped, on stdout and stderr, and in a pipe as on a
//! terminal, because a pipe often ends in a pager. JSON keeps its exact meaning by escapes of its own; in text for people
//! the escapes are part of the text. In a pipeline the commands that its agent obeys are escaped as well. The only sequences
//! that a terminal obeys are ours: [`ERASE`], and the colours of clap.

use crate::arguments::Arguments;
use crate::exit::{Code, Error};
use crate::pipeline::{self, Kind, Reader};
use crate::{secrets, waiting};
use bailiwick_audit::{is_invisible, plain_json, printable, printable_lines};
use clap::Parser;
use serde::Serialize;
use serde::de::IgnoredAny;
use std::backtrace::{Backtrace, BacktraceStatus};
use std::borrow::Cow;
use std::io::{ErrorKind, IsTerminal, Write};
use std::panic::PanicHookInfo;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

/// Prints a value as JSON.
pub(crate) fn json(value: &impl Serialize) {
    let text = serde_json::to_string_pretty(value).unwrap_or_else(|error| format!("{{\"error\":\"{error}\"}}"));
    line(&text);
}

/// Text as a terminal shows it and does not obey it. JSON stays the same JSON: it leaves some control characters and
/// direction marks as they are, which mean the same escaped.
fn steadied(text: &str, reader: Reader) -> Cow<'_, str> {
    let seen = |character: char| !is_invisible(character) || matches!(character, '\n' | '\t');
    let is_plain = text.chars().all(seen);
    if is_plain && pipeline::escape_commands(text, reader, Kind::Text).is_none() {
        return Cow::Borrowed(text);
    }
    let (shown, kind) = match serde_json::from_str::<IgnoredAny>(text) {
        Ok(_) => (Cow::Owned(text.split('\n').map(plain_json).collect::<Vec<_>>().join("\n")), Kind::Json),
        Err(_) => (printable_lines(text), Kind::Text),
    };
    pipeline::escape_commands(&shown, reader, kind).map_or(shown, Cow::Owned)
}

/// Text for people on stderr, escaped.
fn escaped(text: &str) -> String {
    let shown = printable_lines(text);
    pipeline::escape_commands(&shown, Reader::of_this_process(), Kind::Text).unwrap_or_else(|| shown.into_owned())
}

/// Whether data could not be written: a full disk, a closed stdout.
static LOST: AtomicBool = AtomicBool::new(false);

/// Prints a line of data. A reader that went away (`| head`) is not an error; everything else that keeps data from
/// where it was to go makes the command fail at its end ([`settled`]).
pub(crate) fn line(text: &str) {
    let text = secrets::hidden(text);
    let text = steadied(&text, Reader::of_this_process());
    waiting::end();
    if PASSING.load(Ordering::SeqCst) {
        replace("");
    }
    let mut stdout = std::io::stdout().lock();
    if let Err(error) = writeln!(stdout, "{text}").and_then(|()| stdout.flush())
        && error.kind() != ErrorKind::BrokenPipe
    {
        LOST.store(true, Ordering::SeqCst);
        progress(&format!("error: stdout cannot be written: {error}"));
    }
}

/// The exit code; data that was lost is a failure. Leaves no line on the terminal that was to be replaced.
pub(crate) fn settled(code: Code) -> Code {
    waiting::end();
    if PASSING.load(Ordering::SeqCst) {
        replace("");
    }
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
    waiting::end();
    replace(text);
}

/// The same, while [`waiting`] goes on.
pub(crate) fn replace(text: &str) {
    let mut stderr = std::io::stderr().lock();
    // A line that is wrapped could not be taken back.
    let text: String = printable(text).chars().take(78).collect();
    let _ = write!(stderr, "{ERASE}{text}").and_then(|()| stderr.flush());
    PASSING.store(!text.is_empty(), Ordering::SeqCst);
}

/// Goes to the beginning of the line and empties it.
const ERASE: &str = "\r\u{1b}[K";

/// Prints a line that names a step which may take long.
pub(crate) fn step(text: &str) {
    progress(text);
    waiting::begin();
}

/// Prints a line of progress.
pub(crate) fn progress(text: &str) {
    waiting::end();
    let mut stderr = std::io::stderr().lock();
    if PASSING.swap(false, Ordering::SeqCst) {
        let _ = write!(stderr, "{ERASE}");
    }
    // What a tool, a file or the command line says can hold anything.
    let _ = writeln!(stderr, "{}", escaped(&secrets::hidden(text)));
}

/// Prints what a panic says, which may quote anything, and where it came from if `RUST_BACKTRACE` asks for that.
pub(crate) fn panicked(panic: &PanicHookInfo<'_>) {
    let thread = std::thread::current();
    progress(&format!("thread `{}` {panic}", thread.name().unwrap_or("unnamed")));
    let backtrace = Backtrace::capture();
    if backtrace.status() == BacktraceStatus::Captured {
        progress(&backtrace.to_string());
    }
}

/// Prints an error with its hint, as JSON on stdout too where JSON was asked for.
pub(crate) fn report(error: &Error, as_json: bool) -> Code {
    if as_json {
        json(&serde_json::json!({
            "error": { "message": error.message, "hint": error.hint, "exitCode": error.code as u8 }
        }));
    }
    progress(&format!("error: {}", within(&error.message)));
    if let Some(hint) = &error.hint {
        progress(&format!("\nhint: {}", within(hint)));
    }
    error.code
}

/// Text whose further lines stand behind its first: the name of a file may hold a line that looks like a hint.
fn within(text: &str) -> String {
    text.replace('\n', "\n    ")
}

/// What clap has to say: help and version on stdout, a usage error on stderr.
pub(crate) fn usage(error: &clap::Error) -> ExitCode {
    // clap gave up before it could say whether JSON was asked for.
    if error.use_stderr() && std::env::args_os().any(|argument| argument == "--json") {
        let text = error.render().to_string();
        let message = text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned();
        json(&serde_json::json!({ "error": { "message": message, "hint": null, "exitCode": Code::Usage as u8 } }));
    }
    if error.use_stderr() {
        say_usage(error);
    } else {
        // Help and version are our own words.
        let _ = error.print();
    }
    if error.use_stderr() { Code::Usage.into() } else { Code::Done.into() }
}

/// What is wrong with the command line, in clap's colours. It repeats arguments, so it is clap's word on the same command
/// line with each argument as it may be shown.
fn say_usage(error: &clap::Error) {
    let shown = std::env::args_os().map(|argument| escaped(&printable(&argument.to_string_lossy())));
    match Arguments::try_parse_from(shown) {
        Err(clean) if clean.kind() == error.kind() => {
            let _ = clean.print();
        }
        _ => progress(error.render().to_string().trim_end()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_for_people_is_escaped_line_by_line_and_json_keeps_its_meaning() {
        let hostile = "a\u{1b}[2J\tb\u{202e}\r\nc\u{e0041}\u{9b}\u{200b}";
        assert_eq!(steadied(hostile, Reader::Person), "a\\u{1b}[2J\tb\\u{202e}\\u{d}\nc\\u{e0041}\\u{9b}\\u{200b}");
        // What only begins like JSON is text.
        for begun in ["[x\u{1b}", "{\u{202e}", "\"\u{7}"] {
            assert_eq!(steadied(begun, Reader::Person), printable(begun));
        }
        let value = serde_json::json!({ "a\u{7f}": [hostile] });
        for text in [value.to_string(), serde_json::to_string_pretty(&value).unwrap()] {
            let shown = steadied(&text, Reader::Person);
            assert!(!shown.chars().any(|c| is_invisible(c) && c != '\n'), "{shown:?}");
            assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).unwrap(), value);
        }
    }
}
