//! OpenAI Responses.

use std::collections::BTreeMap;

use bailiwick_agent::Usage;
use serde_json::{Value, json};

use super::{Ask, Assemble, Delivery, at, count, items, owned, put, text};
use crate::answer::{Answer, Arguments, RawCall};
use crate::request::{Said, Strictness, Tool};

pub(super) fn request(ask: &Ask<'_>) -> Value {
    let mut body = json!({
        "store": false,
        "model": ask.model,
        "stream": ask.delivery == Delivery::Streamed,
    });
    put(&mut body, "instructions", ask.chat.system.as_str());
    if !ask.chat.tools.is_empty() {
        put(&mut body, "tools", ask.chat.tools.iter().map(tool).collect::<Value>());
    }
    put(&mut body, "input", ask.chat.messages.iter().flat_map(message).collect::<Value>());
    if let Some(limit) = ask.output_limit {
        put(&mut body, "max_output_tokens", limit);
    }
    body
}

fn message(said: &Said) -> Vec<Value> {
    match said {
        Said::User(text) => vec![json!({ "role": "user", "content": text })],
        Said::Assistant { text, calls } => {
            // The official SDK's types take parts of this role only with the id and the state that an answer has.
            let message = text.iter().map(|text| json!({ "type": "message", "role": "assistant", "content": text }));
            let calls = calls.iter().map(|call| {
                json!({
                    "type": "function_call",
                    "call_id": call.id,
                    "name": call.name,
                    "arguments": call.arguments.to_string(),
                })
            });
            message.chain(calls).collect()
        }
        Said::Results(results) => results
            .iter()
            .map(
                |result| json!({ "type": "function_call_output", "call_id": result.call_id, "output": result.content }),
            )
            .collect(),
    }
}

fn tool(tool: &Tool) -> Value {
    let mut value = json!({
        "type": "function",
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.schema,
    });
    // Left out, it would not be off.
    match tool.strictness {
        Strictness::On => put(&mut value, "strict", true),
        Strictness::Off => put(&mut value, "strict", false),
        Strictness::Unknown => {}
    }
    value
}

pub(super) fn read(body: &Value) -> Answer {
    let usage = Usage {
        input_tokens: count(body, "/usage/input_tokens"),
        cached_input_tokens: count(body, "/usage/input_tokens_details/cached_tokens"),
        output_tokens: count(body, "/usage/output_tokens"),
    };
    if !body["output"].is_array() || body["status"] == "failed" {
        return Answer { usage, ..Answer::silent(body) };
    }
    let contents = || items(body, "/output").flat_map(|item| items(item, "/content"));
    let refused = contents().find_map(|content| owned(content, "/refusal")).filter(|said| !said.is_empty());
    let filtered = (text(body, "/incomplete_details/reason") == "content_filter").then(|| "content_filter".to_owned());
    let texts = contents().filter(|content| content["type"] == "output_text").map(|content| text(content, "/text"));
    let calls = items(body, "/output").filter(|item| item["type"] == "function_call").map(|item| RawCall {
        id: text(item, "/call_id").to_owned(),
        name: text(item, "/name").to_owned(),
        arguments: Arguments::Text(text(item, "/arguments").to_owned()),
    });
    Answer {
        text: texts.collect(),
        calls: calls.collect(),
        usage,
        stop: filtered.or_else(|| owned(body, "/status")),
        refusal: refused,
        ..Answer::said()
    }
}

/// Waits for the last event, which holds the whole; the items that came before it stand in for those it leaves out.
#[derive(Default)]
pub(super) struct Stream {
    items: BTreeMap<u64, Value>,
    last: Option<Value>,
}

impl Assemble for Stream {
    fn take(&mut self, piece: &Value) -> Result<usize, String> {
        match text(piece, "/type") {
            "response.output_item.done" => {
                self.items.insert(count(piece, "/output_index"), piece["item"].clone());
            }
            "response.completed" | "response.incomplete" | "response.failed" => {
                self.last = Some(piece["response"].clone());
            }
            _ => return Ok(text(piece, "/delta").len()),
        }
        Ok(0)
    }

    fn whole(&mut self) -> Option<Value> {
        let mut body = self.last.take()?;
        if at(&body, "/output").as_array().is_none_or(Vec::is_empty) && body.is_object() {
            put(&mut body, "output", std::mem::take(&mut self.items).into_values().collect::<Value>());
        }
        Some(body)
    }
}
