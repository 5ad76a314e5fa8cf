//! Each dialect against the stand-in: what is sent, and what is made of an answer in the provider's documented form.

use crate::common::{KEY, Reply, StandIn, provider, quick, turn};
use bailiwick_agent::{Backend, BackendError, Usage};
use bailiwick_models::{Provider, Settings};
use serde_json::{Value, json};

/// A dialect: its choice below an address, where the request goes, how the key goes along, an answer with two calls,
/// one that was cut off and one that was refused.
struct Case {
    choice: fn(&str) -> String,
    path: &'static str,
    key: &'static str,
    calls: Value,
    cut: Value,
}

fn chat(finish: &str, message: &Value) -> Value {
    json!({
        "id": "x", "object": "chat.completion", "created": 1, "model": "m",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": {"prompt_tokens": 30, "completion_tokens": 12, "total_tokens": 42, "prompt_tokens_details": {"cached_tokens": 5}}
    })
}

fn chat_call(id: &str, arguments: &str) -> Value {
    json!({"id": id, "type": "function", "function": {"name": "Read", "arguments": arguments}})
}

fn chat_case(choice: fn(&str) -> String, path: &'static str) -> Case {
    let calls = [chat_call("n1", r#"{"path":"c","line":null}"#), chat_call("n2", r#"{"path":"d","line":2}"#)];
    Case {
        choice,
        path,
        key: "authorization: Bearer ",
        calls: chat("tool_calls", &json!({"role": "assistant", "content": "Reading.", "tool_calls": calls})),
        cut: chat(
            "length",
            &json!({"role": "assistant", "content": null, "tool_calls": [chat_call("n1", r#"{"path":"c"#)]}),
        ),
    }
}

fn responses(status: &str, output: &Value) -> Value {
    json!({
        "id": "r", "object": "response", "created_at": 1, "model": "m", "status": status, "output": output,
        "incomplete_details": if status == "incomplete" { json!({"reason": "max_output_tokens"}) } else { Value::Null },
        "usage": {"input_tokens": 30, "output_tokens": 12, "total_tokens": 42, "input_tokens_details": {"cached_tokens": 5}}
    })
}

fn cases() -> Vec<(&'static str, Case)> {
    let call = |id: &str, arguments: &str| json!({"type": "function_call", "id": format!("f{id}"), "call_id": id, "name": "Read", "arguments": arguments, "status": "completed"});
    let text = json!({"type": "message", "id": "t", "role": "assistant", "status": "completed",
        "content": [{"type": "output_text", "text": "Reading.", "annotations": []}]});
    let use_ = |id: &str, path: &str, line: Option<u32>| match line {
        Some(line) => json!({"type": "tool_use", "id": id, "name": "Read", "input": {"path": path, "line": line}}),
        None => json!({"type": "tool_use", "id": id, "name": "Read", "input": {"path": path}}),
    };
    let anthropic = |stop: &str, content: Value| {
        json!({"id": "a", "type": "message", "role": "assistant", "model": "m", "content": content, "stop_reason": stop,
            "usage": {"input_tokens": 25, "cache_read_input_tokens": 5, "cache_creation_input_tokens": 0, "output_tokens": 12}})
    };
    let gemini = |stop: &str, parts: Value| {
        json!({"candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": stop, "index": 0}],
            "usageMetadata": {"promptTokenCount": 30, "candidatesTokenCount": 12, "cachedContentTokenCount": 5, "totalTokenCount": 42},
            "modelVersion": "m"})
    };
    let ollama = |stop: &str, message: Value| {
        json!({"model": "m", "created_at": "2026-01-01T00:00:00Z", "message": message, "done": true, "done_reason": stop,
            "prompt_eval_count": 30, "eval_count": 12})
    };
    vec![
        ("openai", chat_case(|at| format!("openai:m-high@{at}/v1"), "POST /v1/chat/completions ")),
        (
            "openai-compatible",
            chat_case(|at| format!("openai-compatible:m-high@{at}/v1"), "POST /v1/chat/completions "),
        ),
        (
            "azure",
            Case {
                key: "api-key: ",
                ..chat_case(|at| format!("azure:m-high@{at}"), "POST /openai/v1/chat/completions ")
            },
        ),
        (
            "openai-responses",
            Case {
                choice: |at| format!("openai-responses:m-high@{at}/v1"),
                path: "POST /v1/responses ",
                key: "authorization: Bearer ",
                calls: responses(
                    "completed",
                    &json!([text, call("n1", r#"{"path":"c","line":null}"#), call("n2", r#"{"path":"d","line":2}"#)]),
                ),
                cut: responses("incomplete", &json!([call("n1", r#"{"path":"c"#)])),
            },
        ),
        (
            "anthropic",
            Case {
                choice: |at| format!("anthropic:m@{at}/v1"),
                path: "POST /v1/messages ",
                key: "x-api-key: ",
                calls: anthropic(
                    "tool_use",
                    json!([{"type": "text", "text": "Reading."}, use_("n1", "c", None), use_("n2", "d", Some(2))]),
                ),
                cut: anthropic("max_tokens", json!([{"type": "tool_use", "id": "n1", "name": "Read", "input": {}}])),
            },
        ),
        (
            "gemini",
            Case {
                choice: |at| format!("gemini:m-high@{at}/v1beta"),
                path: "POST /v1beta/models/m-high:streamGenerateContent?alt=sse ",
                key: "x-goog-api-key: ",
                calls: gemini(
                    "STOP",
                    json!([{"text": "Reading."}, {"functionCall": {"name": "Read", "args": {"path": "c"}}},
                {"functionCall": {"name": "Read", "args": {"path": "d", "line": 2}}}]),
                ),
                cut: gemini("MAX_TOKENS", json!([{"functionCall": {"name": "Read", "args": {}}}])),
            },
        ),
        (
            "ollama",
            Case {
                choice: |at| format!("ollama:m-high@{at}"),
                path: "POST /api/chat ",
                key: "",
                calls: ollama(
                    "stop",
                    json!({"role": "assistant", "content": "Reading.", "tool_calls": [
                {"function": {"name": "Read", "arguments": {"path": "c"}}}, {"function": {"name": "Read", "arguments": {"path": "d", "line": 2}}}]}),
                ),
                cut: ollama("length", json!({"role": "assistant", "content": "Read"})),
            },
        ),
    ]
}

#[tokio::test]
async fn several_calls_text_and_usage_come_back_in_every_dialect() {
    for (name, case) in cases() {
        let server = StandIn::serve(vec![Reply::Json(200, &[], case.calls)]).await;
        let (provider, _) = provider(&(case.choice)(&server.address), quick());
        let response = provider.turn(&turn()).await.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(response.text, "Reading.", "{name}");
        let arguments: Vec<_> =
            response.calls.iter().map(|call| (call.name.as_str(), call.arguments.clone())).collect();
        // The null for a property that may be left out is gone.
        assert_eq!(arguments, [("Read", json!({"path": "c"})), ("Read", json!({"path": "d", "line": 2}))], "{name}");
        let cached_input_tokens = if name == "ollama" { 0 } else { 5 };
        assert_eq!(response.usage, Usage { input_tokens: 30, cached_input_tokens, output_tokens: 12 }, "{name}");
        if name == "gemini" {
            assert!(response.calls.iter().all(|call| call.id.is_empty()), "the loop gives ids that last");
        }
    }
}

#[tokio::test]
async fn request_holds_instructions_task_tools_and_results_and_the_key_only_in_its_header() {
    for (name, case) in cases() {
        let server = StandIn::serve(vec![Reply::Json(200, &[], case.calls)]).await;
        let (provider, _) = provider(&(case.choice)(&server.address), quick());
        provider.turn(&turn()).await.unwrap();
        let received = server.received().await;
        let [request] = received.as_slice() else { panic!("{name}: {} requests", received.len()) };
        assert!(request.head.starts_with(case.path), "{name}: {}", request.head);
        assert!(!request.head.lines().next().unwrap().contains(KEY), "{name}: the key is in the address");
        let with_key: Vec<&str> = request.head.lines().filter(|line| line.contains(KEY)).collect();
        if case.key.is_empty() {
            assert!(with_key.is_empty(), "{name}: {with_key:?}");
        } else {
            assert_eq!(with_key, [format!("{}{KEY}", case.key)], "{name}");
        }
        let body = request.body.to_string();
        assert!(!body.contains(KEY), "{name}");
        for part in
            ["Do the task.", "bailiwick", "Reads a file.", "text of a", "there is no b", "error", "A result is due."]
        {
            assert!(body.contains(part), "{name}: `{part}` in {body}");
        }
        assert!(!body.contains("$schema"), "{name}");
        let strict = body.contains(r#""strict":true"#);
        assert_eq!(strict, ["openai", "azure", "openai-responses"].contains(&name), "{name}: {body}");
        // An ending such as `-high` is a part of the name and no effort.
        if name != "anthropic" && name != "gemini" {
            assert_eq!(request.body["model"], "m-high", "{name}: the name is sent as it was written");
        }
        assert!(!body.contains("effort") && !body.to_lowercase().contains("thinking"), "{name}: {body}");
    }
}

#[tokio::test]
async fn cut_off_answer_is_asked_for_once_more_with_more_room_in_every_dialect() {
    let places = [
        ("openai", "/max_tokens"),
        ("openai-compatible", "/max_tokens"),
        ("azure", "/max_tokens"),
        ("openai-responses", "/max_output_tokens"),
        ("anthropic", "/max_tokens"),
        ("gemini", "/generationConfig/maxOutputTokens"),
        ("ollama", "/options/num_predict"),
    ];
    let limits = |received: &[crate::common::Received], name: &str| -> Vec<Option<u64>> {
        let place = places.iter().find(|(own, _)| *own == name).unwrap().1;
        received.iter().map(|request| request.body.pointer(place).and_then(Value::as_u64)).collect()
    };
    for (name, case) in cases() {
        let (cut, calls) = (Reply::Json(200, &[], case.cut), Reply::Json(200, &[], case.calls));
        // Cut off again: no third time, and the tokens of both count.
        let server = StandIn::serve(vec![cut.clone()]).await;
        let (backend, lines) = provider(&(case.choice)(&server.address), quick());
        match backend.with_output_limit(700).turn(&turn()).await {
            Err(BackendError::Truncated { usage }) => assert_eq!(usage.total(), 84, "{name}"),
            other => panic!("{name}: {other:?}"),
        }
        assert_eq!(limits(&server.received().await, name), [Some(700), Some(1400)], "{name}");
        assert!(lines.lock().unwrap()[0].contains("1400 tokens"), "{name}");
        // Whole the second time.
        let server = StandIn::serve(vec![cut.clone(), calls]).await;
        let (backend, _) = provider(&(case.choice)(&server.address), quick());
        let response = backend.turn(&turn()).await.unwrap();
        assert_eq!((response.calls.len(), response.usage.total()), (2, 84), "{name}");
        // Without a limit of ours it is twice what came; Anthropic's has to be said.
        let first = (name == "anthropic").then_some(64_000);
        assert_eq!(limits(&server.received().await, name), [first, Some(24)], "{name}");
        // No more room: what was asked for first counts.
        let server = StandIn::serve(vec![cut.clone(), Reply::Json(400, &[], json!({"error": "too much"}))]).await;
        let (backend, _) = provider(&(case.choice)(&server.address), quick());
        match backend.turn(&turn()).await {
            Err(BackendError::Truncated { usage }) => assert_eq!(usage.total(), 42, "{name}"),
            other => panic!("{name}: {other:?}"),
        }
        // At the most that is asked for there is no second time.
        let server = StandIn::serve(vec![cut]).await;
        let (backend, _) = provider(&(case.choice)(&server.address), quick());
        let outcome = backend.with_output_limit(10_000).turn(&turn()).await;
        assert!(matches!(outcome, Err(BackendError::Truncated { .. })), "{name}: {outcome:?}");
        assert_eq!(server.received().await.len(), 1, "{name}");
    }
}

#[tokio::test]
async fn azure_is_spoken_to_in_both_forms() {
    let forms = [
        ("", "POST /openai/v1/chat/completions "),
        ("2024-10-21", "POST /openai/deployments/d-high/chat/completions?api-version=2024-10-21 "),
    ];
    for (version, path) in forms {
        let server = StandIn::serve(vec![Reply::Json(200, &[], cases().remove(2).1.calls)]).await;
        let environment = |name: &str| match name {
            "AZURE_OPENAI_API_VERSION" => Some(version.into()),
            "AZURE_OPENAI_ENDPOINT" => Some(server.address.clone().into()),
            "AZURE_OPENAI_API_KEY" => Some(KEY.into()),
            _ => None,
        };
        let settings = Settings::resolve("azure:d-high".parse().unwrap(), &environment).unwrap();
        let provider = Provider::new(settings, quick(), std::sync::Arc::new(|_: &str| {})).unwrap();
        assert_eq!(provider.turn(&turn()).await.unwrap().calls.len(), 2);
        let received = server.received().await;
        assert!(received[0].head.starts_with(path), "{}", received[0].head);
        assert!(received[0].head.contains(&format!("api-key: {KEY}")) && !received[0].head.contains("authorization"));
        assert_eq!(received[0].body["model"], "d-high");
        assert_eq!(received[0].body["stream_options"], json!({"include_usage": true}));
    }
}

#[tokio::test]
async fn broken_arguments_are_malformed_and_keep_their_usage() {
    let broken = chat("tool_calls", &json!({"role": "assistant", "tool_calls": [chat_call("n1", r#"{"path":"c"#)]}));
    let list = chat("tool_calls", &json!({"role": "assistant", "tool_calls": [chat_call("n1", "[1]")]}));
    for body in [broken, list] {
        let server = StandIn::serve(vec![Reply::Json(200, &[], body)]).await;
        let (provider, _) = provider(&format!("openai:m@{}/v1", server.address), quick());
        match provider.turn(&turn()).await {
            Err(BackendError::Malformed { usage, .. }) => assert_eq!(usage.total(), 42),
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn refusal_is_refused() {
    let refusals = [
        chat("stop", &json!({"role": "assistant", "content": null, "refusal": "I will not."})),
        chat("content_filter", &json!({"role": "assistant", "content": "I"})),
    ];
    for body in refusals {
        let server = StandIn::serve(vec![Reply::Json(200, &[], body)]).await;
        let (provider, _) = provider(&format!("openai:m@{}/v1", server.address), quick());
        assert!(matches!(provider.turn(&turn()).await, Err(BackendError::Refused { .. })));
    }
}
