//! What has no authority behind it, and what a grant puts behind it.

use super::{came, inert, with};
use crate::common::limits;
use bailiwick_sandbox::{CallError, Capabilities, Clocks, Grants, HostFailure, Limits, Random};
use serde_json::json;

#[test]
fn nothing_of_this_process_is_seen() {
    assert!(std::env::vars_os().count() > 0);
    let seen = came(&inert("environment", "", 0, &limits()));
    assert_eq!(seen, json!({ "variables": [], "arguments": [], "directory": null }));
    assert_eq!(came(&inert("terminals", "", 0, &limits())), json!([false, false, false]));
    assert_eq!(came(&inert("stdin", "", 0, &limits())), json!("closed"));
}

#[test]
fn environment_is_what_was_granted_and_no_more() {
    let some = Capabilities { environment: vec![("LANG".into(), "C".into())], ..Capabilities::whole_wasi() };
    let seen = came(&with(&some, &Grants::none(), "environment", "", 0, &limits()));
    assert_eq!(seen["variables"], json!([["LANG", "C"]]));
}

#[test]
fn sockets_and_names_are_refused_and_on_record() {
    let report = inert("sockets", "", 0, &limits());
    let refused = json!({ "Err": "access-denied" });
    assert_eq!(came(&report), json!([refused, refused, refused]));
    assert_eq!((report.cost.denied, report.denials[0].operation), (3, "create-tcp-socket"));
    for name in ["localhost", "127.0.0.1", "example.com", "\u{1b}[2J"] {
        let report = inert("resolve", name, 0, &limits());
        assert_eq!(came(&report), refused, "{name}");
        assert_eq!((report.denials[0].operation, report.denials[0].path.as_str()), ("resolve-addresses", name));
    }
}

#[test]
fn exit_ends_the_call_as_a_failure_that_says_the_last_words() {
    for number in [0, 1] {
        let report = inert("exit", "bye\u{1b}[31m\n", number, &limits());
        let Err(CallError::Host(HostFailure::Trap(reason))) = &report.outcome else {
            panic!("{:?}", report.outcome);
        };
        assert!(reason.contains(&format!("exit code {number}")) && reason.contains("bye"), "{reason}");
        assert!(!reason.contains('\u{1b}'), "{reason}");
    }
}

#[test]
fn printing_without_end_costs_the_guest_and_not_the_host() {
    let text = "x".repeat(4096);
    let report = inert("print", &text, 5_000, &Limits { deadline: std::time::Duration::from_secs(60), ..limits() });
    assert_eq!(came(&report), json!(5_000));
    assert!(report.outcome.unwrap().len() < 100, "nothing of it is in the answer");
}

#[test]
fn clocks_stand_still_and_waiting_moves_them_by_what_was_waited_for() {
    for _ in 0..2 {
        let seen = came(&inert("clocks", "", 20, &limits()));
        assert_eq!(seen, json!([[[946_684_800, 0], 0], [[946_684_800, 20_000_000], 20_000_000]]));
    }
}

#[test]
fn granted_clocks_are_those_of_the_machine() {
    let granted = Capabilities { clocks: Clocks::System, ..Capabilities::whole_wasi() };
    let before = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    let seen = came(&with(&granted, &Grants::none(), "clocks", "", 20, &limits()));
    let seconds = |at: usize| seen[at][0][0].as_u64().unwrap();
    assert!(seconds(0) >= before && seconds(1) < before + 60, "{seen}");
    let passed = seen[1][1].as_u64().unwrap() - seen[0][1].as_u64().unwrap();
    assert!(passed >= 20_000_000, "{passed}");
}

#[test]
fn random_bytes_are_the_same_in_every_call_until_granted() {
    let call = |random| {
        let granted = Capabilities { random, ..Capabilities::whole_wasi() };
        came(&with(&granted, &Grants::none(), "random", "", 16, &limits()))
    };
    assert_eq!(call(Random::Fixed), call(Random::Fixed));
    let (one, other) = (call(Random::System), call(Random::System));
    for part in 0..5 {
        assert_ne!(one[part], other[part], "part {part}");
    }
    assert_eq!(one[0].as_array().map(Vec::len), Some(16));
}

#[test]
fn random_bytes_are_bounded_in_one_request_and_in_all() {
    // A tebibyte; and a mebibyte at a time. (CVE-2026-27204)
    for (attempt, number) in [("random", 1 << 40), ("random", u64::MAX), ("random-in-a-loop", 1 << 20)] {
        for random in [Random::Fixed, Random::System] {
            let granted = Capabilities { random, ..Capabilities::whole_wasi() };
            let report = with(&granted, &Grants::none(), attempt, "", number, &limits());
            let limit = limits().output_bytes as u64;
            assert_eq!(report.outcome, Err(CallError::Host(HostFailure::Random { limit })), "{attempt} {number}");
        }
    }
}

#[test]
fn call_leaves_nothing_to_the_next_one() {
    // Whatever one call printed or waited for, the next one starts anew.
    inert("print", "left over", 1, &limits());
    inert("clocks", "", 5, &limits());
    let seen = came(&inert("clocks", "", 1, &limits()));
    assert_eq!(seen[0], json!([[946_684_800, 0], 0]));
    let report = inert("exit", "", 0, &limits());
    let reason = report.outcome.unwrap_err().to_string();
    assert!(!reason.contains("left over"), "{reason}");
}
