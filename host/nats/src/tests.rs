//! Connections to real servers, and to programs in place of one.

mod flood;
mod server;
mod stranger;
mod tls;

use std::io::{Read as _, Write as _};
use std::time::Duration;

use server::Server;
use stranger::stranger;
use tls::{secured, signed_in};

use crate::{Connection, Login, Most};

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

#[tokio::test(flavor = "multi_thread")]
async fn server_without_the_right_certificate_and_users_without_the_right_password_are_refused() {
    let Some(server) = secured(include_str!("../../../docs/guides/fleets/nats-server.conf")) else { return };
    let right = signed_in(&server, "worker", "w-password");
    assert!(right.connect(MOST).await.is_ok(), "{}", server.said());
    let wrong = signed_in(&server, "worker", "another").connect(MOST).await.err().unwrap();
    assert!(!wrong.to_string().contains("another"), "{wrong}");
    let unknown = Connection { authority: None, ..right };
    assert!(
        unknown.connect(MOST).await.is_err(),
        "its certificate is not signed by an authority that this machine trusts"
    );
    assert!(server.connection().connect(MOST).await.is_err(), "the server takes no client without TLS and a login");
}
