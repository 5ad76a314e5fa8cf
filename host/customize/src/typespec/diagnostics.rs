//! What `tsp-client`, the compiler and emitters print, as diagnostics with the paths people know.
//!
//! `tsp-client` copies the project into the package before it compiles, so a path it prints leads into a directory that
//! is gone by the time somebody reads it; and no path of this machine should reach an agent.

// A compiler or an emitter writes the lines.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use std::path::{Path, PathBuf};

use bailiwick_sdk::tasks::{Diagnostic, Severity};

/// Replaces directories of this machine by names, longest first.
#[derive(Debug, Clone, Default)]
pub struct PathMap {
    entries: Vec<(String, String)>,
}

impl PathMap {
    /// Each directory with the name that stands for it, for example `spec`.
    #[must_use]
    pub fn new(entries: impl IntoIterator<Item = (PathBuf, String)>) -> Self {
        let mut entries: Vec<_> =
            entries.into_iter().map(|(directory, name)| (directory.to_string_lossy().into_owned(), name)).collect();
        entries.sort_by_key(|(directory, _)| std::cmp::Reverse(directory.len()));
        Self { entries }
    }

    /// The path below a known directory with that directory's name in front, else the part from `node_modules` on,
    /// else the file's name alone.
    #[must_use]
    pub fn path(&self, path: &str) -> String {
        let path = path.replace('\\', "/");
        for (directory, name) in &self.entries {
            if let Some(rest) = path.strip_prefix(directory.as_str()) {
                if rest.is_empty() {
                    return name.clone();
                }
                if rest.starts_with('/') {
                    return format!("{name}{rest}");
                }
            }
        }
        match path.rfind("node_modules/") {
            Some(start) => path.get(start..).unwrap_or_default().to_owned(),
            None if path.starts_with('/') => path.rsplit('/').next().unwrap_or_default().to_owned(),
            None => path,
        }
    }

    /// `text` with every known directory replaced by its name.
    #[must_use]
    pub fn text(&self, text: &str) -> String {
        self.entries.iter().fold(text.to_owned(), |text, (directory, name)| text.replace(directory.as_str(), name))
    }
}

/// The diagnostics in what `tsp-client` printed, in its order and without repetitions.
#[must_use]
pub fn parse_output(output: &str, paths: &PathMap) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    let mut lines = output.lines();
    while let Some(line) = lines.next() {
        let line = line.trim_end();
        let parsed = compiler_line(line, paths).or_else(|| formatter_line(line, paths)).map(|diagnostic| {
            if is_emitter_failure(&diagnostic) { with_cause(diagnostic, &mut lines, paths) } else { diagnostic }
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

fn is_emitter_failure(diagnostic: &Diagnostic) -> bool {
    diagnostic.code.as_deref().is_some_and(|code| code.ends_with("/unknown-error"))
}

/// `path:line:column - error code: message` or, without a place, `error code: message`.
fn compiler_line(line: &str, paths: &PathMap) -> Option<Diagnostic> {
    let (place, rest) = match line.split_once(" - ") {
        Some((place, rest)) if severity(rest).is_some() => (Some(place), rest),
        _ => (None, line),
    };
    let (severity, rest) = severity(rest)?;
    let (code, message) = rest.split_once(": ")?;
    // A code has no spaces; everything else that begins with "error" is prose.
    if code.is_empty() || code.contains(char::is_whitespace) {
        return None;
    }
    let place = place.and_then(split_place);
    let emitter = code.starts_with("@typespec/http-client-") || code.starts_with("@azure-typespec/");
    Some(Diagnostic {
        severity,
        file: place.as_ref().map(|(path, _, _)| paths.path(path)),
        line: place.as_ref().map(|(_, line, _)| *line),
        column: place.as_ref().map(|(_, _, column)| *column),
        code: Some(code.to_owned()),
        symbol: symbol(message),
        message: paths.text(message),
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

/// The emitter's stack trace says behind a headline what went wrong; its frames are of no use to anybody here.
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

/// The name that a compiler message is about, where its wording gives it away.
pub(super) fn symbol(message: &str) -> Option<String> {
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
pub(super) fn last_words(stdout: &str, stderr: &str, paths: &PathMap) -> String {
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

/// The map for children that work on `package`, whose project copies lie in `copies` under these names.
pub(super) fn path_map<'a>(
    package: &Path,
    project: &Path,
    copies: impl IntoIterator<Item = (PathBuf, &'a str)>,
    cache: &Path,
) -> PathMap {
    let mut entries = vec![
        (package.to_owned(), "sdk".to_owned()),
        (project.to_owned(), "spec".to_owned()),
        (cache.to_owned(), "tools".to_owned()),
    ];
    entries.extend(copies.into_iter().map(|(directory, name)| (directory, name.to_owned())));
    PathMap::new(entries)
}

#[cfg(test)]
mod tests;
