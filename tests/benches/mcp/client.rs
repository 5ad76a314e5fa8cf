//! One client for both servers: JSON-RPC lines over stdio, on one thread, with as many requests open as there are callers.
//!
//! So are the clients that people have: one loop, which writes what is asked and sorts what comes back. No thread of the
//! client waits for another. What it takes to read an answer is in the times of both servers, and with several callers
//! that of the answers before it.

use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// A server and the lines that go to and fro.
pub(crate) struct Client {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    last: u64,
}

impl Client {
    /// Starts a server, shakes hands as 2025-11-25 does and asks for its tools, whose number is returned.
    pub(crate) fn start(mut command: Command) -> (Self, usize) {
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts");
        let (stdin, stdout) = (child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
        let stdout = BufReader::with_capacity(1 << 20, stdout);
        let mut client = Self { child, stdin, stdout, last: 0 };
        let hello = json!({
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "bench", "version": "1" },
        });
        let _ = client.request("initialize", &hello);
        client.write(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        let listed = client.request("tools/list", &json!({}));
        let tools = listed["result"]["tools"].as_array().expect("a list").len();
        (client, tools)
    }

    /// Calls a tool `count` times, with as many calls open as there are `callers`, and returns how long each took; anything
    /// but a text of at least `least` bytes ends the measurement.
    pub(crate) fn calls(
        &mut self,
        tool: &str,
        arguments: &Value,
        least: usize,
        callers: usize,
        count: usize,
    ) -> Vec<Duration> {
        let call = json!({ "name": tool, "arguments": arguments });
        let (mut open, mut times) = (HashMap::new(), Vec::with_capacity(count));
        for _ in 0..callers.min(count) {
            let begun = Instant::now();
            open.insert(self.ask("tools/call", &call), begun);
        }
        while !open.is_empty() {
            let answer = self.message();
            let Some(begun) = answer["id"].as_u64().and_then(|id| open.remove(&id)) else { continue };
            times.push(begun.elapsed());
            let result = &answer["result"];
            assert!(result["isError"] != true && result.is_object(), "{answer}");
            let text = result["content"][0]["text"].as_str().expect("text");
            assert!(text.len() >= least, "{} bytes", text.len());
            if times.len() + open.len() < count {
                let begun = Instant::now();
                open.insert(self.ask("tools/call", &call), begun);
            }
        }
        times
    }

    /// The memory that is this process' own or its share of what others have too, in KiB.
    pub(crate) fn memory(&self) -> u64 {
        let text = std::fs::read_to_string(format!("/proc/{}/smaps_rollup", self.child.id())).expect("Linux");
        let line = text.lines().find_map(|line| line.strip_prefix("Rss:")).expect("Rss");
        line.split_whitespace().next().expect("a number").parse().expect("a number")
    }

    fn request(&mut self, method: &str, params: &Value) -> Value {
        let id = self.ask(method, params);
        loop {
            let message = self.message();
            if message["id"] == id {
                return message;
            }
        }
    }

    /// Sends a request and returns its id.
    fn ask(&mut self, method: &str, params: &Value) -> u64 {
        self.last += 1;
        self.write(&json!({ "jsonrpc": "2.0", "id": self.last, "method": method, "params": params }));
        self.last
    }

    /// The next message of the server.
    fn message(&mut self) -> Value {
        let mut line = String::new();
        assert!(self.stdout.read_line(&mut line).expect("a line") > 0, "the server answers");
        serde_json::from_str(&line).expect("a message")
    }

    fn write(&mut self, message: &Value) {
        let line = format!("{message}\n");
        self.stdin.write_all(line.as_bytes()).expect("the server reads");
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
