//! What Maven and `dotnet test` say about how many tests passed.

/// Whether at least one test passed, and not all were skipped; `None` where the output has no count that is known here, as with a logger of the
/// package's own.
///
/// - Surefire: `Tests run: 5, Failures: 0, Errors: 0, Skipped: 1`, `No tests to run.`, `Tests are skipped.`
/// - `dotnet test`: `Passed!  - Failed: 0, Passed: 5, Skipped: 0, Total: 5`, `Test summary: total: 5, failed: 0, …`,
///   `No test is available in …`
pub(super) fn some_passed(log: &str) -> Option<bool> {
    const NONE: [&str; 3] = ["No tests to run", "Tests are skipped", "No test is available in"];
    let mut known = None;
    for line in log.lines() {
        if NONE.iter().any(|words| line.contains(words)) {
            known = known.or(Some(false));
        }
        let ran = number(line, "Tests run: ");
        let surefire = ran.map(|ran| ran.saturating_sub(number(line, "Skipped: ").unwrap_or_default()));
        let summary = number(line, "Test summary: total: ").map(|total| number(line, "succeeded: ").unwrap_or(total));
        for passed in [surefire, summary, number(line, "Passed: ")].into_iter().flatten() {
            known = Some(known == Some(true) || passed > 0);
        }
    }
    known
}

/// Whether a summary counts a test that failed. A project may have its runner end with 0 all the same (`testFailureIgnore`).
pub(super) fn some_failed(log: &str) -> bool {
    let counts = ["Failures: ", "Errors: ", "Failed: ", "failed: "];
    let summary = |line: &&str| {
        ["Tests run: ", "Passed: ", "Test summary: total: "].iter().any(|words| number(line, words).is_some())
    };
    log.lines().filter(summary).any(|line| counts.iter().any(|words| number(line, words).is_some_and(|one| one > 0)))
}

/// The number behind these words.
fn number(line: &str, words: &str) -> Option<u64> {
    let (_, rest) = line.split_once(words)?;
    rest.trim_start().split(|one: char| !one.is_ascii_digit()).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{some_failed, some_passed};

    #[test]
    fn failed_tests_are_counted_in_each_summary() {
        for (log, expected) in [
            ("[ERROR] Tests run: 2, Failures: 2, Errors: 0, Skipped: 0", true),
            ("[WARNING] Tests run: 2, Failures: 0, Errors: 1, Skipped: 0\n[INFO] BUILD SUCCESS", true),
            ("Failed!  - Failed:     1, Passed:     4, Skipped:     0, Total:     5", true),
            ("Test summary: total: 5, failed: 2, succeeded: 3, skipped: 0", true),
            ("[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 1", false),
            ("Errors: 5\nFailed: 3", false),
        ] {
            assert_eq!(some_failed(log), expected, "{log}");
        }
    }

    #[test]
    fn counts_of_both_runners_are_read() {
        for (log, expected) in [
            ("[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 1", Some(true)),
            ("[INFO] Tests run: 0, Failures: 0, Errors: 0, Skipped: 0", Some(false)),
            ("[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 5", Some(false)),
            ("Passed!  - Failed:     0, Passed:     0, Skipped:     5, Total:     5", Some(false)),
            ("Test summary: total: 5, failed: 0, succeeded: 0, skipped: 5", Some(false)),
            ("[INFO] No tests to run.\n[INFO] BUILD SUCCESS", Some(false)),
            ("[INFO] Tests are skipped.", Some(false)),
            ("[INFO] No tests to run.\n[INFO] Tests run: 1, Failures: 0", Some(true)),
            ("Passed!  - Failed:     0, Passed:     5, Skipped:     0, Total:     5", Some(true)),
            ("Test summary: total: 0, failed: 0, succeeded: 0", Some(false)),
            ("No test is available in /a/b.dll.", Some(false)),
            ("[INFO] BUILD SUCCESS", None),
        ] {
            assert_eq!(some_passed(log), expected, "{log}");
        }
    }
}
