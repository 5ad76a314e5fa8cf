//! One answer in every dialect: in one piece, and as a stream of pieces of any size.

use serde_json::{Value, json};

/// What the answer says: line ends, quotes and characters of several bytes.
pub(crate) const TEXT: &str = "Reading \"ünïcode\" 𝄞\r\nnow.";

/// Its two calls: id, and arguments as text.
pub(crate) const CALLS: [(&str, &str); 2] =
    [("n1", r#"{"path":"c\\d \"é\n𝄞","line":null}"#), ("n2", r#"{"path":"d","line":2}"#)];

/// The dialects, each with its choice below an address.
pub(crate) const DIALECTS: [(&str, &str); 6] = [
    ("openai", "/v1"),
    ("openai-compatible", "/v1"),
    ("azure", ""),
    ("openai-responses", "/v1"),
    ("anthropic", "/v1"),
    ("gemini", "/v1beta"),
];

/// Ollama streams lines.
pub(crate) const OLLAMA: (&str, &str) = ("ollama", "");

pub(crate) fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    DIALECTS.into_iter().chain([OLLAMA])
}

/// The body that comes when no stream is asked for.
pub(crate) fn whole(dialect: &str) -> Value {
    let arguments = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    match dialect {
        "openai-responses" => response(),
        "anthropic" => {
            let mut content = vec![json!({"type": "text", "text": TEXT})];
            content.extend(
                CALLS.map(|(id, text)| json!({"type": "tool_use", "id": id, "name": "Read", "input": arguments(text)})),
            );
            json!({"id": "a", "type": "message", "role": "assistant", "model": "m", "content": content, "stop_reason": "tool_use",
                "usage": {"input_tokens": 20, "cache_read_input_tokens": 5, "cache_creation_input_tokens": 5, "output_tokens": 12}})
        }
        "gemini" => {
            let mut parts = vec![json!({"text": TEXT})];
            parts.extend(CALLS.map(|(_, text)| json!({"functionCall": {"name": "Read", "args": arguments(text)}})));
            json!({"candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}],
                "usageMetadata": {"promptTokenCount": 30, "candidatesTokenCount": 10, "thoughtsTokenCount": 2, "cachedContentTokenCount": 5}})
        }
        "ollama" => {
            let calls = CALLS.map(|(_, text)| json!({"function": {"name": "Read", "arguments": arguments(text)}}));
            json!({"model": "m", "message": {"role": "assistant", "content": TEXT, "tool_calls": calls}, "done": true,
                "done_reason": "stop", "prompt_eval_count": 30, "eval_count": 12})
        }
        _ => {
            let calls = CALLS.map(
                |(id, text)| json!({"id": id, "type": "function", "function": {"name": "Read", "arguments": text}}),
            );
            json!({"id": "x", "choices": [{"index": 0, "message": {"role": "assistant", "content": TEXT, "tool_calls": calls}, "finish_reason": "tool_calls"}],
                "usage": {"prompt_tokens": 30, "completion_tokens": 12, "prompt_tokens_details": {"cached_tokens": 5}}})
        }
    }
}

/// The same as a stream, with head: text and arguments come in pieces of so many characters.
pub(crate) fn streamed(dialect: &str, size: usize) -> String {
    head(dialect) + &body(dialect, size)
}

/// The head of a streamed answer, whose end is the end of the connection.
pub(crate) fn head(dialect: &str) -> String {
    let kind = if dialect == "ollama" { "application/x-ndjson" } else { "text/event-stream; charset=utf-8" };
    format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\nconnection: close\r\n\r\n")
}

/// The body of the stream.
pub(crate) fn body(dialect: &str, size: usize) -> String {
    match dialect {
        "openai-responses" => named_events(&responses(size)),
        "anthropic" => named_events(&anthropic(size)),
        "gemini" => gemini(size).iter().map(|chunk| format!("data: {chunk}\r\n\r\n")).collect(),
        "ollama" => ollama(size).iter().map(|line| format!("{line}\n")).collect(),
        _ => {
            let chunks: String = chat(size).iter().map(|chunk| format!("data: {chunk}\n\n")).collect();
            format!(": a comment\n\n{chunks}data: [DONE]\n\n")
        }
    }
}

fn named_events(events: &[Value]) -> String {
    events.iter().map(|event| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap())).collect()
}

fn pieces(text: &str, size: usize) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    characters.chunks(size).map(|chunk| chunk.iter().collect()).collect()
}

fn chat(size: usize) -> Vec<Value> {
    let chunk = |delta: Value, finish: Value| {
        json!({"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m", "usage": null,
            "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})
    };
    let mut chunks = vec![
        // Azure begins with one that has no choice.
        json!({"id": "", "choices": [], "prompt_filter_results": []}),
        chunk(json!({"role": "assistant", "content": ""}), Value::Null),
    ];
    chunks.extend(pieces(TEXT, size).into_iter().map(|piece| chunk(json!({"content": piece}), Value::Null)));
    for (index, (id, arguments)) in CALLS.into_iter().enumerate() {
        let begin =
            json!({"index": index, "id": id, "type": "function", "function": {"name": "Read", "arguments": ""}});
        chunks.push(chunk(json!({"tool_calls": [begin]}), Value::Null));
        chunks.extend(pieces(arguments, size).into_iter().map(|piece| {
            chunk(json!({"tool_calls": [{"index": index, "function": {"arguments": piece}}]}), Value::Null)
        }));
    }
    chunks.push(chunk(json!({}), json!("tool_calls")));
    chunks.push(json!({"id": "x", "choices": [],
        "usage": {"prompt_tokens": 30, "completion_tokens": 12, "prompt_tokens_details": {"cached_tokens": 5}}}));
    chunks
}

fn response() -> Value {
    let mut output = vec![json!({"type": "message", "id": "t", "role": "assistant", "status": "completed",
        "content": [{"type": "output_text", "text": TEXT, "annotations": []}]})];
    output.extend(CALLS.map(|(id, text)| json!({"type": "function_call", "id": format!("f{id}"), "call_id": id, "name": "Read", "arguments": text, "status": "completed"})));
    json!({"id": "r", "object": "response", "status": "completed", "output": output,
        "usage": {"input_tokens": 30, "output_tokens": 12, "input_tokens_details": {"cached_tokens": 5}}})
}

fn responses(size: usize) -> Vec<Value> {
    let response = response();
    let mut events =
        vec![json!({"type": "response.created", "response": {"id": "r", "status": "in_progress", "output": []}})];
    for (index, item) in response["output"].as_array().unwrap().iter().enumerate() {
        events
            .push(json!({"type": "response.output_item.added", "output_index": index, "item": {"type": item["type"]}}));
        let (kind, text) = match item["arguments"].as_str() {
            Some(arguments) => ("response.function_call_arguments.delta", arguments),
            None => ("response.output_text.delta", TEXT),
        };
        events.extend(
            pieces(text, size).into_iter().map(|piece| json!({"type": kind, "output_index": index, "delta": piece})),
        );
        events.push(json!({"type": "response.output_item.done", "output_index": index, "item": item}));
    }
    events.push(json!({"type": "response.completed", "response": response}));
    events
}

fn anthropic(size: usize) -> Vec<Value> {
    let mut events = vec![
        json!({"type": "message_start", "message": {"id": "a", "type": "message", "role": "assistant", "content": [], "stop_reason": null,
            "usage": {"input_tokens": 20, "cache_read_input_tokens": 5, "cache_creation_input_tokens": 5, "output_tokens": 1}}}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
        json!({"type": "ping"}),
    ];
    let delta = |index: usize, delta: Value| json!({"type": "content_block_delta", "index": index, "delta": delta});
    events.extend(pieces(TEXT, size).into_iter().map(|piece| delta(0, json!({"type": "text_delta", "text": piece}))));
    events.push(json!({"type": "content_block_stop", "index": 0}));
    for (index, (id, arguments)) in (1..).zip(CALLS) {
        let block = json!({"type": "tool_use", "id": id, "name": "Read", "input": {}});
        events.push(json!({"type": "content_block_start", "index": index, "content_block": block}));
        events.push(delta(index, json!({"type": "input_json_delta", "partial_json": ""})));
        events.extend(
            pieces(arguments, size)
                .into_iter()
                .map(|piece| delta(index, json!({"type": "input_json_delta", "partial_json": piece}))),
        );
        events.push(json!({"type": "content_block_stop", "index": index}));
    }
    events.push(json!({"type": "message_delta", "delta": {"stop_reason": "tool_use", "stop_sequence": null}, "usage": {"output_tokens": 12}}));
    events.push(json!({"type": "message_stop"}));
    events
}

fn gemini(size: usize) -> Vec<Value> {
    let chunk = |parts: Value| {
        json!({"candidates": [{"content": {"role": "model", "parts": parts}, "index": 0}],
        "usageMetadata": {"promptTokenCount": 30}, "modelVersion": "m"})
    };
    let mut chunks: Vec<Value> = vec![chunk(json!([{"text": "a thought", "thought": true}]))];
    chunks.extend(pieces(TEXT, size).into_iter().map(|piece| chunk(json!([{"text": piece}]))));
    chunks.extend(CALLS.map(|(_, text)| {
        chunk(json!([{"functionCall": {"name": "Read", "args": serde_json::from_str::<Value>(text).unwrap()}, "thoughtSignature": "s"}]))
    }));
    let mut last = chunk(json!([{"text": ""}]));
    last["candidates"][0]["finishReason"] = "STOP".into();
    last["usageMetadata"] = whole("gemini")["usageMetadata"].clone();
    chunks.push(last);
    chunks
}

fn ollama(size: usize) -> Vec<Value> {
    let line = |message: Value| json!({"model": "m", "created_at": "x", "message": message, "done": false});
    let mut lines: Vec<Value> = vec![line(json!({"role": "assistant", "content": "", "thinking": "hm"}))];
    lines.extend(pieces(TEXT, size).into_iter().map(|piece| line(json!({"role": "assistant", "content": piece}))));
    lines.extend(CALLS.map(|(_, text)| {
        let call = json!({"function": {"name": "Read", "arguments": serde_json::from_str::<Value>(text).unwrap()}});
        line(json!({"role": "assistant", "content": "", "tool_calls": [call]}))
    }));
    lines.push(
        json!({"model": "m", "message": {"role": "assistant", "content": ""}, "done": true, "done_reason": "stop",
        "prompt_eval_count": 30, "eval_count": 12}),
    );
    lines
}
