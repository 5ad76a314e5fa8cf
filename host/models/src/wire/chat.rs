//! OpenAI chat completions, which Azure OpenAI and many others speak too.

use std::collections::BTreeMap;

use bailiwick_agent::Usage;
use serde_json::{Map, Value, json};

use super::{Ask, Assemble, Delivery, at, count, items, overlay, owned, put, text};
use crate::answer::{Answer, Arguments, RawCall};
use crate::request::{Said, Strictness, Tool};

/// No model asks for more calls at once; a server that counts on is broken.
const MOST_CALLS: usize = 1_024;

pub(super) fn request(ask: &Ask<'_>) -> Value {
    let mut body = json!({ "model": ask.model, "stream": ask.delivery == Delivery::Streamed });
    if !ask.chat.tools.is_empty() {
        put(&mut body, "tools", ask.chat.tools.iter().map(tool).collect::<Value>());
    }
    let system = json!({ "role": "system", "content": ask.chat.system });
    put(
        &mut body,
        "messages",
        std::iter::once(system).chain(ask.chat.messages.iter().flat_map(message)).collect::<Value>(),
    );
    if ask.delivery == Delivery::Streamed {
        // Without it no tokens are counted in a stream.
        put(&mut body, "stream_options", json!({ "include_usage": true }));
    }
    if let Some(limit) = ask.output_limit {
        put(&mut body, limit_name(ask.model), limit);
    }
    body
}

/// Newer models of OpenAI refuse the name that all others know.
fn limit_name(model: &str) -> &'static str {
    const NEWER: [&str; 5] = ["gpt-5", "gpt-6", "o1", "o3", "o4"];
    if NEWER.iter().any(|prefix| model.starts_with(prefix)) { "max_completion_tokens" } else { "max_tokens" }
}

fn message(said: &Said) -> Vec<Value> {
    match said {
        Said::User(text) => vec![json!({ "role": "user", "content": text })],
        Said::Assistant { text, calls } => {
            let mut message = json!({ "role": "assistant", "content": text.as_deref().unwrap_or_default() });
            if !calls.is_empty() {
                let calls = calls.iter().map(|call| {
                    json!({
                        "type": "function",
                        "id": call.id,
                        "function": { "name": call.name, "arguments": call.arguments.to_string() }
                    })
                });
                put(&mut message, "tool_calls", calls.collect::<Value>());
            }
            vec![message]
        }
        Said::Results(results) => results
            .iter()
            .map(|result| json!({ "role": "tool", "content": result.content, "tool_call_id": result.call_id }))
            .collect(),
    }
}

fn tool(tool: &Tool) -> Value {
    json!({
        "type": "function",
        "function": {
            "name": tool.name,
            "description": tool.description,
            "parameters": tool.schema,
            "strict": tool.strictness == Strictness::On,
        }
    })
}

pub(super) fn read(body: &Value) -> Answer {
    let message = body.pointer("/choices/0/message").filter(|message| !message.is_null());
    let Some(message) = message else { return Answer { usage: usage(body), ..Answer::silent(body) } };
    let content = match &message["content"] {
        Value::String(text) => text.clone(),
        // Some models give their text in parts, thoughts among them.
        parts => items(parts, "").map(|part| text(part, "/text")).collect(),
    };
    Answer {
        text: content,
        calls: items(message, "/tool_calls").map(call).collect(),
        usage: usage(body),
        stop: owned(body, "/choices/0/finish_reason"),
        refusal: owned(message, "/refusal").filter(|said| !said.is_empty()),
        ..Answer::said()
    }
}

fn call(call: &Value) -> RawCall {
    let arguments = match at(call, "/function/arguments") {
        Value::String(text) => Arguments::Text(text.clone()),
        other => Arguments::Json(other.clone()),
    };
    RawCall { id: text(call, "/id").to_owned(), name: text(call, "/function/name").to_owned(), arguments }
}

fn usage(body: &Value) -> Usage {
    Usage {
        input_tokens: count(body, "/usage/prompt_tokens"),
        cached_input_tokens: count(body, "/usage/prompt_tokens_details/cached_tokens"),
        output_tokens: count(body, "/usage/completion_tokens"),
    }
}

/// Puts chunks together.
#[derive(Default)]
pub(super) struct Stream {
    begun: bool,
    content: String,
    refusal: String,
    calls: BTreeMap<u64, (Value, String)>,
    finish: Option<String>,
    usage: Value,
    done: bool,
}

impl Assemble for Stream {
    fn take(&mut self, piece: &Value) -> Result<usize, String> {
        overlay(&mut self.usage, &piece["usage"]);
        let mut characters = 0_usize;
        // bailiwick never asks for a second choice.
        for choice in items(piece, "/choices").filter(|choice| count(choice, "/index") == 0) {
            self.begun = true;
            let delta = &choice["delta"];
            let content = match &delta["content"] {
                Value::String(text) => text.clone(),
                parts => items(parts, "").map(|part| text(part, "/text")).collect(),
            };
            let rest = ["/refusal", "/reasoning_content", "/reasoning"];
            let said =
                rest.into_iter().map(|place| text(delta, place).len()).fold(content.len(), usize::saturating_add);
            characters = said.saturating_add(characters);
            self.content.push_str(&content);
            self.refusal.push_str(text(delta, "/refusal"));
            for call in items(delta, "/tool_calls") {
                characters = characters.saturating_add(self.take_call(call)?);
            }
            if let Some(reason) = owned(choice, "/finish_reason") {
                self.finish = Some(reason);
            }
        }
        Ok(characters)
    }

    fn take_word(&mut self, word: &str) -> bool {
        self.done |= word == "[DONE]";
        self.done
    }

    /// The last choice came, and after it everything else, of which the tokens are a part.
    fn whole(&mut self) -> Option<Value> {
        if !(self.done && self.begun && self.finish.is_some()) {
            return None;
        }
        let calls: Vec<Value> = std::mem::take(&mut self.calls)
            .into_values()
            .map(|(mut call, arguments)| {
                if let Some(place) = call.pointer_mut("/function/arguments") {
                    *place = arguments.into();
                }
                call
            })
            .collect();
        let mut message = json!({ "role": "assistant", "content": self.content });
        if !self.refusal.is_empty() {
            put(&mut message, "refusal", self.refusal.as_str());
        }
        if !calls.is_empty() {
            put(&mut message, "tool_calls", calls);
        }
        Some(json!({
            "choices": [{ "index": 0, "message": message, "finish_reason": self.finish }],
            "usage": self.usage,
        }))
    }
}

impl Stream {
    fn take_call(&mut self, piece: &Value) -> Result<usize, String> {
        let id = text(piece, "/id");
        let last = self.calls.keys().next_back().copied();
        // Some servers leave the number out; then a new id begins a new call.
        let index = match (piece["index"].as_u64(), last) {
            (Some(index), _) => index,
            (None, None) => 0,
            (None, Some(last)) => {
                let same = id.is_empty() || self.calls.get(&last).is_some_and(|(call, _)| text(call, "/id") == id);
                if same { last } else { last.saturating_add(1) }
            }
        };
        if self.calls.len() >= MOST_CALLS && !self.calls.contains_key(&index) {
            return Err(format!("it asks for more than {MOST_CALLS} calls at once"));
        }
        let empty =
            || (json!({ "id": "", "type": "function", "function": { "name": "", "arguments": "" } }), String::new());
        let (call, arguments) = self.calls.entry(index).or_insert_with(empty);
        for place in ["/id", "/function/name"] {
            let said = text(piece, place);
            if let Some(known) = call.pointer_mut(place).filter(|known| known.as_str() == Some("") && !said.is_empty())
            {
                *known = said.into();
            }
        }
        let more = match at(piece, "/function/arguments") {
            Value::String(text) => text.clone(),
            Value::Object(whole) => Value::Object(Map::clone(whole)).to_string(),
            _ => String::new(),
        };
        arguments.push_str(&more);
        Ok(more.len())
    }
}
