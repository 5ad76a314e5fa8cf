//! An agent that a test plays turn by turn, over the wire of a provider: what it does between two turns of the
//! conversation happens while the host waits for it, so that a race does not depend on luck.

use crate::{Answer, World};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// One turn: what came back for the calls of the turn before, to the next calls.
pub type Turn<'a> = Box<dyn FnOnce(&str) -> Vec<Value> + Send + 'a>;

/// A turn that looks at what came back.
pub fn turn<'a>(play: impl FnOnce(&str) -> Vec<Value> + Send + 'a) -> Turn<'a> {
    Box::new(play)
}

/// A turn with these calls, whatever came back.
#[must_use]
pub fn calls(calls: Vec<Value>) -> Turn<'static> {
    turn(move |_| calls)
}

/// One call of a tool.
#[must_use]
pub fn call(name: &str, arguments: Value) -> Value {
    let mut call = json!({ "name": name });
    call["arguments"] = arguments;
    call
}

/// Hands in a result.
#[must_use]
pub fn exit(result: &Value) -> Value {
    call("Exit", json!({ "result": result }))
}

/// The classifier's answer for a request of one item: `PHASE_A`, `SUCCESS` or `FAILURE`.
#[must_use]
pub fn classified(route: &str) -> Turn<'static> {
    let item = json!({ "id": "1", "text": "what was asked", "route": route, "reason": "made up by a test" });
    calls(vec![exit(&json!({ "items": [item] }))])
}

/// Hands in an edit of `client.tsp`, claiming nothing.
#[must_use]
pub fn edited() -> Value {
    exit(&json!({ "changes": [], "noEditNeeded": false, "renames": [] }))
}

/// Says that `client.tsp` needs no edit.
#[must_use]
pub fn no_edit() -> Turn<'static> {
    calls(vec![exit(&json!({ "changes": [], "noEditNeeded": true, "renames": [] }))])
}

/// Hands in a repair, claiming nothing.
#[must_use]
pub fn patched() -> Value {
    exit(&json!({ "outcome": "patched", "patches": [] }))
}

/// The words with which an agent gives up.
#[must_use]
pub fn guidance() -> Value {
    json!({ "issue": "it cannot be done", "files": ["spec/client.tsp:1"], "approach": "by hand", "reason": "a test says so" })
}

impl World {
    /// `package customize` with a model that a test plays. Every turn has to be asked for, and no other.
    #[must_use]
    pub fn customize_played(&self, request: &str, further: &[&str], turns: Vec<Turn<'_>>) -> Answer {
        self.played("customize", &[&["--customization-request", request], further].concat(), turns)
    }

    /// A command of `package` with such a model.
    #[must_use]
    pub fn played(&self, command: &str, further: &[&str], turns: Vec<Turn<'_>>) -> Answer {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let model = format!("openai-compatible:m@http://{address}/v1");
        let (turns, failed) = (Mutex::new(turns.into_iter()), Mutex::new(None));
        let over = AtomicBool::new(false);
        let answer = std::thread::scope(|scope| {
            scope.spawn(|| {
                while let Ok((stream, _)) = listener.accept() {
                    if over.load(Ordering::SeqCst) {
                        break;
                    }
                    // The client disconnects between two requests, which is not an error here.
                    let _ = serve(&stream, |back| {
                        let turn = turns.lock().unwrap().next()?;
                        catch_unwind(AssertUnwindSafe(|| turn(back)))
                            .map_err(|panic| *failed.lock().unwrap() = Some(panic))
                            .ok()
                    });
                }
            });
            let package = self.package();
            let begin = ["--json", "package", command, "--package-path", package.to_str().unwrap(), "--model", &model];
            let all = [&begin[..], further].concat();
            // A run of an agent is for a person at work.
            let answer = self.bailiwick_with(&all, &[("CI", "")]);
            over.store(true, Ordering::SeqCst);
            drop(TcpStream::connect(address));
            answer
        });
        if let Some(panic) = failed.into_inner().unwrap() {
            resume_unwind(panic);
        }
        let left = turns.into_inner().unwrap().count();
        assert_eq!(left, 0, "{left} turns were not asked for:\n{}\n{}", answer.stdout, answer.stderr);
        answer
    }
}

fn serve(mut stream: &TcpStream, next: impl FnOnce(&str) -> Option<Vec<Value>>) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let mut length = 0;
    loop {
        let mut header = String::new();
        reader.read_line(&mut header)?;
        if header.trim().is_empty() {
            break;
        }
        if let Some(value) = header.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let (status, kind, text) = if line.starts_with("GET ") {
        ("200 OK", "application/json", json!({ "id": "m", "object": "model" }).to_string())
    } else {
        let sent: Value = serde_json::from_slice(&body).unwrap();
        match next(&came_back(&sent)) {
            Some(calls) => ("200 OK", "text/event-stream", streamed(&calls)),
            None => (
                "400 Bad Request",
                "application/json",
                json!({ "error": { "message": "the test has no turn left" } }).to_string(),
            ),
        }
    };
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        text.len()
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(text.as_bytes())
}

/// What stands behind the last answer of the model.
fn came_back(sent: &Value) -> String {
    let messages = sent["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let start = messages.iter().rposition(|message| message["role"] == "assistant").map_or(0, |last| last + 1);
    let texts = messages[start..].iter().map(|message| match &message["content"] {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    });
    texts.collect::<Vec<_>>().join("\n")
}

fn streamed(calls: &[Value]) -> String {
    let chunk = |delta: Value, finish: Value| {
        let choice = json!({ "index": 0, "delta": delta, "finish_reason": finish });
        format!(
            "data: {}\n\n",
            json!({ "id": "x", "object": "chat.completion.chunk", "model": "m", "choices": [choice] })
        )
    };
    let calls: Vec<Value> = calls
        .iter()
        .enumerate()
        .map(|(index, call)| {
            let function = json!({ "name": call["name"], "arguments": call["arguments"].to_string() });
            json!({ "index": index, "id": format!("call_{index}"), "type": "function", "function": function })
        })
        .collect();
    let usage = json!({ "choices": [], "usage": { "prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15 } });
    [
        chunk(json!({ "role": "assistant", "content": "" }), Value::Null),
        chunk(json!({ "tool_calls": calls }), Value::Null),
        chunk(json!({}), json!("tool_calls")),
        format!("data: {usage}\n\ndata: [DONE]\n\n"),
    ]
    .concat()
}
