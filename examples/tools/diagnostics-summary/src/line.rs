//! One line of a log as a diagnostic.

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Severity {
    /// The build fails.
    Error,
    /// It does not.
    Warning,
}

/// What a compiler complains about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Diagnostic<'a> {
    /// As the log has it.
    pub(crate) file: &'a str,
    /// Counted from 1.
    pub(crate) line: u32,
    /// How bad it is.
    pub(crate) severity: Severity,
    /// Empty where there is none.
    pub(crate) code: &'a str,
    /// What it says.
    pub(crate) message: &'a str,
}

/// Every diagnostic of a log, in its order.
pub(crate) fn all(text: &str) -> Vec<Diagnostic<'_>> {
    text.lines().filter_map(|line| parse(line.trim())).collect()
}

fn parse(line: &str) -> Option<Diagnostic<'_>> {
    // Maven: `[ERROR] /src/A.java:[10,5] cannot find symbol`.
    for (mark, severity) in [("[ERROR] ", Severity::Error), ("[WARNING] ", Severity::Warning)] {
        if let Some(rest) = line.strip_prefix(mark) {
            let (file, rest) = rest.split_once(":[")?;
            let (place, message) = rest.split_once("] ")?;
            let line = place.split(',').next()?.parse().ok()?;
            return Some(Diagnostic { file, line, severity, code: "", message });
        }
    }
    let (file, line_number, rest) = place(line)?;
    let rest = rest.trim_start_matches([':', ' ', '-']);
    let (severity, rest) = severity(rest)?;
    let (code, message) = code(rest);
    Some(Diagnostic { file, line: line_number, severity, code, message })
}

/// `a.ts(10,5): …`, `a.py:10:5: …` and `a.py:10: …`: file, line, and what follows.
fn place(line: &str) -> Option<(&str, u32, &str)> {
    if let Some((file, rest)) = line.split_once('(')
        && let Some((place, rest)) = rest.split_once(')')
        && let Ok(number) = place.split(',').next().unwrap_or_default().parse()
        && rest.starts_with(':')
    {
        return Some((file, number, rest));
    }
    let (file, rest) = line.split_once(':')?;
    let end = rest.find(|c: char| !c.is_ascii_digit())?;
    let number = rest[..end].parse().ok()?;
    let rest = &rest[end..];
    // A column.
    let column = rest.strip_prefix(':').map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
    let plain = !file.is_empty() && !file.contains(' ');
    plain.then(|| (file, number, column.unwrap_or(rest)))
}

fn severity(rest: &str) -> Option<(Severity, &str)> {
    for (word, severity) in [("error", Severity::Error), ("warning", Severity::Warning)] {
        if let Some(rest) = rest.strip_prefix(word)
            && rest.starts_with([':', ' ', '['])
        {
            return Some((severity, rest));
        }
    }
    None
}

/// What stands between the severity and the message, or at the message's end in brackets.
fn code(rest: &str) -> (&str, &str) {
    if let Some(rest) = rest.strip_prefix('[')
        && let Some((code, message)) = rest.split_once(']')
    {
        return (code, message.trim_start_matches([':', ' ']));
    }
    let rest = rest.trim_start();
    if let Some((code, message)) = rest.split_once(": ")
        && !code.is_empty()
        && !code.contains(' ')
    {
        return (code, message);
    }
    let message = rest.trim_start_matches([':', ' ']);
    match message.strip_suffix(']').and_then(|inner| inner.rsplit_once("  [")) {
        Some((message, code)) => (code, message),
        None => ("", message),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_compilers_are_told_apart_from_other_lines() {
        for (line, file, number, code, message) in [
            ("src/a.ts(10,5): error TS2304: Cannot find name 'x'.", "src/a.ts", 10, "TS2304", "Cannot find name 'x'."),
            ("src/a.ts:10:5 - error TS2304: Cannot find name 'x'.", "src/a.ts", 10, "TS2304", "Cannot find name 'x'."),
            ("a.py:3: error: No attribute \"x\"  [attr-defined]", "a.py", 3, "attr-defined", "No attribute \"x\""),
            (
                "/s/main.tsp:4:1 - error invalid-ref: Unknown identifier Foo",
                "/s/main.tsp",
                4,
                "invalid-ref",
                "Unknown identifier Foo",
            ),
            ("A.java:7: error: cannot find symbol", "A.java", 7, "", "cannot find symbol"),
            ("[ERROR] /s/A.java:[10,5] cannot find symbol", "/s/A.java", 10, "", "cannot find symbol"),
            ("/s/A.cs(5,9): error CS0103: The name [/s/A.csproj]", "/s/A.cs", 5, "CS0103", "The name [/s/A.csproj]"),
        ] {
            let expected = Diagnostic { file, line: number, severity: Severity::Error, code, message };
            assert_eq!(parse(line), Some(expected), "{line}");
        }
        for line in [
            "",
            "Found 3 errors.",
            "error: no place",
            "10:20:30 done",
            "a b:3: error: x",
            "a.py:3: note: x",
            "[ERROR] BUILD FAILURE",
        ] {
            assert_eq!(parse(line), None, "{line}");
        }
    }
}
