//! Programs in place of a server. The tests of other crates that have a server use this file, too.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use super::Connection;

/// A program that listens where a server should, and says this to every client.
pub(crate) fn stranger(says: impl Fn(&mut TcpStream) + Send + Sync + 'static) -> Connection {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        while let Ok((mut stream, _)) = listener.accept() {
            says(&mut stream);
        }
    });
    Connection { server: format!("nats://127.0.0.1:{port}"), login: None, authority: None, identity: None }
}

/// Greets a client as a server does.
pub(crate) fn greet(stream: &mut TcpStream) {
    let _ = stream.write_all(b"INFO {}\r\n");
    let mut said = Vec::new();
    let mut part = [0; 4096];
    while !said.ends_with(b"PING\r\n") {
        match stream.read(&mut part) {
            Ok(count) if count > 0 => said.extend(&part[..count]),
            _ => return,
        }
    }
    let _ = stream.write_all(b"PONG\r\n");
}

/// Greets a client, and sends it a message that has no end.
pub(crate) fn floods(stream: &mut TcpStream) {
    greet(stream);
    let _ = stream.write_all(b"MSG a 1 1099511627776\r\n");
    pour(stream, &vec![b'x'; 1 << 20]);
}

/// Sends this until the client goes.
pub(crate) fn pour(stream: &mut TcpStream, part: &[u8]) {
    while stream.write_all(part).is_ok() {}
}
