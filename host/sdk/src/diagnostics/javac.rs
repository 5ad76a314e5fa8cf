//! Messages of `javac`, as Maven prints them.

// A build writes the lines.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use super::maven::without_colours;
use crate::tasks::{Diagnostic, Severity};

/// `[ERROR] <path>:[<line>,<column>] <message>` with the lines that belong to it, without repetitions.
///
/// `rename` maps the path of a file to its path in the package, `sdk/…`, or gives `None` for a file outside it.
pub fn parse(output: &str, rename: impl Fn(&str) -> Option<String>) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    let mut current: Option<Diagnostic> = None;
    for line in output.lines() {
        let line = without_colours(line);
        if let Some(Message { severity, path, line, column, text }) = message(&line) {
            found.extend(current.take());
            current = rename(path).map(|file| diagnostic(severity, file, line, Some(column), text));
            continue;
        }
        // The reason why `Widget::getName` is invalid stands on a line of its own.
        let is_reason =
            |of: &Diagnostic| of.message.starts_with("invalid ") && severity(&line).1.trim() == "cannot find symbol";
        match (&mut current, detail(&line)) {
            (Some(diagnostic), _) if is_reason(diagnostic) => {}
            (Some(diagnostic), Some(detail)) => add_detail(diagnostic, &detail),
            _ => found.extend(current.take()),
        }
    }
    found.extend(current);
    Diagnostic::unique(found)
}

/// A diagnostic with the symbol and the code that follow from its text.
pub(super) fn diagnostic(
    severity: Severity,
    file: String,
    line: u32,
    column: Option<u32>,
    message: &str,
) -> Diagnostic {
    Diagnostic {
        severity,
        file: Some(file),
        line: Some(line),
        column,
        code: code(message).map(str::to_owned),
        message: message.to_owned(),
        symbol: symbol(message),
        tool: TOOL.to_owned(),
    }
}

/// What [`Diagnostic::tool`] says.
pub(super) const TOOL: &str = "javac";

/// `symbol:` or `location:` behind the first line of a message, with Maven's mark or without, in single spaces.
pub(super) fn detail(line: &str) -> Option<String> {
    let detail = severity(line).1.trim();
    let is_detail = detail.starts_with("symbol:") || detail.starts_with("location:");
    is_detail.then(|| detail.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Adds a [`detail`] to the message that it belongs to.
pub(super) fn add_detail(diagnostic: &mut Diagnostic, detail: &str) {
    diagnostic.message.push_str("; ");
    diagnostic.message.push_str(detail);
    diagnostic.symbol = symbol(&diagnostic.message);
}

fn severity(line: &str) -> (Option<Severity>, &str) {
    for (mark, severity) in [("[ERROR]", Severity::Error), ("[WARNING]", Severity::Warning)] {
        if let Some(rest) = line.strip_prefix(mark) {
            return (Some(severity), rest.trim_start());
        }
    }
    (None, line)
}

/// The first line of a message.
pub(super) struct Message<'a> {
    pub(super) severity: Severity,
    pub(super) path: &'a str,
    pub(super) line: u32,
    pub(super) column: u32,
    pub(super) text: &'a str,
}

/// `[ERROR] <path>:[<line>,<column>] <message>`
pub(super) fn message(line: &str) -> Option<Message<'_>> {
    let (severity, text) = severity(line);
    let (path, rest) = text.split_once(":[")?;
    let (place, text) = rest.split_once(']')?;
    let (line, column) = place.split_once(',')?;
    let is_path = path.ends_with(".java") && !path.contains(char::is_whitespace);
    let (line, column) = (line.parse().ok()?, column.parse().ok()?);
    // Maven leaves the word to a compiler that runs in a process of its own.
    let text = text.trim();
    let text = text.strip_prefix("error: ").unwrap_or(text);
    is_path.then_some(Message { severity: severity?, path, line, column, text })
}

/// Whether `javac` looks at all other code after this error, if it is told to show every error. It does after errors in
/// expressions and statements. It does not after code that it cannot read or a module that is wrong; and whatever has
/// a type that is not known is not looked at.
#[must_use]
pub fn goes_on_after(error: &Diagnostic) -> bool {
    const WITHIN: [&str; 11] = [
        "incompatible types: ",
        "missing return statement",
        "no suitable constructor found for ",
        "no suitable method found for ",
        "non-static ",
        "unreachable statement",
        "unreported exception ",
        "variable ",
        "method ",
        "constructor ",
        "exception ",
    ];
    let text = error.message.as_str();
    let unknown_member = text.starts_with("cannot find symbol")
        && ["symbol: variable ", "symbol: method "].iter().any(|symbol| text.contains(symbol));
    error.tool == TOOL && error.line.is_some() && (unknown_member || WITHIN.iter().any(|start| text.starts_with(start)))
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

    #[test]
    fn compiler_in_a_process_of_its_own_says_the_same_words() {
        let log =
            "[ERROR] /w/A.java:[4,22] error: cannot find symbol\n  symbol:   variable missing\n  location: class a.A\n";
        let found = parse(log, |path| Some(path.to_owned()));
        assert_eq!(found[0].message, "cannot find symbol; symbol: variable missing; location: class a.A");
        assert_eq!(found[0].code.as_deref(), Some("cannot-find-symbol"));
    }

    #[test]
    fn reason_of_an_invalid_reference_to_a_method_belongs_to_it() {
        let log = "[ERROR] /w/A.java:[4,22] invalid method reference\n  cannot find symbol\n    symbol:   method getName()\n    location: class a.Widget\n";
        let found = parse(log, |path| Some(path.to_owned()));
        assert_eq!(found[0].message, "invalid method reference; symbol: method getName(); location: class a.Widget");
        assert_eq!((found.len(), found[0].symbol.as_deref()), (1, Some("getName")));
    }

    /// As the compiler of JDK 17 was seen to behave with `--should-stop=ifError=FLOW`.
    #[test]
    fn error_that_hides_others_is_told_from_one_that_does_not() {
        let goes_on = |message: &str| goes_on_after(&diagnostic(Severity::Error, "A.java".into(), 1, None, message));
        for message in [
            "cannot find symbol; symbol: variable missing; location: class a.A",
            "cannot find symbol; symbol: method nothing(); location: class a.A",
            "incompatible types: int cannot be converted to java.lang.String",
            "missing return statement",
            "method f() is already defined in class a.F",
            "method f in class a.F cannot be applied to given types;",
            "variable x might not have been initialized",
            "unreported exception java.lang.Exception; must be caught or declared to be thrown",
        ] {
            assert!(goes_on(message), "{message}");
        }
        for message in [
            "';' expected",
            "class, interface, enum, or record expected",
            "reached end of file while parsing",
            "duplicate or conflicting opens: a",
            "module not found: com.azure.core",
            "package a.b does not exist",
            "cannot find symbol; symbol: class Missing; location: package a",
            "duplicate class: a.A",
            "cyclic inheritance involving a.A",
        ] {
            assert!(!goes_on(message), "{message}");
        }
    }
}
