//! What a provider answered, as a turn.

use bailiwick_agent::{BackendError, ToolCall, ToolSpec, TurnResponse, Usage};
use genai::chat::{ChatResponse, StopReason};
use serde_json::{Map, Value};

use crate::schema;

/// Reads an answer that came whole.
pub(crate) fn read(response: ChatResponse, tools: &[ToolSpec]) -> Result<TurnResponse, BackendError> {
    let usage = usage(&response.usage);
    let raw = response.captured_raw_body.clone().unwrap_or_default();
    if let Some(message) = refusal(&raw) {
        return Err(BackendError::Refused { message });
    }
    match &response.stop_reason {
        // Whatever calls it has may be half of what was meant, however well they parse.
        Some(StopReason::MaxTokens(_)) => return Err(BackendError::Truncated { usage }),
        Some(StopReason::ContentFilter(reason)) => {
            let message = format!("the provider stopped the answer for its content (`{reason}`)");
            return Err(BackendError::Refused { message });
        }
        _ => {}
    }
    let text = response.content.joined_texts().unwrap_or_default();
    let mut calls = Vec::new();
    for call in response.into_tool_calls() {
        calls.push(read_call(call, tools).map_err(|message| BackendError::Malformed { message, usage })?);
    }
    if text.is_empty() && calls.is_empty() && !says_anything(&raw) {
        let message = "there is no answer in what the provider sent".into();
        return Err(BackendError::Malformed { message, usage });
    }
    Ok(TurnResponse { text, calls, usage })
}

/// What is left of an answer that genai could not read: a call that was cut off at the output limit ends in the middle
/// of its arguments.
pub(crate) fn unreadable(body: &Value) -> BackendError {
    let usage = raw_usage(body);
    let cut = body.pointer("/choices/0/finish_reason").is_some_and(|reason| reason == "length")
        || (body.get("status").is_some_and(|status| status == "incomplete") && refusal(body).is_none());
    if cut {
        return BackendError::Truncated { usage };
    }
    match refusal(body).or_else(|| error_message(body)) {
        Some(message) => BackendError::Refused { message },
        None => {
            BackendError::Malformed { message: "its calls or their arguments are not what was agreed".into(), usage }
        }
    }
}

/// The message of an error as every provider words it.
pub(crate) fn error_message(body: &Value) -> Option<String> {
    let error = body.get("error").or_else(|| body.get(0)?.get("error"))?;
    error.get("message").unwrap_or(error).as_str().map(str::to_owned)
}

fn read_call(call: genai::chat::ToolCall, tools: &[ToolSpec]) -> Result<ToolCall, String> {
    let mut arguments = match call.fn_arguments {
        Value::Null => Value::Object(Map::new()),
        arguments @ Value::Object(_) => arguments,
        _ => return Err(format!("the arguments of `{}` are no JSON object", call.fn_name)),
    };
    if let Some(spec) = tools.iter().find(|spec| spec.name == call.fn_name) {
        schema::restore(&mut arguments, &spec.input_schema);
    }
    // genai's stand-in for Gemini's missing ids begins anew with every answer; the loop has ids of its own.
    let id = if call.call_id.starts_with("call#") { String::new() } else { call.call_id };
    Ok(ToolCall { id, name: call.fn_name, arguments })
}

/// OpenAI says in words of its own that it will not answer.
fn refusal(raw: &Value) -> Option<String> {
    let said = raw.pointer("/choices/0/message/refusal").and_then(Value::as_str).or_else(|| {
        let contents = raw.get("output")?.as_array()?.iter().filter_map(|item| item.get("content")?.as_array());
        contents.flatten().find_map(|content| content.get("refusal")?.as_str())
    });
    if let Some(said) = said.filter(|said| !said.is_empty()) {
        return Some(said.to_owned());
    }
    let filtered = raw.pointer("/incomplete_details/reason").is_some_and(|reason| reason == "content_filter");
    filtered.then(|| "the provider stopped the answer for its content (`content_filter`)".to_owned())
}

/// Whether there is an answer at all: a model may well have nothing to say.
fn says_anything(raw: &Value) -> bool {
    ["/choices/0/message", "/content", "/candidates/0", "/message", "/output"]
        .iter()
        .any(|place| raw.pointer(place).is_some_and(|value| !value.is_null()))
}

fn usage(usage: &genai::chat::Usage) -> Usage {
    let count = |number: Option<i32>| number.and_then(|number| u64::try_from(number).ok()).unwrap_or_default();
    let input_tokens = count(usage.prompt_tokens);
    let output_tokens = match usage.completion_tokens {
        Some(_) => count(usage.completion_tokens),
        // An answer of Gemini that is nothing but thoughts.
        None => count(usage.completion_tokens_details.as_ref().and_then(|details| details.reasoning_tokens)),
    };
    let cached_input_tokens = count(usage.prompt_tokens_details.as_ref().and_then(|details| details.cached_tokens));
    Usage { input_tokens, cached_input_tokens, output_tokens }
}

fn raw_usage(body: &Value) -> Usage {
    let count =
        |names: [&str; 2]| names.iter().find_map(|name| body.get("usage")?.get(name)?.as_u64()).unwrap_or_default();
    Usage {
        input_tokens: count(["prompt_tokens", "input_tokens"]),
        cached_input_tokens: 0,
        output_tokens: count(["completion_tokens", "output_tokens"]),
    }
}
