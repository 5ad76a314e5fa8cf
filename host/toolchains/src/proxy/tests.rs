//! What an installer gets through the proxy, and what clients that are no package managers get.

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use super::*;

const PATIENCE: Duration = Duration::from_secs(60);

/// A server that answers each request with its head, and is what its port says.
pub(super) async fn registry() -> u16 {
    recording().await.0
}

/// The same with the heads that it got.
async fn recording() -> (u16, Arc<Mutex<Vec<String>>>) {
    let heads = Arc::new(Mutex::new(Vec::new()));
    let told = heads.clone();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let told = told.clone();
            tokio::spawn(async move {
                let mut head = Vec::new();
                while !head.ends_with(b"\r\n\r\n") {
                    match stream.read_u8().await {
                        Ok(byte) => head.push(byte),
                        Err(_) => return,
                    }
                }
                told.lock().unwrap().push(String::from_utf8_lossy(&head).into_owned());
                let start = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", head.len());
                let _ = stream.write_all(&[start.as_bytes(), &head].concat()).await;
            });
        }
    });
    (port, heads)
}

pub(super) async fn started(allowed: &[(&str, u16)], upstream: Option<Matcher>) -> (SocketAddr, Arc<Proxy>) {
    let hosts = allowed.iter().map(|(name, port)| Host { name: (*name).to_owned(), port: *port }).collect();
    let proxy = Arc::new(Proxy::new(hosts, upstream));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let serving = proxy.clone();
    tokio::spawn(async move { serving.serve(listener).await });
    (address, proxy)
}

/// Sends this and returns what comes until `mark`, or until the proxy closes.
pub(super) async fn ask(address: SocketAddr, request: &str, mark: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    let reading = async {
        while !String::from_utf8_lossy(&answer).contains(mark) {
            match stream.read_u8().await {
                Ok(byte) => answer.push(byte),
                Err(_) => break,
            }
        }
    };
    tokio::time::timeout(PATIENCE, reading).await.expect("an answer or an end");
    String::from_utf8(answer).unwrap()
}

pub(super) fn connect(host: &str) -> String {
    format!("CONNECT {host} HTTP/1.1\r\nHost: {host}\r\n\r\n")
}

#[tokio::test]
async fn hosts_of_registries_are_reached_and_nothing_else_is() {
    let (own, other) = (registry().await, registry().await);
    let (address, proxy) = started(&[("localhost", own)], None).await;
    let get = |host: &str| format!("GET http://{host}/x HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    for (request, status) in [
        (get(&format!("localhost:{own}")), "200"),
        (get(&format!("LOCALHOST.:{own}")), "200"),
        (connect(&format!("localhost:{own}")), "200"),
        (connect(&format!("localhost:{other}")), "403"),
        (connect(&format!("127.0.0.1:{own}")), "403"),
        (connect(&format!("[::1]:{own}")), "403"),
        (connect("localhost:443"), "403"),
        (connect("example.com:443"), "403"),
        (connect("localhost"), "400"),
        (get("localhost"), "403"),
        (get(&format!("example.com:{own}")), "403"),
        (get(&format!("localhost:{own}@example.com")), "403"),
        (get(&format!("example.com#@localhost:{own}")), "40"),
        (format!("GET https://localhost:{own}/ HTTP/1.1\r\nHost: localhost\r\n\r\n"), "400"),
        (format!("GET / HTTP/1.1\r\nHost: localhost:{own}\r\n\r\n"), "400"),
        (format!("GET ftp://localhost:{own}/ HTTP/1.1\r\nHost: localhost\r\n\r\n"), "400"),
        (format!("GET http://{}/ HTTP/1.1\r\n\r\n", "a".repeat(40_000)), "4"),
        ("\0\0\0\0\r\n\r\n".to_owned(), "400"),
    ] {
        let answer = ask(address, &request, "\r\n\r\n").await;
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{request:.80}: {answer}");
    }
    let told = proxy.refused();
    assert!(told.contains(&"example.com:443".to_owned()) && told.len() <= TOLD, "{told:?}");
}

#[tokio::test]
async fn each_request_of_a_connection_is_judged_and_the_registry_is_told_the_host_that_was() {
    let own = registry().await;
    let (address, _) = started(&[("localhost", own)], None).await;
    let first =
        format!("GET http://localhost:{own}/a?b HTTP/1.1\r\nHost: example.com\r\nProxy-Authorization: x\r\n\r\n");
    let second = "GET http://example.com/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    let answers = ask(address, &format!("{first}{second}"), "\0never").await;
    assert!(answers.contains("GET /a?b HTTP/1.1\r\n"), "{answers}");
    assert!(answers.to_lowercase().contains(&format!("host: localhost:{own}\r\n")), "{answers}");
    assert!(!answers.contains("example.com") && !answers.to_lowercase().contains("proxy-authorization"), "{answers}");
    assert!(answers.contains("HTTP/1.1 403"), "{answers}");
}

#[tokio::test]
async fn tunnel_carries_what_is_sent_and_no_request_for_another_host() {
    let own = registry().await;
    let (address, proxy) = started(&[("localhost", own)], None).await;
    // What follows goes to the registry, whatever it says.
    let inside = "GET http://example.com/ HTTP/1.1\r\nHost: example.com\r\n\r\n";
    let answer =
        ask(address, &format!("{}{inside}", connect(&format!("localhost:{own}"))), "HTTP/1.1 200 OK\r\ncon").await;
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    assert_eq!(proxy.refused(), Vec::<String>::new());
}

#[tokio::test]
async fn callers_own_proxy_is_asked_with_its_credentials_and_not_for_hosts_it_is_not_for() {
    let (own, (upstream, heads)) = (registry().await, recording().await);
    let variables = [
        ("HTTPS_PROXY".into(), format!("http://user:pass@127.0.0.1:{upstream}").into()),
        ("no_proxy".into(), "localhost".into()),
    ];
    let matcher = crate::registries::upstream(&variables.into()).unwrap();
    let (address, _) = started(&[("localhost", own), ("registry.example", 443)], matcher).await;
    let answer = ask(address, &connect("registry.example:443"), "\r\n\r\n").await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    let head = heads.lock().unwrap().concat();
    assert!(head.starts_with("CONNECT registry.example:443 "), "{head}");
    assert!(head.to_lowercase().contains("proxy-authorization: basic dxnlcjpwyxnz"), "{head}");
    let direct = ask(address, &connect(&format!("localhost:{own}")), "\r\n\r\n").await;
    assert!(direct.starts_with("HTTP/1.1 200") && heads.lock().unwrap().len() == 1, "{direct}");
    for other in ["socks5://127.0.0.1:1", "https://127.0.0.1:1"] {
        assert!(crate::registries::upstream(&[("ALL_PROXY".into(), other.into())].into()).is_err());
    }
}

#[tokio::test]
async fn clients_that_never_end_keep_nobody_out() {
    let own = registry().await;
    let (address, _) = started(&[("localhost", own)], None).await;
    let mut silent = Vec::new();
    for beginning in ["", "CONNECT a", "GET http://localhost/ HTTP/1.1\r\nX: "].iter().cycle().take(CONNECTIONS / 2) {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(beginning.as_bytes()).await.unwrap();
        silent.push(stream);
    }
    let answer = ask(address, &connect(&format!("localhost:{own}")), "\r\n\r\n").await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    // Places that are given back are taken again.
    for _ in 0..2 * CONNECTIONS {
        silent.remove(0);
        silent.push(TcpStream::connect(address).await.unwrap());
    }
    drop(silent);
    let answer = ask(address, &connect(&format!("localhost:{own}")), "\r\n\r\n").await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}
