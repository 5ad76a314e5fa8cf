//! What a collector gets of a real `bailiwick agent run`, and what a command does without one.

mod collector;
mod desk;

use collector::{Collector, Request, Span};
use desk::Desk;
use std::net::TcpListener;

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const PARENT: &str = "b7ad6b7169203331";

fn named<'a>(spans: &'a [Span], name: &str) -> Vec<&'a Span> {
    spans.iter().filter(|span| span.name == name).collect()
}

#[track_caller]
fn one<'a>(spans: &'a [Span], name: &str) -> &'a Span {
    match named(spans, name)[..] {
        [span] => span,
        ref found => panic!("{} spans `{name}` in {spans:#?}", found.len()),
    }
}

#[test]
fn agent_run_is_a_tree_of_spans_with_the_names_of_the_conventions() {
    let (desk, collector) = (Desk::new(), Collector::start());
    let answer = desk.run(&[
        ("OTEL_EXPORTER_OTLP_ENDPOINT", &collector.address()),
        ("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer%20word"),
        ("OTEL_SERVICE_NAME", "desk"),
        ("TRACEPARENT", &format!("00-{TRACE}-{PARENT}-01")),
    ]);
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    let requests = collector.requests();
    for Request { path, authorization, service, .. } in &requests {
        assert_eq!(path, "/v1/traces");
        assert_eq!(authorization, "Bearer word");
        assert_eq!(service, "desk");
    }
    let spans: Vec<Span> = requests.into_iter().flat_map(|request| request.spans).collect();
    assert!(spans.iter().all(|span| span.trace == TRACE), "{spans:#?}");

    let root = one(&spans, "bailiwick agent run");
    assert_eq!((root.parent.as_str(), root.kind.as_str()), (PARENT, "INTERNAL"));
    assert_eq!(root.attribute("exit_code"), "0");

    let agent = one(&spans, "invoke_agent reader");
    assert_eq!((&agent.parent, agent.kind.as_str()), (&root.id, "INTERNAL"));
    for (key, value) in [
        ("gen_ai.operation.name", "invoke_agent"),
        ("gen_ai.agent.name", "reader"),
        ("gen_ai.provider.name", "script"),
        ("gen_ai.request.model", "steps.toml"),
        ("gen_ai.usage.input_tokens", "0"),
        ("gen_ai.usage.output_tokens", "0"),
        ("turns", "3"),
        ("tool_calls", "3"),
    ] {
        assert_eq!(agent.attribute(key), value, "{key}");
    }
    assert!(!agent.failed && !agent.has("error.type"), "{agent:#?}");

    let turns = named(&spans, "chat steps.toml");
    assert_eq!(turns.len(), 3, "{spans:#?}");
    for turn in turns {
        assert_eq!((&turn.parent, turn.kind.as_str()), (&agent.id, "INTERNAL"), "a script answers in this process");
        assert_eq!(turn.attribute("gen_ai.operation.name"), "chat");
        assert_eq!(turn.attribute("gen_ai.provider.name"), "script");
        assert_eq!(turn.attribute("gen_ai.request.model"), "steps.toml");
    }

    let mut calls = named(&spans, "execute_tool ReadFile");
    assert_eq!(calls.len(), 2, "{spans:#?}");
    calls.sort_by_key(|call| call.failed);
    for call in &calls {
        assert_eq!(call.parent, agent.id);
        assert_eq!(call.attribute("gen_ai.operation.name"), "execute_tool");
        assert_eq!(call.attribute("gen_ai.tool.name"), "ReadFile");
        assert_eq!(call.attribute("gen_ai.tool.type"), "function");
        assert!(!call.attribute("gen_ai.tool.call.id").is_empty());
    }
    assert_ne!(calls[0].attribute("gen_ai.tool.call.id"), calls[1].attribute("gen_ai.tool.call.id"));
    assert!(!calls[0].failed && !calls[0].has("error.type"), "{calls:#?}");
    assert!(calls[1].failed);
    assert_eq!(calls[1].attribute("error.type"), "not-found");
}

#[test]
fn nothing_of_what_was_said_read_or_written_is_sent() {
    let (desk, collector) = (Desk::new(), Collector::start());
    let answer = desk.run(&[("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", &format!("{}/v1/traces", collector.address()))]);
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    assert!(answer.stdout.contains(desk::CONTENT), "the canary was read: {}", answer.stdout);
    let requests = collector.requests();
    assert!(!requests.is_empty());
    for request in requests {
        let text = String::from_utf8_lossy(&request.body);
        for canary in [desk::CONTENT, desk::INSTRUCTIONS, desk::ARGUMENT] {
            assert!(!text.contains(canary), "`{canary}` was sent: {text}");
        }
    }
}

#[test]
fn failed_agent_is_a_failed_span_of_a_trace_of_its_own() {
    let (desk, collector) = (Desk::new(), Collector::start());
    desk.limit_calls(1);
    let answer = desk.run(&[("OTEL_EXPORTER_OTLP_ENDPOINT", &collector.address()), ("TRACEPARENT", "00-no-parent-01")]);
    assert_eq!(answer.code, 1, "{}", answer.stderr);
    let requests = collector.requests();
    assert_eq!(requests[0].service, "bailiwick");
    let spans: Vec<Span> = requests.into_iter().flat_map(|request| request.spans).collect();
    assert_eq!(one(&spans, "bailiwick agent run").parent, "");
    assert_eq!(one(&spans, "bailiwick agent run").attribute("exit_code"), "1");
    let agent = one(&spans, "invoke_agent reader");
    assert!(agent.failed);
    assert_eq!(agent.attribute("error.type"), "exceeded_tool_calls");
}

#[test]
fn nothing_is_sent_and_nothing_said_where_no_collector_is_named() {
    let (desk, collector) = (Desk::new(), Collector::start());
    let address = collector.address();
    for environment in [
        vec![("OTEL_SERVICE_NAME", "desk")],
        vec![("OTEL_EXPORTER_OTLP_ENDPOINT", ""), ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "")],
        vec![("OTEL_EXPORTER_OTLP_ENDPOINT", address.as_str()), ("OTEL_SDK_DISABLED", "true")],
    ] {
        let answer = desk.run(&environment);
        assert_eq!(answer.code, 0, "{}", answer.stderr);
        assert!(!answer.stderr.contains("OpenTelemetry"), "{}", answer.stderr);
    }
    assert!(collector.requests().is_empty());
}

#[test]
fn collector_that_is_not_there_or_refuses_costs_one_warning_and_no_success() {
    let desk = Desk::new();
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let refusing = Collector::answering(401);
    for (endpoint, reason) in [
        (format!("http://{closed}"), "network error"),
        (refusing.address(), "status code: 401"),
        ("http://user:password@[".to_owned(), "cannot be used"),
    ] {
        let answer = desk.run(&[("OTEL_EXPORTER_OTLP_ENDPOINT", &endpoint)]);
        assert_eq!(answer.code, 0, "{}", answer.stderr);
        assert!(answer.stdout.contains(desk::CONTENT));
        let warnings: Vec<_> = answer.stderr.lines().filter(|line| line.starts_with("warning: ")).collect();
        assert_eq!(warnings.len(), 1, "{}", answer.stderr);
        assert!(warnings[0].contains(reason), "{}", warnings[0]);
        assert!(!answer.stderr.contains("password"), "{}", answer.stderr);
    }
}

/// The collector takes the request and never answers, and the exporter may wait for ten minutes: a command that waited
/// for it would not end before this test is given up.
#[test]
fn collector_that_never_answers_does_not_keep_a_command_from_ending() {
    let (desk, silent) = (Desk::new(), TcpListener::bind("127.0.0.1:0").unwrap());
    let endpoint = format!("http://{}", silent.local_addr().unwrap());
    let answer = desk.run(&[("OTEL_EXPORTER_OTLP_ENDPOINT", &endpoint), ("OTEL_EXPORTER_OTLP_TIMEOUT", "600000")]);
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    assert!(answer.stderr.contains("it did not answer within 2 s"), "{}", answer.stderr);
    drop(silent);
}
