//! What `go test -v` says of tests.

use std::collections::BTreeMap;
use std::path::Path;

use bailiwick_sdk::tasks::Diagnostic;

use crate::language::go_is_of_another_platform as is_of_another_platform;
use crate::language::tree::{all, field, named_children, parse, text_of};

/// `--- FAIL: Name` with the place and the words around it: before it where tests report as they run, else below it. And a
/// panic, which ends a test, or all of them where it is outside a test.
pub(super) fn failures(log: &str) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    let mut before: Option<(String, u32, String)> = None;
    let mut open = false;
    let mut panicked = false;
    for line in log.lines() {
        if let Some(words) = line.strip_prefix("panic: ") {
            if !open {
                found.push(Diagnostic::without_place("go test", "tests-failed", String::new()));
            }
            if let Some(last) = found.last_mut().filter(|last| last.line.is_none()) {
                let name = last.symbol.as_ref().map(|name| format!("{name}: ")).unwrap_or_default();
                last.message = format!("{name}panic: {}", words.trim_end_matches(" [recovered]"));
                panicked = true;
            }
            open = false;
            continue;
        }
        let line = line.trim_start();
        if panicked {
            if let (Some((file, line)), Some(last)) = (frame(line), found.last_mut()) {
                (last.file, last.line, panicked) = (Some(file), Some(line), false);
            }
            // The stack ends where the runner goes on.
            panicked &= !line.starts_with("--- ") && !line.starts_with("FAIL");
            if panicked {
                continue;
            }
        }
        if let Some(rest) = line.strip_prefix("--- FAIL: ") {
            let name = rest.split_whitespace().next().unwrap_or(rest);
            let mut diagnostic = Diagnostic::without_place("go test", "test-failed", format!("{name} failed"));
            diagnostic.symbol = Some(name.to_owned());
            found.push(diagnostic);
            open = true;
            if let Some(place) = before.take() {
                set(found.last_mut(), place);
            }
        } else if line.starts_with("--- ") || line.starts_with("=== ") {
            (before, open) = (None, false);
        } else if let Some(place) = place(line) {
            if open {
                set(found.last_mut(), place);
            } else {
                before.get_or_insert(place);
            }
        }
    }
    found
}

/// `a_test.go:7: words`
fn place(line: &str) -> Option<(String, u32, String)> {
    let (file, rest) = line.split_once("_test.go:")?;
    let (number, words) = rest.split_once(": ")?;
    Some((file.to_owned(), number.parse().ok()?, words.to_owned()))
}

/// `sdk/a_test.go:7 +0x1d`: the first place in the package that a panic passed.
fn frame(line: &str) -> Option<(String, u32)> {
    let (file, rest) = line.strip_prefix("sdk/").and_then(|_| line.split_once(".go:"))?;
    let number = rest.split_whitespace().next()?;
    Some((format!("{file}.go"), number.parse().ok()?))
}

/// Only the file's name is told; a test in a directory of its own keeps the name alone.
fn set(failed: Option<&mut Diagnostic>, (file, line, words): (String, u32, String)) {
    if let Some(failed) = failed.filter(|failed| failed.line.is_none()) {
        failed.message = format!("{}: {words}", failed.symbol.as_deref().unwrap_or_default());
        failed.file = Some(format!("sdk/{file}_test.go"));
        failed.line = Some(line);
    }
}

/// Tests of the package that did not say how they ended, though `go test` did well: a package whose code ends the process
/// with exit code 0 counts for `go` as one whose tests passed.
pub(super) fn without_outcome(package: &Path, files: &[String], log: &str) -> Vec<String> {
    let nested: Vec<&str> = files.iter().filter_map(|file| file.strip_suffix("/go.mod")).collect();
    let mut expected: BTreeMap<String, usize> = BTreeMap::new();
    for file in files.iter().filter(|file| file.ends_with("_test.go")) {
        let aside = |part: &str| part == "testdata" || part == "vendor" || part.starts_with(['_', '.']);
        let elsewhere = nested.iter().any(|module| file.strip_prefix(module).is_some_and(|rest| rest.starts_with('/')));
        if elsewhere || file.split('/').any(aside) || is_of_another_platform(file) {
            continue;
        }
        let text = std::fs::read_to_string(package.join(file)).unwrap_or_default();
        if !text.lines().any(|line| line.starts_with("//go:build ") || line.starts_with("// +build ")) {
            // A file that cannot be looked into may hold any test, so that it is one without an outcome.
            for test in tests(&text).unwrap_or_else(|| vec![file.clone()]) {
                *expected.entry(test).or_default() += 1;
            }
        }
    }
    let ended = |name: &str| {
        let said = |outcome: &str| log.matches(&format!("--- {outcome}: {name} (")).count();
        said("PASS") + said("SKIP") + said("FAIL")
    };
    expected.into_iter().filter(|(name, count)| ended(name) < *count).map(|(name, _)| name).collect()
}

/// Whether one test passed, and not all were skipped.
pub(super) fn some_passed(log: &str) -> bool {
    log.lines().any(|line| line.starts_with("--- PASS: "))
}

/// `func TestX(t *testing.T)`, without methods and `TestMain`; `None` for a text that cannot be looked into.
fn tests(text: &str) -> Option<Vec<String>> {
    let tree = parse(&tree_sitter_go::LANGUAGE.into(), text)?;
    let functions = all(tree.root_node()).into_iter().filter(|node| node.kind() == "function_declaration");
    let is_test = |name: &str| {
        let rest = name.strip_prefix("Test");
        name != "TestMain" && rest.is_some_and(|rest| !rest.starts_with(char::is_lowercase))
    };
    let names = functions
        .filter(|one| field(*one, "parameters").is_some_and(|parameters| named_children(parameters).count() == 1))
        .filter_map(|one| field(one, "name"));
    Some(names.map(|name| text_of(name, text).to_owned()).filter(|name| is_test(name)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failed_test_has_its_name_its_place_and_its_words() {
        let log = "ok  \tx/internal\t0.1s\n--- FAIL: TestA (0.00s)\n    a_test.go:7: got 1: not 2\n    a_test.go:8: more\n--- FAIL: TestB (0.00s)\nFAIL\n";
        let found = failures(log);
        let shown: Vec<_> = found.iter().map(|one| format!("{} {}", one.place(), one.message)).collect();
        assert_eq!(shown, ["sdk/a_test.go:7 TestA: got 1: not 2", "go test TestB failed"]);
    }

    #[test]
    fn place_that_a_running_test_reports_stands_before_its_end() {
        let log = "=== RUN   TestA\n    a_test.go:7: got 1: not 2\n--- FAIL: TestA (0.00s)\n=== RUN   TestC\n    a_test.go:9: fine\n--- PASS: TestC (0.00s)\n=== RUN   TestB\n--- FAIL: TestB (0.00s)\nFAIL\n";
        let found = failures(log);
        let shown: Vec<_> = found.iter().map(|one| format!("{} {}", one.place(), one.message)).collect();
        assert_eq!(shown, ["sdk/a_test.go:7 TestA: got 1: not 2", "go test TestB failed"]);
    }

    #[test]
    fn panic_has_its_words_and_the_first_place_in_the_package() {
        let stack = "goroutine 1 [running]:\nw_test.run(0x36)\n\tsdk/utils_test.go:52 +0x4f1\nw_test.TestMain(0x1)\n\tsdk/utils_test.go:42 +0x13\n";
        let shown = |log: &str| -> Vec<_> {
            failures(log).iter().map(|one| format!("{} {}", one.place(), one.message)).collect()
        };
        let log = format!("panic: no root for 'sdk'\n\n{stack}FAIL\tw\t0.1s\n--- FAIL: TestB (0.00s)\nFAIL\n");
        assert_eq!(shown(&log)[0], "sdk/utils_test.go:52 panic: no root for 'sdk'");
        let log = format!(
            "--- FAIL: TestA (0.00s)\npanic: boom [recovered]\n\tpanic: boom\n\ngoroutine 7 [running]:\ntesting.tRunner()\n\t/go/testing.go:1 +0x1\n{stack}FAIL\tw\t0.1s\n"
        );
        assert_eq!(shown(&log), ["sdk/utils_test.go:52 TestA: panic: boom"]);
        // A stack that was cut ends with the log.
        assert_eq!(shown("panic: boom\n"), ["go test panic: boom"]);
    }

    #[test]
    fn tests_that_were_all_skipped_did_not_pass() {
        assert!(!some_passed("=== RUN   TestA\n--- SKIP: TestA (0.00s)\nPASS\nok  \tw\t0.1s\n"));
        assert!(!some_passed("?   \tw\t[no test files]\n"));
        assert!(some_passed("--- SKIP: TestA (0.00s)\n=== RUN   TestB\n--- PASS: TestB (0.00s)\nPASS\n"));
    }

    #[test]
    fn test_without_an_outcome_is_found_and_other_functions_are_not() {
        let directory = tempfile::tempdir().unwrap();
        let files: Vec<String> = [
            ("a_test.go", "package w\nfunc TestA(t *testing.T) {}\nfunc TestB(t *testing.T) {}\nfunc TestMain(m *testing.M) {}\nfunc Testify(t *testing.T) {}\nfunc (s S) TestC(t *testing.T) {}\nfunc TestHelper(t *testing.T, n int) {}\n"),
            ("b_windows_test.go", "package w\nfunc TestW(t *testing.T) {}\n"),
            ("c_test.go", "//go:build live\n\npackage w\nfunc TestLive(t *testing.T) {}\n"),
            ("nested/go.mod", "module n\n"),
            ("nested/n_test.go", "package n\nfunc TestN(t *testing.T) {}\n"),
            ("testdata/d_test.go", "package d\nfunc TestD(t *testing.T) {}\n"),
            ("sub/a_test.go", "package s\nfunc TestA(t *testing.T) {}\n"),
        ]
        .into_iter()
        .map(|(file, content)| {
            crate::laid_out::write(directory.path(), file, content);
            file.to_owned()
        })
        .collect();
        let missing = |log: &str| without_outcome(directory.path(), &files, log);
        assert_eq!(missing("ok  \tw\t0.1s\n"), ["TestA", "TestB"]);
        assert_eq!(missing("--- PASS: TestA (0.00s)\n--- SKIP: TestB (0.00s)\n"), ["TestA"]);
        // A file that is too deep to be looked into hides no test.
        let deep = format!("package w\nfunc TestD(t *testing.T) {{ _ = {}1{} }}\n", "(".repeat(2000), ")".repeat(2000));
        std::fs::write(directory.path().join("d_test.go"), deep).unwrap();
        let ended =
            "--- PASS: TestA (0.00s)\n--- SKIP: TestB (0.00s)\n--- PASS: TestA (0.00s)\n--- PASS: TestD (0.00s)\n";
        let files: Vec<String> = files.iter().cloned().chain(["d_test.go".to_owned()]).collect();
        assert_eq!(without_outcome(directory.path(), &files, ended), ["d_test.go"]);
        assert!(missing("x--- PASS: TestA (0.00s)\n--- SKIP: TestB (0.00s)\n--- PASS: TestA (0.00s)\n").is_empty());
    }
}
