//! Logs inside a request: which lines a tool printed, so that they are not read as sentences, and the diagnostics in them.

// The log may hold any text.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use std::collections::HashSet;

use super::{go, javac, msbuild, mypy, quoted, tsc, typespec};
use crate::tasks::{Diagnostic, Severity};

/// Whether a line was printed by a tool. `after_log` says that the line before was.
#[must_use]
pub fn is_log_line(line: &str, after_log: bool) -> bool {
    let trimmed = line.trim();
    diagnostic(line).is_some()
        || is_exception(trimmed)
        || trimmed.starts_with("Traceback (most recent call last)")
        || trimmed.starts_with("File \"") && trimmed.contains("\", line ")
        || pytest_frame(trimmed).is_some()
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
    // `models.py:588: note: …`, which mypy prints beside errors.
    let note = line.split_once(": note: ").is_some_and(|(place, _)| {
        let mut parts = place.rsplit(':');
        parts.next().is_some_and(|number| number.parse::<u32>().is_ok()) && parts.next().is_some()
    });
    found
        || note
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
    without_mark(line).split_once(": ").is_some_and(|(name, _)| {
        ["Error", "Exception", "Warning"].iter().any(|end| name.ends_with(end) && name.len() > end.len())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.')
    })
}

/// Without the mark that pytest puts in front of an exception: `E   ImportError: …`.
fn without_mark(line: &str) -> &str {
    line.strip_prefix("E  ").map_or(line, str::trim_start)
}

/// `widget/_patch.py:4: in <module>`
fn pytest_frame(line: &str) -> Option<(String, u32)> {
    let (place, _) = line.split_once(": in ").filter(|(_, inside)| !inside.contains(char::is_whitespace))?;
    let (file, number) = place.rsplit_once(':').filter(|(file, _)| file.ends_with(".py"))?;
    Some((file.to_owned(), number.parse().ok()?))
}

/// A diagnostic with the lines it was read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// What the lines say.
    pub diagnostic: Diagnostic,
    /// Reading these lines again yields the diagnostic.
    pub text: String,
}

/// All diagnostics of a log, in its order. A message that Maven or MSBuild prints twice is one.
#[must_use]
pub fn entries(log: &str) -> Vec<Entry> {
    let mut found: Vec<Entry> = Vec::new();
    let mut frame: Option<(&str, (String, u32))> = None;
    for line in log.lines() {
        let trimmed = line.trim();
        if let Some(diagnostic) = diagnostic(line) {
            found.push(Entry { diagnostic, text: line.to_owned() });
        } else if let Some((last, detail)) = found.last_mut().zip(javac::detail(trimmed)) {
            if last.diagnostic.tool == javac::TOOL {
                javac::add_detail(&mut last.diagnostic, &detail);
                last.text.push('\n');
                last.text.push_str(line);
            }
        } else if let Some(rest) = trimmed.strip_prefix("File \"") {
            frame = traceback_frame(rest).map(|place| (line, place));
        } else if let Some(place) = pytest_frame(trimmed) {
            frame = Some((line, place));
        } else if is_exception(trimmed) {
            let trimmed = without_mark(trimmed);
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
    let mut known = HashSet::new();
    found.retain(|Entry { diagnostic, .. }| {
        // Maven and MSBuild print their errors a second time behind their summary.
        let repeats = [javac::TOOL, "dotnet"].contains(&diagnostic.tool.as_str());
        !repeats || known.insert(diagnostic.clone())
    });
    found
}

fn traceback_frame(rest: &str) -> Option<(String, u32)> {
    let (file, rest) = rest.split_once("\", line ")?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    Some((file.to_owned(), digits.parse().ok()?))
}

/// One line of a log.
fn diagnostic(line: &str) -> Option<Diagnostic> {
    let line = line.trim();
    of_javac(line)
        .or_else(|| of_msbuild(line))
        .or_else(|| of_go(line))
        .or_else(|| of_typespec(line))
        .or_else(|| of_mypy_or_javac(line))
        .or_else(|| of_pylint(line))
}

/// javac through Maven.
fn of_javac(line: &str) -> Option<Diagnostic> {
    let message = javac::message(line)?;
    Some(javac::diagnostic(message.severity, message.path.to_owned(), message.line, Some(message.column), message.text))
}

/// MSBuild, and `tsc`, which has the same form.
fn of_msbuild(line: &str) -> Option<Diagnostic> {
    let msbuild::Message { origin, severity, code, text, .. } = msbuild::message(line)?;
    if !is_code_of_msbuild(code) {
        return None;
    }
    let (file, place) = match origin {
        None | Some("CSC" | "MSBUILD") => (None, None),
        Some(origin) => {
            let (file, place) = msbuild::place(origin);
            (Some(file.filter(|file| is_path(file))?), Some(place?))
        }
    };
    let number = code.strip_prefix("TS");
    Some(Diagnostic {
        severity,
        file: file.map(str::to_owned),
        line: place.map(|(line, _)| line),
        column: place.and_then(|(_, column)| column),
        code: Some(code.to_owned()),
        symbol: number.map_or_else(|| msbuild::symbol(code, text), |number| tsc::symbol(number, text)),
        message: text.to_owned(),
        tool: if number.is_some() { "tsc" } else { "dotnet" }.to_owned(),
    })
}

/// `AZC0030`, `CS0102`, `MSB3021`, `TS2304`: capitals, then digits.
fn is_code_of_msbuild(code: &str) -> bool {
    let digits = code.trim_start_matches(|c: char| c.is_ascii_uppercase());
    let letters = code.len().saturating_sub(digits.len());
    (2..=6).contains(&letters) && (4..=6).contains(&digits.len()) && digits.chars().all(|c| c.is_ascii_digit())
}

/// Whether a text ends as the path of a source file does.
fn is_path(text: &str) -> bool {
    text.rsplit_once('.').is_some_and(|(start, end)| !start.is_empty() && (1..=6).contains(&end.len()))
}

fn of_go(line: &str) -> Option<Diagnostic> {
    let go::Message { path, line, column, text } = go::message(line)?;
    Some(Diagnostic {
        // `x_test.go:58: got 404`: what a test printed, which the compiler gives a column.
        severity: if is_of_a_linter(text) || column.is_none() && path.ends_with("_test.go") {
            Severity::Warning
        } else {
            Severity::Error
        },
        file: Some(path.to_owned()),
        line: Some(line),
        column,
        code: None,
        symbol: go::symbol(text),
        message: text.to_owned(),
        tool: "go".into(),
    })
}

/// `exported: … consider calling this X (revive)`: golangci-lint names its checker behind what it says. The package builds.
fn is_of_a_linter(text: &str) -> bool {
    const CHECKERS: [&str; 12] = [
        "errcheck",
        "gocritic",
        "gofmt",
        "goimports",
        "golint",
        "gosec",
        "gosimple",
        "govet",
        "ineffassign",
        "revive",
        "staticcheck",
        "stylecheck",
    ];
    let name = text.trim_end().strip_suffix(')').and_then(|text| text.rsplit_once('(')).map(|(_, name)| name);
    name.is_some_and(|name| CHECKERS.contains(&name))
}

fn of_typespec(line: &str) -> Option<Diagnostic> {
    let message = typespec::message(line)?;
    let (path, line, column) = message.place.filter(|(path, ..)| is_plain_path(path))?;
    Some(Diagnostic {
        severity: message.severity,
        file: Some(path.to_owned()),
        line: Some(line),
        column: Some(column),
        code: Some(message.code.to_owned()),
        symbol: typespec::symbol(message.text),
        message: message.text.to_owned(),
        tool: "tsp".into(),
    })
}

/// `path:line[:column]: error: Message  [code]` of mypy, and the same without a code of javac.
fn of_mypy_or_javac(line: &str) -> Option<Diagnostic> {
    let (file, line, column, rest) = place_in_front(line)?;
    [("error", Severity::Error), ("warning", Severity::Warning), ("note", Severity::Warning)].into_iter().find_map(
        |(word, severity)| {
            let message = rest.strip_prefix(": ")?.strip_prefix(word)?.strip_prefix(": ")?;
            let (message, code) = match message.rsplit_once("  [") {
                Some((message, code)) => (message, code.strip_suffix(']').map(str::to_owned)),
                None => (message, None),
            };
            let message = message.trim();
            if file.ends_with(".java") {
                return Some(javac::diagnostic(severity, file.to_owned(), line, column, message));
            }
            Some(Diagnostic {
                severity,
                file: Some(file.to_owned()),
                line: Some(line),
                column,
                code,
                symbol: mypy::symbol(message),
                message: message.to_owned(),
                tool: "mypy".into(),
            })
        },
    )
}

/// `path:line:column: E0611: Message (code)`
fn of_pylint(line: &str) -> Option<Diagnostic> {
    let (file, line, column, rest) = place_in_front(line)?;
    let (code, message) = rest.strip_prefix(": ")?.split_once(": ")?;
    let digits = code.strip_prefix(['E', 'F', 'W', 'C', 'R']).unwrap_or_default();
    let is_code = digits.len() == 4 && digits.chars().all(|c| c.is_ascii_digit());
    is_code.then(|| Diagnostic {
        severity: if code.starts_with(['E', 'F']) { Severity::Error } else { Severity::Warning },
        file: Some(file.to_owned()),
        line: Some(line),
        column,
        code: Some(code.to_owned()),
        symbol: quoted(message).first().cloned(),
        message: message.to_owned(),
        tool: "pylint".into(),
    })
}

/// Path, line, column and what follows: `path:12: …` or `path:12:7: …`.
fn place_in_front(line: &str) -> Option<(&str, u32, Option<u32>, &str)> {
    let at = line.as_bytes().windows(2).position(|two| matches!(two, [b':', b'0'..=b'9']))?;
    let (path, rest) = line.split_at_checked(at)?;
    let (number, rest) = number(rest.strip_prefix(':')?)?;
    let (column, rest) = match rest.strip_prefix(':').and_then(self::number) {
        Some((column, rest)) if !rest.is_empty() => (Some(column), rest),
        _ => (None, rest),
    };
    is_plain_path(path).then_some((path, number, column, rest))
}

/// A path without spaces that has an extension of letters.
fn is_plain_path(path: &str) -> bool {
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    !path.contains(char::is_whitespace)
        && (1..=5).contains(&extension.len())
        && extension.chars().all(|c| c.is_ascii_alphabetic())
}

fn number(text: &str) -> Option<(u32, &str)> {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    Some((text.strip_suffix(rest)?.parse().ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diagnostics(log: &str) -> Vec<Diagnostic> {
        entries(log).into_iter().map(|entry| entry.diagnostic).collect()
    }

    #[test]
    fn failed_import_that_pytest_prints_is_read_with_its_file() {
        let log = "azure/widget/_patch.py:4: in <module>\n    from .models import Part\n\
            E   ImportError: cannot import name 'Part' from 'azure.widget.models'\n";
        assert!(log.lines().enumerate().all(|(at, line)| is_log_line(line, at > 0)));
        let found = diagnostics(log);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].file.as_deref(), found[0].line), (Some("azure/widget/_patch.py"), Some(4)));
        assert_eq!(found[0].code.as_deref(), Some("ImportError"));
        for prose in ["E is the word: in short, no", "see notes.txt:4: in general", "a.py: in <module>"] {
            assert!(!is_log_line(prose, false), "{prose}");
        }
    }

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
        assert_eq!(found[1].symbol.as_deref(), Some("Widget.display_name"));
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
    fn prose_is_not_a_log() {
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
    fn places_codes_and_projects_are_told_apart() {
        for (line, file, at, code, message, tool) in [
            (
                "/s/Generated/Tasks.cs(14,26): error AZC0012: Type name 'Tasks' is too generic [/s/A.csproj]",
                Some("/s/Generated/Tasks.cs"),
                (Some(14), Some(26)),
                "AZC0012",
                "Type name 'Tasks' is too generic",
                "dotnet",
            ),
            (
                r"C:\s\A.cs(1,2): warning CS0168: The variable 'x' [y] [C:\s\A.csproj::TargetFramework=net8.0]",
                Some(r"C:\s\A.cs"),
                (Some(1), Some(2)),
                "CS0168",
                "The variable 'x' [y]",
                "dotnet",
            ),
            ("CSC : error CS5001: No entry", None, (None, None), "CS5001", "No entry", "dotnet"),
            ("error AZC0012: Avoid 'Sku'", None, (None, None), "AZC0012", "Avoid 'Sku'", "dotnet"),
            ("a.ts(3,5): error TS2304: No 'X'.", Some("a.ts"), (Some(3), Some(5)), "TS2304", "No 'X'.", "tsc"),
        ] {
            let found = of_msbuild(line).unwrap();
            let brief =
                (found.file.as_deref(), (found.line, found.column), found.code.as_deref(), found.message.as_str());
            assert_eq!((brief, found.tool.as_str()), ((file, at, Some(code), message), tool), "{line}");
        }
    }

    #[test]
    fn other_forms_are_not_lines_of_msbuild() {
        for line in [
            "azure/a.py:3: error: bad  [attr-defined]",
            "spec/client.tsp:10:14 - error invalid-ref: Unknown",
            "please fix: error handling: nothing",
            "note: error AZ12: x",
            "hide deleteWidget: error 404: gone",
        ] {
            assert!(of_msbuild(line).is_none(), "{line}");
        }
    }
}
