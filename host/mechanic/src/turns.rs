//! What a planner reads out of a conversation, and what it answers with.

use serde::Serialize;
use serde_json::{Value, json};

use bailiwick_agent::backend::{BackendError, TurnResponse};
use bailiwick_agent::message::{Message, ToolCall, ToolResult};
use bailiwick_agent::{EXIT, Usage};

/// One turn of a planner.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Turn {
    text: String,
    calls: Vec<(&'static str, Value)>,
}

impl Turn {
    /// Calls tools. The order is kept.
    pub(crate) fn call(text: impl Into<String>, calls: Vec<(&'static str, Value)>) -> Self {
        Self { text: text.into(), calls }
    }

    /// Ends with a result.
    pub(crate) fn exit(text: impl Into<String>, result: &impl Serialize) -> Result<Self, BackendError> {
        let result = serde_json::to_value(result)
            .map_err(|error| BackendError::Refused { message: format!("the result cannot be written: {error}") })?;
        Ok(Self { text: text.into(), calls: vec![(EXIT, json!({ "result": result }))] })
    }

    /// The turn as a response. Ids go on from the calls made so far.
    pub(crate) fn into_response(self, messages: &[Message]) -> TurnResponse {
        let before = done(messages).count();
        let calls = self
            .calls
            .into_iter()
            .zip(before + 1..)
            .map(|((name, arguments), number)| ToolCall {
                id: format!("mechanic-{number}"),
                name: name.to_owned(),
                arguments,
            })
            .collect();
        TurnResponse { text: self.text, calls, usage: Usage::default() }
    }
}

/// Every call that was made, with its result, in order.
pub(crate) fn done(messages: &[Message]) -> impl Iterator<Item = (&ToolCall, Option<&ToolResult>)> {
    messages.iter().enumerate().flat_map(|(at, message)| {
        let calls = match message {
            Message::Assistant { calls, .. } => calls.as_slice(),
            _ => &[],
        };
        let results = match messages.get(at + 1) {
            Some(Message::ToolResults(results)) => results.as_slice(),
            _ => &[],
        };
        calls.iter().enumerate().map(move |(position, call)| {
            let result = results
                .iter()
                .find(|result| !call.id.is_empty() && result.call_id == call.id)
                .or_else(|| results.get(position));
            (call, result)
        })
    })
}

/// The reason for which a result was sent back, if one was.
pub(crate) fn refused_exit(messages: &[Message]) -> Option<String> {
    done(messages).filter(|(call, _)| call.name == EXIT).last().map(|(_, result)| {
        result.map_or_else(|| "the result was not accepted".to_owned(), |result| failure_text(&result.content))
    })
}

/// The words of a failure or of a refusal.
pub(crate) fn failure_text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Object(fields) => {
            let named = ["message", "reason", "violation"].iter().find_map(|name| fields.get(*name));
            named.map_or_else(|| content.to_string(), failure_text)
        }
        other => other.to_string(),
    }
}

/// A file as the reads of a conversation show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FileRead {
    /// Not asked for yet.
    Unread,
    /// Read up to this line; more follows.
    Partly { next_line: u64 },
    /// All of it, byte for byte.
    Whole(String),
    /// It does not exist.
    Missing,
    /// It cannot be read.
    Failed(String),
}

/// What the `ReadFile` calls so far say about a file.
pub(crate) fn file(messages: &[Message], path: &str) -> FileRead {
    let mut content = String::new();
    let mut state = FileRead::Unread;
    for (call, result) in done(messages) {
        if call.name != "ReadFile" || call.arguments.get("filePath").and_then(Value::as_str) != Some(path) {
            continue;
        }
        let Some(result) = result else { continue };
        if result.is_error {
            let kind = result.content.get("kind").and_then(Value::as_str).unwrap_or_default();
            state = match kind {
                "not-found" => FileRead::Missing,
                // Too large for one answer: it is read in ranges from the start.
                "too-large" if state == FileRead::Unread => FileRead::Partly { next_line: 1 },
                _ => FileRead::Failed(failure_text(&result.content)),
            };
            continue;
        }
        let Some(part) = result.content.get("content").and_then(Value::as_str) else {
            state = FileRead::Failed("the answer holds no content".to_owned());
            continue;
        };
        content.push_str(part);
        let end = result.content.get("endLine").and_then(Value::as_u64).unwrap_or_default();
        let truncated = result.content.get("truncated").and_then(Value::as_bool).unwrap_or_default();
        state = if truncated { FileRead::Partly { next_line: end + 1 } } else { FileRead::Whole(content.clone()) };
    }
    state
}

/// The call that reads a file, or the rest of it.
pub(crate) fn read_call(path: &str, state: &FileRead) -> Option<(&'static str, Value)> {
    match state {
        FileRead::Unread => Some(("ReadFile", json!({ "filePath": path }))),
        FileRead::Partly { next_line } => Some(("ReadFile", json!({ "filePath": path, "startLine": next_line }))),
        FileRead::Whole(_) | FileRead::Missing | FileRead::Failed(_) => None,
    }
}

/// The call that looks for files of a name in a directory and beneath it.
pub(crate) fn list_call(directory: &str, pattern: &str) -> (&'static str, Value) {
    ("ListFiles", json!({ "path": directory, "recursive": true, "filter": pattern }))
}

/// The files that such a call found, with their grant; none where there is no such directory. `None` before it was made.
pub(crate) fn listed(messages: &[Message], directory: &str, pattern: &str) -> Option<Vec<String>> {
    let (_, wanted) = list_call(directory, pattern);
    let (_, result) = done(messages).find(|(call, _)| call.name == "ListFiles" && call.arguments == wanted)?;
    let content = &result?.content;
    let grant = content.get("grant").and_then(Value::as_str);
    let entries = content.get("entries").and_then(Value::as_array);
    let files = entries.into_iter().flatten().filter(|entry| entry.get("kind").and_then(Value::as_str) == Some("file"));
    let names = files.filter_map(|entry| entry.get("name").and_then(Value::as_str));
    Some(names.map(|name| grant.map_or_else(|| name.to_owned(), |grant| format!("{grant}/{name}"))).collect())
}
