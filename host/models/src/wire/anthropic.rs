//! Anthropic messages.

use std::collections::BTreeMap;

use bailiwick_agent::Usage;
use serde_json::{Value, json};

use super::{Ask, Assemble, Delivery, at, count, items, overlay, owned, put, text};
use crate::answer::{Answer, Arguments, RawCall};
use crate::request::{Said, Tool};

pub(super) fn request(ask: &Ask<'_>) -> Value {
    let mut body = json!({ "model": ask.model, "stream": ask.delivery == Delivery::Streamed });
    put(&mut body, "system", ask.chat.system.as_str());
    if !ask.chat.tools.is_empty() {
        put(&mut body, "tools", ask.chat.tools.iter().map(tool).collect::<Value>());
    }
    put(&mut body, "messages", ask.chat.messages.iter().map(message).collect::<Value>());
    put(&mut body, "max_tokens", ask.output_limit.unwrap_or_else(|| most_output(ask.model)));
    body
}

/// The limit has to be said, so it is the most that a model can do; an unknown model is taken for a present one.
fn most_output(model: &str) -> u32 {
    const KNOWN: [(&str, u32); 14] = [
        ("claude-opus-4-0", 32_000),
        ("claude-opus-4-1", 32_000),
        ("claude-opus-4-2", 32_000),
        ("claude-opus-4-5", 64_000),
        ("claude-opus-4-6", 64_000),
        ("claude-opus-4-7", 64_000),
        ("claude-opus-4", 128_000),
        ("claude-opus-5", 128_000),
        ("claude-haiku-5", 128_000),
        ("claude-fable", 128_000),
        ("claude-mythos", 128_000),
        ("claude-3-5", 8_192),
        ("claude-3-opus", 4_096),
        ("claude-3-haiku", 4_096),
    ];
    KNOWN.iter().find(|(prefix, _)| model.starts_with(prefix)).map_or(64_000, |(_, tokens)| *tokens)
}

fn message(said: &Said) -> Value {
    match said {
        Said::User(text) => json!({ "role": "user", "content": text }),
        Said::Assistant { text: Some(text), calls } if calls.is_empty() => {
            json!({ "role": "assistant", "content": text })
        }
        Said::Assistant { text, calls } => {
            let texts = text.iter().map(|text| json!({ "type": "text", "text": text }));
            let calls = calls.iter().map(|call| {
                let input = if call.arguments.is_null() { json!({}) } else { call.arguments.clone() };
                json!({ "type": "tool_use", "id": call.id, "name": call.name, "input": input })
            });
            json!({ "role": "assistant", "content": texts.chain(calls).collect::<Vec<_>>() })
        }
        Said::Results(results) => {
            let results = results.iter().map(
                |result| json!({ "type": "tool_result", "content": result.content, "tool_use_id": result.call_id }),
            );
            json!({ "role": "user", "content": results.collect::<Vec<_>>() })
        }
    }
}

fn tool(tool: &Tool) -> Value {
    json!({ "name": tool.name, "input_schema": tool.schema, "description": tool.description })
}

pub(super) fn read(body: &Value) -> Answer {
    let usage = usage(&body["usage"]);
    if !body["content"].is_array() {
        return Answer { usage, ..Answer::silent(body) };
    }
    let of_type = |kind: &'static str| items(body, "/content").filter(move |block| block["type"] == kind);
    Answer {
        text: of_type("text").map(|block| text(block, "/text")).collect(),
        calls: of_type("tool_use")
            .map(|block| RawCall {
                id: text(block, "/id").to_owned(),
                name: text(block, "/name").to_owned(),
                arguments: Arguments::Json(block["input"].clone()),
            })
            .collect(),
        usage,
        stop: owned(body, "/stop_reason"),
        ..Answer::said()
    }
}

/// What was read from the cache or written to it is not among the tokens of the input.
fn usage(usage: &Value) -> Usage {
    let cached = count(usage, "/cache_read_input_tokens");
    let written = count(usage, "/cache_creation_input_tokens");
    Usage {
        input_tokens: count(usage, "/input_tokens").saturating_add(cached).saturating_add(written),
        cached_input_tokens: cached,
        output_tokens: count(usage, "/output_tokens"),
    }
}

/// Puts the blocks of a message together.
#[derive(Default)]
pub(super) struct Stream {
    blocks: BTreeMap<u64, Block>,
    stop: Option<String>,
    usage: Value,
    stopped: bool,
}

/// A block, and the JSON of its input as far as it came.
struct Block {
    start: Value,
    /// What was added to its text.
    text: String,
    input: String,
}

impl Assemble for Stream {
    fn take(&mut self, piece: &Value) -> Result<usize, String> {
        let index = count(piece, "/index");
        match text(piece, "/type") {
            "message_start" => overlay(&mut self.usage, at(piece, "/message/usage")),
            "content_block_start" => {
                // What follows is written into it.
                let Some(start) = piece["content_block"].as_object() else {
                    return Err("it begins with a block that is not an object".into());
                };
                let block = Block { start: Value::Object(start.clone()), text: String::new(), input: String::new() };
                self.blocks.insert(index, block);
            }
            "content_block_delta" => {
                let Some(block) = self.blocks.get_mut(&index) else {
                    return Err("it goes on with a block that was not begun".into());
                };
                return Ok(block.grow(&piece["delta"]));
            }
            "message_delta" => {
                self.stop = owned(piece, "/delta/stop_reason").or(self.stop.take());
                overlay(&mut self.usage, &piece["usage"]);
            }
            "message_stop" => self.stopped = true,
            _ => {}
        }
        Ok(0)
    }

    fn whole(&mut self) -> Option<Value> {
        if !self.stopped {
            return None;
        }
        let blocks: Vec<Value> = std::mem::take(&mut self.blocks).into_values().map(Block::whole).collect();
        Some(json!({ "type": "message", "content": blocks, "stop_reason": self.stop, "usage": self.usage }))
    }
}

impl Block {
    fn grow(&mut self, delta: &Value) -> usize {
        match text(delta, "/type") {
            "text_delta" => {
                let more = text(delta, "/text");
                self.text.push_str(more);
                more.len()
            }
            "input_json_delta" => {
                let more = text(delta, "/partial_json");
                self.input.push_str(more);
                more.len()
            }
            // Thoughts are not kept, but they are a sign of life.
            _ => text(delta, "/thinking").len(),
        }
    }

    fn whole(self) -> Value {
        let Self { mut start, text: more, input } = self;
        if !more.is_empty() {
            let whole = text(&start, "/text").to_owned() + &more;
            put(&mut start, "text", whole);
        }
        if !input.is_empty() {
            // Arguments that are not JSON stay a text, which every tool refuses.
            put(&mut start, "input", serde_json::from_str(&input).unwrap_or(Value::String(input)));
        }
        start
    }
}
