//! One client over HTTP, with one connection that stays: requests of 2026-07-28, which need no session.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

const PROTOCOL: &str = "2026-07-28";
/// How long a server may be busy.
const PATIENCE: Duration = Duration::from_secs(300);

/// A program of a person, at a server.
pub(crate) struct Client {
    address: String,
    token: String,
    stream: BufReader<TcpStream>,
    /// How often the server said that it was busy.
    pub(crate) refused: usize,
}

impl Client {
    pub(crate) fn connect(address: &str, token: &str) -> Self {
        let stream = TcpStream::connect(address).expect("the server listens");
        stream.set_nodelay(true).expect("a socket");
        Self { address: address.to_owned(), token: token.to_owned(), stream: BufReader::new(stream), refused: 0 }
    }

    /// Calls a tool; the result, and how long it took. A server that is busy is asked again, as it wants to be.
    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> (Value, Duration) {
        let params = json!({
            "name": tool,
            "arguments": arguments,
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": PROTOCOL,
                "io.modelcontextprotocol/clientCapabilities": {},
                "io.modelcontextprotocol/clientInfo": { "name": "bench", "version": "1" },
            },
        });
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }).to_string();
        let request = format!(
            "POST /mcp HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\nAccept: \
             application/json, text/event-stream\r\nMcp-Protocol-Version: {PROTOCOL}\r\nMcp-Method: tools/call\r\nMcp-Name: \
             {tool}\r\nContent-Length: {}\r\n\r\n{body}",
            self.address,
            self.token,
            body.len()
        );
        let begun = Instant::now();
        loop {
            self.stream.get_mut().write_all(request.as_bytes()).expect("the server reads");
            let (status, text) = self.answer();
            match status {
                200 => {
                    let data = text.lines().rev().filter_map(|line| line.strip_prefix("data: ")).chain([text.as_str()]);
                    let message: Option<Value> = data.filter_map(|text| serde_json::from_str(text).ok()).next();
                    let message = message.unwrap_or_else(|| panic!("no message in {text}"));
                    return (message["result"].clone(), begun.elapsed());
                }
                503 => {
                    assert!(begun.elapsed() < PATIENCE, "the server is busy all the time");
                    self.refused += 1;
                    std::thread::sleep(Duration::from_millis(200));
                }
                _ => panic!("{status}: {text}"),
            }
        }
    }

    fn answer(&mut self) -> (u16, String) {
        let mut line = String::new();
        self.stream.read_line(&mut line).expect("an answer");
        let status = line.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        let mut length = None;
        loop {
            line.clear();
            self.stream.read_line(&mut line).expect("a head");
            let Some((name, value)) = line.trim_end().split_once(':') else { break };
            if name.eq_ignore_ascii_case("content-length") {
                length = value.trim().parse().ok();
            }
        }
        let mut body = Vec::new();
        match length {
            Some(length) => self.piece(length, &mut body),
            None => loop {
                line.clear();
                self.stream.read_line(&mut line).expect("a piece");
                let length = usize::from_str_radix(line.trim_end(), 16).expect("a length");
                self.piece(length, &mut body);
                self.stream.read_line(&mut line).expect("its end");
                if length == 0 {
                    break;
                }
            },
        }
        (status, String::from_utf8(body).expect("text"))
    }

    fn piece(&mut self, length: usize, body: &mut Vec<u8>) {
        let begin = body.len();
        body.resize(begin + length, 0);
        self.stream.read_exact(&mut body[begin..]).expect("a whole piece");
    }
}
