//! A secret reaches its host and never the component, whatever the host sends back.

use super::server::{SECRET, Server, Wire};
use super::world::{World, private};
use bailiwick_sandbox::DenialReason;
use bailiwick_sandbox::http::{HeaderSecret, Scheme};
use serde_json::{Value, json};

/// Two servers over TLS and one in plain text that the tool may ask; the secret is the first one's, by its name.
struct Trusted {
    own: Server,
    plain: Server,
    world: World,
}

impl Trusted {
    fn new() -> Self {
        let (own, plain) = (Server::start(Wire::Encrypted), Server::start(Wire::Plain));
        let mut world = World::new(vec![
            private(Scheme::Https, "localhost", own.port(), &["GET"]),
            private(Scheme::Https, "127.0.0.1", own.port(), &["GET"]),
            private(Scheme::Http, "localhost", plain.port(), &["GET"]),
        ]);
        world.secrets = vec![HeaderSecret::new("localhost", "Authorization", "Bearer ", SECRET).unwrap()];
        Self { own, plain, world }
    }

    fn ask(&self, path: &str, headers: &Value) -> Value {
        let request =
            json!({ "authority": format!("localhost:{}", self.own.port()), "path": path, "headers": headers });
        let (answer, report) = self.world.one(&request);
        let told = format!("{answer} {report:?}").to_ascii_lowercase();
        for part in ["sk-canary", "0123456789"] {
            assert!(!told.contains(part), "{path}: {told}");
        }
        answer
    }
}

#[test]
fn host_gets_its_secret_and_the_component_does_not_see_it_in_any_answer() {
    let trusted = Trusted::new();
    for path in ["/echo", "/echo-header", "/echo-in-two", "/echo-binary", "/echo-escaped"] {
        let answer = trusted.ask(path, &json!([]));
        assert_eq!(answer["status"], 200, "{path}: {answer}");
        assert!(answer.to_string().contains("[redacted]"), "{path}: {answer}");
        let headers = answer["headers"].as_array().unwrap();
        if let Some(length) = headers.iter().find(|header| header[0] == "content-length") {
            let body = answer["body"].as_str().unwrap();
            // Invalid UTF-8 was replaced, three bytes for one.
            let replaced = body.matches('\u{fffd}').count() * 2;
            assert_eq!(length[1], (body.len() - replaced).to_string(), "{path}: {answer}");
        }
        let arrived = trusted.own.requests().pop().unwrap();
        assert!(arrived.contains(&format!("authorization: Bearer {SECRET}\r\n")), "{arrived}");
        assert!(arrived.contains("accept-encoding: identity\r\n"), "{arrived}");
    }
    let answer = trusted.ask("/echo-header", &json!([]));
    // The header whose name is the secret has gone; the others are there, each value of them.
    let echoes = answer["headers"].as_array().unwrap().iter().filter(|header| header[0] == "x-echo").count();
    assert_eq!(echoes, 2, "{answer}");
}

#[test]
fn header_that_the_component_sets_itself_is_replaced() {
    let trusted = Trusted::new();
    trusted.ask(
        "/echo",
        &json!([["AUTHORIZATION", "Basic own"], ["authorization", "other"], ["Accept-Encoding", "gzip"]]),
    );
    let arrived = trusted.own.requests().pop().unwrap().to_ascii_lowercase();
    assert_eq!(arrived.matches("authorization:").count(), 1, "{arrived}");
    assert_eq!(arrived.matches("accept-encoding:").count(), 1, "{arrived}");
    assert!(!arrived.contains("own") && !arrived.contains("other") && !arrived.contains("gzip"), "{arrived}");
}

#[test]
fn secret_goes_neither_to_another_host_nor_over_plain_text() {
    let trusted = Trusted::new();
    let requests = json!([
        { "authority": trusted.own.address.to_string(), "path": "/echo" },
        { "scheme": "http", "authority": format!("localhost:{}", trusted.plain.port()), "path": "/echo" },
    ]);
    let (answers, _) = trusted.world.ask(&requests);
    assert!(answers.iter().all(|answer| answer["status"] == 200), "{answers:?}");
    for request in [trusted.own.requests(), trusted.plain.requests()].concat() {
        assert!(!request.contains("sk-canary") && !request.contains("authorization"), "{request}");
    }
}

#[test]
fn answer_in_parts_or_in_an_encoding_is_not_asked_for_and_not_taken() {
    let trusted = Trusted::new();
    for header in ["Range", "If-Range"] {
        let request = json!({ "authority": format!("localhost:{}", trusted.own.port()), "path": "/echo",
            "headers": [[header, "bytes=0-9"]] });
        let (answer, report) = trusted.world.one(&request);
        assert_eq!(answer["err"], "HttpRequestDenied", "{header}");
        assert_eq!(report.denials[0].reason, DenialReason::Request);
    }
    for path in ["/gzip", "/secret-encoding"] {
        assert_eq!(trusted.ask(path, &json!([]))["err"], "HttpResponseContentCoding");
    }
    // Without a secret in the request both are the tool's own business.
    let request =
        json!({ "authority": trusted.own.address.to_string(), "path": "/gzip", "headers": [["Range", "bytes=0-9"]] });
    assert_eq!(trusted.world.one(&request).0["status"], 200);
}
