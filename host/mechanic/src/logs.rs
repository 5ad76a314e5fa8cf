//! Recognises what tools print, so that a pasted log is not read as sentences, and reads the diagnostics in it.

// Anybody may have written the log.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use super::{msbuild, work};
use bailiwick_sdk::tasks::{Diagnostic, Severity};

/// Whether a line was printed by a tool. `after_log` says that the line before was.
pub(crate) fn is_log_line(line: &str, after_log: bool) -> bool {
    let trimmed = line.trim();
    diagnostic(line).is_some()
        || is_exception(trimmed)
        || trimmed.starts_with("Traceback (most recent call last)")
        || trimmed.starts_with("File \"") && trimmed.contains("\", line ")
        || is_code_frame(trimmed, after_log)
        || is_summary(trimmed)
        || (after_log && (trimmed.starts_with("symbol:") || trimmed.starts_with("location:")))
        || (after_log && !trimmed.is_empty() && (line.starts_with("    ") || line.starts_with('\t')))
}

/// `Found 2 errors in 1 file (checked 12 source files)` and its like.
fn is_summary(line: &str) -> bool {
    let found = line
        .strip_prefix("Found ")
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()) && rest.contains(" error"));
    // `# github.com/Azure/…`: what Go builds.
    let package = line.strip_prefix("# ").is_some_and(|path| path.contains('/') && !path.contains(char::is_whitespace));
    found
        || package
        || msbuild::is_summary(line)
        || line.starts_with("Success: no issues found in ")
        || line.starts_with("Compilation failed with ")
        || line == "Failed to generate client"
        || ["npm ERR!", "npm error", "[ERROR] ", "[INFO] ", "[WARNING] ", "##["]
            .iter()
            .any(|start| line.starts_with(start))
}

/// The lines that compilers draw under a place: `> 12 | …`, `   | ^^^^`. Without a number only after another line of a
/// log, for people draw tables with such lines and strike things through.
fn is_code_frame(line: &str, after_log: bool) -> bool {
    let line = line.strip_prefix('>').unwrap_or(line).trim_start();
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let bar = rest.trim_start().starts_with('|') && (after_log || rest.len() < line.len());
    let marks = !line.is_empty() && line.chars().all(|c| matches!(c, '^' | '~' | ' ')) && line.contains(['^', '~']);
    bar || (marks && after_log)
}

/// `ImportError: …`, `azure.core.exceptions.HttpResponseError: …`
fn is_exception(line: &str) -> bool {
    line.split_once(": ").is_some_and(|(name, _)| {
        ["Error", "Exception", "Warning"].iter().any(|end| name.ends_with(end) && name.len() > end.len())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.')
    })
}

/// All diagnostics of a log.
#[cfg(test)]
pub(crate) fn diagnostics(log: &str) -> Vec<Diagnostic> {
    entries(log).into_iter().map(|entry| entry.diagnostic).collect()
}

/// A diagnostic with the lines it was read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) diagnostic: Diagnostic,
    /// Reading these lines again yields the diagnostic.
    pub(crate) text: String,
}

/// All diagnostics of a log, in its order. What is printed twice in the same words is one.
pub(crate) fn entries(log: &str) -> Vec<Entry> {
    let mut found: Vec<Entry> = Vec::new();
    let mut frame: Option<(&str, (String, u32))> = None;
    for line in log.lines() {
        let trimmed = line.trim();
        if let Some(one) = diagnostic(line) {
            // Maven and MSBuild print their errors a second time behind their own complaint.
            let repeats = [JAVAC, "dotnet"].contains(&one.tool.as_str());
            work::steps(if repeats { found.len().min(MOST_COMPARED) } else { 0 });
            if !(repeats && found.iter().rev().take(MOST_COMPARED).any(|entry| entry.diagnostic == one)) {
                found.push(Entry { diagnostic: one, text: line.to_owned() });
            }
        } else if let Some((last, symbol)) = found.last_mut().zip(javac_symbol(trimmed)) {
            last.diagnostic.message.push_str(&format!("; symbol: {symbol}"));
            last.diagnostic.symbol = symbol_name(&symbol);
            last.text.push('\n');
            last.text.push_str(line);
        } else if let Some(rest) = trimmed.strip_prefix("File \"") {
            frame = traceback_frame(rest).map(|place| (line, place));
        } else if is_exception(trimmed) {
            let (code, message) = trimmed.split_once(": ").unwrap_or((trimmed, ""));
            let (above, place) = frame.take().unzip();
            let diagnostic = Diagnostic {
                severity: Severity::Error,
                line: place.as_ref().map(|(_, line)| *line),
                file: place.map(|(file, _)| file),
                column: None,
                code: Some(code.to_owned()),
                message: message.to_owned(),
                symbol: quoted(message).first().cloned(),
                tool: "import".into(),
            };
            let text = above.map_or_else(|| line.to_owned(), |above| format!("{above}\n{line}"));
            found.push(Entry { diagnostic, text });
        }
    }
    found
}

/// A log repeats what it printed within so many diagnostics; further back nobody compares.
const MOST_COMPARED: usize = 500;

fn traceback_frame(rest: &str) -> Option<(String, u32)> {
    let (file, rest) = rest.split_once("\", line ")?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    Some((file.to_owned(), digits.parse().ok()?))
}

/// javac through Maven, or by itself.
const JAVAC: &str = "javac";

/// `[ERROR] <path>:[<line>,<column>] <message>`, as Maven prints it, and `<path>:<line>: error: <message>`.
fn java_diagnostic(line: &str) -> Option<Diagnostic> {
    let (severity, rest) = match line.strip_prefix("[ERROR] ") {
        Some(rest) => (Severity::Error, rest),
        None => (Severity::Warning, line.strip_prefix("[WARNING] ")?),
    };
    let (file, rest) = rest.trim_start().split_once(":[")?;
    let (place, message) = rest.split_once(']')?;
    let (row, column) = place.split_once(',')?;
    let is_file = file.ends_with(".java") && !file.contains(char::is_whitespace);
    let (row, column) = (row.parse().ok()?, column.parse().ok()?);
    is_file.then(|| java(severity, file, row, Some(column), message.trim()))
}

fn java(severity: Severity, file: &str, row: u32, column: Option<u32>, message: &str) -> Diagnostic {
    Diagnostic {
        severity,
        file: Some(file.to_owned()),
        line: Some(row),
        column,
        code: None,
        message: message.to_owned(),
        symbol: message.contains(" is already defined in ").then(|| symbol_name(message)).flatten(),
        tool: JAVAC.into(),
    }
}

/// `symbol: variable displayName`, below an error and with Maven's mark or without.
fn javac_symbol(line: &str) -> Option<String> {
    let line = line.strip_prefix("[ERROR]").unwrap_or(line).trim();
    let symbol = line.strip_prefix("symbol:")?;
    Some(symbol.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// `displayName` of `variable displayName`, `getX` of `method getX(int)`.
fn symbol_name(text: &str) -> Option<String> {
    let (_, name) = text.split_once(' ')?;
    let name: String = name.chars().take_while(|&c| c.is_alphanumeric() || c == '_' || c == '$').collect();
    (!name.is_empty()).then_some(name)
}

/// One line in the form of mypy, the TypeSpec compiler or pylint.
fn diagnostic(line: &str) -> Option<Diagnostic> {
    let line = line.trim();
    if let Some(one) = java_diagnostic(line).or_else(|| msbuild::diagnostic(line)) {
        return Some(one);
    }
    let (file, rest) = split_path(line)?;
    let (line_number, rest) = number(rest)?;
    let (column, rest) = match number(rest.strip_prefix(':').unwrap_or(rest)) {
        Some((column, rest)) if !rest.is_empty() => (Some(column), rest),
        _ => (None, rest),
    };
    if file.ends_with(".go") {
        // The compiler has no word for an error and no codes.
        let message = rest.strip_prefix(": ").map(str::trim).filter(|message| !message.is_empty())?;
        return Some(Diagnostic {
            severity: Severity::Error,
            file: Some(file.to_owned()),
            line: Some(line_number),
            column,
            code: None,
            symbol: None,
            message: message.to_owned(),
            tool: "go".into(),
        });
    }
    let (severity, code, message, tool) = tail(rest)?;
    if file.ends_with(".java") && tool == "mypy" {
        return Some(java(severity, file, line_number, column, &message));
    }
    Some(Diagnostic {
        severity,
        file: Some(file.to_owned()),
        line: Some(line_number),
        column,
        code,
        symbol: quoted(&message).last().cloned(),
        message,
        tool: tool.into(),
    })
}

/// The path in front of the first `:<digit>`.
fn split_path(line: &str) -> Option<(&str, &str)> {
    let at = line.as_bytes().windows(2).position(|two| matches!(two, [b':', b'0'..=b'9']))?;
    let (path, rest) = line.split_at_checked(at)?;
    let extension = path.rsplit_once('.')?.1;
    let fits = !path.contains(char::is_whitespace)
        && (1..=5).contains(&extension.len())
        && extension.chars().all(|c| c.is_ascii_alphabetic());
    fits.then_some((path, rest.strip_prefix(':')?))
}

fn number(text: &str) -> Option<(u32, &str)> {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    Some((text.strip_suffix(rest)?.parse().ok()?, rest))
}

type Tail = (Severity, Option<String>, String, &'static str);

fn tail(rest: &str) -> Option<Tail> {
    for (word, severity) in [("error", Severity::Error), ("warning", Severity::Warning), ("note", Severity::Warning)] {
        // mypy: `: error: Message  [code]`
        if let Some(message) = rest.strip_prefix(&format!(": {word}: ")) {
            let (message, code) = match message.rsplit_once("  [") {
                Some((message, code)) => (message, code.strip_suffix(']').map(str::to_owned)),
                None => (message, None),
            };
            return Some((severity, code, message.trim().to_owned(), "mypy"));
        }
        // TypeSpec: ` - error code: Message`
        if let Some((code, message)) = rest.strip_prefix(&format!(" - {word} ")).and_then(|rest| rest.split_once(": "))
        {
            return Some((severity, Some(code.to_owned()), message.to_owned(), "tsp"));
        }
    }
    // pylint: `: E0611: Message (code)`
    let (code, message) = rest.strip_prefix(": ")?.split_once(": ")?;
    let digits = code.strip_prefix(['E', 'F', 'W', 'C', 'R']).unwrap_or_default();
    let is_code = digits.len() == 4 && digits.chars().all(|c| c.is_ascii_digit());
    let severity = if code.starts_with(['E', 'F']) { Severity::Error } else { Severity::Warning };
    is_code.then(|| (severity, Some(code.to_owned()), message.to_owned(), "pylint"))
}

/// What stands between quotes in a message.
pub(crate) fn quoted(message: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = message;
    while let Some((before, inner)) = rest.split_once(['"', '\'']) {
        work::steps(before.len().saturating_add(1));
        let quote = if rest.as_bytes().get(before.len()) == Some(&b'"') { '"' } else { '\'' };
        let Some((quotation, after)) = inner.split_once(quote) else { break };
        work::steps(quotation.len().saturating_add(1));
        // An apostrophe inside a word begins no quotation.
        let apostrophe = quote == '\'' && before.ends_with(char::is_alphanumeric);
        if apostrophe {
            rest = inner;
        } else {
            found.push(quotation.to_owned());
            rest = after;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn diagnostics_of_each_tool_are_read() {
        let log = "azure/widget/models/_patch.py:3: error: Module \"azure.widget.models._models\" has no attribute \"AnalyzeResult\"  [attr-defined]\n\
            azure/widget/models/_patch.py:22:9: error: \"Widget\" has no attribute \"display_name\"  [attr-defined]\n\
            specification/widget/client.tsp:10:14 - error invalid-ref: Unknown identifier NoSuchModel\n\
            azure/widget/models/_patch.py:3:0: E0611: No name 'AnalyzeResult' in module 'azure.widget' (no-name-in-module)\n\
            Traceback (most recent call last):\n  File \"/x/azure/widget/models/_patch.py\", line 12, in <module>\n    from ._models import AnalyzeResult\n\
            ImportError: cannot import name 'AnalyzeResult' from 'azure.widget.models._models'\n";
        let found = diagnostics(log);
        let brief: Vec<_> =
            found.iter().map(|one| (one.tool.as_str(), one.line, one.column, one.code.as_deref())).collect();
        assert_eq!(
            brief,
            [
                ("mypy", Some(3), None, Some("attr-defined")),
                ("mypy", Some(22), Some(9), Some("attr-defined")),
                ("tsp", Some(10), Some(14), Some("invalid-ref")),
                ("pylint", Some(3), Some(0), Some("E0611")),
                ("import", Some(12), None, Some("ImportError")),
            ]
        );
        assert_eq!(found[1].symbol.as_deref(), Some("display_name"));
        for line in log.lines() {
            assert!(is_log_line(line, true), "{line}");
        }
    }

    #[test]
    fn errors_of_javac_are_read_with_what_they_miss() {
        let log = "[ERROR] COMPILATION ERROR :\n\
            [ERROR] /w/src/main/java/a/R.java:[199,20] variable operationId is already defined in class a.R\n\
            [ERROR] /w/src/main/java/a/W.java:[408,20] cannot find symbol\n  symbol:   variable displayName\n\
            [ERROR] -> [Help 1]\n\
            src/main/java/a/R.java:107: error: method getX() is already defined in class R\n";
        let found = diagnostics(log);
        let brief: Vec<_> =
            found.iter().map(|one| (one.tool.as_str(), one.line, one.symbol.as_deref().unwrap_or_default())).collect();
        let wanted =
            [("javac", Some(199), "operationId"), ("javac", Some(408), "displayName"), ("javac", Some(107), "getX")];
        assert_eq!(brief, wanted);
        assert_eq!(found[1].message, "cannot find symbol; symbol: variable displayName");
        for line in log.lines() {
            assert!(is_log_line(line, true), "{line}");
        }
    }

    #[test]
    fn prose_is_no_log() {
        for line in [
            "hide deleteWidget: it is dangerous",
            "Error: do not hide deleteWidget",
            "rename Widget.displayName to title",
            "at 12:30 hide deleteWidget",
            "- hide deleteWidget",
            "",
        ] {
            assert!(!is_log_line(line, true), "{line}");
        }
    }

    #[test]
    fn quotations_are_found_and_apostrophes_are_not() {
        assert_eq!(quoted("can't import \"A\" from 'b.c'"), ["A", "b.c"]);
    }
}
