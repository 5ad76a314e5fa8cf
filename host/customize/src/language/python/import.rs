//! Importing every module, with a report of what import-time code attempts.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bailiwick_agent::tasks::{Diagnostic, Severity};
use bailiwick_process::{ProcessError, scrubbed_environment};
use serde::{Deserialize, Serialize};

use super::super::LanguageError;
use super::Step;
use super::modules::Module;
use crate::toolchain::{Child, Children, Tools};

const LAUNCHER: &str = include_str!("../python_import.py");

/// Importing a library is a matter of a second.
const DEADLINE: Duration = Duration::from_secs(60);

/// What the launcher is told.
#[derive(Serialize)]
struct Settings<'a> {
    package: &'a Path,
    modules: Vec<&'a str>,
    writable: Vec<&'a Path>,
    readable: Vec<PathBuf>,
    withheld: Vec<String>,
}

/// Imports the modules. The package and everything else but a temporary directory is read-only for it.
pub(super) async fn run(
    package: &Path,
    root: &Path,
    modules: &[Module],
    tools: &Tools,
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
    let launcher = root.join("python_import.py");
    let settings_file = root.join("import.json");
    let read = vec![
        tools.python.root.clone(),
        tools.python.base.prefix.clone(),
        package.to_owned(),
        launcher.clone(),
        settings_file.clone(),
    ];
    let mut readable = bailiwick_process::system_paths();
    readable.extend(read.iter().cloned());
    let settings = Settings {
        package,
        modules: modules.iter().map(|module| module.name.as_str()).collect(),
        writable: vec![&scratch],
        readable,
        withheld: scrubbed_environment().1,
    };
    let text =
        serde_json::to_vec(&settings).map_err(|error| LanguageError::io(&settings_file, "written")(error.into()))?;
    for (path, content) in [(&launcher, LAUNCHER.as_bytes()), (&settings_file, &text)] {
        std::fs::write(path, content).map_err(LanguageError::io(path, "written"))?;
    }
    let arguments: [OsString; 4] = ["-I".into(), "-B".into(), launcher.into(), settings_file.into()];
    let child = Child {
        program: &tools.python.executable,
        arguments: arguments.to_vec(),
        // Not the package: a file there must not be found by accident.
        directory: root,
        path: Vec::new(),
        environment: Vec::new(),
        read,
        write: Vec::new(),
        scratch: &scratch,
        deadline: DEADLINE,
    };
    match children.run(child, &mut |_| {}).await {
        Ok(finished) => Ok(Step {
            diagnostics: diagnostics(&finished.stdout.text, finished.exit),
            log: finished.stdout.text + &finished.stderr.text,
        }),
        Err(ProcessError::Deadline { after, stdout, stderr, .. }) => {
            let mut found = attempts_and_failures(&stdout.text).0;
            found.push(general("deadline", format!("importing the package did not end within {} s", after.as_secs())));
            Ok(Step { diagnostics: found, log: stdout.text + &stderr.text })
        }
        Err(error) => Err(error.into()),
    }
}

/// One line of the launcher's report.
#[derive(Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
enum Event {
    Attempt(Attempt),
    Failure(Failure),
    Done,
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

fn general(code: &str, message: String) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        file: None,
        line: None,
        column: None,
        code: Some(code.to_owned()),
        message,
        symbol: None,
        tool: "import".to_owned(),
    }
}

/// What the launcher reported. A package that ended the process before the report was complete has not been imported.
fn diagnostics(report: &str, exit: bailiwick_process::Exit) -> Vec<Diagnostic> {
    let (mut found, done) = attempts_and_failures(report);
    if !done {
        found.push(general(
            "incomplete",
            format!("importing the package ended the interpreter ({exit}) before all modules were imported"),
        ));
    }
    found
}

fn attempts_and_failures(report: &str) -> (Vec<Diagnostic>, bool) {
    let events: Vec<Event> = report.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let failed = events.iter().any(|event| matches!(event, Event::Failure(_)));
    let done = events.iter().any(|event| matches!(event, Event::Done));
    let mut found: Vec<Diagnostic> = Vec::new();
    for event in events {
        let diagnostic = match event {
            Event::Attempt(attempt) => attempted(attempt, failed),
            Event::Failure(failure) => failed_import(failure),
            Event::Done => continue,
        };
        // Every module that imports a broken one fails with the same words.
        if !found.contains(&diagnostic) {
            found.push(diagnostic);
        }
    }
    (found, done)
}

/// An attempt to change, reach or start something fails the build even if the code swallowed the error: it would do it
/// on the machine of whoever imports the package. Looking is a warning, unless the import failed of it.
fn attempted(attempt: Attempt, failed: bool) -> Diagnostic {
    let is_variable = attempt.kind == Kind::Environment && !attempt.detail.starts_with('/');
    let (code, severity, what) = match attempt.kind {
        Kind::Write => ("write", Severity::Error, "change"),
        Kind::Connect => ("connect", Severity::Error, "connect to"),
        Kind::Spawn => ("spawn", Severity::Error, "start"),
        Kind::Native => ("native", Severity::Error, "load the native library"),
        Kind::Environment if is_variable => ("environment", looking(failed), "read the environment variable"),
        Kind::Environment => ("environment", looking(failed), "read"),
        Kind::Read => ("read", looking(failed), "read"),
    };
    Diagnostic {
        severity,
        file: attempt.file.map(|file| format!("sdk/{file}")),
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
        file: failure.file.map(|file| format!("sdk/{file}")),
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
    use bailiwick_process::Exit;

    #[test]
    fn failed_import_points_into_the_package_and_is_told_once() {
        let line = r#"{"event":"failure","type":"ImportError","message":"cannot import name 'AnalyzeResult' from 'azure.w.models._models' (/home/me/azure/w/models/_models.py)","file":"azure/w/models/_patch.py","line":14,"column":null,"symbol":"AnalyzeResult"}"#;
        let report = format!("{line}\n{line}\n{{\"event\":\"done\"}}\n");
        let found = diagnostics(&report, Exit::Code(1));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].place(), "sdk/azure/w/models/_patch.py:14");
        assert_eq!(found[0].symbol.as_deref(), Some("AnalyzeResult"));
        assert_eq!(found[0].message, "ImportError: cannot import name 'AnalyzeResult' from 'azure.w.models._models'");
    }

    #[test]
    fn swallowed_attempt_is_an_error_and_a_look_a_warning() {
        let report = r#"{"event":"attempt","kind":"write","detail":"/etc/x","file":"azure/w/_patch.py","line":3}
{"event":"attempt","kind":"environment","detail":"OPENAI_API_KEY","file":"azure/w/_patch.py","line":4}
{"event":"done"}
"#;
        let found = diagnostics(report, Exit::Code(0));
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
{"event":"done"}
"#;
        assert!(diagnostics(report, Exit::Code(1)).iter().all(Diagnostic::is_error));
    }

    #[test]
    fn process_that_ended_early_is_no_success() {
        let found = diagnostics("", Exit::Code(0));
        assert_eq!(found[0].code.as_deref(), Some("incomplete"));
        assert!(found[0].is_error());
    }
}
