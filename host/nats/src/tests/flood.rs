//! Programs in place of a server that send without end: the connection is given up, and what it held is free again.

use std::time::Duration;

use super::MOST;
use super::stranger::{floods, greet, pour, stranger};
use crate::guard;
use crate::{Connection, Most, NatsError};

async fn until_flooded(connection: &Connection) {
    let connected = connection.connect(MOST).await.unwrap();
    for _ in 0..600 {
        if let Err(error) = connected.flooded.check() {
            assert!(matches!(error, NatsError::Flooded));
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("what is sent without end is read without end");
}

#[tokio::test(flavor = "multi_thread")]
async fn message_without_end_ends_the_use_of_the_server() {
    until_flooded(&stranger(floods)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn words_between_messages_are_counted_too() {
    let connection = stranger(|stream| {
        greet(stream);
        pour(stream, &b"PING\r\n".repeat(10_000));
    });
    until_flooded(&connection).await;
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
