//! The tests of a package: run on a copy of it, confined and without a network, with what its language is tested with.
//!
//! | language | runs | passed means |
//! |---|---|---|
//! | Python | pytest, in the locked environment of builds | exit code 0 and a signed report with an outcome for every collected test |
//! | Java | `mvn test`, offline: what Maven was not given when the toolchain was installed it does not have | exit code 0 and a count of passed tests above 0; Surefire fails a test process that ends itself |
//! | .NET | `dotnet test` | exit code 0 and a count of passed tests above 0; the runner fails a test process that ends itself |
//! | JavaScript | `npm test` | exit code 0 |
//! | Go | `go test -v ./...` | exit code 0, an outcome for every test of the source files, and one that passed |
//!
//! Tests are code of the package, and in every language they run in, or print through, the process that reports them. So
//! ending that process is no success, nor is a line that a test writes where it knows no better; but no verdict here is a
//! proof against tests that are written to deceive. `RESTS_ON` says so in the answer.
//!
//! A test that needs a service or a recording's proxy fails, because there is no network.

mod counts;
#[cfg(test)]
mod fuzzing;
mod go;
mod pytest;

use std::path::{Path, PathBuf};

use bailiwick_sdk::tasks::{Diagnostic, Language, Severity};

use crate::driver::TestCounts;
use crate::language::{LanguageService, package_files};
use crate::scripts::{Copy, Program, Ran, ScriptError, last_words, run_program};
use bailiwick_toolchains::{BuildTools, Children, Pytest};

/// What a person is told of tests that passed.
pub(crate) const RESTS_ON: &str = "this rests on what the test runner reported; tests run in its process, and tests written to deceive can report anything";

/// Said where every test was skipped, too: nothing is known of the package then.
const NONE_RAN: &str = "no test ran";

/// The file in which a package of the Azure SDK says where recorded answers of its service are.
const RECORDINGS: &str = "assets.json";

const RECORDED: &str = "tests that play back recordings (`assets.json`) fail here, because the test proxy fetches them from \
    a network; run those tests as the repository does";

/// Why nothing could be tested.
#[derive(Debug, thiserror::Error)]
pub enum TestError {
    /// There is nothing to run.
    #[error("the package has no tests in {places}")]
    NoTests {
        /// Where they would be.
        places: &'static str,
    },
    /// The runner is not there, or a file cannot be read or written.
    #[error(transparent)]
    Script(#[from] ScriptError),
}

/// What runs the tests of a package.
pub(crate) enum Runner {
    /// pytest, which reports every test.
    Pytest,
    /// A program that says with its exit code whether all passed.
    Command(&'static [&'static str]),
}

/// A package whose tests are to be run.
#[derive(Clone, Copy)]
pub(crate) struct Request<'a> {
    pub(crate) package: &'a Path,
    pub(crate) repository: &'a Path,
    /// Outside the repositories; `test` below it is used.
    pub(crate) work: &'a Path,
    pub(crate) language: &'a dyn LanguageService,
    pub(crate) tools: &'a BuildTools,
    /// There for [`Runner::Pytest`].
    pub(crate) pytest: Option<&'a Pytest>,
    /// Directories of the repository that tests import from, for [`Runner::Pytest`].
    pub(crate) beside: &'a [PathBuf],
}

/// Tests that ran.
pub(crate) struct Tested {
    pub(crate) passed: bool,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) counts: Option<TestCounts>,
    pub(crate) log: String,
}

/// What would run the tests of this package.
///
/// # Errors
/// [`TestError::NoTests`] where no file looks like one: a runner that finds nothing to do would only seem to succeed.
pub(crate) fn runner(language: &dyn LanguageService, package: &Path) -> Result<Runner, TestError> {
    let files = package_files(package).map_err(ScriptError::from)?;
    let language = language.language();
    if files.iter().any(|file| is_test(language, file)) {
        return Ok(runner_of(language));
    }
    Err(TestError::NoTests { places: places(language) })
}

fn runner_of(language: Language) -> Runner {
    match language {
        Language::Python => Runner::Pytest,
        Language::Java => Runner::Command(&["mvn", "--batch-mode", "test"]),
        Language::Dotnet => Runner::Command(&["dotnet", "test", "--nologo"]),
        Language::Javascript => Runner::Command(&["npm", "test"]),
        Language::Go => Runner::Command(&["go", "test", "-v", "./..."]),
    }
}

fn places(language: Language) -> &'static str {
    match language {
        Language::Python => "`test_*.py` and `*_test.py`",
        Language::Java => "`src/test/java`",
        Language::Dotnet => "`tests`",
        Language::Javascript => "`test`",
        Language::Go => "`*_test.go`",
    }
}

fn is_test(language: Language, file: &str) -> bool {
    let name = file.rsplit('/').next().unwrap_or(file);
    match language {
        Language::Python => name.ends_with("_test.py") || name.starts_with("test_") && name.ends_with(".py"),
        Language::Java => file.starts_with("src/test/java/") && name.ends_with(".java"),
        Language::Dotnet => file.starts_with("tests/") && name.ends_with(".cs"),
        Language::Javascript => {
            let kinds = [".ts", ".tsx", ".js", ".mts", ".mjs", ".cts", ".cjs"];
            file.starts_with("test/") && kinds.iter().any(|kind| name.ends_with(kind))
        }
        Language::Go => name.ends_with("_test.go"),
    }
}

/// Runs the tests.
///
/// # Errors
/// See [`TestError`]. A test that fails is not an error.
pub(crate) async fn run(runner: &Runner, request: Request<'_>, children: &Children) -> Result<Tested, TestError> {
    let root = request.work.join("test");
    std::fs::create_dir_all(&root).map_err(ScriptError::io(&root, "created"))?;
    let root = root.canonicalize().map_err(ScriptError::io(&root, "read"))?;
    let copy = Copy::make(request.package, request.repository, &root)?;
    let mut tested = match (runner, request.pytest) {
        (Runner::Pytest, Some(pytest)) => pytest::run(request, pytest, &root, &copy, children).await,
        (Runner::Pytest, None) => unreachable!("pytest is provided where it is the runner"),
        (Runner::Command(words), _) => command(words, request, &root, &copy, children).await,
    }?;
    if !tested.passed && request.package.join(RECORDINGS).is_file() {
        let mut note = Diagnostic::without_place("test", "recorded-tests", RECORDED);
        note.severity = Severity::Warning;
        tested.diagnostics.push(note);
    }
    Ok(tested)
}

async fn command(
    words: &[&str],
    request: Request<'_>,
    root: &Path,
    copy: &Copy,
    children: &Children,
) -> Result<Tested, TestError> {
    let program = Program {
        words: words.iter().map(|word| (*word).to_owned()).collect(),
        key: "test",
        directory: &copy.package,
        original: request.package,
        repository: request.repository,
        environment: Vec::new(),
        read: Vec::new(),
        write: vec![copy.tree.clone()],
        scratch: &root.join("runner"),
    };
    let ran = run_program(program, request.language, request.tools, children).await?;
    let log = copy.readable(&format!("$ {}\n{}", ran.shown, ran.log));
    let mut diagnostics = request.language.build_diagnostics(&log);
    if !ran.succeeded && request.language.language() == Language::Go {
        diagnostics.extend(go::failures(&log));
    }
    if !ran.succeeded && !diagnostics.iter().any(Diagnostic::is_error) {
        let message = format!("`{}` failed ({}): {}", ran.shown, ran.ended, last_words(&copy.readable(&ran.log)));
        diagnostics.push(Diagnostic::without_place(words[0], "tests-failed", message));
    }
    if ran.succeeded && !diagnostics.iter().any(Diagnostic::is_error) {
        diagnostics.extend(unproven(request, &ran, &log)?);
    }
    let passed = ran.succeeded && !diagnostics.iter().any(Diagnostic::is_error);
    Ok(Tested { passed, diagnostics, counts: None, log })
}

/// What an exit code of 0 does not show.
fn unproven(request: Request<'_>, ran: &Ran, log: &str) -> Result<Option<Diagnostic>, TestError> {
    let language = request.language.language();
    let message = match language {
        Language::Go if !ran.whole => {
            "`go test` printed more than is kept, so not every test has an outcome".to_owned()
        }
        Language::Go => {
            let files = package_files(request.package).map_err(ScriptError::from)?;
            match go::without_outcome(request.package, &files, log).as_slice() {
                [] if go::some_passed(log) => return Ok(None),
                [] => NONE_RAN.to_owned(),
                missing => format!(
                    "`go test` succeeded without an outcome of {}: code of the package ended the process, or left them out",
                    missing.join(", ")
                ),
            }
        }
        Language::Java | Language::Dotnet if counts::some_failed(log) => {
            format!("`{}` succeeded, and its summary counts tests that failed", ran.shown)
        }
        Language::Java | Language::Dotnet if counts::some_passed(log) == Some(false) => NONE_RAN.to_owned(),
        Language::Java | Language::Dotnet | Language::Python | Language::Javascript => return Ok(None),
    };
    Ok(Some(Diagnostic::without_place("test", "tests-failed", message)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_told_by_place_and_name() {
        for (language, file, is) in [
            (Language::Python, "tests/test_a.py", true),
            (Language::Python, "tests/a_test.py", true),
            (Language::Python, "tests/conftest.py", false),
            (Language::Python, "azure/w/_patch.py", false),
            (Language::Java, "src/test/java/a/ATests.java", true),
            (Language::Java, "src/main/java/a/ATest.java", false),
            (Language::Dotnet, "tests/ATests.cs", true),
            (Language::Dotnet, "src/A.cs", false),
            (Language::Javascript, "test/public/a.spec.ts", true),
            (Language::Javascript, "src/a.ts", false),
            (Language::Go, "client_test.go", true),
            (Language::Go, "client.go", false),
        ] {
            assert_eq!(is_test(language, file), is, "{file}");
        }
    }
}
