//! pytest, with a plugin that reports every test.

use std::path::Path;

use bailiwick_agent::tasks::{Diagnostic, Severity};
use serde::Deserialize;

use super::{Request, TestError, Tested};
use crate::driver::TestCounts;
use crate::scripts::{Copy, Program, Ran, ScriptError, general, last_words, run_program};
use crate::toolchain::{Children, Pytest};

const PLUGIN: &str = include_str!("bailiwick_pytest.py");

pub(super) async fn run(
    request: Request<'_>,
    pytest: &Pytest,
    root: &Path,
    copy: &Copy,
    children: &Children,
) -> Result<Tested, TestError> {
    let scratch = root.join("pytest");
    let (plugin, report) = (root.join("plugin"), scratch.join("report.jsonl"));
    for directory in [&plugin, &scratch] {
        std::fs::create_dir_all(directory).map_err(ScriptError::io(directory, "created"))?;
    }
    let file = plugin.join("bailiwick_pytest.py");
    std::fs::write(&file, PLUGIN).map_err(ScriptError::io(&file, "written"))?;
    let path = std::env::join_paths([copy.package.as_path(), &plugin, &pytest.site]).unwrap_or_default();
    let words = ["python", "-B", "-m", "pytest", "-p", "bailiwick_pytest", "-p", "no:cacheprovider", "--tb=short"];
    let program = Program {
        words: words.map(str::to_owned).to_vec(),
        key: "test",
        directory: &copy.package,
        repository: request.repository,
        environment: vec![("PYTHONPATH", path), ("BAILIWICK_PYTEST_REPORT", report.clone().into())],
        read: vec![plugin, pytest.root.clone()],
        write: vec![copy.tree.clone()],
        scratch: &scratch,
    };
    let ran = run_program(program, request.language, request.tools, children).await?;
    let report = std::fs::read_to_string(&report).unwrap_or_default();
    let mut tested = judge(&report, &ran, |text| copy.readable(text));
    tested.log = copy.readable(&format!("$ {}\n{}", ran.shown, ran.log));
    Ok(tested)
}

#[derive(Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
enum Event {
    Passed,
    Skipped,
    Failed { test: String, file: Option<String>, line: Option<u32>, message: String },
    Finished { code: i32 },
}

/// The tests passed when pytest says so at its end, with its exit code too, and at least one of them did. A process that
/// ended early has not said it.
fn judge(report: &str, ran: &Ran, readable: impl Fn(&str) -> String) -> Tested {
    let mut counts = TestCounts::default();
    let mut diagnostics = Vec::new();
    let mut finished = None;
    for event in report.lines().filter_map(|line| serde_json::from_str(line).ok()) {
        match event {
            Event::Passed => counts.passed += 1,
            Event::Skipped => counts.skipped += 1,
            Event::Finished { code } => finished = Some(code),
            Event::Failed { test, file, line, message } => {
                counts.failed += 1;
                diagnostics.push(Diagnostic {
                    severity: Severity::Error,
                    file: file.map(|file| format!("sdk/{file}")),
                    line,
                    column: None,
                    code: Some("test-failed".to_owned()),
                    message: format!("{test}: {}", readable(&message)),
                    symbol: Some(test),
                    tool: "pytest".to_owned(),
                });
            }
        }
    }
    let whole = ran.succeeded && finished == Some(0);
    if diagnostics.is_empty() && (!whole || counts.passed == 0) {
        let message = match finished {
            Some(0 | 5) => "no test ran".to_owned(),
            None => format!("pytest ended without its report ({}): {}", ran.ended, last_words(&readable(&ran.log))),
            Some(_) => format!("pytest failed ({}): {}", ran.ended, last_words(&readable(&ran.log))),
        };
        diagnostics.push(general("tests-failed", "pytest", message));
    }
    let passed = whole && counts.passed > 0 && counts.failed == 0;
    Tested { passed, diagnostics, counts: Some(counts), log: String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(report: &str, succeeded: bool) -> Tested {
        let ended = if succeeded { "exit code 0" } else { "exit code 1" }.to_owned();
        let ran = Ran { succeeded, ended, shown: String::new(), log: "/copy/a said x".to_owned() };
        judge(report, &ran, |text| text.replace("/copy", "sdk"))
    }

    const PASSED: &str = "{\"event\":\"passed\"}\n";
    const END: &str = "{\"event\":\"finished\",\"code\":0}\n";

    #[test]
    fn all_passed_is_success_and_counted() {
        let tested = judged(&format!("{PASSED}{{\"event\":\"skipped\"}}\n{PASSED}{END}"), true);
        assert!(tested.passed && tested.diagnostics.is_empty());
        assert_eq!(tested.counts, Some(TestCounts { passed: 2, failed: 0, skipped: 1 }));
    }

    #[test]
    fn failed_test_is_named_with_its_place() {
        let failed = "{\"event\":\"failed\",\"test\":\"test_a\",\"file\":\"tests/test_a.py\",\"line\":7,\"message\":\"assert 1 == 2\"}\n";
        let tested = judged(&format!("{PASSED}{failed}{{\"event\":\"finished\",\"code\":1}}\n"), false);
        assert!(!tested.passed);
        assert_eq!(tested.diagnostics[0].place(), "sdk/tests/test_a.py:7");
        assert_eq!(tested.diagnostics[0].message, "test_a: assert 1 == 2");
        // A failure counts even where the exit code was bent.
        assert!(!judged(&format!("{PASSED}{failed}{END}"), true).passed);
    }

    #[test]
    fn process_that_ends_early_or_tests_nothing_is_no_success() {
        for (report, succeeded, about) in [
            (PASSED, true, "without its report"),
            ("", true, "without its report"),
            (END, true, "no test ran"),
            ("{\"event\":\"finished\",\"code\":5}\n", false, "no test ran"),
            ("{\"event\":\"skipped\"}\n{\"event\":\"finished\",\"code\":0}\n", true, "no test ran"),
            ("{\"event\":\"finished\",\"code\":4}\n", false, "pytest failed (exit code 1): sdk/a said x"),
        ] {
            let tested = judged(report, succeeded);
            assert!(!tested.passed, "{report}");
            assert!(tested.diagnostics[0].message.contains(about), "{}", tested.diagnostics[0].message);
        }
        assert!(!judged(&format!("{PASSED}{END}"), false).passed, "the exit code counts as well");
    }
}
