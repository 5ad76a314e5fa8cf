//! The type checker.

// A build writes the lines.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use bailiwick_process::{Exit, ProcessError};
use bailiwick_sdk::tasks::{Diagnostic, Severity};
use serde::Deserialize;

use super::super::{LanguageError, content_of, open_package};
use super::modules::{Author, Module, own_package, top_level};
use super::{Step, cache};
use bailiwick_toolchains::{BuildTools, Child, Children, MYPY_CONFIGURATION};

const DEADLINE: Duration = Duration::from_secs(5 * 60);

/// Checks the package. Nothing of it is executed.
pub(super) async fn run(
    package: &Path,
    root: &Path,
    modules: &[Module],
    tools: &BuildTools,
    children: &Children,
) -> Result<Step, LanguageError> {
    let configuration = root.join("mypy.ini");
    std::fs::write(&configuration, configuration_for(modules)).map_err(LanguageError::io(&configuration, "written"))?;
    let scratch = root.join("mypy");
    let cache = scratch.join("cache");
    cache::begin(&cache, tools.python.seed.as_deref())?;
    let mut arguments: Vec<OsString> = ["-I", "-B", "-m", "mypy", "--config-file"].map(OsString::from).to_vec();
    arguments.push(configuration.clone().into());
    arguments.push("--cache-dir".into());
    arguments.push(cache.into());
    if tools.python.seed.is_some() {
        arguments.push("--sqlite-cache".into());
    }
    // Where the package's own requirements are installed, from which mypy is never run.
    if tools.python.executable != tools.python.checker.executable {
        arguments.extend(["--python-executable".into(), tools.python.executable.clone().into()]);
    }
    arguments.extend(["--output", "json", "--no-error-summary"].map(OsString::from));
    arguments.extend(top_level(modules).into_iter().map(OsString::from));
    let child = Child {
        program: &tools.python.checker.executable,
        arguments,
        directory: package,
        path: Vec::new(),
        environment: Vec::new(),
        read: vec![
            tools.python.root.clone(),
            tools.python.checker.root.clone(),
            tools.python.base.prefix.clone(),
            package.to_owned(),
            configuration,
        ],
        write: Vec::new(),
        scratch: &scratch,
        deadline: DEADLINE,
    };
    let finished = match children.run(child, &mut |_| {}).await {
        Ok(finished) => finished,
        Err(ProcessError::Deadline { after, .. }) => {
            return Ok(Step {
                diagnostics: vec![Diagnostic::without_place(
                    "mypy",
                    "mypy",
                    format!("the type checker did not end within {} s", after.as_secs()),
                )],
                log: String::new(),
            });
        }
        Err(error) => return Err(error.into()),
    };
    let mut diagnostics = parse(&finished.stdout.text);
    if is_left_out(package) {
        let own = |file: &str| {
            let path = file.strip_prefix("sdk/").unwrap_or(file);
            modules.iter().any(|module| module.author == Author::Person && module.file == path)
        };
        for one in diagnostics.iter_mut().filter(|one| !one.file.as_deref().is_some_and(own)) {
            one.severity = Severity::Warning;
        }
    }
    // Exit code 1 means that something was reported, be it a note; more means that mypy itself gave up, and says why where
    // it can. Where so much was reported that some of it is not here, an error may be among what is missing.
    let ended = finished.exit.is_success() || finished.exit == Exit::Code(1) && finished.stdout.text.starts_with('{');
    let said_why = diagnostics.iter().any(|one| !goes_on_after(one));
    if finished.stdout.omitted_bytes > 0 {
        let message = "mypy reports more errors than are read; what is missing cannot be told".to_owned();
        diagnostics.push(Diagnostic::without_place("mypy", "mypy", message));
    } else if !ended && !said_why {
        let words = finished.stderr.text.lines().last().unwrap_or("it said nothing");
        diagnostics.push(Diagnostic::without_place(
            "mypy",
            "mypy",
            format!("mypy failed ({}): {words}", finished.exit),
        ));
    }
    Ok(Step { diagnostics, log: finished.stdout.text + &finished.stderr.text })
}

/// The configuration of the repository's own checks, but for bodies without annotations: they are checked where people
/// customize, because a name that is gone would not be missed there. Elsewhere they would only show the looseness of
/// emitters and their helpers.
fn configuration_for(modules: &[Module]) -> String {
    let mut text = MYPY_CONFIGURATION.to_owned();
    for module in modules.iter().filter(|module| module.author == Author::Person) {
        let _ = write!(text, "[mypy-{}]\ncheck_untyped_defs = True\n", module.name);
    }
    // A module of the package itself that is gone is missed, also where only a function imports it.
    if let Some(own) = own_package(modules) {
        let _ = write!(text, "[mypy-{own}.*]\nignore_missing_imports = False\n");
    }
    text
}

/// Whether the package's checks leave mypy out: `[tool.azure-sdk-build] mypy = false` in its `pyproject.toml`.
fn is_left_out(package: &Path) -> bool {
    let text = open_package(package).ok().and_then(|package| content_of(&package, "pyproject.toml").ok().flatten());
    text.is_some_and(|text| says_no_mypy(&String::from_utf8_lossy(&text)))
}

fn says_no_mypy(text: &str) -> bool {
    let table = toml::from_str::<toml::Table>(text).unwrap_or_default();
    table
        .get("tool")
        .and_then(|tool| tool.get("azure-sdk-build"))
        .and_then(|checks| checks.get("mypy"))
        .and_then(toml::Value::as_bool)
        == Some(false)
}

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

/// One JSON object per line, columns from 0. Notes explain other lines and are left out.
fn parse(output: &str) -> Vec<Diagnostic> {
    output
        .lines()
        .filter_map(|line| serde_json::from_str::<Line>(line).ok())
        .filter(|line| line.severity == "error")
        .map(|line| Diagnostic {
            severity: Severity::Error,
            file: Some(format!("sdk/{}", line.file.replace('\\', "/"))),
            line: u32::try_from(line.line).ok().filter(|&line| line > 0),
            column: line
                .column
                .checked_add(1)
                .and_then(|column| u32::try_from(column).ok())
                .filter(|&column| column > 0),
            symbol: symbol(&line.message),
            message: match line.hint {
                Some(hint) => format!("{} ({})", one_line(&line.message), one_line(&hint)),
                None => one_line(&line.message),
            },
            code: line.code,
            tool: "mypy".to_owned(),
        })
        .collect()
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// An error of types in one place. Errors of syntax end the checker, and what it says of itself has no place.
pub(super) fn goes_on_after(error: &Diagnostic) -> bool {
    error.tool == "mypy"
        && error.line.is_some()
        && error.code.as_deref().is_some_and(|code| code != "syntax" && code != "mypy")
}

/// The name a message is about: `Widget.display_name`, `AnalyzeResult`.
fn symbol(message: &str) -> Option<String> {
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
                assert!(one.file.is_some_and(|file| file.starts_with("sdk/") && !file.contains('\\')));
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

    #[test]
    fn generated_modules_are_checked_less() {
        let module = |name: &str, author| Module { name: name.to_owned(), file: String::new(), author };
        let text = configuration_for(&[
            module("azure.w._serialization", Author::Other),
            module("azure.w._patch", Author::Person),
        ]);
        assert!(text.contains("[mypy-azure.w._patch]\ncheck_untyped_defs = True"));
        assert!(!text.contains("_serialization"));
    }

    #[test]
    fn package_whose_checks_leave_mypy_out_says_so() {
        assert!(says_no_mypy("[tool.azure-sdk-build]\npyright = true\nmypy = false\n"));
        for text in ["", "[tool.azure-sdk-build]\nmypy = true\n", "[tool.mypy]\nmypy = false\n", "mypy = false", "["] {
            assert!(!says_no_mypy(text), "{text}");
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
