//! A stand-in for a provider, which repeats the key that it is sent wherever an answer has room for it. Written here, so
//! it proves nothing about real providers.

use super::canary::{KEY, forms};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// What is answered to one turn.
#[derive(Clone)]
pub(crate) enum Reply {
    /// Text and calls, as a chat completion.
    Turn(String, Vec<Value>),
    /// An error of this status.
    Error(u16, String),
    /// A body as it is, of this content type.
    Raw(String, String),
}

/// One request as it came.
pub(crate) struct Received {
    pub(crate) line: String,
    pub(crate) headers: String,
    pub(crate) body: String,
}

/// A server on a port of its own, for as long as the test runs.
pub(crate) struct Echo {
    pub(crate) port: u16,
    received: Arc<Mutex<Vec<Received>>>,
}

impl Echo {
    /// Serves the replies in order, the last one again and again.
    pub(crate) fn serve(replies: Vec<Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let received = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&received);
        std::thread::spawn(move || {
            let mut replies = replies.into_iter();
            let mut last = None;
            while let Ok((stream, _)) = listener.accept() {
                let next = || {
                    last = replies.next().or(last.take());
                    last.clone()
                };
                // A client that disconnects is not an error here.
                kept.lock().unwrap().extend(answer(&stream, next));
            }
        });
        Self { port, received }
    }

    /// As a choice of a model.
    pub(crate) fn choice(&self) -> String {
        format!("openai:m@http://127.0.0.1:{}/v1", self.port)
    }

    /// Everything that came.
    pub(crate) fn received(&self) -> Vec<Received> {
        std::mem::take(&mut self.received.lock().unwrap())
    }
}

fn answer(mut stream: &TcpStream, next: impl FnOnce() -> Option<Reply>) -> Option<Received> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let (mut headers, mut length) = (String::new(), 0);
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok()?;
        if header.trim().is_empty() {
            break;
        }
        if let Some(value) = header.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
        headers.push_str(&header);
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let body = String::from_utf8(body).ok()?;
    let sent: Value = serde_json::from_str(&body).unwrap_or_default();
    let (status, kind, text) = if line.starts_with("GET ") {
        (200, "application/json".to_owned(), json!({"id": "m", "object": "model", "owner": KEY}).to_string())
    } else {
        match next()? {
            Reply::Turn(text, calls) if sent["stream"] == true => {
                (200, "text/event-stream".to_owned(), streamed(&text, &calls))
            }
            Reply::Turn(text, calls) => (200, "application/json".to_owned(), completion(&text, &calls).to_string()),
            Reply::Error(status, message) => {
                (status, "application/json".to_owned(), json!({"error": {"message": message, "code": KEY}}).to_string())
            }
            Reply::Raw(kind, text) => (200, kind, text),
        }
    };
    let head = format!(
        "HTTP/1.1 {status} {KEY}\r\ncontent-type: {kind}\r\nx-request-id: {KEY}\r\nset-cookie: key={KEY}\r\n\
         location: http://127.0.0.1:1/{KEY}\r\nwww-authenticate: Bearer {KEY}\r\nretry-after-ms: 1\r\n\
         content-length: {}\r\nconnection: close\r\n\r\n",
        text.len()
    );
    stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(text.as_bytes())).ok()?;
    Some(Received { line, headers, body })
}

fn calls(calls: &[Value]) -> Vec<Value> {
    let call = |(index, call): (usize, &Value)| {
        let function = json!({"name": call["name"], "arguments": call["arguments"].to_string()});
        json!({"index": index, "id": call["id"], "type": "function", "function": function})
    };
    calls.iter().enumerate().map(call).collect()
}

fn completion(text: &str, called: &[Value]) -> Value {
    json!({
        "id": KEY, "object": "chat.completion", "model": KEY, "system_fingerprint": KEY,
        "choices": [{
            "index": 0,
            "message": {"role": "assistant", "content": text, "tool_calls": calls(called)},
            "finish_reason": "tool_calls",
        }],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
    })
}

fn streamed(text: &str, called: &[Value]) -> String {
    let chunk = |delta: Value, finish: Value| {
        let choice = json!({"index": 0, "delta": delta, "finish_reason": finish});
        format!(
            "data: {}\n\n",
            json!({"id": KEY, "object": "chat.completion.chunk", "model": KEY, "choices": [choice]})
        )
    };
    let usage = json!({"choices": [], "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}});
    [
        chunk(json!({"role": "assistant", "content": text}), Value::Null),
        chunk(json!({"tool_calls": calls(called)}), Value::Null),
        chunk(json!({}), json!("tool_calls")),
        format!("data: {usage}\n\ndata: [DONE]\n\n"),
    ]
    .concat()
}

/// A text that repeats the key in every form.
pub(crate) fn repeated() -> String {
    format!("you sent {}", forms().join(" and "))
}

/// A turn that repeats the key in its text, and calls tools with it in every place of a call.
pub(crate) fn repeats() -> Reply {
    let echo = repeated();
    let call = |id: &str, name: &str, arguments: Value| json!({"id": id, "name": name, "arguments": arguments});
    let calls = vec![
        call(KEY, "ReadFile", json!({"filePath": format!("notes/{KEY}")})),
        call("c2", KEY, json!({KEY: [echo]})),
        call("c3", "ReadFile", json!({KEY: echo, "filePath": echo})),
        call("c4", "ListFiles", json!({"path": echo, "filter": KEY})),
    ];
    Reply::Turn(echo, calls)
}
