//! What is sent here is what genai sends. `tests/real/request_types.rs` holds it against the official SDKs' types.

use bailiwick_agent::{Message, ToolCall, ToolEffect, ToolResult, ToolSpec, TurnRequest};
use genai::adapter::AdapterKind;
use genai::chat::{
    ChatMessage, ChatOptions, ChatRequest, ContentPart, MessageContent, ReasoningEffort, Tool, ToolResponse,
};
use genai::resolver::{AuthData, Endpoint};
use genai::{Client, ModelIden, ServiceTarget};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::{Ask, Delivery, Form};
use crate::choice::Dialect;
use crate::request::{self, Said, Strictness};

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

/// The turn in genai's words, made of what is sent here.
fn in_genai_words(chat: &request::Chat, dialect: Dialect) -> ChatRequest {
    let messages = chat.messages.iter().flat_map(|said| match said {
        Said::User(text) => vec![ChatMessage::user(text.as_str())],
        Said::Assistant { text, calls } => {
            let mut parts: Vec<ContentPart> = text.iter().cloned().map(ContentPart::Text).collect();
            parts.extend(calls.iter().map(|call| {
                ContentPart::ToolCall(genai::chat::ToolCall {
                    call_id: call.id.clone(),
                    fn_name: call.name.clone(),
                    fn_arguments: call.arguments.clone(),
                    thought_signatures: None,
                })
            }));
            vec![ChatMessage::assistant(MessageContent::from_parts(parts))]
        }
        Said::Results(results) => {
            let responses =
                results.iter().map(|one| ToolResponse::new(&one.call_id, one.content.clone()).with_fn_name(&one.name));
            // Of several results in one message genai sends Ollama the last alone.
            match dialect {
                Dialect::Ollama => responses.map(ChatMessage::from).collect(),
                _ => vec![ChatMessage::from(responses.collect::<Vec<_>>())],
            }
        }
    });
    let tools = chat.tools.iter().map(|one| {
        let tool = Tool::new(one.name.as_str()).with_description(&one.description).with_schema(one.schema.clone());
        match one.strictness {
            Strictness::On => tool.with_strict(true),
            Strictness::Off => tool.with_strict(false),
            Strictness::Unknown => tool,
        }
    });
    let words = ChatRequest::new(messages.collect()).with_system(chat.system.as_str()).with_store(false);
    if chat.tools.is_empty() { words } else { words.with_tools(tools) }
}

/// The body that genai sends.
async fn of_genai(turn: &TurnRequest, dialect: Dialect, model: &str, delivery: Delivery, limit: Option<u32>) -> Value {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}/", listener.local_addr().unwrap());
    let kind = match Form::of(dialect) {
        Form::Chat => AdapterKind::OpenAI,
        Form::Responses => AdapterKind::OpenAIResp,
        Form::Anthropic => AdapterKind::Anthropic,
        Form::Gemini => AdapterKind::Gemini,
        Form::Ollama => AdapterKind::Ollama,
    };
    let target = ServiceTarget {
        endpoint: Endpoint::from_owned(address),
        auth: AuthData::from_single("key"),
        model: ModelIden::new(kind, model),
    };
    let mut options = ChatOptions::default().with_capture_usage(true);
    // An effort keeps genai from taking one out of the name; these are not sent.
    match kind {
        AdapterKind::OpenAI | AdapterKind::OpenAIResp => {
            options = options.with_reasoning_effort(ReasoningEffort::Budget(0));
        }
        AdapterKind::Gemini => options = options.with_reasoning_effort(ReasoningEffort::Zero),
        _ => {}
    }
    if let Some(limit) = limit {
        options = options.with_max_tokens(limit);
    }
    let chat = in_genai_words(&request::build(turn, dialect), dialect);
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = Client::builder().with_reqwest(reqwest::Client::new()).build().unwrap();
    let asked = tokio::spawn(async move {
        match delivery {
            Delivery::Whole => drop(client.exec_chat(target, chat, Some(&options)).await),
            Delivery::Streamed => {
                use futures_util::StreamExt;
                let mut stream = client.exec_chat_stream(target, chat, Some(&options)).await.unwrap().stream;
                while let Some(Ok(_)) = stream.next().await {}
            }
        }
    });
    let (mut connection, _) = listener.accept().await.unwrap();
    let mut bytes = Vec::new();
    let body = loop {
        let mut chunk = [0; 65_536];
        let read = connection.read(&mut chunk).await.unwrap();
        assert!(read > 0, "the request came whole");
        bytes.extend_from_slice(&chunk[..read]);
        let text = String::from_utf8_lossy(&bytes);
        if let Some((_, body)) = text.split_once("\r\n\r\n")
            && let Ok(body) = serde_json::from_str(body)
        {
            break body;
        }
    };
    connection.write_all(b"HTTP/1.1 500 X\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").await.unwrap();
    asked.await.unwrap();
    body
}

/// The one thing that is sent otherwise, since the official SDK's types do not take genai's way: a text of the assistant.
fn plain_texts(body: &mut Value) {
    for item in body["input"].as_array_mut().into_iter().flatten() {
        if item["type"] == "message" && item["role"] == "assistant" {
            item["content"] = item["content"][0]["text"].clone();
        }
    }
}

#[tokio::test]
async fn bodies_are_those_that_genai_sends() {
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
    for (dialect, models) in models {
        for (turn, number) in turns().iter().zip(1..) {
            for model in models {
                for (delivery, limit) in
                    [(Delivery::Streamed, None), (Delivery::Streamed, Some(900)), (Delivery::Whole, Some(900))]
                {
                    let chat = request::build(turn, dialect);
                    let ask = Ask { chat: &chat, model, output_limit: limit, delivery };
                    let own = Form::of(dialect).request(&ask);
                    let mut theirs = of_genai(turn, dialect, model, delivery, limit).await;
                    if dialect == Dialect::OpenAiResponses {
                        plain_texts(&mut theirs);
                    }
                    assert_eq!(own, theirs, "{dialect}:{model}, turn {number}, {delivery:?}");
                }
            }
        }
    }
}
