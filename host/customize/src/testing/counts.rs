//! What Maven and `dotnet test` say about how many tests ran.

/// Whether at least one test ran; `None` where the output has no count that is known here, as with a logger of the
/// package's own.
///
/// - Surefire: `Tests run: 5, Failures: 0, Errors: 0, Skipped: 1`, `No tests to run.`, `Tests are skipped.`
/// - `dotnet test`: `Passed!  - Failed: 0, Passed: 5, Skipped: 0, Total: 5`, `Test summary: total: 5, failed: 0, …`,
///   `No test is available in …`
pub(super) fn some_ran(log: &str) -> Option<bool> {
    const NONE: [&str; 3] = ["No tests to run", "Tests are skipped", "No test is available in"];
    const COUNTS: [&str; 3] = ["Tests run: ", "Passed: ", "Test summary: total: "];
    let mut known = None;
    for line in log.lines() {
        if NONE.iter().any(|words| line.contains(words)) {
            known = known.or(Some(false));
        }
        for words in COUNTS {
            let count = line.split_once(words).map(|(_, rest)| rest.trim_start());
            let digits = count.map(|rest| rest.split(|one: char| !one.is_ascii_digit()).next().unwrap_or_default());
            if let Some(number) = digits.and_then(|digits| digits.parse::<u64>().ok()) {
                known = Some(known == Some(true) || number > 0);
            }
        }
    }
    known
}

#[cfg(test)]
mod tests {
    use super::some_ran;

    #[test]
    fn counts_of_both_runners_are_read() {
        for (log, expected) in [
            ("[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 1", Some(true)),
            ("[INFO] Tests run: 0, Failures: 0, Errors: 0, Skipped: 0", Some(false)),
            ("[INFO] No tests to run.\n[INFO] BUILD SUCCESS", Some(false)),
            ("[INFO] Tests are skipped.", Some(false)),
            ("[INFO] No tests to run.\n[INFO] Tests run: 1, Failures: 0", Some(true)),
            ("Passed!  - Failed:     0, Passed:     5, Skipped:     0, Total:     5", Some(true)),
            ("Test summary: total: 0, failed: 0, succeeded: 0", Some(false)),
            ("No test is available in /a/b.dll.", Some(false)),
            ("[INFO] BUILD SUCCESS", None),
        ] {
            assert_eq!(some_ran(log), expected, "{log}");
        }
    }
}
