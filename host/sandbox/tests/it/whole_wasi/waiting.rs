//! Waiting, and handles on things to wait for: bounded by the deadline and by the limit of handles.

use super::{came, inert, sandbox};
use crate::common::{block_on, limits};
use bailiwick_sandbox::{CallError, Capabilities, Grants, HostFailure, Limits};
use serde_json::json;
use std::time::{Duration, Instant};

const SHORT: Duration = Duration::from_millis(300);

#[test]
fn guest_that_sleeps_ends_at_its_deadline_and_its_worker_is_free() {
    let short = Limits { deadline: SHORT, ..limits() };
    for attempt in ["sleep-for-ever", "poll-for-ever", "poll-in-a-loop"] {
        let started = Instant::now();
        let report = inert(attempt, "", 0, &short);
        // By the guest's own worker, and not by the watchdog that gives a worker up.
        assert_eq!(report.outcome, Err(CallError::Host(HostFailure::Deadline(SHORT))), "{attempt}");
        assert!(started.elapsed() < SHORT + Duration::from_secs(5), "{attempt}: {:?}", started.elapsed());
        assert_eq!(sandbox().stuck(), 0, "{attempt}");
    }
    assert_eq!(came(&inert("poll", "", 0, &limits())), json!([1, 2]));
}

#[test]
fn guest_that_sleeps_is_stopped_when_its_caller_goes() {
    // Workers of its own, which are free.
    let sandbox = crate::common::sandbox();
    let tool = block_on(sandbox.load(&super::bytes(), &Capabilities::whole_wasi())).unwrap();
    let patient = Limits { deadline: Duration::from_secs(600), ..limits() };
    let input = json!({ "attempt": "sleep-for-ever" }).to_string();
    block_on(async {
        // Twice as many as there are workers: one that stayed would keep the last call waiting.
        for _ in 0..4 {
            let grants = Grants::none();
            let call = sandbox.call(&tool, &grants, &input, &patient);
            assert!(tokio::time::timeout(Duration::from_millis(300), call).await.is_err());
        }
    });
    let brief = Limits { deadline: Duration::from_secs(20), ..limits() };
    let last = block_on(sandbox.call(&tool, &Grants::none(), r#"{"attempt":"poll"}"#, &brief));
    assert_eq!((came(&last), sandbox.stuck()), (json!([1, 2]), 0));
}

#[test]
fn handles_on_anything_are_counted_together() {
    // A million of each. (CVE-2026-27204, GHSA-q554-3cjc-rx7p)
    let limit = limits().handles;
    for attempt in ["pollables", "streams", "networks"] {
        let report = inert(attempt, "", 1_000_000, &limits());
        assert_eq!(report.outcome, Err(CallError::Host(HostFailure::Handles { limit })), "{attempt}");
        assert_eq!(came(&inert(attempt, "", 50, &limits())), json!(50), "{attempt}");
    }
}

#[test]
fn list_of_pollables_is_no_longer_than_there_can_be() {
    let limit = limits().handles;
    // The engine counts what is lent to a call as well, and stops a longer list.
    for number in [limit as u64 + 50, 1_000_000] {
        let report = inert("poll-the-same", "", number, &limits());
        assert_eq!(report.outcome, Err(CallError::Host(HostFailure::Handles { limit })), "{number}");
    }
    assert_eq!(came(&inert("poll-the-same", "", 100, &limits())), json!(100));
}
