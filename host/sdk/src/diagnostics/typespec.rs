//! Output of `tsp-client`, the TypeSpec compiler and emitters.
//!
//! `tsp-client` copies the project into the package before it compiles and removes the copy afterwards, and agents must not see
//! paths of this machine: [`PathMap`] maps the printed paths to `spec/…` and `sdk/…`.

// A compiler or an emitter writes the lines.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use super::PathMap;
use crate::tasks::{Diagnostic, Severity};

/// The diagnostics in what `tsp-client` printed, in its order and without repetitions.
#[must_use]
pub fn parse(output: &str, paths: &PathMap) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    let mut lines = output.lines();
    while let Some(line) = lines.next() {
        let line = line.trim_end();
        let parsed = compiler_line(line, paths).or_else(|| formatter_line(line, paths)).map(|diagnostic| match () {
            () if is_emitter_failure(&diagnostic) => with_cause(diagnostic, &mut lines, paths),
            () if diagnostic.message.starts_with(COMMAND_FAILED) => with_words(diagnostic, lines.clone(), paths),
            () => diagnostic,
        });
        found.extend(parsed);
    }
    let mut found = Diagnostic::unique(found);
    // The emitter's general complaint adds nothing where its formatter already said which line is wrong.
    if found.iter().any(|one| one.code.as_deref() == Some(FORMATTER)) {
        found.retain(|one| !is_emitter_failure(one));
    }
    found
}

/// Code of diagnostics of the formatter that the Python emitter runs over the package.
const FORMATTER: &str = "syntax";

/// What Node says of a command that an emitter ran; what the command said stands on the lines below.
const COMMAND_FAILED: &str = "Command failed: ";

/// How many of those lines are told, from the first on.
const WORDS: usize = 8;

fn is_emitter_failure(diagnostic: &Diagnostic) -> bool {
    diagnostic.code.as_deref().is_some_and(|code| code.ends_with("/unknown-error"))
}

/// A line of the compiler, before anything is concluded from its path.
pub(super) struct Message<'a> {
    /// Path, line and column.
    pub(super) place: Option<(&'a str, u32, u32)>,
    pub(super) severity: Severity,
    pub(super) code: &'a str,
    pub(super) text: &'a str,
}

/// `path:line:column - error code: message` or, without a place, `error code: message`.
pub(super) fn message(line: &str) -> Option<Message<'_>> {
    let (place, rest) = match line.split_once(" - ") {
        Some((place, rest)) if severity(rest).is_some() => (Some(place), rest),
        _ => (None, line),
    };
    let (severity, rest) = severity(rest)?;
    let (code, text) = rest.split_once(": ")?;
    // A code has no spaces; everything else that begins with "error" is prose.
    let is_code = !code.is_empty() && !code.contains(char::is_whitespace);
    is_code.then(|| Message { place: place.and_then(split_place), severity, code, text })
}

fn compiler_line(line: &str, paths: &PathMap) -> Option<Diagnostic> {
    let Message { place, severity, code, text } = message(line)?;
    let emitter = code.starts_with("@typespec/http-client-") || code.starts_with("@azure-typespec/");
    Some(Diagnostic {
        severity,
        file: place.map(|(path, _, _)| paths.path(path)),
        line: place.map(|(_, line, _)| line),
        column: place.map(|(_, _, column)| column),
        code: Some(code.to_owned()),
        symbol: symbol(text),
        message: paths.text(text),
        tool: if emitter { "emitter" } else { "tsp" }.to_owned(),
    })
}

fn severity(text: &str) -> Option<(Severity, &str)> {
    if let Some(rest) = text.strip_prefix("error ") {
        return Some((Severity::Error, rest));
    }
    text.strip_prefix("warning ").map(|rest| (Severity::Warning, rest))
}

/// `path:line:column`; a path may hold colons itself.
fn split_place(place: &str) -> Option<(&str, u32, u32)> {
    let (rest, column) = place.rsplit_once(':')?;
    let (path, line) = rest.rsplit_once(':')?;
    Some((path, line.parse().ok()?, column.parse().ok()?))
}

/// `error: cannot format <path>: Cannot parse: <line>:<column>: <what>`, with a column from 0.
fn formatter_line(line: &str, paths: &PathMap) -> Option<Diagnostic> {
    let rest = line.strip_prefix("error: cannot format ")?;
    let (path, reason) = rest.split_once(": ")?;
    let place = reason.split_once("annot parse").and_then(|(_, after)| {
        let after = after.split_once(": ")?.1;
        let (place, what) = after.split_once(": ")?;
        let (line, column) = place.split_once(':')?;
        Some((line.parse::<u32>().ok()?, column.parse::<u32>().ok()?, what))
    });
    Some(Diagnostic {
        severity: Severity::Error,
        file: Some(paths.path(path)),
        line: place.map(|(line, _, _)| line),
        column: place.map(|(_, column, _)| column.saturating_add(1)),
        code: Some(FORMATTER.to_owned()),
        message: match place {
            Some((_, _, what)) => format!("the emitter cannot parse the file: {}", what.trim()),
            None => paths.text(reason.trim()),
        },
        symbol: None,
        tool: "emitter".to_owned(),
    })
}

/// The emitter's stack trace gives the cause behind a headline; its frames are left out.
fn with_cause(mut diagnostic: Diagnostic, lines: &mut std::str::Lines<'_>, paths: &PathMap) -> Diagnostic {
    let cause = lines
        .by_ref()
        .take_while(|line| !line.contains("error stack end"))
        .map(str::trim_end)
        .take_while(|line| !line.starts_with("    at "))
        .filter(|line| !line.is_empty() && !line.starts_with("==="))
        .last();
    if let Some(cause) = cause {
        diagnostic.message = format!("the emitter failed: {}", paths.text(cause.trim()));
    }
    diagnostic
}

/// The message with what the command itself said, up to an empty line.
fn with_words(diagnostic: Diagnostic, lines: std::str::Lines<'_>, paths: &PathMap) -> Diagnostic {
    let words = lines.map(str::trim).take_while(|line| !line.is_empty() && message(line).is_none()).take(WORDS);
    let said: Vec<String> = words.map(|line| paths.text(line)).collect();
    if said.is_empty() {
        return diagnostic;
    }
    let message = format!("{}: {}", diagnostic.message, said.join("; "));
    Diagnostic { message, ..diagnostic }
}

/// The name that a compiler message is about, where its wording gives it away.
#[must_use]
pub fn symbol(message: &str) -> Option<String> {
    const BEFORE: [&str; 6] = [
        "Unknown identifier ",
        "Unknown decorator ",
        "have member ",
        "Client name: ",
        "Duplicate name: ",
        "Cannot find ",
    ];
    let rest = BEFORE.iter().find_map(|before| message.split_once(before).map(|(_, rest)| rest))?;
    let name: String = rest
        .trim_start_matches(['"', '\'', '`'])
        .chars()
        .take_while(|&one| one.is_alphanumeric() || "_$.@-".contains(one))
        .collect();
    let name = name.trim_end_matches('.');
    (!name.is_empty()).then(|| name.to_owned())
}

/// The last lines of an output that say something, for a failure without a diagnostic.
#[must_use]
pub fn last_words(stdout: &str, stderr: &str, paths: &PathMap) -> String {
    let said = |text: &str| {
        let mut lines: Vec<_> = text
            .lines()
            .rev()
            .map(str::trim)
            .filter(|line| !line.is_empty() && !line.starts_with("at "))
            .take(3)
            .collect();
        lines.reverse();
        paths.text(&lines.join("; "))
    };
    match said(stderr) {
        words if words.is_empty() => said(stdout),
        words => words,
    }
}

#[cfg(test)]
mod tests;
