//! A server over HTTP, as a person starts one.

use crate::server;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A server that listens.
pub struct HttpServer {
    child: Child,
    /// Host and port.
    pub address: String,
    /// What every request has to show.
    pub token: String,
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
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                assert!(!line.contains(&kept), "the token was printed again");
            }
        });
        Self { child, address, token }
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
