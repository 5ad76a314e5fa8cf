//! Programs in place of a server that send without end: the connection is given up, and what it held is free again.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use super::hostile::stranger;
use super::*;
use crate::nats::guard::{self, Most};

/// Greets a client as a server does.
fn greet(stream: &mut TcpStream) {
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

/// Sends this until the client goes.
fn pour(stream: &mut TcpStream, part: &[u8]) {
    while stream.write_all(part).is_ok() {}
}

async fn until_flooded(connection: &Connection) -> Nats {
    let nats = connection.connect().await.unwrap();
    for _ in 0..600 {
        if nats.flooded.check().is_err() {
            return nats;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("what is sent without end is read without end");
}

#[tokio::test(flavor = "multi_thread")]
async fn message_without_end_ends_the_use_of_the_server() {
    let connection = stranger(|stream| {
        greet(stream);
        let _ = stream.write_all(b"MSG a 1 1099511627776\r\n");
        pour(stream, &vec![b'x'; 1 << 20]);
    });
    let nats = until_flooded(&connection).await;
    assert!(matches!(nats.take().await, Err(FleetError::Flooded)));
    let manifest = testing::manifest(1);
    assert!(matches!(nats.offer(&manifest, &[]).await, Err(FleetError::Flooded)));
    assert!(matches!(nats.fetch(&manifest, &manifest.jobs[0]).await, Err(FleetError::Flooded)));
}

#[tokio::test(flavor = "multi_thread")]
async fn words_between_messages_are_counted_too() {
    let connection = stranger(|stream| {
        greet(stream);
        pour(stream, &b"PING\r\n".repeat(10_000));
    });
    let _ = until_flooded(&connection).await;
}

/// What the client keeps for a server that never reads grows with small messages as well.
#[tokio::test(flavor = "multi_thread")]
async fn memory_that_the_connection_takes_is_bounded_whatever_is_sent() {
    let between: Vec<u8> = [&b"MSG a 99 0\r\n\r\n"[..], &b"PING\r\n".repeat(100)].concat();
    let greeted = between.repeat(100);
    let endless = [b'x'; 1 << 16];
    for (greets, part) in [(true, greeted), (false, [&b"INFO "[..], &endless].concat())] {
        let connection = stranger(move |stream| {
            if greets {
                greet(stream);
            }
            pour(stream, &part);
        });
        let address = connection.server.parse().unwrap();
        let options = async_nats::ConnectOptions::new().connection_timeout(Duration::from_secs(600));
        let most = Most { between: u64::MAX, grown: 32 << 20 };
        let given_up = async {
            // An address that is not greeted from never has a connection.
            let Ok((_client, flooded)) = guard::connect(options, address, most).await else { return };
            while flooded.check().is_ok() {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        assert!(tokio::time::timeout(Duration::from_secs(120), given_up).await.is_ok(), "greets: {greets}");
    }
}
