//! A stand-in for a provider: it answers with what a test gives it, in order, and keeps what it was sent. Written here,
//! so it proves nothing about real providers; the answers are in their documented forms.

pub(crate) mod streams;

use std::ffi::OsString;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bailiwick_agent::{Message, ToolCall, ToolEffect, ToolResult, ToolSpec, TurnRequest};
use bailiwick_models::{Provider, Retries, Settings};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// The key of every test, which no output may hold.
pub(crate) const KEY: &str = "sk-canary-0123456789";

/// What the stand-in does with one request.
#[derive(Clone)]
pub(crate) enum Reply {
    /// A whole answer.
    Json(u16, &'static [(&'static str, &'static str)], Value),
    /// Bytes as they are, after which the connection is closed.
    Raw(String),
    /// Bytes as they are, after which nothing more comes.
    Hang(String),
    /// Bytes as they are, each but the first after a while.
    Slow(Vec<String>, Duration),
    /// Bytes as they are, and then these again and again.
    Endless(String, String),
}

/// One request as it came.
#[derive(Debug, Clone)]
pub(crate) struct Received {
    pub(crate) head: String,
    /// Null where what came is not JSON.
    pub(crate) body: Value,
}

/// A server on a port of its own.
pub(crate) struct StandIn {
    pub(crate) address: String,
    received: Arc<Mutex<Vec<Received>>>,
}

impl StandIn {
    /// Serves the replies in order, the last one again and again.
    pub(crate) async fn serve(replies: Vec<Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let received = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&received);
        tokio::spawn(async move {
            let mut replies = replies.into_iter().peekable();
            let mut last = None;
            while let Ok((stream, _)) = listener.accept().await {
                last = replies.next().or(last);
                let (reply, kept) = (last.clone().unwrap(), Arc::clone(&kept));
                // A reply may take for ever.
                tokio::spawn(answer(stream, reply, kept));
            }
        });
        Self { address, received }
    }

    /// What came so far. The answer can be back before the request is kept, so this waits a little.
    pub(crate) async fn received(&self) -> Vec<Received> {
        tokio::time::sleep(Duration::from_millis(50)).await;
        self.received.lock().unwrap().clone()
    }

    /// What came since the last time.
    pub(crate) fn take(&self) -> Vec<Received> {
        std::mem::take(&mut *self.received.lock().unwrap())
    }
}

async fn answer(mut stream: TcpStream, reply: Reply, kept: Arc<Mutex<Vec<Received>>>) -> Option<()> {
    let mut bytes = Vec::new();
    let (head, length) = loop {
        let mut chunk = [0; 4096];
        let read = stream.read(&mut chunk).await.ok()?;
        bytes.extend_from_slice(&chunk[..read]);
        let text = String::from_utf8_lossy(&bytes);
        if let Some((head, _)) = text.split_once("\r\n\r\n") {
            let head = head.to_owned();
            let lower = head.to_ascii_lowercase();
            let length = lower.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse::<usize>().ok());
            break (head, length.unwrap_or_default());
        }
        if read == 0 {
            return None;
        }
    };
    let start = head.len() + 4;
    while bytes.len() < start + length {
        let mut chunk = [0; 4096];
        let read = stream.read(&mut chunk).await.ok()?;
        bytes.extend_from_slice(&chunk[..read]);
    }
    kept.lock().unwrap().push(Received { head, body: serde_json::from_slice(&bytes[start..]).unwrap_or_default() });
    let text = match reply {
        Reply::Raw(text) => text,
        Reply::Hang(text) => {
            stream.write_all(text.as_bytes()).await.ok()?;
            return std::future::pending().await;
        }
        Reply::Slow(texts, pause) => {
            for (number, text) in texts.into_iter().enumerate() {
                if number > 0 {
                    tokio::time::sleep(pause).await;
                }
                stream.write_all(text.as_bytes()).await.ok()?;
            }
            String::new()
        }
        Reply::Endless(text, more) => {
            stream.write_all(text.as_bytes()).await.ok()?;
            loop {
                stream.write_all(more.as_bytes()).await.ok()?;
            }
        }
        Reply::Json(status, headers, body) => {
            let body = body.to_string();
            let extra: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
            format!(
                "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\n{extra}content-length: {}\r\nconnection: close\r\n\r\n{body}",
                body.len()
            )
        }
    };
    let _ = stream.write_all(text.as_bytes()).await;
    stream.shutdown().await.ok()
}

/// Lines of progress.
pub(crate) type Lines = Arc<Mutex<Vec<String>>>;

/// A provider of a choice, with the key in every variable that may hold one.
pub(crate) fn provider(choice: &str, retries: Retries) -> (Provider, Lines) {
    let environment = |name: &str| match name {
        name if name.ends_with("_API_KEY") => Some(OsString::from(KEY)),
        _ => None,
    };
    let settings = Settings::resolve(choice.parse().unwrap(), &environment).unwrap();
    let lines = Lines::default();
    let kept = Arc::clone(&lines);
    let progress = Arc::new(move |line: &str| kept.lock().unwrap().push(line.to_owned()));
    (Provider::new(settings, retries, progress).unwrap(), lines)
}

/// Retries that cost a test no time.
pub(crate) fn quick() -> Retries {
    Retries {
        attempts: 3,
        first_wait: Duration::from_millis(10),
        longest_wait: Duration::from_secs(2),
        deadline: Duration::from_secs(20),
        stall: Duration::from_secs(5),
        answer_bytes: 1 << 20,
        most_output_tokens: 10_000,
    }
}

/// A turn after two calls, one of which failed.
pub(crate) fn turn() -> TurnRequest {
    let call = |id: &str, path: &str| ToolCall { id: id.into(), name: "Read".into(), arguments: json!({"path": path}) };
    let result =
        |id: &str, content: Value, is_error| ToolResult { call_id: id.into(), name: "Read".into(), content, is_error };
    TurnRequest {
        instructions: "Do the task.".into(),
        task: json!({"kind": "sample", "word": "bailiwick"}),
        messages: vec![
            Message::Assistant { text: String::new(), calls: vec![call("c1", "a"), call("c2", "b")] },
            Message::ToolResults(vec![
                result("c1", json!({"content": "text of a"}), false),
                result("c2", json!({"kind": "not-found", "message": "there is no b"}), true),
            ]),
            Message::User("A result is due.".into()),
        ],
        tools: vec![ToolSpec {
            name: "Read".into(),
            description: "Reads a file.".into(),
            input_schema: json!({
                "$schema": "https://json-schema.org/draft/2020-12/schema",
                "type": "object",
                "properties": {"path": {"type": "string"}, "line": {"type": "integer"}},
                "required": ["path"],
                "additionalProperties": false
            }),
            effect: ToolEffect::Reads,
        }],
    }
}
