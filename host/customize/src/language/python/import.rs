//! Importing every module, with a report of what import-time code attempts.
//!
//! What a passed import check rests on:
//! - A process that never runs code of the package compiles every file and judges the process that does. It takes a
//!   module for imported when it was told so in a way that code in that other process cannot use unless it reaches the
//!   process's memory (see `python_imported.py`), and when that process ended with exit code 0.
//! - The check's own exit code and the last line of its report agree, and the report is whole.
//! - [`super::mypy`] found nothing, in a process that runs nothing of the package.
//!
//! It is evidence about code that is honest or clumsy, and about hostile code in Python that does not get round the
//! audit hook. It does not withstand hostile native code: that shares the memory with the check. Loading such code, and
//! looking for the check's variables, are reported before they happen, and the gate admits no edit that does it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bailiwick_process::{Captured, Exit, ProcessError, scrubbed_environment};
use bailiwick_sdk::tasks::{Diagnostic, Severity};
use serde::{Deserialize, Serialize};

use super::super::LanguageError;
use super::Step;
use super::modules::Module;
use crate::shown::{Shown, shown};
use bailiwick_toolchains::{BuildTools, Child, Children};

/// The program, and what it imports from beside itself.
const PROGRAM: [(&str, &str); 3] = [
    ("python_import.py", include_str!("../python_import.py")),
    ("python_imported.py", include_str!("../python_imported.py")),
    ("python_events.py", include_str!("../python_events.py")),
];

/// Importing a library is a matter of a second.
const DEADLINE: Duration = Duration::from_secs(60);

/// What the program is told.
#[derive(Serialize)]
struct Settings<'a> {
    package: &'a Path,
    /// Dotted name and file.
    modules: Vec<(&'a str, &'a str)>,
    writable: Vec<&'a Path>,
    readable: Vec<PathBuf>,
    /// What is installed, the interpreter's own library included: code there is not the package's.
    libraries: Vec<&'a Path>,
    withheld: Vec<String>,
}

/// Imports the modules. The package and everything else but a temporary directory is read-only for it.
pub(super) async fn run(
    package: &Path,
    root: &Path,
    modules: &[Module],
    tools: &BuildTools,
    children: &Children,
) -> Result<Step, LanguageError> {
    let scratch = root.join("import");
    // What code of an earlier build left there must not meet this one.
    match std::fs::remove_dir_all(&scratch) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            return Err(LanguageError::io(&scratch, "removed")(error));
        }
        _ => {}
    }
    let settings_file = root.join("import.json");
    let libraries = vec![tools.python.root.as_path(), tools.python.base.prefix.as_path()];
    let mut read: Vec<PathBuf> = libraries.iter().map(|one| (*one).to_owned()).collect();
    let Shown { read: shown, list } = shown(package, package);
    read.extend(shown);
    read.push(settings_file.clone());
    // A directory of its own: the one file imports the other, for which Python lists the directory.
    let program = root.join("import-check");
    std::fs::create_dir_all(&program).map_err(LanguageError::io(&program, "created"))?;
    read.push(program.clone());
    let mut readable = bailiwick_process::system_paths();
    readable.extend(read.iter().chain(&list).cloned());
    let settings = Settings {
        package,
        modules: modules.iter().map(|module| (module.name.as_str(), module.file.as_str())).collect(),
        writable: vec![&scratch],
        readable,
        libraries,
        withheld: scrubbed_environment().1,
    };
    let text =
        serde_json::to_vec(&settings).map_err(|error| LanguageError::io(&settings_file, "written")(error.into()))?;
    std::fs::write(&settings_file, text).map_err(LanguageError::io(&settings_file, "written"))?;
    for (name, content) in PROGRAM {
        let path = program.join(name);
        std::fs::write(&path, content).map_err(LanguageError::io(&path, "written"))?;
    }
    let arguments: [OsString; 5] =
        ["-I".into(), "-S".into(), "-B".into(), program.join(PROGRAM[0].0).into(), settings_file.into()];
    let child = Child {
        program: &tools.python.executable,
        arguments: arguments.to_vec(),
        // Not the package: a file there must not be found by accident.
        directory: root,
        path: Vec::new(),
        environment: Vec::new(),
        read,
        list,
        write: Vec::new(),
        scratch: &scratch,
        deadline: DEADLINE,
    };
    match children.run(child, &mut |_| {}).await {
        Ok(finished) => Ok(Step {
            diagnostics: diagnostics(&finished.stdout, finished.exit, modules.len()),
            log: finished.stdout.text + &finished.stderr.text,
        }),
        Err(ProcessError::Deadline { after, stdout, stderr, .. }) => {
            let report = Report::read(&stdout);
            let message = format!("importing the package did not end within {} s", after.as_secs());
            let last = Diagnostic {
                file: report.importing.clone(),
                ..Diagnostic::without_place("import", "deadline", message)
            };
            let mut found = report.diagnostics;
            found.push(last);
            Ok(Step { diagnostics: found, log: stdout.text + &stderr.text })
        }
        Err(error) => Err(error.into()),
    }
}

/// One line of the program's report.
#[derive(Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
enum Event {
    Attempt(Attempt),
    Failure(Failure),
    /// Code of this file is running now.
    Importing {
        file: Option<String>,
    },
    /// The process that ran the package ended before it should.
    Ended {
        module: String,
        file: String,
        how: String,
    },
    /// That process said what the check would not say.
    Forged {
        file: Option<String>,
    },
    /// The last line: how many modules were imported.
    Done {
        imported: usize,
    },
}

#[derive(Deserialize)]
struct Attempt {
    kind: Kind,
    detail: String,
    file: Option<String>,
    line: Option<u32>,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Write,
    Connect,
    Spawn,
    Native,
    Signal,
    Inspect,
    Read,
    Environment,
}

#[derive(Deserialize)]
struct Failure {
    r#type: String,
    message: String,
    file: Option<String>,
    line: Option<u32>,
    column: Option<u32>,
    symbol: Option<String>,
}

/// What is wrong with the package. It has been imported only when the exit code and the last line of a whole report both
/// say so, for every module.
fn diagnostics(stdout: &Captured, exit: Exit, modules: usize) -> Vec<Diagnostic> {
    let Report { diagnostics: mut found, done, whole, importing } = Report::read(stdout);
    if !whole {
        found.push(Diagnostic { file: importing, ..forged(None) });
    } else if !found.iter().any(Diagnostic::is_error) && (!exit.is_success() || done != Some(modules)) {
        let message = format!("importing the package ended the interpreter ({exit}) before all modules were imported");
        found.push(Diagnostic { file: importing, ..Diagnostic::without_place("import", "incomplete", message) });
    }
    found
}

/// A report as it was read.
struct Report {
    diagnostics: Vec<Diagnostic>,
    /// How many modules were imported, where the last line says it.
    done: Option<usize>,
    /// Nothing is missing, and every line is one that the program prints, with one end.
    whole: bool,
    /// The file whose code ran last, where none ended after it.
    importing: Option<String>,
}

impl Report {
    fn read(stdout: &Captured) -> Self {
        let events: Vec<Option<Event>> = stdout.text.lines().map(|line| serde_json::from_str(line).ok()).collect();
        let failed = events.iter().flatten().any(|event| matches!(event, Event::Failure(_)));
        let ends = events.iter().flatten().filter(|event| matches!(event, Event::Done { .. })).count();
        let done = match events.last() {
            Some(Some(Event::Done { imported })) => Some(*imported),
            _ => None,
        };
        let whole =
            stdout.omitted_bytes == 0 && ends == usize::from(done.is_some()) && events.iter().all(Option::is_some);
        let mut report = Self { diagnostics: Vec::new(), done, whole, importing: None };
        for event in events.into_iter().flatten() {
            let diagnostic = match event {
                Event::Attempt(attempt) => attempted(attempt, failed),
                Event::Failure(failure) => failed_import(failure),
                Event::Ended { module, file, how } => ended(&module, file, &how),
                Event::Forged { file } => forged(file),
                Event::Importing { file } => {
                    report.importing = in_package(file);
                    continue;
                }
                Event::Done { .. } => continue,
            };
            // Every module that imports a broken one fails with the same words.
            if !report.diagnostics.contains(&diagnostic) {
                report.diagnostics.push(diagnostic);
            }
        }
        report
    }
}

fn in_package(file: Option<String>) -> Option<String> {
    file.map(|file| format!("sdk/{file}"))
}

fn ended(module: &str, file: String, how: &str) -> Diagnostic {
    let message = format!(
        "code that runs when the package is imported ended the process ({how}) while `{module}` was imported; \
         a module has been imported only when its code ran to its end"
    );
    Diagnostic { file: in_package(Some(file)), ..Diagnostic::without_place("import", "incomplete", message) }
}

fn forged(file: Option<String>) -> Diagnostic {
    let message = "code that runs when the package is imported wrote into the report of this check".to_owned();
    Diagnostic { file: in_package(file), ..Diagnostic::without_place("import", "forged", message) }
}

/// An attempt to change, reach or start something fails the build even if the code swallowed the error: it would do it
/// on the machine that imports the package. Looking is a warning, unless the import failed of it.
fn attempted(attempt: Attempt, failed: bool) -> Diagnostic {
    let is_variable = attempt.kind == Kind::Environment && !attempt.detail.starts_with('/');
    let (code, severity, what) = match attempt.kind {
        Kind::Write => ("write", Severity::Error, "change"),
        Kind::Connect => ("connect", Severity::Error, "connect to"),
        Kind::Spawn => ("spawn", Severity::Error, "start"),
        Kind::Native => ("native", Severity::Error, "load the native library"),
        Kind::Signal => ("signal", Severity::Error, "send or to handle a signal by"),
        Kind::Inspect => ("inspect", Severity::Error, "reach into the process that imports it by"),
        Kind::Environment if is_variable => ("environment", looking(failed), "read the environment variable"),
        Kind::Environment => ("environment", looking(failed), "read"),
        Kind::Read => ("read", looking(failed), "read"),
    };
    Diagnostic {
        severity,
        file: in_package(attempt.file),
        line: attempt.line,
        column: None,
        code: Some(code.to_owned()),
        message: format!(
            "code that runs when the package is imported tried to {what} `{}`, which a build does not allow",
            attempt.detail.replace(['\n', '\r'], " ")
        ),
        symbol: is_variable.then_some(attempt.detail),
        tool: "confinement".to_owned(),
    }
}

fn looking(failed: bool) -> Severity {
    if failed { Severity::Error } else { Severity::Warning }
}

fn failed_import(failure: Failure) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        file: in_package(failure.file),
        line: failure.line,
        column: failure.column,
        message: format!("{}: {}", failure.r#type, without_paths(&failure.message)),
        code: Some(failure.r#type),
        symbol: failure.symbol,
        tool: "import".to_owned(),
    }
}

/// Python names the imported file with its path on this machine: ` (/home/…/_models.py)`.
fn without_paths(message: &str) -> String {
    let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
    match message.rfind(" (/") {
        Some(start) if message.ends_with(')') => message[..start].to_owned(),
        _ => message,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DONE: &str = "{\"event\":\"done\",\"imported\":3}\n";

    fn judged(report: &str, exit: Exit) -> Vec<Diagnostic> {
        diagnostics(&Captured { text: report.to_owned(), omitted_bytes: 0 }, exit, 3)
    }

    fn codes(found: &[Diagnostic]) -> Vec<&str> {
        found.iter().filter_map(|one| one.code.as_deref()).collect()
    }

    #[test]
    fn every_module_imported_with_exit_code_and_last_line_is_a_success() {
        let report = format!("{{\"event\":\"importing\",\"file\":null}}\n{DONE}");
        assert_eq!(judged(&report, Exit::Code(0)), []);
    }

    #[test]
    fn failed_import_points_into_the_package_and_is_told_once() {
        let line = r#"{"event":"failure","type":"ImportError","message":"cannot import name 'AnalyzeResult' from 'azure.w.models._models' (/home/me/azure/w/models/_models.py)","file":"azure/w/models/_patch.py","line":14,"column":null,"symbol":"AnalyzeResult"}"#;
        let found = judged(&format!("{line}\n{line}\n{DONE}"), Exit::Code(1));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].place(), "sdk/azure/w/models/_patch.py:14");
        assert_eq!(found[0].symbol.as_deref(), Some("AnalyzeResult"));
        assert_eq!(found[0].message, "ImportError: cannot import name 'AnalyzeResult' from 'azure.w.models._models'");
    }

    #[test]
    fn swallowed_attempt_is_an_error_and_a_look_a_warning() {
        let report = r#"{"event":"attempt","kind":"write","detail":"/etc/x","file":"azure/w/_patch.py","line":3}
{"event":"attempt","kind":"environment","detail":"OPENAI_API_KEY","file":"azure/w/_patch.py","line":4}
"#;
        let found = judged(&format!("{report}{DONE}"), Exit::Code(1));
        assert_eq!(found[0].severity, Severity::Error);
        assert_eq!(found[0].tool, "confinement");
        assert_eq!(found[0].code.as_deref(), Some("write"));
        assert_eq!(found[1].severity, Severity::Warning);
        assert_eq!(found[1].symbol.as_deref(), Some("OPENAI_API_KEY"));
    }

    #[test]
    fn look_that_the_import_failed_of_is_an_error() {
        let report = r#"{"event":"attempt","kind":"environment","detail":"KEY","file":"a.py","line":4}
{"event":"failure","type":"KeyError","message":"'KEY'","file":"a.py","line":4,"column":null,"symbol":null}
"#;
        assert!(judged(&format!("{report}{DONE}"), Exit::Code(1)).iter().all(Diagnostic::is_error));
    }

    #[test]
    fn process_that_ended_early_is_not_a_success_and_its_file_is_named() {
        assert_eq!(codes(&judged("", Exit::Code(0))), ["incomplete"]);
        let importing = "{\"event\":\"importing\",\"file\":\"azure/w/_patch.py\"}\n";
        let ended =
            "{\"event\":\"ended\",\"module\":\"azure.w\",\"file\":\"azure/w/_patch.py\",\"how\":\"exit code 0\"}\n";
        for (report, exit) in [
            (importing.to_owned(), Exit::Signal(9)),
            (format!("{importing}{ended}{{\"event\":\"done\",\"imported\":0}}\n"), Exit::Code(1)),
        ] {
            let found = judged(&report, exit);
            assert_eq!(codes(&found), ["incomplete"]);
            assert_eq!(found[0].file.as_deref(), Some("sdk/azure/w/_patch.py"));
            assert!(found[0].is_error());
        }
    }

    #[test]
    fn last_line_counts_only_with_the_exit_code_and_every_module() {
        assert_eq!(codes(&judged(DONE, Exit::Code(1))), ["incomplete"]);
        assert_eq!(codes(&judged(DONE, Exit::Signal(9))), ["incomplete"]);
        assert_eq!(codes(&judged("{\"event\":\"done\",\"imported\":2}\n", Exit::Code(0))), ["incomplete"]);
    }

    #[test]
    fn report_with_a_second_end_another_line_or_a_gap_is_forged() {
        for report in [format!("{DONE}{DONE}"), format!("{DONE}x\n"), format!("x\n{DONE}"), format!("{DONE}{{}}")] {
            assert_eq!(codes(&judged(&report, Exit::Code(0))), ["forged"], "{report}");
        }
        let cut = Captured { text: DONE.to_owned(), omitted_bytes: 1 };
        assert_eq!(codes(&diagnostics(&cut, Exit::Code(0), 3)), ["forged"]);
    }
}

#[cfg(test)]
mod fuzzing {
    use bailiwick_fuzz::Target;
    use bailiwick_process::Captured;

    #[test]
    fn import_reports() {
        const WORDS: &[&str] = &[
            "{\"event\":\"done\",\"imported\":1}\n",
            "{\"event\":\"importing\",\"file\":\"a.py\"}\n",
            "{\"event\":\"forged\"}\n",
            "{\"event\":\"attempt\",\"kind\":\"spawn\",\"detail\":\"x\"}\n",
            "{\"event\":\"failure\",\"type\":\"E\",\"message\":\"m\"}\n",
            "{\"event\":\"ended\",\"module\":\"m\",\"file\":\"f\",\"how\":\"h\"}\n",
            "\"line\":4294967296",
            "\n",
            "null",
        ];
        Target { name: "import_reports", words: WORDS }.run_text(|text| {
            let stdout = Captured { text: text.to_owned(), omitted_bytes: 0 };
            let report = super::Report::read(&stdout);
            let ends = text.lines().filter(|line| line.contains("done")).count();
            assert!(report.done.is_none() || ends > 0);
        });
    }
}
