//! The official conformance suite at both revisions of the protocol, against the real binary over HTTP.
//!
//! What the suite calls by name are the tools, resources and prompts of a component (`tests/conformance-fixtures`) that is
//! added as a person adds one. A scenario that finds nothing to test would pass too, so checks are counted.

use bailiwick_tests::{Conformance, HttpServer, binary, cache_of, conformance_fixtures};
use std::collections::BTreeSet;
use std::process::Command;

/// A revision, the scenarios of it that count, and how many checks pass at least.
const REVISIONS: [(&str, usize, usize); 2] = [("2025-11-25", 33, 83), ("2026-07-28", 50, 157)];

const NO_TASK_TOOLS: &str = "the fixtures have none of the tools whose calls are to become tasks";

/// Scenarios that the suite runs and does not count, as what they ask for is no part of a revision, and why they fail.
const UNCOUNTED: [(&str, &str); 9] = [
    ("tasks-capability-negotiation", NO_TASK_TOOLS),
    ("tasks-dispatch-and-envelope", NO_TASK_TOOLS),
    ("tasks-lifecycle", NO_TASK_TOOLS),
    ("tasks-mrtr-composition", NO_TASK_TOOLS),
    ("tasks-mrtr-input", NO_TASK_TOOLS),
    ("tasks-request-headers", NO_TASK_TOOLS),
    ("tasks-request-state-removal", NO_TASK_TOOLS),
    ("tasks-required-task-error", NO_TASK_TOOLS),
    ("tasks-wire-fields", NO_TASK_TOOLS),
];

#[test]
fn official_suite_finds_no_fault_at_either_revision() {
    let base = tempfile::Builder::new().prefix("bailiwick-mcp-").tempdir().expect("a directory");
    let added = Command::new(binary())
        .args(["tool", "add"])
        .arg(conformance_fixtures())
        .args(["--name", "conformance"])
        .current_dir(base.path())
        .env("BAILIWICK_STATE_DIR", base.path().join("state"))
        .env("BAILIWICK_CACHE_DIR", cache_of(base.path()))
        .output()
        .expect("the binary starts");
    assert!(added.status.success(), "{}", String::from_utf8_lossy(&added.stderr));
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
