//! Repairs a package on disk as Phase B would, from a task in a file: `repair PACKAGE TASK.json`. Prints the result.
//!
//! The paths of the task begin with `sdk/`, which stands for the package. Nothing is confined: it is for measuring.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use bailiwick_agent::EXIT;
use bailiwick_agent::backend::{Backend as _, TurnRequest};
use bailiwick_agent::message::{Message, ToolResult};
use bailiwick_mechanic::Mechanic;
use serde_json::{Value, json};

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let (package, task) = (Path::new(&arguments[1]), std::fs::read(&arguments[2]).expect("a task"));
    let mut request = TurnRequest {
        instructions: String::new(),
        task: serde_json::from_slice(&task).expect("JSON"),
        messages: Vec::new(),
        tools: Vec::new(),
    };
    loop {
        let response = Mechanic.turn(&request).await.expect("a turn");
        let mut results = Vec::new();
        for call in &response.calls {
            if call.name == EXIT {
                writeln!(std::io::stdout(), "{}", call.arguments["result"]).expect("standard output");
                return;
            }
            let (content, is_error) = match answer(&call.name, &call.arguments, package) {
                Ok(content) => (content, false),
                Err(kind) => (json!({"kind": kind, "message": kind}), true),
            };
            results.push(ToolResult { call_id: call.id.clone(), name: call.name.clone(), content, is_error });
        }
        request.messages.push(Message::Assistant { text: response.text, calls: response.calls });
        request.messages.push(Message::ToolResults(results));
    }
}

fn answer(tool: &str, input: &Value, package: &Path) -> Result<Value, &'static str> {
    let on_disk = |path: &str| package.join(path.trim_start_matches("sdk").trim_start_matches('/'));
    let text = |name: &str| input[name].as_str().unwrap_or_default();
    let path = on_disk(text("filePath"));
    match tool {
        "ListFiles" => {
            let mut found = Vec::new();
            list(&on_disk(text("path")), text("filter"), &mut found);
            let entry = |file: &PathBuf| json!({"name": file.strip_prefix(package).ok(), "kind": "file"});
            Ok(json!({"grant": "sdk", "entries": found.iter().map(entry).collect::<Vec<_>>()}))
        }
        "ReadFile" => {
            let content = std::fs::read_to_string(path).map_err(|_| "not-found")?;
            let lines = content.lines().count();
            // The tool reads no more than this in one answer.
            if content.len() > 1 << 20 && input["startLine"].is_null() {
                return Err("too-large");
            }
            let skipped = usize::try_from(input["startLine"].as_u64().unwrap_or(1)).unwrap_or(1) - 1;
            let rest: String = content.split_inclusive('\n').skip(skipped).take(10_000).collect();
            let end = skipped + rest.lines().count();
            Ok(json!({"content": rest, "startLine": skipped + 1, "endLine": end, "truncated": end < lines}))
        }
        "CodePatch" => {
            let content = std::fs::read_to_string(&path).map_err(|_| "not-found")?;
            let start = usize::try_from(input["startLine"].as_u64().unwrap_or(1)).unwrap_or(1);
            let before: usize = content.split_inclusive('\n').take(start - 1).map(str::len).sum();
            let (head, tail) = content.split_at(before);
            let rest = tail.strip_prefix(text("oldContent")).ok_or("not-unique")?;
            std::fs::write(path, format!("{head}{}{rest}", text("newContent"))).map_err(|_| "failed")?;
            Ok(json!({}))
        }
        _ => Err("unknown-tool"),
    }
}

fn list(directory: &Path, pattern: &str, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = std::fs::read_dir(directory).into_iter().flatten().flatten().collect();
    entries.sort_by_key(std::fs::DirEntry::path);
    for entry in entries {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        if path.is_dir() {
            list(&path, pattern, found);
        } else if pattern.strip_prefix('*').map_or(name == pattern, |end| name.ends_with(end)) {
            found.push(path);
        }
    }
}
