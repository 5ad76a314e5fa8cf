//! A stand-in for a provider, in the documented forms of chat completions. Written here, so it proves nothing about real
//! providers: it is there to be slow, to fail, and to say what it was sent.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};

/// What it says at a turn, however often it is asked.
#[derive(Clone)]
pub(crate) enum Say {
    /// These calls.
    Calls(Vec<(&'static str, Value)>),
    /// Nothing, for ever.
    Nothing,
    /// An answer that was cut off at its output limit.
    Cut,
    /// That it is overloaded.
    Overloaded,
}

pub(crate) fn calls(tool: &'static str, arguments: Value) -> Say {
    Say::Calls(vec![(tool, arguments)])
}

pub(crate) fn exit(result: impl Into<Value>) -> Say {
    calls("Exit", json!({ "result": result.into() }))
}

#[derive(Default)]
struct State {
    says: Vec<Say>,
    asked: Vec<Value>,
}

/// A server on a port of its own, until the tests end.
pub(crate) struct StandIn {
    pub(crate) model: String,
    state: Arc<(Mutex<State>, Condvar)>,
}

impl StandIn {
    /// Says one of these at each turn: the first to a request without an answer, and so on.
    pub(crate) fn saying(says: Vec<Say>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let model = format!("openai-compatible:stand-in@http://{}/v1", listener.local_addr().unwrap());
        let state = Arc::new((Mutex::new(State { says, asked: Vec::new() }), Condvar::new()));
        let shared = Arc::clone(&state);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let shared = Arc::clone(&shared);
                std::thread::spawn(move || answer(&mut stream.unwrap(), &shared));
            }
        });
        Self { model, state }
    }

    /// Changes what it says from now on at this turn, counted from 0.
    pub(crate) fn says_at(&self, turn: usize, say: Say) {
        self.state.0.lock().unwrap().says[turn] = say;
    }

    /// Waits until it was asked so often, and says what it was asked last.
    pub(crate) fn asked(&self, times: usize) -> Value {
        let state = self.state.0.lock().unwrap();
        let state = self.state.1.wait_while(state, |state| state.asked.len() < times).unwrap();
        state.asked.last().cloned().unwrap_or_default()
    }

    pub(crate) fn times_asked(&self) -> usize {
        self.state.0.lock().unwrap().asked.len()
    }
}

fn answer(stream: &mut TcpStream, shared: &(Mutex<State>, Condvar)) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    loop {
        let (mut first, mut length) = (String::new(), 0);
        if reader.read_line(&mut first).unwrap_or(0) == 0 {
            return;
        }
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line).unwrap_or(0) == 0 {
                return;
            }
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
            if line == "\r\n" {
                break;
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        if !first.starts_with("POST") {
            send(stream, "200 OK", "application/json", &json!({"data": [{"id": "stand-in"}]}).to_string());
            continue;
        }
        let body: Value = serde_json::from_slice(&body).unwrap();
        let turn = body["messages"].as_array().unwrap().iter().filter(|message| message["role"] == "assistant").count();
        let say = {
            let mut state = shared.0.lock().unwrap();
            state.asked.push(body.clone());
            shared.1.notify_all();
            state.says.get(turn).cloned()
        };
        match say {
            None => send(stream, "400 Bad Request", "application/json", "{\"error\": {\"message\": \"no such turn\"}}"),
            Some(Say::Overloaded) => {
                send(
                    stream,
                    "503 Overloaded\r\nretry-after: 0",
                    "application/json",
                    "{\"error\": {\"message\": \"busy\"}}",
                );
            }
            Some(Say::Nothing) => loop {
                std::thread::park();
            },
            Some(Say::Cut) => say_this(stream, &body, turn, &[("ReadFile", json!({}))], "length"),
            Some(Say::Calls(calls)) => say_this(stream, &body, turn, &calls, "tool_calls"),
        }
    }
}

fn say_this(stream: &mut TcpStream, asked: &Value, turn: usize, calls: &[(&str, Value)], finish: &str) {
    let usage = json!({"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15});
    let calls: Vec<Value> = calls
        .iter()
        .enumerate()
        .map(|(index, (name, arguments))| {
            let function = json!({"name": name, "arguments": arguments.to_string()});
            json!({"index": index, "id": format!("c{turn}-{index}"), "type": "function", "function": function})
        })
        .collect();
    let message = json!({"role": "assistant", "content": null, "tool_calls": calls});
    let whole = |choice: Value, usage: Value| json!({"id": "x", "object": "chat.completion", "created": 1, "model": "stand-in", "choices": choice, "usage": usage});
    if asked["stream"] != true {
        let choice = json!([{"index": 0, "message": message, "finish_reason": finish}]);
        return send(stream, "200 OK", "application/json", &whole(choice, usage).to_string());
    }
    let chunks = [
        whole(json!([{"index": 0, "delta": message, "finish_reason": null}]), Value::Null).to_string(),
        whole(json!([{"index": 0, "delta": {}, "finish_reason": finish}]), Value::Null).to_string(),
        whole(json!([]), usage).to_string(),
        "[DONE]".to_owned(),
    ];
    let text: String = chunks.iter().map(|chunk| format!("data: {chunk}\n\n")).collect();
    send(stream, "200 OK", "text/event-stream", &text);
}

/// The client may be gone, which is what some tests are about.
fn send(stream: &mut TcpStream, status: &str, kind: &str, body: &str) {
    let length = body.len();
    let _ = write!(stream, "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\n\r\n{body}");
}
