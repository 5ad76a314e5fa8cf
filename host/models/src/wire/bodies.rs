//! What is sent stays what genai 0.7.2 sends, as `bodies.jsonl` records it: one body a line.
//!
//! genai itself is not among the dependencies of the tests: it asks `reqwest` and others for features that the program does
//! not have, so that the tests ran with another HTTP client than people install, and wasmtime was built twice. The record
//! is what genai sent to a listener on loopback, in the order of the cases here, but for a text of the assistant to
//! OpenAI's Responses, which the official SDK's types take only as it is sent here. `BAILIWICK_REWRITE_SNAPSHOTS=1` rewrites it; a body
//! that changes has to be one of the provider's own: `tests/real/request_types.rs` holds them against the official SDKs.

use bailiwick_agent::{Message, ToolCall, ToolEffect, ToolResult, ToolSpec, TurnRequest};
use serde_json::{Value, json};
use std::fmt::Write as _;

use super::{Ask, Delivery, Form};
use crate::choice::Dialect;
use crate::request;

const RECORD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/wire/bodies.jsonl");

/// Two calls of which one failed, texts in several scripts, and empty ones.
fn turns() -> Vec<TurnRequest> {
    let call = |id: &str, arguments| ToolCall { id: id.into(), name: "Read".into(), arguments };
    let result =
        |id: &str, content: Value, is_error| ToolResult { call_id: id.into(), name: "Read".into(), content, is_error };
    let tool = |name: &str, schema: Value| ToolSpec {
        name: name.into(),
        description: format!("{name} – 説明"),
        input_schema: schema,
        effect: ToolEffect::Reads,
    };
    let tools = vec![
        tool(
            "Read",
            json!({"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "additionalProperties": false,
                "properties": {"path": {"type": "string"}, "line": {"type": "integer", "minimum": 1}}, "required": ["path"]}),
        ),
        // It has no strict form.
        tool("Exit", json!({"type": "object", "properties": {"result": {}}, "required": ["result"]})),
    ];
    let begun = TurnRequest {
        instructions: "Do \"it\".\nAll.".into(),
        task: json!({"kind": "sample", "word": "Grüße"}),
        messages: Vec::new(),
        tools,
    };
    let gone_on = TurnRequest {
        messages: vec![
            Message::Assistant {
                text: String::new(),
                calls: vec![call("c1", json!({"path": "a"})), call("c2", json!({}))],
            },
            Message::ToolResults(vec![result("c1", json!("text"), false), result("c2", json!({"kind": "x"}), true)]),
            Message::Assistant { text: "Well.".into(), calls: vec![call("c3", json!({"path": "ü", "line": 2}))] },
            Message::ToolResults(vec![result("c3", json!({"a": [1]}), false)]),
            Message::Assistant { text: "  ".into(), calls: Vec::new() },
            Message::User("A result is due.".into()),
        ],
        ..begun.clone()
    };
    let without_tools = TurnRequest { tools: Vec::new(), ..begun.clone() };
    vec![begun, gone_on, without_tools]
}

#[test]
fn bodies_are_those_that_genai_sends() {
    let models = [
        (Dialect::OpenAi, ["gpt-4.1-high", "gpt-5", "o3"].as_slice()),
        (Dialect::OpenAiCompatible, &["qwen/qwen3-low"]),
        (Dialect::OpenAiResponses, &["gpt-5-high"]),
        (
            Dialect::Anthropic,
            &["claude-sonnet-4-5", "claude-opus-4-20250514", "claude-opus-4-8", "claude-3-5-haiku-latest", "other"],
        ),
        (Dialect::Gemini, &["gemini-2.5-pro", "gemini-3-pro-high"]),
        (Dialect::Ollama, &["qwen3:8b-high"]),
    ];
    let mut bodies = String::new();
    for (dialect, models) in models {
        for (turn, number) in turns().iter().zip(1..) {
            for model in models {
                for (delivery, limit) in
                    [(Delivery::Streamed, None), (Delivery::Streamed, Some(900)), (Delivery::Whole, Some(900))]
                {
                    let chat = request::build(turn, dialect);
                    let ask = Ask { chat: &chat, model, output_limit: limit, delivery };
                    let body = Form::of(dialect).request(&ask);
                    let case = format!("{dialect}:{model}, turn {number}, {delivery:?}, {limit:?}");
                    writeln!(bodies, "{}", json!({ "case": case, "body": body })).unwrap();
                }
            }
        }
    }
    if std::env::var_os("BAILIWICK_REWRITE_SNAPSHOTS").is_some() {
        std::fs::write(RECORD, &bodies).unwrap();
    }
    let recorded = std::fs::read_to_string(RECORD).unwrap();
    assert_eq!(recorded.lines().count(), bodies.lines().count());
    for (recorded, own) in recorded.lines().zip(bodies.lines()) {
        let [recorded, own] = [recorded, own].map(|line| serde_json::from_str::<Value>(line).unwrap());
        assert_eq!(recorded, own);
    }
}
