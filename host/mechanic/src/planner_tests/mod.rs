//! The planners, driven turn by turn over files in memory.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::Mechanic;
use bailiwick_agent::backend::{Backend, TurnRequest};
use bailiwick_agent::message::{Message, ToolResult};
use bailiwick_sdk::tasks::*;

mod classify;
mod patch;
pub(crate) mod typespec;

/// Lets the mechanic work until it hands in its result.
async fn run(task: AgentTask, files: &mut BTreeMap<String, String>) -> Value {
    let mut messages = Vec::new();
    for _ in 0..40 {
        let request = TurnRequest {
            instructions: String::new(),
            task: task.to_value().unwrap(),
            messages: messages.clone(),
            tools: Vec::new(),
        };
        let response = Mechanic.turn(&request).await.unwrap();
        let mut results = Vec::new();
        for call in &response.calls {
            if call.name == bailiwick_agent::EXIT {
                return call.arguments["result"].clone();
            }
            let (content, is_error) = match answer(&call.name, &call.arguments, files) {
                Ok(content) => (content, false),
                Err(kind) => (json!({"kind": kind, "message": kind}), true),
            };
            results.push(ToolResult { call_id: call.id.clone(), name: call.name.clone(), content, is_error });
        }
        assert!(!results.is_empty(), "a turn without a call");
        messages.push(Message::Assistant { text: response.text, calls: response.calls });
        messages.push(Message::ToolResults(results));
    }
    panic!("no end in sight: {messages:#?}");
}

fn answer(tool: &str, input: &Value, files: &mut BTreeMap<String, String>) -> Result<Value, &'static str> {
    if tool == "ListFiles" {
        let (under, wanted) = (input["path"].as_str().unwrap(), input["filter"].as_str().unwrap());
        let named = |path: &&String| {
            let name = path.rsplit('/').next().unwrap();
            path.starts_with(&format!("{under}/"))
                && wanted.strip_prefix('*').map_or(name == wanted, |end| name.ends_with(end))
        };
        let entries: Vec<Value> = files
            .keys()
            .filter(named)
            .map(|path| json!({"name": path.strip_prefix("sdk/").unwrap(), "kind": "file"}))
            .collect();
        return Ok(json!({"grant": "sdk", "entries": entries, "skipped": [], "unreadable": [], "undecodable": 0}));
    }
    let path = input["filePath"].as_str().unwrap();
    match tool {
        "ReadFile" => {
            let content = files.get(path).ok_or("not-found")?;
            if content.starts_with("# large") && input["startLine"].is_null() {
                return Err("too-large");
            }
            // Two lines at a time, so that reading on is tried.
            let lines: Vec<&str> = content.split_inclusive('\n').collect();
            let start = usize::try_from(input["startLine"].as_u64().unwrap_or(1)).unwrap();
            let end = (start + 1).min(lines.len());
            Ok(
                json!({"content": lines[start - 1..end].concat(), "totalLines": lines.len(), "startLine": start, "endLine": end, "truncated": end < lines.len()}),
            )
        }
        "WriteFile" => {
            files.insert(path.to_owned(), input["content"].as_str().unwrap().to_owned());
            Ok(json!({}))
        }
        "CodePatch" => {
            let content = files.get_mut(path).ok_or("not-found")?;
            let (old, new) = (input["oldContent"].as_str().unwrap(), input["newContent"].as_str().unwrap());
            let start = usize::try_from(input["startLine"].as_u64().unwrap()).unwrap();
            let before: usize = content.split_inclusive('\n').take(start - 1).map(str::len).sum();
            assert!(content[before..].starts_with(old), "{old:?}");
            content.replace_range(before..before + old.len(), new);
            if new.contains("refused") { Err("failed") } else { Ok(json!({})) }
        }
        _ => Err("unknown-tool"),
    }
}

fn build_error(tool: &str, file: &str, message: &str) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        file: Some(file.into()),
        line: Some(3),
        column: None,
        code: None,
        message: message.into(),
        symbol: None,
        tool: tool.into(),
    }
}

#[tokio::test]
async fn unknown_task_is_refused() {
    let request = TurnRequest {
        instructions: String::new(),
        task: json!({"kind": "poetry"}),
        messages: Vec::new(),
        tools: Vec::new(),
    };
    assert!(Mechanic.turn(&request).await.is_err());
}
