//! The only place that prints. stdout carries data, stderr everything for people.

use crate::exit::{Code, Error};
use serde::Serialize;
use std::io::Write;
use std::process::ExitCode;

/// Prints a value as JSON.
pub(crate) fn json(value: &impl Serialize) {
    let text = serde_json::to_string_pretty(value).unwrap_or_else(|error| format!("{{\"error\":\"{error}\"}}"));
    line(&text);
}

/// Prints a line of data. A reader that went away (`| head`) is no error of ours.
pub(crate) fn line(text: &str) {
    let _ = writeln!(std::io::stdout().lock(), "{text}");
}

/// Prints a line of progress.
pub(crate) fn progress(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
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
    let _ = error.print();
    if error.use_stderr() { Code::Usage.into() } else { Code::Done.into() }
}
