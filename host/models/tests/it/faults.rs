//! Faults of a provider, by the stand-in: what is tried again, what is not, and where the key never is.

use std::time::{Duration, Instant};

use crate::common::{KEY, Reply, StandIn, provider, quick, turn};
use bailiwick_agent::{Backend, BackendError};
use bailiwick_models::Retries;
use serde_json::{Value, json};

fn done() -> Reply {
    Reply::Json(200, &[], said("done"))
}

fn said(text: &str) -> Value {
    json!({"model": "m", "choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}]})
}

fn error(message: &str) -> Value {
    json!({"error": {"message": message}})
}

fn cut() -> Reply {
    Reply::Raw("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{\"choices\": [".into())
}

#[tokio::test]
async fn passing_faults_are_tried_again_and_said() {
    let faults = [429, 500, 502, 503, 504].map(|status| Reply::Json(status, &[], error("busy")));
    for fault in faults.into_iter().chain([cut(), Reply::Raw(String::new())]) {
        let server = StandIn::serve(vec![fault, done()]).await;
        let (provider, lines) = provider(&format!("openai:m@{}/v1", server.address), quick());
        assert_eq!(provider.turn(&turn()).await.unwrap().text, "done");
        assert_eq!(server.received().await.len(), 2);
        let lines = lines.lock().unwrap();
        let again: Vec<_> = lines.iter().filter(|line| line.contains("again")).collect();
        assert!(again.len() == 1 && again[0].contains("openai:m"), "{lines:?}");
    }
}

#[tokio::test]
async fn lasting_faults_are_not_tried_again() {
    for status in [301, 400, 401, 403, 404, 422] {
        let server =
            StandIn::serve(vec![Reply::Json(status, &[("location", "/elsewhere")], error("no")), done()]).await;
        let (provider, lines) = provider(&format!("openai:m@{}/v1", server.address), quick());
        let error = provider.turn(&turn()).await.unwrap_err();
        assert!(matches!(error, BackendError::Refused { .. }), "{status}: {error}");
        assert_eq!(server.received().await.len(), 1, "{status}");
        assert!(lines.lock().unwrap().is_empty());
        if status == 401 {
            assert!(error.to_string().contains("`OPENAI_API_KEY`"), "{error}");
        }
    }
}

#[tokio::test]
async fn retry_after_is_waited_for_if_it_is_short_and_told_if_it_is_long() {
    let busy = |after: &'static [(&str, &str)]| Reply::Json(429, after, error("busy"));
    let server = StandIn::serve(vec![busy(&[("retry-after", "1")]), done()]).await;
    let (soon, _) = provider(&format!("openai:m@{}/v1", server.address), quick());
    let start = Instant::now();
    soon.turn(&turn()).await.unwrap();
    assert!(start.elapsed() >= Duration::from_secs(1), "{:?}", start.elapsed());

    let server = StandIn::serve(vec![busy(&[("retry-after", "3600")]), done()]).await;
    let (late, _) = provider(&format!("openai:m@{}/v1", server.address), quick());
    match late.turn(&turn()).await {
        Err(BackendError::Unavailable { retry_after, .. }) => assert_eq!(retry_after, Some(Duration::from_secs(3600))),
        other => panic!("{other:?}"),
    }
    assert_eq!(server.received().await.len(), 1);
}

#[tokio::test]
async fn attempts_and_time_have_an_end() {
    let server = StandIn::serve(vec![Reply::Json(503, &[], error("busy"))]).await;
    let choice = format!("openai:m@{}/v1", server.address);
    let (few, _) = provider(&choice, quick());
    assert!(matches!(few.turn(&turn()).await, Err(BackendError::Unavailable { .. })));
    assert_eq!(server.received().await.len(), 3);
    let slow = Retries {
        first_wait: Duration::from_secs(60),
        longest_wait: Duration::from_secs(60),
        deadline: Duration::from_millis(300),
        ..quick()
    };
    let (brief, _) = provider(&choice, slow);
    let start = Instant::now();
    assert!(matches!(brief.turn(&turn()).await, Err(BackendError::Unavailable { .. })));
    assert!(start.elapsed() < Duration::from_secs(50), "{:?}", start.elapsed());
}

#[tokio::test]
async fn endpoint_that_is_not_there_is_unavailable_and_named_so() {
    let (provider, lines) = provider("openai:m@http://127.0.0.1:1/v1", quick());
    let error = provider.turn(&turn()).await.unwrap_err();
    assert!(
        matches!(&error, BackendError::Unavailable { message, .. } if message.contains("cannot be reached")),
        "{error}"
    );
    assert_eq!(lines.lock().unwrap().len(), 2);
}

#[tokio::test]
async fn answer_that_is_not_json_is_malformed() {
    let page = |kind: &str, body: &str| {
        Reply::Raw(format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n\r\n{body}", body.len()))
    };
    let replies =
        [page("text/html", "<html>"), page("application/json", "{\"choices\": ["), Reply::Json(200, &[], json!({}))];
    for reply in replies {
        let server = StandIn::serve(vec![reply]).await;
        let (provider, _) = provider(&format!("openai:m@{}/v1", server.address), quick());
        let error = provider.turn(&turn()).await.unwrap_err();
        assert!(matches!(error, BackendError::Malformed { .. }), "{error:?}");
    }
}

#[tokio::test]
async fn key_that_an_endpoint_repeats_is_in_no_answer_no_error_and_no_progress() {
    let repeated = format!("you sent {KEY}");
    let call = json!({"id": KEY, "type": "function", "function": {"name": "Read", "arguments": json!({"path": KEY, KEY: [KEY]}).to_string()}});
    let calls = json!({"choices": [{"message": {"role": "assistant", "content": repeated, "tool_calls": [call]}, "finish_reason": "tool_calls"}]});
    let html = format!("HTTP/1.1 200 OK\r\ncontent-type: text/{KEY}\r\ncontent-length: 0\r\n\r\n");
    let replies = [
        Reply::Json(401, &[], error(&repeated)),
        Reply::Json(400, &[], error(&repeated)),
        Reply::Json(500, &[], error(&repeated)),
        Reply::Json(200, &[], error(&repeated)),
        Reply::Json(200, &[], said(&repeated)),
        Reply::Json(200, &[], calls),
        Reply::Raw(html),
        cut(),
    ];
    for reply in replies {
        let server = StandIn::serve(vec![reply]).await;
        for dialect in ["openai", "openai-compatible", "azure", "anthropic", "gemini", "openai-responses"] {
            let (provider, lines) = provider(&format!("{dialect}:m@{}/v1", server.address), quick());
            let outcome = provider.turn(&turn()).await;
            let shown = match &outcome {
                Ok(response) => serde_json::to_string(response).unwrap(),
                Err(error) => error.to_string(),
            };
            let all = format!("{shown} {outcome:?} {:?} {}", lines.lock().unwrap(), provider.name());
            assert!(!all.contains("canary"), "{dialect}: {all}");
        }
    }
}

#[tokio::test]
async fn tokens_that_a_provider_does_not_count_are_estimated_and_that_is_said_once() {
    let message = json!({"role": "assistant", "content": "x".repeat(3_000)});
    let body = json!({"choices": [{"message": message, "finish_reason": "stop"}]});
    let reply = || Reply::Json(200, &[], body.clone());
    let server = StandIn::serve(vec![reply(), reply()]).await;
    let (provider, lines) = provider(&format!("openai:m@{}/v1", server.address), quick());
    for _ in 0..2 {
        let usage = provider.turn(&turn()).await.unwrap().usage;
        assert!(usage.input_tokens > 0 && usage.output_tokens >= 1_000, "{usage:?}");
    }
    let lines = lines.lock().unwrap();
    assert_eq!(lines.iter().filter(|line| line.contains("estimated")).count(), 1, "{lines:?}");
}
