//! Connections and the limits of clients, in process and with small limits, so that each limit is reached at once.
//! Nothing here is measured: a test that waits in vain fails after `PATIENCE`.

#![expect(clippy::unwrap_used, reason = "helpers of tests stop at the first surprise")]

mod stand_in;

use bailiwick_mcp::http::{Admission, ConnectionLimits, HttpLimits, HttpOptions, Token, listen, serve};
use serde_json::json;
use stand_in::server;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;

const TOKEN: &str = "a-token-of-a-test-that-is-long-enough";
const PATIENCE: Duration = Duration::from_secs(60);
const LONG: Duration = Duration::from_secs(3600);
const SHORT: Duration = Duration::from_millis(100);

fn limits() -> HttpLimits {
    HttpLimits {
        connections: ConnectionLimits {
            most: 64,
            head_within: LONG,
            head_bytes: 16 * 1024,
            head_lines: 32,
            unread: LONG,
            last_words: SHORT,
        },
        subjects: 4,
        programs: 4,
        requests: 8,
        sessions: 4,
        session_idle: LONG,
        body_within: LONG,
    }
}

fn few(most: usize) -> HttpLimits {
    HttpLimits { connections: ConnectionLimits { most, ..limits().connections }, ..limits() }
}

fn within(time: Duration) -> HttpLimits {
    let connections = ConnectionLimits { head_within: time, ..limits().connections };
    HttpLimits { connections, body_within: time, ..limits() }
}

/// A server on loopback; it ends when the sender is dropped.
async fn started(limits: HttpLimits) -> (SocketAddr, oneshot::Sender<()>) {
    let listener = listen("127.0.0.1:0".parse().unwrap()).await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    tokio::spawn(async move {
        let options = HttpOptions {
            admission: Admission::Token(Token::given(TOKEN).unwrap()),
            operators: Vec::new(),
            hosts: Vec::new(),
            limits,
            replicas: None,
        };
        let stopped = async move {
            let _ = stopped.await;
        };
        serve(&server(), listener, options, stopped).await.unwrap();
    });
    (address, stop)
}

fn request(method: &str, headers: &[(&str, &str)], body: &str) -> String {
    let mut request = format!("{method} /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\n");
    request.push_str("Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n");
    for (name, value) in headers {
        request.push_str(&format!("{name}: {value}\r\n"));
    }
    if method == "POST" {
        request.push_str(&format!("Content-Length: {}\r\n", body.len()));
    }
    format!("{request}\r\n{body}")
}

fn hello() -> String {
    let params =
        json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
    json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params }).to_string()
}

async fn connected(address: SocketAddr, bytes: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(bytes.as_bytes()).await.unwrap();
    stream
}

/// Reads until `mark` stands in what came, or the server closes.
async fn until(stream: &mut TcpStream, mark: &str) -> String {
    let mut read = Vec::new();
    let reading = async {
        let mut piece = [0; 4096];
        while !String::from_utf8_lossy(&read).contains(mark) {
            match stream.read(&mut piece).await {
                Ok(0) | Err(_) => break,
                Ok(count) => read.extend_from_slice(&piece[..count]),
            }
        }
    };
    tokio::time::timeout(PATIENCE, reading).await.expect("the server says something or closes");
    String::from_utf8(read).unwrap()
}

/// Everything until the server closes.
async fn rest(stream: &mut TcpStream) -> String {
    until(stream, "\u{0}never").await
}

/// Begins a session and returns its id.
async fn session(address: SocketAddr) -> String {
    let mut stream = connected(address, &request("POST", &[("Connection", "close")], &hello())).await;
    let answer = rest(&mut stream).await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    let line = answer.lines().find_map(|line| line.strip_prefix("mcp-session-id: ")).unwrap();
    let id = line.to_owned();
    let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string();
    let ready = request("POST", &[("Connection", "close"), ("Mcp-Session-Id", &id)], &ready);
    let answer = rest(&mut connected(address, &ready).await).await;
    assert!(answer.starts_with("HTTP/1.1 202"), "{answer}");
    id
}

async fn status_in(address: SocketAddr, session: &str) -> String {
    let list = json!({ "jsonrpc": "2.0", "id": 2, "method": "ping" }).to_string();
    let list = request("POST", &[("Connection", "close"), ("Mcp-Session-Id", session)], &list);
    let answer = rest(&mut connected(address, &list).await).await;
    answer.split(' ').nth(1).unwrap_or_default().to_owned()
}

#[tokio::test]
async fn small_answers_do_not_wait_for_more_on_the_accepted_socket() {
    let (address, _stop) = started(limits()).await;
    let mut stream = connected(address, &request("POST", &[], &hello())).await;
    until(&mut stream, "serverInfo").await;
    // The other end is in this process, too.
    let own = stream.local_addr().unwrap();
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc/self/fd").unwrap() {
        let number: i32 = entry.unwrap().file_name().to_str().unwrap().parse().unwrap();
        #[expect(unsafe_code, reason = "there is no safe way to look at a descriptor that somebody else owns")]
        // SAFETY: it was listed a moment ago; one that was closed meanwhile is an error to the calls below.
        let descriptor = unsafe { std::os::fd::BorrowedFd::borrow_raw(number) };
        let peer = rustix::net::getpeername(descriptor).ok().flatten().and_then(|peer| SocketAddr::try_from(peer).ok());
        if peer == Some(own) {
            let nodelay = rustix::net::sockopt::tcp_nodelay(descriptor).unwrap();
            found.push((nodelay, rustix::net::sockopt::tcp_user_timeout(descriptor).unwrap()));
        }
    }
    assert_eq!(found, [(true, u32::try_from(LONG.as_millis()).unwrap())], "TCP_NODELAY and TCP_USER_TIMEOUT");
}

#[tokio::test]
async fn head_and_body_that_come_drop_by_drop_have_their_time() {
    let (address, _stop) = started(within(SHORT)).await;
    for beginning in ["", "POST /mcp HTTP/1.1\r\nHost: loc", "POST /mcp HTTP/1.1\r\nHost: localhost\r\nX: "] {
        let mut stream = connected(address, beginning).await;
        let answer = rest(&mut stream).await;
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 4"), "{answer}");
    }
    let whole = request("POST", &[], &hello());
    let mut stream = connected(address, &whole[..whole.len() - 1]).await;
    let answer = rest(&mut stream).await;
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
}

#[tokio::test]
async fn strangers_give_way_to_newcomers_and_clients_do_not() {
    let (address, _stop) = started(few(4)).await;
    let mut client = connected(address, &request("POST", &[], &hello())).await;
    until(&mut client, "serverInfo").await;
    let mut strangers = Vec::new();
    for _ in 0..40 {
        strangers.push(connected(address, "GET /mcp").await);
    }
    // The first of them was closed to make room.
    assert!(rest(&mut strangers[0]).await.is_empty());
    let answer = rest(&mut connected(address, &request("POST", &[("Connection", "close")], &hello())).await).await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    client.write_all(request("POST", &[("Connection", "close")], &hello()).as_bytes()).await.unwrap();
    assert!(rest(&mut client).await.contains("serverInfo"), "and who was let in before is still there");
}

#[tokio::test]
async fn client_that_keeps_every_connection_keeps_nobody_out_and_streams_stay() {
    let (address, _stop) = started(few(4)).await;
    let id = session(address).await;
    let mut stream = connected(address, &request("GET", &[("Mcp-Session-Id", &id)], "")).await;
    assert!(until(&mut stream, "\r\n\r\n").await.starts_with("HTTP/1.1 200"));
    let mut kept = Vec::new();
    for _ in 0..8 {
        let mut one = connected(address, &request("POST", &[], &hello())).await;
        until(&mut one, "serverInfo").await;
        kept.push(one);
    }
    let answer = rest(&mut connected(address, &request("POST", &[("Connection", "close")], &hello())).await).await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    let mut piece = [0; 1];
    let still = tokio::time::timeout(SHORT, stream.read(&mut piece)).await;
    assert!(!matches!(still, Ok(Ok(0) | Err(_))), "what is being answered does not give way");
}

#[tokio::test]
async fn clients_that_send_a_byte_at_a_time_have_their_time_and_the_server_goes_on() {
    let (address, _stop) = started(within(SHORT * 5)).await;
    let whole = request("POST", &[], &hello());
    // Each byte in a time that is far below the limit; all of them together are not.
    let drop_by_drop = |from: usize| {
        let whole = whole.clone();
        async move {
            let mut stream = connected(address, &whole[..from]).await;
            for byte in whole.as_bytes()[from..].chunks(1) {
                tokio::time::sleep(SHORT / 2).await;
                if stream.write_all(byte).await.is_err() {
                    break;
                }
                if tokio::time::timeout(Duration::ZERO, stream.readable()).await.is_ok() {
                    break;
                }
            }
            rest(&mut stream).await
        }
    };
    let body = whole.find("\r\n\r\n").unwrap() + 5;
    let (heads, bodies) = tokio::join!(
        futures_util::future::join_all((0..20).map(|_| drop_by_drop(1))),
        futures_util::future::join_all((0..8).map(|_| drop_by_drop(body)))
    );
    assert!(heads.iter().all(|answer| !answer.contains("serverInfo")), "{heads:?}");
    assert!(bodies.iter().all(|answer| answer.is_empty() || answer.starts_with("HTTP/1.1 408")), "{bodies:?}");
    let answer = rest(&mut connected(address, &request("POST", &[("Connection", "close")], &hello())).await).await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}

#[tokio::test]
async fn client_has_so_many_requests_at_once_and_streams_count() {
    let (address, _stop) = started(HttpLimits { requests: 3, ..limits() }).await;
    let id = session(address).await;
    let listen = request("GET", &[("Mcp-Session-Id", &id)], "");
    let mut streams = Vec::new();
    for _ in 0..3 {
        let mut stream = connected(address, &listen).await;
        assert!(until(&mut stream, "\r\n\r\n").await.starts_with("HTTP/1.1 200"));
        streams.push(stream);
    }
    let mut one_more = connected(address, &listen).await;
    assert!(until(&mut one_more, "at once").await.starts_with("HTTP/1.1 503"));
    // A stream that ends gives its place back, though the server learns of it only when it writes or looks.
    streams.clear();
    let again = async {
        while status_in(address, &id).await != "200" {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(PATIENCE, again).await.expect("the place is given back");
}

#[tokio::test]
async fn session_too_many_ends_the_one_that_was_idle_longest() {
    let (address, _stop) = started(HttpLimits { sessions: 3, ..limits() }).await;
    let mut ids = Vec::new();
    for _ in 0..3 {
        ids.push(session(address).await);
    }
    assert_eq!(status_in(address, &ids[0]).await, "200", "it is not the oldest any more");
    ids.push(session(address).await);
    let mut found = Vec::new();
    for id in &ids {
        found.push(status_in(address, id).await);
    }
    assert_eq!(found, ["200", "404", "200", "200"]);
}

#[tokio::test]
async fn session_that_is_idle_is_over() {
    let (address, _stop) = started(HttpLimits { session_idle: SHORT, ..limits() }).await;
    let id = session(address).await;
    let over = async {
        loop {
            tokio::time::sleep(SHORT * 2).await;
            if status_in(address, &id).await == "404" {
                break;
            }
        }
    };
    tokio::time::timeout(PATIENCE, over).await.expect("it ends");
}

#[tokio::test]
async fn heads_have_a_length_and_a_number_of_lines() {
    let (address, _stop) = started(limits()).await;
    for headers in [
        vec![("X-Long".to_owned(), "x".repeat(20 * 1024))],
        (0..40).map(|index| (format!("X-{index}"), String::new())).collect(),
    ] {
        let headers: Vec<_> = headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let mut stream = TcpStream::connect(address).await.unwrap();
        let _ = stream.write_all(request("POST", &headers, &hello()).as_bytes()).await;
        let answer = until(&mut stream, "\r\n\r\n").await;
        assert!(answer.starts_with("HTTP/1.1 431"), "{answer}");
    }
}

#[tokio::test]
async fn requests_in_one_piece_are_answered_in_turn_and_each_shows_its_token() {
    let (address, _stop) = started(limits()).await;
    let stranger = request("POST", &[("Connection", "close")], &hello()).replace(TOKEN, "another-token");
    let mut stream = connected(address, &format!("{}{stranger}", request("POST", &[], &hello()))).await;
    let answers = rest(&mut stream).await;
    let statuses: Vec<_> =
        answers.lines().filter_map(|line| line.strip_prefix("HTTP/1.1 ")).map(|rest| &rest[..3]).collect();
    assert_eq!(statuses, ["200", "401"], "{answers}");
    // Bytes behind a body with two lengths are not read as a request.
    let smuggled = request("POST", &[("Transfer-Encoding", "chunked")], "0\r\n\r\n");
    let answers = rest(&mut connected(address, &format!("{smuggled}{}", request("DELETE", &[], ""))).await).await;
    assert!(answers.matches("HTTP/1.1 ").count() <= 1 && !answers.contains("HTTP/1.1 2"), "{answers}");
}

#[tokio::test]
async fn end_of_the_server_does_not_wait_for_idle_connections() {
    let (address, stop) = started(limits()).await;
    let id = session(address).await;
    let mut idle = connected(address, &request("GET", &[("Mcp-Session-Id", &id)], "")).await;
    until(&mut idle, "\r\n\r\n").await;
    let mut silent = connected(address, "").await;
    drop(stop);
    rest(&mut idle).await;
    rest(&mut silent).await;
    let gone = async {
        while TcpStream::connect(address).await.is_ok() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(PATIENCE, gone).await.expect("there are no listeners");
}
