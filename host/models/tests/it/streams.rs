//! Streamed answers: what comes of the pieces is what would have come in one piece, and nothing comes of fewer pieces.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::common::{KEY, Reply, StandIn, provider, quick, streams, turn};
use bailiwick_agent::{Backend, BackendError, TurnResponse, Usage};
use bailiwick_models::{Answering, Provider, Retries};
use serde_json::{Value, json};

/// Retries that give up at once.
fn once() -> Retries {
    Retries { attempts: 1, ..quick() }
}

fn of(dialect: &str, path: &str, server: &StandIn, retries: Retries) -> Provider {
    provider(&format!("{dialect}:m@{}{path}", server.address), retries).0
}

async fn answer(dialect: &str, path: &str, reply: Reply) -> Result<TurnResponse, BackendError> {
    let server = StandIn::serve(vec![reply]).await;
    of(dialect, path, &server, once()).turn(&turn()).await
}

/// With an event stream in place of the one of a dialect.
async fn events(dialect: &str, path: &str, events: &str) -> Result<TurnResponse, BackendError> {
    answer(dialect, path, Reply::Raw(streams::head(dialect) + events)).await
}

#[tokio::test]
async fn stream_comes_to_what_would_have_come_in_one_piece_whatever_its_pieces() {
    for (dialect, path) in streams::all() {
        let whole = answer(dialect, path, Reply::Json(200, &[], streams::whole(dialect))).await.unwrap();
        assert_eq!(whole.text, streams::TEXT, "{dialect}");
        let arguments: Vec<&Value> = whole.calls.iter().map(|call| &call.arguments).collect();
        assert_eq!(arguments, [&json!({"path": "c\\d \"é\n𝄞"}), &json!({"path": "d", "line": 2})], "{dialect}");
        let cached_input_tokens = if dialect == "ollama" { 0 } else { 5 };
        assert_eq!(whole.usage, Usage { input_tokens: 30, cached_input_tokens, output_tokens: 12 }, "{dialect}");
        for size in [1, 2, 3, 7, 1000] {
            let streamed = answer(dialect, path, Reply::Raw(streams::streamed(dialect, size))).await;
            assert_eq!(streamed.unwrap(), whole, "{dialect}, pieces of {size}");
        }
    }
}

#[tokio::test]
async fn stream_that_is_cut_is_never_an_answer() {
    // Every single byte is tried beside the code that reads them; here the connection ends for real.
    for (dialect, path) in streams::all() {
        let (head, body) = (streams::head(dialect), streams::body(dialect, 20));
        // The blank line behind the last piece says nothing.
        let last = body.trim_end().len();
        let cuts: Vec<usize> = (0..=body.len())
            .filter(|at| body.is_char_boundary(*at) && (at % 61 == 0 || *at + 30 > body.len()))
            .collect();
        let replies = cuts.iter().map(|at| Reply::Raw(format!("{head}{}", &body[..*at]))).collect();
        let server = StandIn::serve(replies).await;
        let provider = of(dialect, path, &server, once());
        for at in cuts {
            match provider.turn(&turn()).await {
                Ok(response) => {
                    assert!(at >= last, "{dialect}, cut at {at} of {last}: {response:?}");
                    assert_eq!((response.text.as_str(), response.calls.len()), (streams::TEXT, 2), "{dialect}, {at}");
                    assert_eq!(response.usage.total(), 42, "{dialect}, {at}");
                }
                Err(BackendError::Unavailable { message, .. }) => {
                    assert!(at < last && message.contains("broke off"), "{dialect}, cut at {at} of {last}: {message}");
                }
                Err(other) => panic!("{dialect}, cut at {at} of {last}: {other:?}"),
            }
        }
    }
}

#[tokio::test]
async fn cut_stream_is_sent_for_again_visibly() {
    for (dialect, path) in streams::all() {
        let whole = streams::streamed(dialect, 9);
        // Once with the connection closed, once with less than was announced.
        let closed = whole[..whole.floor_char_boundary(whole.len() * 2 / 3)].to_owned();
        let announced = closed.replacen("connection: close", "content-length: 1000000", 1);
        let server = StandIn::serve(vec![Reply::Raw(closed), Reply::Raw(announced), Reply::Raw(whole)]).await;
        let (provider, lines) = provider(&format!("{dialect}:m@{}{path}", server.address), quick());
        assert_eq!(provider.turn(&turn()).await.unwrap().text, streams::TEXT, "{dialect}");
        let lines = lines.lock().unwrap();
        assert_eq!(
            lines.iter().filter(|line| line.contains("broke off") && line.contains("again")).count(),
            2,
            "{lines:?}"
        );
    }
}

#[tokio::test]
async fn stream_that_stalls_is_given_up() {
    let retries = Retries { stall: Duration::from_millis(300), ..once() };
    for (dialect, path) in streams::all() {
        let whole = streams::streamed(dialect, 9);
        for at in [0, whole.floor_char_boundary(whole.len() / 2)] {
            let server = StandIn::serve(vec![Reply::Hang(whole[..at].to_owned())]).await;
            let error = of(dialect, path, &server, retries).turn(&turn()).await.unwrap_err();
            assert!(
                matches!(&error, BackendError::Unavailable { message, .. } if message.contains("nothing came")),
                "{dialect}: {error}"
            );
        }
        // What is whole is whole, though the connection stays open.
        let server = StandIn::serve(vec![Reply::Hang(whole)]).await;
        assert_eq!(of(dialect, path, &server, retries).turn(&turn()).await.unwrap().text, streams::TEXT, "{dialect}");
    }
}

#[tokio::test]
async fn endless_answer_ends_in_an_error_and_is_not_sent_for_again() {
    let json = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n";
    for (dialect, path) in streams::all() {
        let head = streams::head(dialect);
        let endless = [
            // Comments, one piece without an end, lines without an end, one JSON text without an end.
            (head.clone(), ": on and on\n\n".repeat(500)),
            (head.clone() + "data: {\"a\":\"", "x".repeat(8000)),
            (head, "\n".repeat(8000)),
            (json.to_owned(), " ".repeat(8000)),
        ];
        for (number, (head, more)) in endless.into_iter().enumerate() {
            let server = StandIn::serve(vec![Reply::Endless(head, more)]).await;
            let error = of(dialect, path, &server, quick()).turn(&turn()).await.unwrap_err();
            // A reader of JSON lines ignores comments.
            let is_told = error.to_string().contains("longer than") || (dialect == "ollama" && number == 0);
            assert!(matches!(error, BackendError::Malformed { .. }) && is_told, "{dialect}, {number}: {error}");
            assert_eq!(server.received().await.len(), 1, "{dialect}, {number}");
        }
        // Of an error without an end the beginning is enough.
        let error = "HTTP/1.1 400 X\r\ncontent-type: text/plain\r\nconnection: close\r\n\r\nno ".to_owned();
        let server = StandIn::serve(vec![Reply::Endless(error, "and no ".repeat(1000))]).await;
        let error = of(dialect, path, &server, once()).turn(&turn()).await.unwrap_err();
        assert!(matches!(error, BackendError::Refused { .. }) && error.to_string().len() < 500, "{error}");
    }
}

#[tokio::test]
async fn error_in_a_stream_is_told_and_tried_again_if_it_passes() {
    let cases = [
        ("openai", "/v1", "data: {\"error\":{\"message\":\"busy\",\"type\":\"server_error\"}}\n\n", true),
        ("openai", "/v1", "data: {\"error\":{\"message\":\"bad\",\"type\":\"invalid_request_error\"}}\n\n", false),
        (
            "anthropic",
            "/v1",
            "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"busy\"}}\n\n",
            true,
        ),
        (
            "anthropic",
            "/v1",
            "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"permission_error\",\"message\":\"bad\"}}\n\n",
            false,
        ),
        (
            "openai-responses",
            "/v1",
            "data: {\"type\":\"error\",\"code\":\"server_error\",\"message\":\"busy\"}\n\n",
            true,
        ),
        (
            "openai-responses",
            "/v1",
            "data: {\"type\":\"response.failed\",\"response\":{\"status\":\"failed\",\"output\":[],\"error\":{\"code\":\"server_error\",\"message\":\"busy\"}}}\n\n",
            true,
        ),
        (
            "gemini",
            "/v1beta",
            "data: {\"error\":{\"code\":503,\"message\":\"busy\",\"status\":\"UNAVAILABLE\"}}\n\n",
            true,
        ),
        ("ollama", "", "{\"error\":\"bad\"}\n", false),
    ];
    for (dialect, path, body, passes) in cases {
        let error = events(dialect, path, body).await.unwrap_err();
        assert_eq!(matches!(error, BackendError::Unavailable { .. }), passes, "{dialect}: {error}");
        assert_eq!(matches!(error, BackendError::Refused { .. }), !passes, "{dialect}: {error}");
        assert!(error.to_string().contains(if passes { "busy" } else { "bad" }), "{dialect}: {error}");
    }
}

#[tokio::test]
async fn refusal_in_a_stream_is_refused_and_nonsense_is_malformed() {
    let chat = |delta: &str, finish: &str| {
        format!("data: {{\"choices\":[{{\"index\":0,\"delta\":{delta},\"finish_reason\":{finish}}}]}}\n\n")
    };
    let refused =
        chat("{\"refusal\":\"I will \"}", "null") + &chat("{\"refusal\":\"not.\"}", "\"stop\"") + "data: [DONE]\n\n";
    let error = events("openai", "/v1", &refused).await.unwrap_err();
    assert!(matches!(&error, BackendError::Refused { message } if message == "I will not."), "{error:?}");
    let blocked = "data: {\"promptFeedback\":{\"blockReason\":\"SAFETY\"},\"usageMetadata\":{}}\n\n";
    assert!(matches!(events("gemini", "/v1beta", blocked).await, Err(BackendError::Refused { .. })));
    let unreadable = "data: {\"candidates\":[{\"finishReason\":\"MALFORMED_FUNCTION_CALL\"}]}\n\n";
    assert!(matches!(events("gemini", "/v1beta", unreadable).await, Err(BackendError::Malformed { .. })));
    for (dialect, path) in streams::DIALECTS {
        let error = events(dialect, path, "data: <html>\n\ndata: {}\n\n").await.unwrap_err();
        assert!(matches!(error, BackendError::Malformed { .. }), "{dialect}: {error:?}");
    }
    let strange =
        "data: {\"type\":\"content_block_delta\",\"index\":7,\"delta\":{\"type\":\"text_delta\",\"text\":\"x\"}}\n\n";
    assert!(matches!(events("anthropic", "/v1", strange).await, Err(BackendError::Malformed { .. })));
    // Numbers of calls are not what memory is set aside by.
    let far = chat(
        "{\"tool_calls\":[{\"index\":4294967295,\"id\":\"a\",\"function\":{\"name\":\"Read\",\"arguments\":\"{}\"}}]}",
        "\"tool_calls\"",
    );
    let response = events("openai", "/v1", &format!("{far}data: [DONE]\n\n")).await.unwrap();
    assert_eq!(response.calls.len(), 1);
}

#[tokio::test]
async fn calls_without_numbers_are_told_apart_by_their_ids() {
    let delta = |call: Value| {
        let piece = json!({"choices": [{"delta": {"tool_calls": [call]}, "finish_reason": "tool_calls"}]});
        format!("data: {piece}\n\n")
    };
    let call =
        |id: &str, arguments: &str| delta(json!({"id": id, "function": {"name": "Read", "arguments": arguments}}));
    let more = delta(json!({"function": {"arguments": "\"a\"}"}}));
    let body = call("c1", "{\"path\":") + &more + &call("c2", "{\"path\":\"b\"}") + "data: [DONE]\n\n";
    let response = events("openai-compatible", "/v1", &body).await.unwrap();
    let calls: Vec<_> = response.calls.iter().map(|call| (call.id.as_str(), call.arguments["path"].as_str())).collect();
    assert_eq!(calls, [("c1", Some("a")), ("c2", Some("b"))]);
}

#[tokio::test]
async fn server_that_does_not_stream_is_asked_for_whole_answers_from_then_on() {
    let refused = json!({"error": {"message": "your organization may not stream this model", "param": "stream"}});
    let whole = |dialect| Reply::Json(200, &[], streams::whole(dialect));
    for (dialect, path) in streams::all() {
        let server = StandIn::serve(vec![Reply::Json(400, &[], refused.clone()), whole(dialect), whole(dialect)]).await;
        let (provider, lines) = provider(&format!("{dialect}:m@{}{path}", server.address), once());
        for _ in 0..2 {
            assert_eq!(provider.turn(&turn()).await.unwrap().text, streams::TEXT, "{dialect}");
        }
        let received = server.received().await;
        assert_eq!(received.len(), 3, "{dialect}");
        if dialect == "gemini" {
            let heads: Vec<bool> = received.iter().map(|request| request.head.contains("streamGenerate")).collect();
            assert_eq!(heads, [true, false, false]);
        } else {
            let streams: Vec<&Value> = received.iter().map(|request| &request.body["stream"]).collect();
            assert_eq!(streams, [true, false, false], "{dialect}");
        }
        assert_eq!(lines.lock().unwrap().len(), 1, "{dialect}");
    }
    // One that refuses for another reason is asked once.
    let server =
        StandIn::serve(vec![Reply::Json(400, &[], refused), Reply::Json(400, &[], json!({"error": "no"}))]).await;
    let error = of("openai", "/v1", &server, once()).turn(&turn()).await.unwrap_err();
    assert!(matches!(error, BackendError::Refused { .. }), "{error}");
}

#[tokio::test]
async fn key_that_comes_back_in_a_stream_is_in_nothing() {
    let chat = |delta: Value| {
        format!("data: {}\n\n", json!({"choices": [{"index": 0, "delta": delta, "finish_reason": "stop"}]}))
    };
    let (before, after) = KEY.split_at(7);
    let call = json!({"index": 0, "id": KEY, "function": {"name": KEY, "arguments": json!({KEY: KEY}).to_string()}});
    let bodies = [
        // Torn apart over two pieces.
        chat(json!({"content": format!("you sent {before}")})) + &chat(json!({"content": after})) + "data: [DONE]\n\n",
        chat(json!({"tool_calls": [call]})) + "data: [DONE]\n\n",
        chat(json!({"refusal": KEY})) + "data: [DONE]\n\n",
        format!("data: {}\n\n", json!({"error": {"message": KEY, "type": "server_error"}})),
        format!("data: {KEY}\n\n"),
    ];
    for body in bodies {
        let server = StandIn::serve(vec![Reply::Raw(streams::head("openai") + &body)]).await;
        let (provider, lines) = provider(&format!("openai:m@{}/v1", server.address), quick());
        let outcome = provider.turn(&turn()).await;
        let all = format!("{outcome:?} {:?}", lines.lock().unwrap());
        assert!(!all.contains("canary"), "{all}");
    }
}

#[tokio::test]
async fn watcher_is_told_of_an_answer_on_its_way_and_of_its_end() {
    let (head, body) = (streams::head("openai"), streams::body("openai", 3));
    let third = body.floor_char_boundary(body.len() / 3);
    let two_thirds = body.floor_char_boundary(body.len() * 2 / 3);
    let parts = vec![head + &body[..third], body[third..two_thirds].to_owned(), body[two_thirds..].to_owned()];
    let server = StandIn::serve(vec![Reply::Slow(parts, Duration::from_millis(700))]).await;
    let told = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&told);
    let watch = Arc::new(move |answering| kept.lock().unwrap().push(answering));
    of("openai", "/v1", &server, once()).watched(watch).turn(&turn()).await.unwrap();
    let told = told.lock().unwrap();
    let (last, before) = told.split_last().unwrap();
    assert_eq!(*last, Answering::Over);
    let is_coming = |one: &Answering| matches!(one, Answering::Coming { characters } if *characters > 0);
    assert!(!before.is_empty() && before.iter().all(is_coming), "{told:?}");
}
