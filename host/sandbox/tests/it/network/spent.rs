//! What a call may spend on requests, and that no server can hold it longer than its deadline.

use super::server::{Server, Wire};
use super::world::{World, private, sandbox};
use bailiwick_sandbox::http::Scheme;
use bailiwick_sandbox::{CallError, DenialReason, HostFailure};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn world(server: &Server) -> World {
    World::new(vec![private(Scheme::Http, "127.0.0.1", server.port(), &["GET", "POST"])])
}

fn get(server: &Server, path: &str) -> Value {
    json!({ "scheme": "http", "authority": server.address.to_string(), "path": path })
}

#[test]
fn flood_of_requests_ends_at_the_limit_and_is_on_record() {
    let server = Server::start(Wire::Plain);
    let mut world = world(&server);
    world.http.requests = 3;
    let (answers, report) = world.ask(&json!(vec![get(&server, "/"); 30]));
    assert_eq!(answers.iter().filter(|answer| answer["status"] == 200).count(), 3);
    assert_eq!(answers.iter().filter(|answer| answer["err"] == "ConnectionLimitReached").count(), 27);
    assert_eq!((report.cost.requests, report.cost.denied, report.denials.len()), (3, 27, 16));
    assert!(report.denials.iter().all(|denial| denial.reason == DenialReason::Budget));
    assert_eq!(server.connections(), 3);
}

#[test]
fn more_requests_than_handles_end_the_call() {
    let server = Server::start(Wire::Plain);
    let mut world = world(&server);
    world.limits.handles = 8;
    let report = world.report(&json!(vec![get(&server, "/"); 30]));
    assert!(matches!(report.outcome, Err(CallError::Host(HostFailure::Handles { limit: 8 }))), "{:?}", report.outcome);
}

#[test]
fn answer_without_an_end_is_broken_off_at_the_limit() {
    let server = Server::start(Wire::Plain);
    let mut world = world(&server);
    world.http.response_bytes = 100_000;
    let (answer, report) = world.one(&get(&server, "/endless"));
    assert_eq!(answer["err"], "HttpResponseBodySize", "{answer}");
    assert!(report.cost.received_bytes <= 100_000);
    // All answers of a call together have that room, not each.
    world.http.response_bytes = 12;
    let (answers, _) = world.ask(&json!(vec![get(&server, "/"); 3]));
    assert_eq!(answers.iter().filter(|answer| answer["err"] == "HttpResponseBodySize").count(), 1, "{answers:?}");
    world.http.header_bytes = 8 << 10;
    let (answer, _) = world.one(&get(&server, "/many-headers"));
    assert_eq!(answer["err"], "HttpResponseHeaderSectionSize", "{answer}");
}

#[test]
fn body_that_is_too_long_is_not_sent() {
    let server = Server::start(Wire::Plain);
    let mut world = world(&server);
    world.http.request_bytes = 1000;
    let request = json!({ "method": "POST", "scheme": "http", "authority": server.address.to_string(),
        "body": "x".repeat(1001), "after": true });
    let (answer, _) = world.one(&request);
    assert_eq!(answer["err"], "HttpRequestBodySize", "{answer}");
    assert_eq!(server.connections(), 0);
}

#[test]
fn server_that_drips_or_hangs_and_a_body_that_is_not_read_hold_no_call_beyond_its_deadline_and_no_thread() {
    let server = Server::start(Wire::Plain);
    let mut world = world(&server);
    world.limits.deadline = Duration::from_millis(400);
    let unsent = json!({ "method": "POST", "scheme": "http", "authority": server.address.to_string(),
        "body": "x".repeat(4096), "repeat": 2000, "unsent": true });
    for request in [get(&server, "/drip"), get(&server, "/hang"), unsent] {
        let started = Instant::now();
        let report = world.report(&json!([request]));
        assert!(matches!(report.outcome, Err(CallError::Host(HostFailure::Deadline(_)))), "{:?}", report.outcome);
        // Far less than what the servers would take; how much is the machine's business.
        assert!(started.elapsed() < Duration::from_secs(10));
    }
    assert_eq!(sandbox().stuck(), 0);
}
