//! pytest, with a program around it that reports every test.
//!
//! The verdict rests on pytest's exit code and on a report that is whole: every line signed and numbered, an outcome for
//! every test that was collected, and the end at its end. A test that ends the process, or writes into the report, has
//! not passed. Tests run in the process that reports, so the verdict is no proof against one that searches the memory of
//! that process.

use std::collections::BTreeSet;
use std::path::Path;

use bailiwick_base::files::plain;
use bailiwick_base::random;
use bailiwick_base::text::hex;
use bailiwick_sdk::tasks::{Diagnostic, Severity};
use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::{Request, TestError, Tested};
use crate::driver::TestCounts;
use crate::scripts::{Copy, Program, Ran, ScriptError, last_words, run_program};
use bailiwick_toolchains::{Children, Pytest};

const PROGRAM: &str = include_str!("bailiwick_pytest.py");

/// Some hundred bytes for each test, and a traceback for each that fails.
const LARGEST_REPORT: u64 = 64 * 1024 * 1024;

/// Signs the lines of a report.
type Key = [u8; 32];

pub(super) async fn run(
    request: Request<'_>,
    pytest: &Pytest,
    root: &Path,
    copy: &Copy,
    children: &Children,
) -> Result<Tested, TestError> {
    let scratch = root.join("pytest");
    let (program, report) = (root.join("plugin"), scratch.join("report.jsonl"));
    for directory in [&program, &scratch] {
        std::fs::create_dir_all(directory).map_err(ScriptError::io(directory, "created"))?;
    }
    // Of an earlier run.
    let _ = std::fs::remove_file(&report);
    let file = program.join("bailiwick_pytest.py");
    std::fs::write(&file, PROGRAM).map_err(ScriptError::io(&file, "written"))?;
    let key: Key = random::bytes().map_err(ScriptError::io(Path::new("/dev/urandom"), "read"))?;
    let settings_file = scratch.join("settings.json");
    let settings = serde_json::json!({
        "key": hex(&key),
        "report": report,
        "package": copy.package,
        "beside": request.beside,
        "site": pytest.site,
        "arguments": ["-p", "no:cacheprovider", "--tb=short"],
    });
    std::fs::write(&settings_file, settings.to_string()).map_err(ScriptError::io(&settings_file, "written"))?;
    let mut words = ["python", "-I", "-B"].map(str::to_owned).to_vec();
    words.extend([&file, &settings_file].map(|path| path.to_string_lossy().into_owned()));
    let program = Program {
        words,
        key: "test",
        directory: &copy.package,
        original: request.package,
        repository: request.repository,
        environment: Vec::new(),
        read: vec![program, pytest.root.clone()],
        write: vec![copy.tree.clone()],
        scratch: &scratch,
    };
    let ran = run_program(program, request.language, request.tools, children).await?;
    // A test may have put anything there; a file that is not a report counts as an empty one.
    let report = plain::left_by_a_child(&report, LARGEST_REPORT).unwrap_or_default();
    let report = String::from_utf8(report).unwrap_or_default();
    let mut tested = judge(&report, &key, &ran, |text| copy.readable(text));
    tested.log = copy.readable(&format!("$ python -m pytest\n{}", ran.log));
    Ok(tested)
}

/// What a line begins with.
fn signature(key: &Key, line: &str) -> String {
    hex(&Sha256::new().chain_update(key).chain_update(line).chain_update(key).finalize())
}

#[derive(Deserialize)]
struct Line {
    n: usize,
    #[serde(flatten)]
    event: Event,
}

#[derive(Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
enum Event {
    Collected { tests: Vec<String> },
    Passed { test: String },
    Skipped { test: String },
    Failed { test: String, file: Option<String>, line: Option<u32>, message: String },
    Finished { code: i32 },
}

/// The lines of a report; `None` where one is not signed, out of order or not an event.
fn events(report: &str, key: &Key) -> Option<Vec<Event>> {
    let mut events = Vec::new();
    for line in report.lines() {
        let (signed, text) = line.split_once(' ')?;
        let line: Line = serde_json::from_str(text).ok()?;
        if signed != signature(key, text) || line.n != events.len() + 1 {
            return None;
        }
        events.push(line.event);
    }
    Some(events)
}

/// The tests passed when pytest says so at its end, with its exit code too, at least one of them did, and every one that
/// was collected has an outcome. A process that ended early has not said it.
fn judge(report: &str, key: &Key, ran: &Ran, readable: impl Fn(&str) -> String) -> Tested {
    let Some(events) = events(report, key) else {
        let message = "something other than pytest wrote into the report of the tests; nothing in it counts".to_owned();
        let diagnostics = vec![Diagnostic::without_place("pytest", "tests-forged", message)];
        return Tested { passed: false, diagnostics, counts: None, log: String::new() };
    };
    let mut counts = TestCounts::default();
    let mut diagnostics = Vec::new();
    let finished = match events.last() {
        Some(Event::Finished { code }) => Some(*code),
        _ => None,
    };
    let mut waited_for = BTreeSet::new();
    for event in events {
        match event {
            Event::Collected { tests } => waited_for.extend(tests),
            Event::Passed { test } => {
                counts.passed += 1;
                waited_for.remove(&test);
            }
            Event::Skipped { test } => {
                counts.skipped += 1;
                waited_for.remove(&test);
            }
            Event::Finished { .. } => {}
            Event::Failed { test, file, line, message } => {
                counts.failed += 1;
                waited_for.remove(&test);
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
    let whole = ran.succeeded && finished == Some(0) && waited_for.is_empty();
    if diagnostics.is_empty() && (!whole || counts.passed == 0) {
        let message = match (finished, waited_for.first()) {
            (Some(0), Some(test)) => {
                format!("{} collected tests have no outcome, `{test}` among them", waited_for.len())
            }
            (Some(0 | 5), _) => super::NONE_RAN.to_owned(),
            (None, _) => {
                format!("pytest ended without its report ({}): {}", ran.ended, last_words(&readable(&ran.log)))
            }
            (Some(_), _) => format!("pytest failed ({}): {}", ran.ended, last_words(&readable(&ran.log))),
        };
        diagnostics.push(Diagnostic::without_place("pytest", "tests-failed", message));
    }
    for diagnostic in &mut diagnostics {
        if let Some(hint) = provider(&diagnostic.message) {
            diagnostic.message.push_str(&hint);
        }
    }
    let passed = whole && counts.passed > 0 && counts.failed == 0;
    Tested { passed, diagnostics, counts: Some(counts), log: String::new() }
}

/// Modules whose distribution has another name, as far as tests of Azure packages import them.
const DISTRIBUTIONS: [(&str, &str); 8] = [
    ("PIL", "pillow"),
    ("attr", "attrs"),
    ("bs4", "beautifulsoup4"),
    ("dateutil", "python-dateutil"),
    ("dotenv", "python-dotenv"),
    ("jwt", "PyJWT"),
    ("sklearn", "scikit-learn"),
    ("yaml", "PyYAML"),
];
/// The repository's own helpers for tests, and where their distribution lies in it.
const HELPERS: [&str; 2] = ["devtools_testutils", "azure_devtools"];
const HELPERS_LIE_IN: &str = "eng/tools/azure-sdk-tools";

/// What provides the module that a test misses, as the end of a sentence.
fn provider(message: &str) -> Option<String> {
    let (_, rest) = message.split_once("No module named '")?;
    let (module, _) = rest.split_once('\'')?;
    let top = module.split('.').next().unwrap_or(module);
    if HELPERS.contains(&top) {
        return Some(format!(
            "; the SDK repository provides it in `{HELPERS_LIE_IN}`, which `dev_requirements.txt` of the package has to name"
        ));
    }
    let found = DISTRIBUTIONS.iter().find(|(name, _)| *name == top).map(|(_, distribution)| *distribution);
    const SET_UP: &str = "in `dev_requirements.txt` of the package, from which tests are set up";
    match found {
        Some(distribution) => Some(format!("; name the distribution `{distribution}` {SET_UP}")),
        // A module of the package itself, or of a namespace that many distributions share, is no distribution's name.
        None if top == "azure" || top != module => None,
        None => Some(format!("; if a distribution provides it, name that {SET_UP}")),
    }
}

/// Whether a report that was not signed counts as one of tests that passed.
#[cfg(test)]
pub(super) fn passes(report: &str) -> bool {
    let ran =
        Ran { succeeded: true, ended: "exit code 0".to_owned(), shown: String::new(), log: String::new(), whole: true };
    judge(report, &[7; 32], &ran, str::to_owned).passed
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: Key = [7; 32];

    #[test]
    fn module_that_tests_miss_is_named_with_what_provides_it() {
        let said = |module: &str| {
            provider(&format!("E   ModuleNotFoundError: No module named '{module}'")).unwrap_or_default()
        };
        assert!(
            said("dotenv").contains("the distribution `python-dotenv` in `dev_requirements.txt`"),
            "{}",
            said("dotenv")
        );
        assert!(said("yaml.constructor").contains("`PyYAML`"));
        assert!(said("aiohttp").starts_with("; if a distribution provides it, name that in "), "{}", said("aiohttp"));
        assert!(said("devtools_testutils.aio").contains("`eng/tools/azure-sdk-tools`"));
        // Of the package itself, it may be anything.
        assert_eq!(said("azure.widget._model_base"), "");
        assert_eq!(said("tests.helpers"), "");
        assert_eq!(provider("assert 1 == 2"), None);
    }

    /// A report with these events, numbered and signed.
    fn signed(events: &[&str]) -> String {
        let sign = |(at, event): (usize, &&str)| {
            let text = format!("{{\"n\":{},{event}}}", at + 1);
            format!("{} {text}\n", signature(&KEY, &text))
        };
        events.iter().enumerate().map(sign).collect()
    }

    fn judged(report: &str, succeeded: bool) -> Tested {
        let ended = if succeeded { "exit code 0" } else { "exit code 1" }.to_owned();
        let ran = Ran { succeeded, ended, shown: String::new(), log: "/copy/a said x".to_owned(), whole: true };
        judge(report, &KEY, &ran, |text| text.replace("/copy", "sdk"))
    }

    const COLLECTED: &str = r#""event":"collected","tests":["a","b"]"#;
    const A: &str = r#""event":"passed","test":"a""#;
    const B: &str = r#""event":"passed","test":"b""#;
    const SKIPPED: &str = r#""event":"skipped","test":"b""#;
    const END: &str = r#""event":"finished","code":0"#;

    #[test]
    fn all_passed_is_success_and_counted() {
        let tested = judged(&signed(&[COLLECTED, A, SKIPPED, END]), true);
        assert!(tested.passed && tested.diagnostics.is_empty());
        assert_eq!(tested.counts, Some(TestCounts { passed: 1, failed: 0, skipped: 1 }));
    }

    #[test]
    fn failed_test_is_named_with_its_place() {
        let failed = r#""event":"failed","test":"b","file":"tests/test_a.py","line":7,"message":"assert 1 == 2""#;
        let tested = judged(&signed(&[COLLECTED, A, failed, r#""event":"finished","code":1"#]), false);
        assert!(!tested.passed);
        assert_eq!(tested.diagnostics[0].place(), "sdk/tests/test_a.py:7");
        assert_eq!(tested.diagnostics[0].message, "b: assert 1 == 2");
        // A failure counts even where the exit code was bent.
        assert!(!judged(&signed(&[COLLECTED, A, failed, END]), true).passed);
    }

    #[test]
    fn process_that_ends_early_or_tests_nothing_is_not_a_success() {
        for (report, succeeded, about) in [
            (vec![COLLECTED, A, B], true, "without its report"),
            (vec![], true, "without its report"),
            (vec![COLLECTED, A, B, END, B], true, "without its report"),
            (vec![COLLECTED, A, END], true, "1 collected tests have no outcome, `b` among them"),
            (vec![END], true, "no test ran"),
            (vec![r#""event":"finished","code":5"#], false, "no test ran"),
            (vec![SKIPPED, END], true, "no test ran"),
            (vec![r#""event":"finished","code":4"#], false, "pytest failed (exit code 1): sdk/a said x"),
        ] {
            let tested = judged(&signed(&report), succeeded);
            assert!(!tested.passed, "{report:?}");
            assert!(tested.diagnostics[0].message.contains(about), "{}", tested.diagnostics[0].message);
        }
        assert!(!judged(&signed(&[COLLECTED, A, B, END]), false).passed, "the exit code counts as well");
    }

    #[test]
    fn line_that_a_test_wrote_spoils_the_report() {
        let whole = signed(&[COLLECTED, A, B, END]);
        let lines: Vec<&str> = whole.lines().collect();
        for forged in [
            format!("{{\"n\":1,{END}}}\n"),
            format!("{whole}{{\"n\":5,{END}}}\n"),
            format!("{whole}x\n"),
            // Signed lines, repeated or left out.
            format!("{whole}{}\n", lines[3]),
            format!("{}\n{}\n{}\n", lines[0], lines[1], lines[3]),
            whole.replacen("passed", "skipped", 1),
        ] {
            let tested = judged(&forged, true);
            assert!(!tested.passed, "{forged}");
            assert_eq!(tested.diagnostics[0].code.as_deref(), Some("tests-forged"), "{forged}");
        }
    }
}
