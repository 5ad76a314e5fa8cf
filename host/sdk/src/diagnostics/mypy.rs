//! Output of mypy.

// A build writes the lines.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use crate::tasks::{Diagnostic, Severity};
use serde::Deserialize;

#[derive(Deserialize)]
struct Line {
    file: String,
    line: i64,
    column: i64,
    message: String,
    hint: Option<String>,
    code: Option<String>,
    severity: String,
}

/// Errors of `mypy --output json`: one JSON object per line, columns from 0. Notes explain other lines and are left out. A line
/// of the kind that cannot be read, as with half of a surrogate pair in it, is an error without a place: it may tell of one.
#[must_use]
pub fn parse(output: &str) -> Vec<Diagnostic> {
    output
        .lines()
        .filter(|line| line.starts_with('{'))
        .filter_map(|line| match serde_json::from_str::<Line>(line) {
            Ok(line) => (line.severity == "error").then(|| diagnostic(line)),
            Err(_) => {
                let said: String = one_line(line).chars().take(LONGEST).collect();
                let message = format!("mypy said what cannot be read: {said}");
                Some(Diagnostic::without_place("mypy", "mypy", message))
            }
        })
        .collect()
}

/// Whether an output reports something, be it a note.
#[must_use]
pub fn is_report(output: &str) -> bool {
    output.lines().any(|line| serde_json::from_str::<Line>(line).is_ok())
}

/// As much of a line is shown as says what it is about.
const LONGEST: usize = 200;

fn diagnostic(line: Line) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        file: Some(format!("sdk/{}", line.file.replace('\\', "/"))),
        line: u32::try_from(line.line).ok().filter(|&line| line > 0),
        column: line.column.checked_add(1).and_then(|column| u32::try_from(column).ok()).filter(|&column| column > 0),
        symbol: symbol(&line.message),
        message: match line.hint {
            Some(hint) => format!("{} ({})", one_line(&line.message), one_line(&hint)),
            None => one_line(&line.message),
        },
        code: line.code,
        tool: "mypy".to_owned(),
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether mypy goes on after such an error: it is about types and has a place. Errors of syntax end the checker, and errors of the
/// checker itself have no place.
#[must_use]
pub fn goes_on_after(error: &Diagnostic) -> bool {
    error.tool == "mypy"
        && error.line.is_some()
        && error.code.as_deref().is_some_and(|code| code != "syntax" && code != "mypy")
}

/// Whether an error is about declared types alone: nothing that the code asks for, passes on or overrides is another one. Such
/// code runs as it did. A code that is not known is not one of these.
#[must_use]
pub fn is_about_declarations(error: &Diagnostic) -> bool {
    const CODES: [&str; 11] = [
        "assignment",
        "has-type",
        "import-untyped",
        "no-any-return",
        "overload-cannot-match",
        "overload-overlap",
        "return",
        "return-value",
        "type-arg",
        "valid-type",
        "var-annotated",
    ];
    goes_on_after(error) && error.code.as_deref().is_some_and(|code| CODES.contains(&code))
}

/// The name a message is about: `Widget.display_name`, `AnalyzeResult`.
pub(super) fn symbol(message: &str) -> Option<String> {
    let quoted: Vec<_> = message.split('"').skip(1).step_by(2).collect();
    let first = *quoted.first()?;
    let second = quoted.get(1).copied();
    if message.starts_with("Module ") {
        return second.map(str::to_owned);
    }
    if message.contains(" has no attribute ") {
        // `Item "None" of "Widget | None" has no attribute "x"` is not about a name of a class.
        return if message.starts_with('"') {
            Some(format!("{}.{}", class_name(first), second?))
        } else {
            quoted.last().map(|&name| name.to_owned())
        };
    }
    if message.starts_with("Unexpected keyword argument") {
        return Some(match second {
            Some(owner) => format!("{}.{first}", class_name(owner)),
            None => first.to_owned(),
        });
    }
    ["Name ", "No overload variant of ", "Cannot find implementation ", "Class ", "Missing "]
        .iter()
        .any(|start| message.starts_with(start))
        .then(|| first.to_owned())
}

/// `type[Widget]` and `builtins.list[Widget]` are spoken of by their class.
fn class_name(text: &str) -> &str {
    text.strip_prefix("type[")
        .or_else(|| text.strip_prefix("Type["))
        .and_then(|inner| inner.strip_suffix(']'))
        .unwrap_or(text)
}

#[cfg(test)]
mod fuzzing {
    use bailiwick_fuzz::Target;

    #[test]
    fn mypy() {
        const WORDS: &[&str] = &[
            "{\"file\": \"",
            "\"line\": ",
            "\"column\": 9223372036854775807",
            "\"message\": \"",
            "\"hint\": null",
            "\"code\": \"attr-defined\"",
            "\"severity\": \"error\"",
            " has no attribute ",
            "Module ",
            "Unexpected keyword argument",
            "type[",
            "\\\"",
            "\\n",
            "\\u2028",
        ];
        Target { name: "mypy", words: WORDS }.run_text(|text| {
            let found = super::parse(text);
            assert!(found.len() <= text.lines().count());
            for one in found {
                assert!(!one.message.contains(['\n', '\r', '\u{2028}']), "{one:?}");
                assert!(one.line != Some(0) && one.column != Some(0), "{one:?}");
                let is_whole = one.code.as_deref() != Some("mypy");
                assert!(one.file.map_or(!is_whole, |file| file.starts_with("sdk/") && !file.contains('\\')));
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn errors_are_taken_with_place_and_symbol_and_notes_are_not() {
        let output = r#"{"file": "azure/w/models/_patch.py", "line": 46, "column": 18, "end_line": 46, "end_column": 43, "message": "\"Widget\" has no attribute \"display_name\"", "hint": null, "code": "attr-defined", "severity": "error"}
{"file": "azure/w/_operations.py", "line": 9, "column": 1, "message": "By default the bodies", "hint": null, "code": "annotation-unchecked", "severity": "note"}
{"file": "azure/w/a.py", "line": -1, "column": -1, "message": "two\nlines", "hint": "See x", "code": null, "severity": "error"}
not JSON
"#;
        let found = parse(output);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].place(), "sdk/azure/w/models/_patch.py:46");
        assert_eq!(found[0].column, Some(19));
        assert_eq!(found[0].symbol.as_deref(), Some("Widget.display_name"));
        assert_eq!(found[1].line, None);
        assert_eq!(found[1].column, None);
        assert_eq!(found[1].message, "two lines (See x)");
    }

    #[test]
    fn line_that_cannot_be_read_is_an_error_and_no_report() {
        let line = r#"{"file": "a.py", "line": 3, "column": 0, "message": "TypedDict \"Row\" has no key \"\ud800\"", "hint": null, "code": "typeddict-item", "severity": "error"}"#;
        let found = parse(line);
        assert_eq!((found.len(), found[0].is_error(), found[0].file.as_deref()), (1, true, None));
        assert!(!goes_on_after(&found[0]) && !is_report(line));
        assert!(is_report(&line.replace("\\ud800", "price")));
    }

    #[test]
    fn symbol_is_what_the_message_is_about() {
        for (message, expected) in [
            (r#"Module "azure.w.models._models" has no attribute "AnalyzeResult""#, Some("AnalyzeResult")),
            (r#"Module "a" has no attribute "B"; maybe "C"?"#, Some("B")),
            (r#""type[Widget]" has no attribute "make""#, Some("Widget.make")),
            (r#""Widget" has no attribute "display_name"; maybe "title"?"#, Some("Widget.display_name")),
            (r#"Item "None" of "Widget | None" has no attribute "name""#, Some("name")),
            (r#"Unexpected keyword argument "display_name" for "Widget""#, Some("Widget.display_name")),
            (r#"Name "Gadget" is not defined"#, Some("Gadget")),
            (r#"No overload variant of "Widget" matches argument types "str", "int""#, Some("Widget")),
            ("Incompatible return value type", None),
            (r#"Incompatible types in assignment (expression has type "str")"#, None),
        ] {
            assert_eq!(symbol(message).as_deref(), expected, "{message}");
        }
    }

    proptest! {
        #[test]
        fn any_message_has_an_answer(message in "(\\PC|\"| has no attribute |Module |Unexpected keyword argument ){0,12}") {
            let _ = symbol(&message);
            let _ = parse(&message);
        }
    }
}
