//! A proxy on this machine, which does with a `CONNECT` what a test wants.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// What a proxy does.
#[derive(Debug, Clone)]
pub(crate) enum Does {
    /// Connects to this port of this machine, whatever it is asked for.
    Connects(String),
    /// Answers with this line.
    Answers(&'static str),
    /// Nothing, and keeps the connection.
    Hangs,
}

/// A proxy that runs until the test's process ends.
pub(crate) struct Proxy {
    /// `127.0.0.1:port`.
    pub(crate) address: String,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Proxy {
    pub(crate) fn start(does: Does) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let seen = asked.clone();
        std::thread::spawn(move || {
            for connection in listener.incoming() {
                let (does, seen) = (does.clone(), seen.clone());
                std::thread::spawn(move || serve(connection.unwrap(), &does, &seen));
            }
        });
        Self { address, asked }
    }

    /// The first lines of what it was asked.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

fn serve(mut connection: TcpStream, does: &Does, seen: &Mutex<Vec<String>>) {
    let mut reader = BufReader::new(connection.try_clone().unwrap());
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or(0) == 0 || line.trim().is_empty() {
            break;
        }
        lines.push(line.trim().to_owned());
    }
    let Some(first) = lines.first() else { return };
    seen.lock().unwrap().push(first.clone());
    match does {
        // The other end waits as long as it likes.
        Does::Hangs => drop(reader.read_line(&mut String::new())),
        Does::Answers(line) => drop(write!(connection, "HTTP/1.1 {line}\r\nContent-Length: 0\r\n\r\n")),
        Does::Connects(port) => {
            let Ok(mut there) = TcpStream::connect(format!("127.0.0.1:{port}")) else { return };
            write!(connection, "HTTP/1.1 200 OK\r\n\r\n").unwrap();
            let (mut back, mut away) = (there.try_clone().unwrap(), connection.try_clone().unwrap());
            let copied = std::thread::spawn(move || {
                let _ = std::io::copy(&mut back, &mut away);
                let _ = away.shutdown(std::net::Shutdown::Write);
            });
            let _ = std::io::copy(&mut reader, &mut there);
            let _ = there.shutdown(std::net::Shutdown::Write);
            let _ = copied.join();
        }
    }
}
