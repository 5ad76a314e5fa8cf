//! Ollama's own chat.

use bailiwick_agent::Usage;
use serde_json::{Value, json};

use super::{Ask, Assemble, Delivery, at, count, items, owned, put, text};
use crate::answer::{Answer, Arguments, RawCall};
use crate::request::{Said, Tool};

pub(super) fn request(ask: &Ask<'_>) -> Value {
    let mut body = json!({ "model": ask.model, "stream": ask.delivery == Delivery::Streamed });
    if let Some(limit) = ask.output_limit {
        put(&mut body, "options", json!({ "num_predict": limit }));
    }
    if !ask.chat.tools.is_empty() {
        put(&mut body, "tools", ask.chat.tools.iter().map(tool).collect::<Value>());
    }
    let system = json!({ "role": "system", "content": ask.chat.system });
    put(
        &mut body,
        "messages",
        std::iter::once(system).chain(ask.chat.messages.iter().flat_map(message)).collect::<Value>(),
    );
    body
}

fn message(said: &Said) -> Vec<Value> {
    match said {
        Said::User(text) => vec![json!({ "role": "user", "content": text })],
        Said::Assistant { text, calls } => {
            let mut message = json!({ "role": "assistant" });
            if let Some(text) = text {
                put(&mut message, "content", text.as_str());
            }
            if !calls.is_empty() {
                let calls =
                    calls.iter().map(|call| json!({ "function": { "name": call.name, "arguments": call.arguments } }));
                put(&mut message, "tool_calls", calls.collect::<Value>());
            }
            vec![message]
        }
        Said::Results(results) => {
            results.iter().map(|result| json!({ "role": "tool", "content": result.content })).collect()
        }
    }
}

fn tool(tool: &Tool) -> Value {
    let function = json!({ "name": tool.name, "description": tool.description, "parameters": tool.schema });
    json!({ "type": "function", "function": function })
}

pub(super) fn read(body: &Value) -> Answer {
    let usage = Usage {
        input_tokens: count(body, "/prompt_eval_count"),
        cached_input_tokens: count(body, "/prompt_eval_cached_count"),
        output_tokens: count(body, "/eval_count"),
    };
    if !body["message"].is_object() {
        return Answer { usage, ..Answer::silent(body) };
    }
    let calls = items(body, "/message/tool_calls").map(|call| RawCall {
        id: text(call, "/id").to_owned(),
        name: text(call, "/function/name").to_owned(),
        arguments: Arguments::Json(at(call, "/function/arguments").clone()),
    });
    Answer {
        text: text(body, "/message/content").to_owned(),
        calls: calls.collect(),
        usage,
        stop: owned(body, "/done_reason"),
        ..Answer::said()
    }
}

/// Puts lines together; the last one says that it is.
#[derive(Default)]
pub(super) struct Stream {
    content: String,
    calls: Vec<Value>,
    last: Option<Value>,
}

impl Assemble for Stream {
    fn take(&mut self, piece: &Value) -> Result<usize, String> {
        let content = text(piece, "/message/content");
        self.content.push_str(content);
        let mut characters = content.len().saturating_add(text(piece, "/message/thinking").len());
        for call in items(piece, "/message/tool_calls") {
            characters = characters.saturating_add(at(call, "/function/arguments").to_string().len());
            self.calls.push(call.clone());
        }
        if piece["done"] == true {
            self.last = Some(piece.clone());
        }
        Ok(characters)
    }

    fn whole(&mut self) -> Option<Value> {
        let mut body = self.last.take()?;
        let mut message = json!({ "role": "assistant", "content": self.content });
        if !self.calls.is_empty() {
            put(&mut message, "tool_calls", std::mem::take(&mut self.calls));
        }
        put(&mut body, "message", message);
        Some(body)
    }
}
