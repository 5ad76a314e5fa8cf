//! The official conformance suite at both revisions of the protocol, against the real binary over HTTP.
//!
//! What the suite calls by name are the tools, resources and prompts of a component (`tests/conformance-fixtures`) that is
//! added as a person adds one. A scenario that finds nothing to test would pass too, so checks are counted.

use bailiwick_tests::{Conformance, HttpServer, binary, cache_of, conformance_project};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::process::Command;

/// A revision, the scenarios of it that count, and how many checks pass at least.
const REVISIONS: [(&str, usize, usize); 2] = [("2025-11-25", 33, 83), ("2026-07-28", 50, 193)];

/// Scenarios that the suite runs and does not count, as what they ask for is no part of a revision, and why they fail. Those
/// of the extension for tasks are among them, and all but this one are to pass.
const UNCOUNTED: [(&str, &str); 1] = [(
    "tasks-required-task-error",
    "no tool of this server demands that its caller knows tasks: others wait for the answer",
)];

/// A text, a question, and an answer that says of itself that it is an error.
const CASES: &str = r#"
[[case]]
name = "the texts of the parts are the output"
tool = "greet"
input = { name = "you" }
expect = { output = { text = "Hello, you!" } }

[[case]]
name = "a question is an error"
tool = "test_elicitation"
input = { message = "Who are you?" }
expect = { error = "asks", message = "user" }

[[case]]
name = "an error in parts is one"
tool = "test_error_handling"
expect = { error = "failed" }
"#;

#[test]
fn official_suite_finds_no_fault_at_either_revision() {
    let base = tempfile::Builder::new().prefix("bailiwick-mcp-").tempdir().expect("a directory");
    let fixtures = conformance_project(base.path(), "conformance");
    let run = |arguments: &[&str]| {
        let output = Command::new(binary())
            .args(arguments)
            .current_dir(base.path())
            .env("BAILIWICK_STATE_DIR", base.path().join("state"))
            .env("BAILIWICK_CACHE_DIR", cache_of(base.path()))
            .output()
            .expect("the binary starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    };
    // What answers in parts has cases like any other tool; a question is an error of its own there.
    std::fs::create_dir(fixtures.join("tests")).expect("a directory");
    std::fs::write(fixtures.join("tests/parts.toml"), CASES).expect("cases");
    let tested: Value =
        serde_json::from_slice(&run(&["--json", "tool", "test", "--no-build", "conformance-project"])).expect("JSON");
    assert_eq!((&tested["passed"], &tested["failed"]), (&json!(3), &json!(0)), "{tested:#}");
    run(&["tool", "add", "conformance-project"]);
    let server = HttpServer::start(base.path(), &["--tool", "conformance"]);
    for (revision, scenarios, passing) in REVISIONS {
        let run = Conformance::run(&server, revision, base.path());
        let uncounted: BTreeSet<_> = UNCOUNTED.iter().map(|(scenario, _)| *scenario).collect();
        let failed: Vec<_> = run.checks.iter().filter(|check| check.status == "FAILURE").collect();
        let unexpected: Vec<_> = failed.iter().filter(|check| !uncounted.contains(check.scenario.as_str())).collect();
        assert!(unexpected.is_empty(), "{revision}: {unexpected:#?}");
        assert!(run.exit.success(), "{revision}\n{}", run.printed);
        let ran: BTreeSet<_> = run.checks.iter().map(|check| check.scenario.as_str()).collect();
        assert!(ran.len() >= scenarios, "{revision}: {ran:?}");
        let passed = run.count().get("SUCCESS").copied().unwrap_or_default();
        assert!(passed >= passing, "{revision}: {:?}", run.count());
        // What is listed as failing and does not fail is to be struck from the list.
        for scenario in uncounted.intersection(&ran) {
            assert!(failed.iter().any(|check| check.scenario == *scenario), "{revision}: `{scenario}` passes");
        }
    }
}
