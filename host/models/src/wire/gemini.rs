//! Gemini `generateContent`.

use bailiwick_agent::{ToolCall, Usage};
use serde_json::{Value, json};

use super::{Ask, Assemble, at, count, items, overlay, owned, put, text};
use crate::answer::{Answer, Arguments, RawCall};
use crate::request::{Outcome, Said, Tool};

/// Stands for the signature of a thought, which the loop does not keep: Gemini 3 wants one with the first call of a turn
/// and takes this (`ai.google.dev/gemini-api/docs/thought-signatures`).
const NO_SIGNATURE: &str = "skip_thought_signature_validator";

pub(super) fn request(ask: &Ask<'_>) -> Value {
    let mut body = json!({ "systemInstruction": { "parts": [{ "text": ask.chat.system }] } });
    if !ask.chat.tools.is_empty() {
        let declarations: Vec<Value> = ask.chat.tools.iter().map(tool).collect();
        put(&mut body, "tools", json!([{ "functionDeclarations": declarations }]));
    }
    let signed = ask.model.contains("gemini-3");
    put(&mut body, "contents", ask.chat.messages.iter().map(|said| message(said, signed)).collect::<Value>());
    if let Some(limit) = ask.output_limit {
        put(&mut body, "generationConfig", json!({ "maxOutputTokens": limit }));
    }
    body
}

fn message(said: &Said, signed: bool) -> Value {
    match said {
        Said::User(text) => json!({ "role": "user", "parts": [{ "text": text }] }),
        Said::Assistant { text, calls } => {
            let texts = text.iter().map(|text| json!({ "text": text }));
            let calls = calls.iter().enumerate().map(|(number, call)| {
                let mut part = json!({ "functionCall": function_call(call) });
                if signed && number == 0 {
                    put(&mut part, "thoughtSignature", NO_SIGNATURE);
                }
                part
            });
            json!({ "role": "model", "parts": texts.chain(calls).collect::<Vec<_>>() })
        }
        Said::Results(results) => {
            let results = results.iter().map(|result| json!({ "functionResponse": function_response(result) }));
            json!({ "role": "user", "parts": results.collect::<Vec<_>>() })
        }
    }
}

fn function_call(call: &ToolCall) -> Value {
    let mut value = json!({ "name": call.name, "args": call.arguments });
    if !call.id.is_empty() {
        put(&mut value, "id", call.id.as_str());
    }
    value
}

fn function_response(result: &Outcome) -> Value {
    let name = &result.name;
    let mut value = json!({ "name": name, "response": { "name": name, "content": result.content } });
    if !result.call_id.is_empty() {
        put(&mut value, "id", result.call_id.as_str());
    }
    value
}

fn tool(tool: &Tool) -> Value {
    json!({ "name": tool.name, "description": tool.description, "parametersJsonSchema": tool.schema })
}

pub(super) fn read(body: &Value) -> Answer {
    let candidate = body.pointer("/candidates/0").filter(|candidate| !candidate.is_null());
    let usage = usage(&body["usageMetadata"]);
    let Some(candidate) = candidate else {
        let blocked = owned(body, "/promptFeedback/blockReason");
        let refusal = blocked.map(|reason| format!("the provider took the request for harmful (`{reason}`)"));
        return Answer { usage, refusal, ..Answer::silent(body) };
    };
    let parts = || items(candidate, "/content/parts").filter(|part| part["thought"] != true);
    let calls = parts().filter_map(|part| part.get("functionCall")).map(|call| RawCall {
        // Its ids, where it gives any, begin anew with every answer; the loop has ids of its own.
        id: String::new(),
        name: text(call, "/name").to_owned(),
        arguments: Arguments::Json(call["args"].clone()),
    });
    Answer {
        text: parts().map(|part| text(part, "/text")).collect(),
        calls: calls.collect(),
        usage,
        stop: owned(candidate, "/finishReason"),
        ..Answer::said()
    }
}

/// Thoughts are not among the tokens of the answer, and are paid like them.
fn usage(usage: &Value) -> Usage {
    Usage {
        input_tokens: count(usage, "/promptTokenCount"),
        cached_input_tokens: count(usage, "/cachedContentTokenCount"),
        output_tokens: count(usage, "/candidatesTokenCount").saturating_add(count(usage, "/thoughtsTokenCount")),
    }
}

/// Puts the parts of a candidate together. A chunk with a reason to finish is the last one.
#[derive(Default)]
pub(super) struct Stream {
    parts: Vec<Value>,
    usage: Value,
    finish: Option<String>,
    blocked: Option<Value>,
}

impl Assemble for Stream {
    fn take(&mut self, piece: &Value) -> Result<usize, String> {
        overlay(&mut self.usage, &piece["usageMetadata"]);
        if !at(piece, "/promptFeedback/blockReason").is_null() {
            self.blocked = Some(piece["promptFeedback"].clone());
        }
        let mut characters = 0_usize;
        for part in items(piece, "/candidates/0/content/parts") {
            characters = characters.saturating_add(text(part, "/text").len());
            if part.get("functionCall").is_some() {
                characters = characters.saturating_add(at(part, "/functionCall/args").to_string().len());
            }
            if part["thought"] != true {
                self.parts.push(part.clone());
            }
        }
        self.finish = owned(piece, "/candidates/0/finishReason").or(self.finish.take());
        Ok(characters)
    }

    fn whole(&mut self) -> Option<Value> {
        if let Some(feedback) = &self.blocked {
            return Some(json!({ "promptFeedback": feedback, "usageMetadata": self.usage }));
        }
        let finish = self.finish.as_ref()?;
        Some(json!({
            "candidates": [{
                "content": { "role": "model", "parts": std::mem::take(&mut self.parts) },
                "finishReason": finish,
            }],
            "usageMetadata": self.usage,
        }))
    }
}
