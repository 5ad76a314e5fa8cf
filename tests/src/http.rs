//! A server over HTTP, as a person starts one.

use crate::server;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};

/// A server that listens.
pub struct HttpServer {
    child: Child,
    /// Host and port.
    pub address: String,
    /// What every request has to show.
    pub token: String,
    said: Arc<Mutex<String>>,
}

/// What came back for a request.
#[derive(Debug)]
pub struct Reply {
    /// 0 where the server said nothing that is HTTP.
    pub status: u16,
    /// Status line and headers, as they were sent.
    pub head: String,
    /// The rest.
    pub body: String,
}

impl Reply {
    /// The value of a header.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let named = |line: &&str| line.split(':').next().is_some_and(|found| found.eq_ignore_ascii_case(name));
        self.head.lines().find(named).and_then(|line| line.split_once(':')).map(|(_, value)| value.trim())
    }

    /// The message of the protocol in it, be it JSON or the last event of a stream that has one.
    #[must_use]
    pub fn message(&self) -> Value {
        let data = self.body.lines().rev().filter_map(|line| line.strip_prefix("data: "));
        let found = data.chain([self.body.trim()]).find_map(|text| serde_json::from_str(text).ok());
        found.unwrap_or_else(|| panic!("no message in {self:?}"))
    }
}

/// Sends these bytes and returns everything that comes back until the server closes.
#[must_use]
pub fn exchange(address: &str, bytes: &[u8]) -> Reply {
    let mut stream = TcpStream::connect(address).unwrap();
    // A server that refuses early may reset what it has not read.
    let _ = stream.write_all(bytes);
    reply(&mut stream)
}

/// Reads everything until the server closes.
#[must_use]
pub fn reply(stream: &mut TcpStream) -> Reply {
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    let status = head.split_whitespace().nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    Reply { status, head: head.to_owned(), body: body.to_owned() }
}

/// A request after which the server closes.
#[must_use]
pub fn request(method: &str, path: &str, headers: &[(&str, String)], body: &str) -> String {
    let mut request = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
    if method == "POST" {
        request.push_str(&format!("Content-Length: {}\r\n", body.len()));
    }
    for (name, value) in headers {
        request.push_str(&format!("{name}: {value}\r\n"));
    }
    format!("{request}\r\n{body}")
}

/// The first message of a client of 2025-11-25.
#[must_use]
pub fn hello() -> String {
    let params =
        json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
    json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params }).to_string()
}

impl HttpServer {
    /// Starts one on a free port and reads from stderr what a person would.
    #[must_use]
    pub fn start(base: &Path, arguments: &[&str]) -> Self {
        Self::over(server(base, &[&["--http"], arguments].concat()), None)
    }

    /// The same over a command of the test's own, whose token is known or will be printed.
    #[must_use]
    pub fn over(mut command: Command, token: Option<&str>) -> Self {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let mut said = String::new();
        let mut next = |mark: &str| {
            loop {
                let line = lines.next().unwrap_or_else(|| panic!("no `{mark}` in\n{said}")).unwrap();
                said.push_str(&line);
                said.push('\n');
                if let Some((_, rest)) = line.split_once(mark) {
                    break rest.to_owned();
                }
            }
        };
        let address = next("listening on http://").trim_end_matches("/mcp").to_owned();
        let token = token.map_or_else(|| next("bearer token: "), str::to_owned);
        // What it says later must not block it, and is not to hold the token.
        let kept = token.clone();
        let said = Arc::new(Mutex::new(said));
        let told = said.clone();
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                assert!(!line.contains(&kept), "the token was printed again");
                let mut told = told.lock().unwrap();
                told.push_str(&line);
                told.push('\n');
            }
        });
        Self { child, address, token, said }
    }

    /// What it said on stderr so far.
    #[must_use]
    pub fn said(&self) -> String {
        self.said.lock().unwrap().clone()
    }

    /// Its process.
    #[must_use]
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// The headers of a client as it should be.
    #[must_use]
    pub fn usual(&self) -> Vec<(&'static str, String)> {
        vec![
            ("Host", self.address.clone()),
            ("Authorization", format!("Bearer {}", self.token)),
            ("Content-Type", "application/json".into()),
            ("Accept", "application/json, text/event-stream".into()),
        ]
    }

    /// Where it listens: host and port.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Sends one request to the path of the protocol.
    #[must_use]
    pub fn post(&self, headers: &[(&str, String)], body: &str) -> Reply {
        exchange(&self.address, request("POST", "/mcp", headers, body).as_bytes())
    }

    /// Where clients connect.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/mcp", self.address)
    }
}

impl Drop for HttpServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
