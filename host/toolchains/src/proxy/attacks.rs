//! What an installer tries that wants more than the registries: requests that two readers would read differently, names
//! that lead elsewhere, and heads and answers that do not end.

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use super::tests::{ask, connect, registry, started};
use super::*;

/// A registry that keeps all that arrives, and the port where it does.
async fn keeping() -> (u16, Arc<Mutex<Vec<u8>>>) {
    let kept = Arc::new(Mutex::new(Vec::new()));
    let keeps = kept.clone();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let keeps = keeps.clone();
            tokio::spawn(async move {
                let mut answered = false;
                let mut bytes = [0; 4096];
                while let Ok(read @ 1..) = stream.read(&mut bytes).await {
                    keeps.lock().unwrap().extend_from_slice(&bytes[..read]);
                    if !answered && keeps.lock().unwrap().windows(4).any(|four| four == b"\r\n\r\n") {
                        answered = true;
                        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await;
                    }
                }
            });
        }
    });
    (port, kept)
}

/// How many requests a strict reader finds there, each with its head in small letters; panics where it finds anything
/// that two readers could read differently.
fn requests(mut bytes: &[u8]) -> Vec<String> {
    let mut found = Vec::new();
    while !bytes.is_empty() {
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("a head that ends") + 4;
        let head = String::from_utf8(bytes[..end].to_vec()).unwrap().to_ascii_lowercase();
        assert!(!head.replace("\r\n", "").contains(['\r', '\n', '\0']), "{head:?}");
        let values = |name: &str| -> Vec<String> {
            let lines = head.split("\r\n").filter_map(|line| line.split_once(':'));
            lines.filter(|(key, _)| *key == name).map(|(_, value)| value.trim().to_owned()).collect()
        };
        let (lengths, codings) = (values("content-length"), values("transfer-encoding"));
        assert_eq!(values("host").len(), 1, "{head}");
        assert!(lengths.len() + codings.len() <= 1, "{head}");
        assert!(codings.iter().all(|one| one == "chunked"), "{head}");
        bytes = &bytes[end..];
        if let [length] = lengths.as_slice() {
            bytes = bytes.get(length.parse::<usize>().unwrap()..).unwrap_or_default();
        } else if !codings.is_empty() {
            let last = bytes.windows(5).position(|five| five == b"0\r\n\r\n").map_or(bytes.len(), |at| at + 5);
            bytes = &bytes[last..];
        }
        found.push(head);
    }
    found
}

#[tokio::test]
async fn request_that_two_readers_would_read_differently_is_refused_or_sent_on_as_one() {
    const HIDDEN: &str = "GET /hidden HTTP/1.1\r\nHost: internal.example\r\n\r\n";
    let chunked = format!("0\r\n\r\n{HIDDEN}");
    for (what, headers, body) in [
        (
            "length and chunks",
            format!("Content-Length: {}\r\nTransfer-Encoding: chunked\r\n", chunked.len()),
            &*chunked,
        ),
        ("chunks and length", "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n".to_owned(), &chunked),
        ("two lengths", format!("Content-Length: 0\r\nContent-Length: {}\r\n", HIDDEN.len()), HIDDEN),
        ("lengths in a list", format!("Content-Length: 0, {}\r\n", HIDDEN.len()), HIDDEN),
        ("a length with a sign", format!("Content-Length: +{}\r\n", HIDDEN.len()), HIDDEN),
        ("a length that is too large", "Content-Length: 18446744073709551616\r\n".to_owned(), HIDDEN),
        ("chunks that are called otherwise", "Transfer-Encoding: xchunked\r\n".to_owned(), &chunked),
        ("chunks behind another coding", "Transfer-Encoding: chunked, identity\r\n".to_owned(), &chunked),
        ("chunks twice", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n".to_owned(), &chunked),
        (
            "a blank before the colon",
            format!("Transfer-Encoding : chunked\r\nContent-Length: {}\r\n", HIDDEN.len()),
            HIDDEN,
        ),
        ("a value on two lines", "Transfer-Encoding:\r\n chunked\r\n".to_owned(), &chunked),
        ("a line that a line feed ends", format!("X: y\nContent-Length: {}\r\n", HIDDEN.len()), HIDDEN),
        ("a carriage return alone", format!("X: y\rContent-Length: {}\r\n", HIDDEN.len()), HIDDEN),
        ("an end of the head in a value", "X: y\r\n\r\n".to_owned(), HIDDEN),
        (
            "names that belong to the connection",
            "Connection: content-length, host\r\nContent-Length: 0\r\n".to_owned(),
            HIDDEN,
        ),
        ("two hosts", "Host: internal.example\r\n".to_owned(), ""),
        ("another protocol", "Connection: Upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n".to_owned(), ""),
        (
            "a length of chunks with a sign",
            "Transfer-Encoding: chunked\r\n".to_owned(),
            "+0\r\n\r\nGET /hidden HTTP/1.1\r\nHost: internal.example\r\n\r\n",
        ),
        (
            "an extension of a chunk",
            "Transfer-Encoding: chunked\r\n".to_owned(),
            "0;a=\n\r\n\r\nGET /hidden HTTP/1.1\r\nHost: internal.example\r\n\r\n",
        ),
        (
            "fields behind the chunks",
            "Transfer-Encoding: chunked\r\nTrailer: host\r\n".to_owned(),
            "0\r\nHost: internal.example\r\n\r\n",
        ),
    ] {
        let (own, kept) = keeping().await;
        let (address, _) = started(&[("localhost", own)], None).await;
        let head = format!("POST http://localhost:{own}/x HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n");
        // The last request ends the connection, wherever the proxy takes it to begin.
        let last = "GET http://localhost:1/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        let _ = ask(address, &format!("{head}{body}{last}"), "\0never").await;
        let arrived = kept.lock().unwrap().clone();
        let found = requests(&arrived);
        assert!(found.len() <= 1, "{what}: {found:?}");
        for one in &found {
            assert!(
                one.starts_with("post /x ") && one.contains(&format!("host: localhost:{own}\r\n")),
                "{what}: {one}"
            );
            assert!(!one.contains("internal.example") && !one.contains("upgrade"), "{what}: {one}");
        }
    }
}

#[tokio::test]
async fn body_of_a_known_length_and_one_in_chunks_arrive_whole() {
    for (framing, body) in [("Content-Length: 4", "body"), ("Transfer-Encoding: chunked", "4\r\nbody\r\n0\r\n\r\n")] {
        let (own, kept) = keeping().await;
        let (address, _) = started(&[("localhost", own)], None).await;
        let head =
            format!("PUT http://localhost:{own}/x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n{framing}\r\n\r\n");
        let answer = ask(address, &format!("{head}{body}"), "\0never").await;
        assert!(answer.starts_with("HTTP/1.1 200"), "{framing}: {answer}");
        let arrived = kept.lock().unwrap().clone();
        assert_eq!(requests(&arrived).len(), 1, "{framing}");
        assert!(arrived.ends_with(body.as_bytes()), "{framing}: {}", String::from_utf8_lossy(&arrived));
    }
}

#[tokio::test]
async fn name_that_leads_to_this_machine_or_to_its_neighbours_is_not_connected_to() {
    let own = registry().await;
    // To the system these are names for 127.0.0.1; what a name server says comes the same way.
    let (address, _) = started(&[("127.1", own), ("0x7f000001", own), ("0", own), ("localhost", own)], None).await;
    for name in ["127.1", "0x7f000001", "0"] {
        let answer = ask(address, &connect(&format!("{name}:{own}")), "\r\n\r\n").await;
        assert!(answer.starts_with("HTTP/1.1 502"), "{name}: {answer}");
    }
    let answer = ask(address, &connect(&format!("localhost:{own}")), "\r\n\r\n").await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}

#[test]
fn addresses_of_this_machine_and_of_the_link_are_no_registrys() {
    let (registry, local) =
        (Host { name: "registry.example".into(), port: 443 }, Host { name: "localhost".into(), port: 4873 });
    for address in [
        "127.0.0.1",
        "127.9.9.9",
        "::1",
        "::ffff:127.0.0.1",
        "169.254.169.254",
        "fe80::1",
        "0.0.0.0",
        "0.1.2.3",
        "::",
        "224.0.0.1",
        "ff02::1",
        "255.255.255.255",
    ] {
        assert!(!registry.may_be_at(address.parse().unwrap()), "{address}");
    }
    // A company's own registry has a private address.
    for address in ["10.0.0.7", "192.168.1.2", "172.16.0.1", "fd00::7", "104.16.0.1", "2606:4700::1"] {
        assert!(registry.may_be_at(address.parse().unwrap()), "{address}");
    }
    assert!(local.may_be_at("127.0.0.1".parse().unwrap()) && local.may_be_at("::1".parse().unwrap()));
}

#[tokio::test]
async fn heads_without_an_end_are_given_up_and_take_no_more_than_a_head_may() {
    let own = registry().await;
    let (address, _) = started(&[("localhost", own)], None).await;
    let start = format!("GET http://localhost:{own}/ HTTP/1.1\r\nHost: localhost\r\n");
    for head in [
        format!("{start}X: {}", "a".repeat(4 * HEAD_BYTES)),
        format!("{start}{}", "X: y\r\n".repeat(HEAD_BYTES)),
        format!("GET http://localhost:{own}/{} HTTP/1.1\r\n\r\n", "a/".repeat(HEAD_BYTES)),
        format!("CONNECT {}:443 HTTP/1.1\r\n\r\n", "a".repeat(HEAD_BYTES)),
        "\r\n".repeat(HEAD_BYTES),
        "A".repeat(4 * HEAD_BYTES),
    ] {
        let mut stream = TcpStream::connect(address).await.unwrap();
        // The proxy may end the connection before all of it is written.
        let _ = stream.write_all(head.as_bytes()).await;
        let mut answer = Vec::new();
        let _ = tokio::time::timeout(PATIENCE * 4, stream.read_to_end(&mut answer)).await.expect("an end");
        let answer = String::from_utf8_lossy(&answer).into_owned();
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 4"), "{head:.60}: {answer}");
    }
    let answer = ask(address, &connect(&format!("localhost:{own}")), "\r\n\r\n").await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}
