//! What a rule allows.

use super::server::{Server, Wire};
use super::world::{World, bytes, private, sandbox};
use crate::common;
use bailiwick_sandbox::http::{Scheme, Trust};
use bailiwick_sandbox::{Capabilities, LoadError};
use serde_json::json;
use std::io::Write as _;

#[test]
fn component_that_was_not_granted_requests_is_not_loaded() {
    let refused = common::block_on(sandbox().load(&bytes(), &Capabilities::files())).unwrap_err();
    let LoadError::NotGranted(imports) = refused else { panic!("{refused}") };
    assert!(imports.iter().any(|import| import.starts_with("wasi:http/outgoing-handler@")), "{imports:?}");
}

#[test]
fn component_that_describes_itself_sends_no_request() {
    let rules = vec![private(Scheme::Http, "127.0.0.1", 9, &["GET"])];
    let world = World::new(rules);
    let schema = world.tool().descriptor().input_schema.to_string();
    assert!(schema.contains("HttpRequestDenied"), "{schema}");
    // The same request in a call is sent, to a port on which nothing listens.
    let (answer, _) = world.one(&json!({ "scheme": "http", "authority": "127.0.0.1:9" }));
    assert_eq!(answer["err"], "ConnectionRefused");
}

#[test]
fn request_goes_out_as_the_host_wrote_it_and_its_answer_comes_back() {
    let server = Server::start(Wire::Plain);
    let world = World::new(vec![private(Scheme::Http, "localhost", server.port(), &["GET"])]);
    let authority = format!("LOCALHOST:{}", server.port());
    let request = json!({ "scheme": "http", "authority": authority, "path": "/a?b=c", "headers": [["x-own", "1"]] });
    let (answer, report) = world.one(&request);
    assert_eq!((answer["status"].as_u64(), answer["body"].as_str()), (Some(200), Some("hello")), "{answer}");
    assert!(answer["headers"].as_array().unwrap().contains(&json!(["content-type", "text/plain"])), "{answer}");
    let [request] = &server.requests()[..] else { panic!("one request") };
    assert!(request.starts_with("GET /a?b=c HTTP/1.1\r\n"), "{request}");
    assert!(request.contains(&format!("host: localhost:{}\r\n", server.port())), "{request}");
    assert!(request.contains("x-own: 1\r\n"), "{request}");
    assert_eq!((report.cost.requests, report.cost.received_bytes, report.cost.denied), (1, 5, 0));
}

#[test]
fn body_arrives_whole_whether_it_is_written_before_or_after_the_request_is_handed_over() {
    let server = Server::start(Wire::Plain);
    let world = World::new(vec![private(Scheme::Http, "127.0.0.1", server.port(), &["POST"])]);
    let authority = server.address.to_string();
    // Before a reader takes it, there is room for so many pieces.
    for (after, piece, repeat) in [(false, 4096, 60), (true, 4096, 200), (true, 1, 1000)] {
        let request = json!({ "method": "POST", "scheme": "http", "authority": authority, "body": "x".repeat(piece),
            "repeat": repeat, "after": after });
        let (answer, report) = world.one(&request);
        assert_eq!(answer["status"], 200, "{answer}");
        let arrived = server.requests().pop().unwrap();
        let (_, body) = arrived.split_once("\r\n\r\n").unwrap();
        assert_eq!(body, "x".repeat(piece * repeat));
        assert_eq!(report.cost.sent_bytes, (piece * repeat) as u64);
    }
}

#[test]
fn request_over_tls_is_answered_where_the_certificate_is_believed_and_nowhere_else() {
    let server = Server::start(Wire::Encrypted);
    let mut world = World::new(vec![
        private(Scheme::Https, "localhost", server.port(), &["GET"]),
        private(Scheme::Https, "127.0.0.1", server.port(), &["GET"]),
    ]);
    for host in ["localhost", "127.0.0.1"] {
        let (answer, _) = world.one(&json!({ "authority": format!("{host}:{}", server.port()) }));
        assert_eq!(answer["body"], "hello", "{answer}");
    }
    world.trust = Trust::And(Vec::new());
    let (answer, _) = world.one(&json!({ "authority": format!("localhost:{}", server.port()) }));
    assert_eq!(answer["err"], "TlsCertificateError", "{answer}");
    // What answers in plain text is not spoken to in plain text.
    let plain = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = plain.local_addr().unwrap().port();
    std::thread::spawn(move || plain.accept().and_then(|(mut stream, _)| stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n")));
    let world = World::new(vec![private(Scheme::Https, "localhost", port, &["GET"])]);
    let (answer, _) = world.one(&json!({ "authority": format!("localhost:{port}") }));
    assert_eq!(answer["err"], "TlsProtocolError", "{answer}");
}

#[test]
fn several_requests_are_under_way_at_once_and_no_more_than_the_limit() {
    let server = Server::start(Wire::Plain);
    let mut world = World::new(vec![private(Scheme::Http, "localhost", server.port(), &["GET"])]);
    world.http.at_once = 3;
    let authority = format!("localhost:{}", server.port());
    let request = json!({ "scheme": "http", "authority": authority, "path": "/wait" });
    let (answers, report) = world.ask(&json!(vec![request; 8]));
    assert!(answers.iter().all(|answer| answer["body"] == "waited"), "{answers:?}");
    assert_eq!(server.most_waiting(), 3);
    assert_eq!(report.cost.requests, 8);
}

#[test]
fn servers_that_break_off_or_speak_something_else_are_errors_that_the_tool_can_read() {
    let server = Server::start(Wire::Plain);
    let world = World::new(vec![private(Scheme::Http, "localhost", server.port(), &["GET"])]);
    for (path, error) in
        [("/switch", "HttpUpgradeFailed"), ("/short", "HttpResponseIncomplete"), ("/no-http", "HttpProtocolError")]
    {
        let request = json!({ "scheme": "http", "authority": format!("localhost:{}", server.port()), "path": path });
        let (answer, _) = world.one(&request);
        assert_eq!(answer["err"], error, "{path}");
    }
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let world = World::new(vec![private(Scheme::Http, "127.0.0.1", closed.port(), &["GET"])]);
    let (answer, _) = world.one(&json!({ "scheme": "http", "authority": closed.to_string() }));
    assert_eq!(answer["err"], "ConnectionRefused");
}
