//! One client for both servers: JSON-RPC lines over stdio, as many requests open at once as there are callers.
//!
//! Whoever waits for an answer reads, and hands over what belongs to others: a caller that is alone is woken by nobody but
//! the server, so that the times are the server's and not those of threads here.

use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex};

/// A server and the lines that go to and fro.
pub(crate) struct Client {
    child: Child,
    stdin: Mutex<ChildStdin>,
    inbox: Mutex<Inbox>,
    /// Told when an answer has come, or when nobody reads any more.
    changed: Condvar,
    last: AtomicU64,
}

struct Inbox {
    /// Answers by the id of their request, until they are fetched.
    answers: HashMap<u64, Value>,
    /// `None` while somebody reads.
    stdout: Option<BufReader<ChildStdout>>,
}

impl Client {
    /// Starts a server, shakes hands as 2025-11-25 does and asks for its tools, whose number is returned.
    pub(crate) fn start(mut command: Command) -> (Self, usize) {
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts");
        let (stdin, stdout) = (child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
        let stdout = Some(BufReader::with_capacity(1 << 20, stdout));
        let inbox = Mutex::new(Inbox { answers: HashMap::new(), stdout });
        let client = Self { child, stdin: Mutex::new(stdin), inbox, changed: Condvar::new(), last: AtomicU64::new(0) };
        let hello = json!({
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "bench", "version": "1" },
        });
        let _ = client.request("initialize", &hello);
        client.write(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        let listed = client.request("tools/list", &json!({}));
        let tools = listed["result"]["tools"].as_array().expect("a list").len();
        (client, tools)
    }

    /// Calls a tool and returns the length of its text; anything but an answer ends the measurement.
    pub(crate) fn call(&self, tool: &str, arguments: &Value) -> usize {
        let answer = self.request("tools/call", &json!({ "name": tool, "arguments": arguments }));
        let result = &answer["result"];
        assert!(result["isError"] != true && result.is_object(), "{answer}");
        result["content"][0]["text"].as_str().expect("text").len()
    }

    /// The memory that is this process' own or its share of what others have too, in KiB.
    pub(crate) fn memory(&self) -> u64 {
        let text = std::fs::read_to_string(format!("/proc/{}/smaps_rollup", self.child.id())).expect("Linux");
        let line = text.lines().find_map(|line| line.strip_prefix("Rss:")).expect("Rss");
        line.split_whitespace().next().expect("a number").parse().expect("a number")
    }

    fn request(&self, method: &str, params: &Value) -> Value {
        let id = self.last.fetch_add(1, Ordering::Relaxed) + 1;
        self.write(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        let mut inbox = self.inbox.lock().expect("no panic");
        loop {
            if let Some(answer) = inbox.answers.remove(&id) {
                return answer;
            }
            let Some(mut stdout) = inbox.stdout.take() else {
                inbox = self.changed.wait(inbox).expect("no panic");
                continue;
            };
            drop(inbox);
            let mut line = String::new();
            assert!(stdout.read_line(&mut line).expect("a line") > 0, "the server answers");
            let message: Value = serde_json::from_str(&line).expect("a message");
            inbox = self.inbox.lock().expect("no panic");
            inbox.stdout = Some(stdout);
            // What has no id asks for nothing here.
            if let Some(id) = message["id"].as_u64() {
                inbox.answers.insert(id, message);
            }
            self.changed.notify_all();
        }
    }

    fn write(&self, message: &Value) {
        let line = format!("{message}\n");
        self.stdin.lock().expect("no panic").write_all(line.as_bytes()).expect("the server reads");
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
