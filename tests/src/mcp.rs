//! A client of the MCP server that writes the protocol by hand, so that a test says what goes over the wire.

use crate::{binary, cache_of};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// How long anything may take before a test gives up.
const PATIENCE: Duration = Duration::from_secs(300);

/// A server over stdio.
pub struct Mcp {
    child: Child,
    stdin: Option<ChildStdin>,
    messages: Receiver<Value>,
    /// What came beside the answers: notifications and requests of the server.
    pub aside: Vec<Value>,
    id: u64,
    modern: bool,
    capabilities: Value,
}

/// The command of a server with its own state beneath `base`.
#[must_use]
pub fn server(base: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(binary());
    for variable in ["BAILIWICK_MODEL", "BAILIWICK_KEY_FILE", "BAILIWICK_MCP_TOKEN_FILE"] {
        command.env_remove(variable);
    }
    command
        .arg("mcp")
        .args(arguments)
        .current_dir(base)
        .env("BAILIWICK_STATE_DIR", base.join("state"))
        .env("BAILIWICK_CACHE_DIR", cache_of(base));
    command
}

impl Mcp {
    /// Starts a server and shakes hands as 2025-11-25 does.
    #[must_use]
    pub fn legacy(base: &Path, arguments: &[&str], capabilities: Value) -> Self {
        Self::over(server(base, arguments), capabilities)
    }

    /// The same over a command of the test's own.
    #[must_use]
    pub fn over(command: Command, capabilities: Value) -> Self {
        Self::with(command, capabilities, "bailiwick")
    }

    /// The same over a server that calls itself `name`.
    #[must_use]
    pub fn with(command: Command, capabilities: Value, name: &str) -> Self {
        let mut client = Self::start(command, false, capabilities);
        let capabilities = client.capabilities.clone();
        let answer = client.request(
            "initialize",
            json!({
                "protocolVersion": "2025-11-25",
                "capabilities": capabilities,
                "clientInfo": { "name": "tests", "version": "1" },
            }),
        );
        assert_eq!(answer["result"]["protocolVersion"], "2025-11-25", "{answer:#}");
        assert_eq!(answer["result"]["serverInfo"]["name"], name, "{answer:#}");
        client.notify("notifications/initialized", json!({}));
        client
    }

    /// Starts a server that is spoken to as 2026-07-28 does: every request says for itself who asks.
    #[must_use]
    pub fn modern(base: &Path, arguments: &[&str], capabilities: Value) -> Self {
        Self::start(server(base, arguments), true, capabilities)
    }

    fn start(mut command: Command, modern: bool, capabilities: Value) -> Self {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the binary starts");
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take().unwrap());
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines() {
                let line = line.expect("stdout is text");
                let message: Value = serde_json::from_str(&line).unwrap_or_else(|_| json!({ "noProtocol": line }));
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        Self { child, stdin, messages, aside: Vec::new(), id: 0, modern, capabilities }
    }

    /// Starts a server and says nothing.
    #[must_use]
    pub fn silent(command: Command) -> Self {
        Self::start(command, false, json!({}))
    }

    /// Sends text as it stands, with a line end.
    pub fn send_text(&mut self, text: &str) {
        self.send_bytes(text.as_bytes());
    }

    /// The same for content that may not be text.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("stdin is open");
        stdin.write_all(bytes).and_then(|()| stdin.write_all(b"\n")).expect("the server reads");
    }

    /// What the server says for people, if the command pipes it.
    pub fn stderr(&mut self) -> ChildStderr {
        self.child.stderr.take().expect("stderr is piped")
    }

    /// Sends a request and returns its id without waiting.
    pub fn begin(&mut self, method: &str, mut params: Value) -> u64 {
        self.id += 1;
        if self.modern {
            params["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("2026-07-28");
            params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = self.capabilities.clone();
            params["_meta"]["io.modelcontextprotocol/clientInfo"] = json!({ "name": "tests", "version": "1" });
        }
        let message = json!({ "jsonrpc": "2.0", "id": self.id, "method": method, "params": params });
        self.send_text(&message.to_string());
        self.id
    }

    /// Sends a notification.
    pub fn notify(&mut self, method: &str, params: Value) {
        let mut message = json!({ "jsonrpc": "2.0", "method": method });
        message["params"] = params;
        self.send_text(&message.to_string());
    }

    /// Sends a request and waits for its answer, an error included.
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params);
        self.answer(id)
    }

    /// Calls a tool.
    pub fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let mut params = json!({ "name": tool });
        params["arguments"] = arguments;
        let answer = self.request("tools/call", params);
        assert!(answer["result"].is_object(), "{answer:#}");
        answer["result"].clone()
    }

    /// Waits for the answer of a request.
    pub fn answer(&mut self, id: u64) -> Value {
        loop {
            let message = self.next_message();
            let is_answer = message.get("method").is_none() && message["id"] == json!(id);
            if is_answer {
                return message;
            }
            self.aside.push(message);
        }
    }

    /// The next message, whatever it is.
    pub fn next_message(&mut self) -> Value {
        let message = self.messages.recv_timeout(PATIENCE).expect("the server says something");
        assert!(message.get("noProtocol").is_none(), "stdout carries protocol only: {message}");
        message
    }

    /// Waits for a message that fits.
    pub fn wait_for(&mut self, fits: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.next_message();
            if fits(&message) {
                return message;
            }
            self.aside.push(message);
        }
    }

    /// Names of the tools, in the order of the list.
    pub fn tools(&mut self) -> Vec<String> {
        let answer = self.request("tools/list", json!({}));
        let tools = answer["result"]["tools"].as_array().unwrap_or_else(|| panic!("{answer:#}"));
        tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    }

    /// The server's own process, as [`crate::World::processes`] would have it.
    #[must_use]
    pub fn processes(&self) -> Vec<u32> {
        vec![self.child.id()]
    }

    /// Closes stdin and waits for the end.
    pub fn close(&mut self) -> ExitStatus {
        self.stdin = None;
        self.ended()
    }

    /// Sends a signal and waits for the end.
    pub fn signal(&mut self, signal: rustix::process::Signal) -> ExitStatus {
        let process = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(process, signal).unwrap();
        self.ended()
    }

    fn ended(&mut self) -> ExitStatus {
        let started = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                // Whatever was said last is protocol, too.
                while let Ok(message) = self.messages.recv() {
                    assert!(message.get("noProtocol").is_none(), "stdout carries protocol only: {message}");
                    self.aside.push(message);
                }
                return status;
            }
            assert!(started.elapsed() < PATIENCE, "the server does not end");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Mcp {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The text of an answer that was sent as text.
#[must_use]
pub fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text: {result:#}"))
}
