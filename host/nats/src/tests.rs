//! Connections to real servers, and to programs in place of one.

mod flood;
mod server;
mod stranger;

use std::io::{Read as _, Write as _};
use std::time::Duration;

use server::Server;
use stranger::stranger;

use crate::{Connection, Most};

const MOST: Most = Most { between: 8 << 20, grown: 768 << 20 };

#[tokio::test(flavor = "multi_thread")]
async fn server_that_is_killed_and_comes_back_is_connected_again_with_and_without_its_disk() {
    let Some(mut server) = Server::start() else { return };
    let connected = server.connection().connect(MOST).await.unwrap();
    for loses_disk in [false, true] {
        server.kill();
        if loses_disk {
            server.lose_disk();
        }
        server.again();
        let back = async {
            while connected.jetstream.query_account().await.is_err() {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(60), back).await.unwrap_or_else(|_| panic!("{}", server.said()));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn stranger_in_place_of_a_server_is_an_error_and_no_wait_without_end() {
    for connection in [
        stranger(|_| {}),
        stranger(|stream| drop(stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n"))),
        stranger(|stream| drop(stream.write_all(b"INFO {}\r\n-ERR 'Authorization Violation'\r\n"))),
        stranger(|stream| {
            // Neither a word nor an end.
            let _ = stream.read(&mut [0; 1]);
            std::thread::sleep(Duration::from_secs(60));
        }),
    ] {
        let connected = tokio::time::timeout(Duration::from_secs(40), connection.connect(MOST)).await;
        assert!(connected.expect("it is given up").is_err(), "{connection:?}");
    }
}
