//! What the compiler reports, as Maven prints it.

// A build writes the lines.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use bailiwick_sdk::tasks::{Diagnostic, Severity};
use bailiwick_toolchains::without_colours;

/// `[ERROR] <path>:[<line>,<column>] <message>` with the lines that belong to it, without repetitions.
///
/// `rename` turns the path of a file into the name people know, or says that the file is of no interest.
pub(super) fn parse(output: &str, rename: impl Fn(&str) -> Option<String>) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    let mut current: Option<Diagnostic> = None;
    for line in output.lines() {
        let line = without_colours(line);
        let (severity, rest) = severity(&line);
        if let Some((path, line_number, column, message)) = severity.and_then(|_| place(rest)) {
            found.extend(current.take());
            current = rename(path).map(|file| Diagnostic {
                severity: severity.unwrap_or(Severity::Error),
                file: Some(file),
                line: Some(line_number),
                column: Some(column),
                code: None,
                message: message.trim().to_owned(),
                symbol: None,
                tool: "javac".to_owned(),
            });
            continue;
        }
        // `symbol:` and `location:` stand behind the first line, with Maven's mark before them or without.
        let detail = rest.trim();
        match &mut current {
            Some(diagnostic) if detail.starts_with("symbol:") || detail.starts_with("location:") => {
                diagnostic.message.push_str("; ");
                diagnostic.message.push_str(&detail.split_whitespace().collect::<Vec<_>>().join(" "));
            }
            _ => found.extend(current.take()),
        }
    }
    found.extend(current);
    Diagnostic::unique(found.into_iter().map(|diagnostic| Diagnostic {
        symbol: symbol(&diagnostic.message),
        code: code(&diagnostic.message).map(str::to_owned),
        ..diagnostic
    }))
}

fn severity(line: &str) -> (Option<Severity>, &str) {
    for (mark, severity) in [("[ERROR]", Severity::Error), ("[WARNING]", Severity::Warning)] {
        if let Some(rest) = line.strip_prefix(mark) {
            return (Some(severity), rest.trim_start());
        }
    }
    (None, line)
}

fn place(text: &str) -> Option<(&str, u32, u32, &str)> {
    let (path, rest) = text.split_once(":[")?;
    let (place, message) = rest.split_once(']')?;
    let (line, column) = place.split_once(',')?;
    let is_path = path.ends_with(".java") && !path.contains(char::is_whitespace);
    is_path.then_some((path, line.parse().ok()?, column.parse().ok()?, message))
}

/// The name a message is about: `displayName`, `getOperationId`.
fn symbol(message: &str) -> Option<String> {
    const KINDS: [&str; 6] = ["variable ", "method ", "class ", "interface ", "constructor ", "enum "];
    let text = match message.split_once("symbol: ") {
        Some((_, symbol)) => symbol,
        None if message.contains("is already defined in ") || message.contains("cannot be applied to ") => message,
        None => return None,
    };
    let text = KINDS.iter().find_map(|kind| text.strip_prefix(kind)).unwrap_or(text);
    let name: String = text.chars().take_while(|&one| one.is_alphanumeric() || one == '_' || one == '$').collect();
    (!name.is_empty()).then_some(name)
}

/// A short name for the kinds of errors that are told apart; javac's own codes are not printed.
fn code(message: &str) -> Option<&'static str> {
    if message.starts_with("cannot find symbol") {
        Some("cannot-find-symbol")
    } else if message.contains(" is already defined in ") {
        Some("already-defined")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "\u{1b}[0m\u{1b}[0m[ERROR] COMPILATION ERROR : \n\
        [ERROR] /w/src/main/java/a/Widget.java:[408,20] cannot find symbol\n  symbol: variable displayName\n\
        [ERROR] /w/src/main/java/a/R.java:[204,19] method getOperationId() is already defined in class a.R\n\
        [ERROR] Failed to execute goal org.apache.maven.plugins:maven-compiler-plugin:3.13.0:compile: Compilation failure\n\
        [ERROR] /w/src/main/java/a/Widget.java:[408,20] cannot find symbol\n[ERROR]   symbol: variable displayName\n\
        [\u{1b}[1;33mWARNING\u{1b}[m] /w/src/main/java/a/R.java:[1,1] unchecked call\n[ERROR] -> [Help 1]\n";

    #[test]
    fn errors_are_taken_once_with_place_symbol_and_kind() {
        let found = parse(LOG, |path| path.strip_prefix("/w/").map(|path| format!("sdk/{path}")));
        let brief: Vec<_> = found
            .iter()
            .map(|one| (one.place(), one.symbol.clone().unwrap_or_default(), one.code.clone().unwrap_or_default()))
            .collect();
        let wanted = [
            ("sdk/src/main/java/a/Widget.java:408", "displayName", "cannot-find-symbol"),
            ("sdk/src/main/java/a/R.java:204", "getOperationId", "already-defined"),
            ("sdk/src/main/java/a/R.java:1", "", ""),
        ];
        assert_eq!(brief, wanted.map(|(a, b, c)| (a.to_owned(), b.to_owned(), c.to_owned())));
        assert_eq!(found[0].message, "cannot find symbol; symbol: variable displayName");
        assert!(!found[2].is_error());
    }
}
