//! What `go test` says of tests that failed.

use bailiwick_agent::tasks::Diagnostic;

use crate::scripts::general;

/// `--- FAIL: Name` with the place and the words in the lines below it.
pub(super) fn failures(log: &str) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    for line in log.lines() {
        if let Some(rest) = line.trim_start().strip_prefix("--- FAIL: ") {
            let name = rest.split_whitespace().next().unwrap_or(rest);
            let mut diagnostic = general("test-failed", "go test", format!("{name} failed"));
            diagnostic.symbol = Some(name.to_owned());
            found.push(diagnostic);
        } else if let Some(last) = found.last_mut().filter(|last| last.line.is_none())
            && let Some((file, rest)) = line.trim_start().split_once("_test.go:")
            && let Some((number, words)) = rest.split_once(": ")
            && let Ok(number) = number.parse()
        {
            // Only the file's name is told; a test in a directory of its own keeps the name alone.
            last.message = format!("{}: {words}", last.symbol.as_deref().unwrap_or_default());
            last.file = Some(format!("sdk/{file}_test.go"));
            last.line = Some(number);
        }
    }
    found
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
}
