//! What test runners print and report, among it whatever the tests of a package print.

use bailiwick_fuzz::Target;

use super::{counts, go, pytest};

#[test]
fn test_reports() {
    const WORDS: &[&str] = &[
        "--- FAIL: TestA (0.00s)\n",
        "    a_test.go:7: words\n",
        "=== RUN   TestA\n",
        "Tests run: 5, Failures: 0\n",
        "Test summary: total: ",
        "Passed: ",
        "No tests to run",
        "{\"n\":1,\"event\":\"finished\",\"code\":0}\n",
        "{\"n\":1,\"event\":\"passed\",\"test\":\"a\"}\n",
        "99999999999999999999",
        "\n",
        " ",
    ];
    Target { name: "test_reports", words: WORDS }.run_text(|text| {
        let _ = (counts::some_passed(text), counts::some_failed(text));
        assert!(go::failures(text).len() <= text.matches("--- FAIL: ").count());
        // Without the key no report is a success.
        assert!(!pytest::passes(text));
    });
}
