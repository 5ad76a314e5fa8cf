//! What no rule allows does not leave, and is on record.

use super::server::{Server, Wire};
use super::world::{World, private};
use bailiwick_sandbox::DenialReason;
use bailiwick_sandbox::http::{Reach, Rule, Scheme};
use serde_json::{Value, json};

/// The error of a single request, and why the host refused it.
fn refused(world: &World, request: &Value) -> (String, Option<DenialReason>) {
    let (answer, report) = world.one(request);
    let error = answer["err"].as_str().unwrap_or_else(|| panic!("{request} came to {answer}")).to_owned();
    assert_eq!(report.cost.denied as usize, report.denials.len());
    (error, report.denials.first().map(|denial| denial.reason))
}

#[test]
fn request_to_another_place_or_by_another_method_is_refused_and_on_record() {
    let (server, other) = (Server::start(Wire::Plain), Server::start(Wire::Plain));
    let world = World::new(vec![private(Scheme::Http, "127.0.0.1", server.port(), &["GET"])]);
    let here = server.address.to_string();
    let there = other.address.to_string();
    let cases = [
        (json!({ "scheme": "http", "authority": there }), DenialReason::Host),
        (json!({ "scheme": "http", "authority": "127.0.0.1" }), DenialReason::Host),
        (json!({ "scheme": "https", "authority": here }), DenialReason::Host),
        (json!({ "scheme": "http", "authority": format!("localhost:{}", server.port()) }), DenialReason::Host),
        (json!({ "scheme": "http", "authority": format!("[::ffff:127.0.0.1]:{}", server.port()) }), DenialReason::Host),
        (json!({ "scheme": "http", "authority": format!("127.1:{}", server.port()) }), DenialReason::Request),
        (json!({ "scheme": "http", "authority": format!("2130706433:{}", server.port()) }), DenialReason::Request),
        (json!({ "scheme": "http", "authority": format!("0x7f.1:{}", server.port()) }), DenialReason::Request),
        (json!({ "scheme": "http", "authority": format!("{here}@{there}") }), DenialReason::Request),
        (json!({ "scheme": "http", "authority": format!("x@{here}") }), DenialReason::Request),
        (json!({ "scheme": "http", "authority": here, "method": "POST" }), DenialReason::Method),
        (json!({ "scheme": "http", "authority": here, "method": "CONNECT" }), DenialReason::Method),
        (json!({ "scheme": "http", "authority": here, "method": "TRACE" }), DenialReason::Method),
        (json!({ "scheme": "http", "authority": here, "method": "get" }), DenialReason::Method),
    ];
    for (request, reason) in cases {
        assert_eq!(refused(&world, &request), ("HttpRequestDenied".into(), Some(reason)), "{request}");
    }
    // Also when the guest does not wait for the answer.
    let (_, report) = world.one(&json!({ "scheme": "http", "authority": there, "abandon": true }));
    let [denial] = &report.denials[..] else { panic!("{:?}", report.denials) };
    assert_eq!((denial.operation, denial.path.as_str()), ("http-request", format!("GET http://{there}").as_str()));
    assert_eq!((server.connections(), other.connections()), (0, 0));
}

#[test]
fn name_or_address_of_this_machine_is_refused_without_a_word_about_private_addresses() {
    let server = Server::start(Wire::Plain);
    let public = |host: &str| Rule::new(Scheme::Http, host, Some(server.port()), ["GET"], Reach::Public).unwrap();
    let hosts = ["localhost", "127.0.0.1", "[::1]", "0.0.0.0", "169.254.169.254", "10.0.0.1", "[::ffff:127.0.0.1]"];
    let world = World::new(hosts.map(public).into());
    for host in hosts {
        let request = json!({ "scheme": "http", "authority": format!("{host}:{}", server.port()) });
        let expected = ("DestinationIpProhibited".into(), Some(DenialReason::Address));
        assert_eq!(refused(&world, &request), expected, "{host}");
    }
    // And a reserved address is not reached by any rule.
    let world = World::new(vec![
        private(Scheme::Http, "0.0.0.0", server.port(), &["GET"]),
        private(Scheme::Http, "[::ffff:127.0.0.1]", server.port(), &["GET"]),
        private(Scheme::Http, "[64:ff9b::7f00:1]", server.port(), &["GET"]),
    ]);
    for host in ["0.0.0.0", "[::ffff:127.0.0.1]", "[64:ff9b::7f00:1]"] {
        let request = json!({ "scheme": "http", "authority": format!("{host}:{}", server.port()) });
        assert_eq!(refused(&world, &request).1, Some(DenialReason::Address), "{host}");
    }
    assert_eq!(server.connections(), 0);
}

#[test]
fn redirect_is_shown_and_what_the_tool_makes_of_it_is_judged() {
    let (server, other) = (Server::start(Wire::Plain), Server::start(Wire::Plain));
    let world = World::new(vec![private(Scheme::Http, "127.0.0.1", server.port(), &["GET"])]);
    let path = format!("/redirect?http://{}/inner", other.address);
    let mut request = json!({ "scheme": "http", "authority": server.address.to_string(), "path": path });
    let (answer, report) = world.one(&request);
    assert_eq!((answer["status"].as_u64(), report.cost.requests), (Some(302), 1), "{answer}");
    request["follow"] = json!(true);
    assert_eq!(refused(&world, &request), ("HttpRequestDenied".into(), Some(DenialReason::Host)));
    assert_eq!((server.requests().len(), other.connections()), (2, 0));
    // To a place that a rule allows it may be followed.
    request["path"] = json!(format!("/redirect?http://{}/inner", server.address));
    let (answer, _) = world.one(&request);
    assert_eq!(answer["body"], "hello", "{answer}");
}

#[test]
fn no_header_and_no_path_makes_two_requests_of_one_or_names_another_host() {
    let server = Server::start(Wire::Plain);
    let world = World::new(vec![private(Scheme::Http, "127.0.0.1", server.port(), &["GET", "POST"])]);
    let authority = server.address.to_string();
    for (name, value) in [
        ("Host", "evil.example"),
        ("Transfer-Encoding", "chunked"),
        ("Connection", "keep-alive, x-own"),
        ("Upgrade", "h2c"),
        ("TE", "trailers"),
        ("Trailer", "x"),
        ("Expect", "100-continue"),
        ("Proxy-Authorization", "x"),
        ("Proxy-Connection", "x"),
        ("Keep-Alive", "x"),
        ("HTTP2-Settings", "x"),
        ("X-Own", "a\r\nHost: evil.example"),
        ("X-Own", "a\nGET / HTTP/1.1"),
        ("X-Own\r\nHost", "evil.example"),
        ("X-Own: y", "z"),
        ("Content-Length", "+5"),
        ("", "x"),
    ] {
        let request = json!({ "method": "POST", "scheme": "http", "authority": authority, "headers": [[name, value]] });
        let (answer, _) = world.one(&request);
        let error = answer["err"].as_str().unwrap_or_else(|| panic!("{name}: {answer}"));
        assert!(error.starts_with("guest: "), "{name}: {error}");
    }
    for path in ["http://evil.example/", "*", "evil", "/a b", "/a\r\nHost: evil.example", "@evil.example/"] {
        let request = json!({ "scheme": "http", "authority": authority, "path": path });
        let (answer, _) = world.one(&request);
        assert_eq!(answer["err"], "guest: path", "{path}");
    }
    assert_eq!(server.connections(), 0);
    // A body that is not as long as its header says is broken off before anything is sent.
    let short = json!({ "method": "POST", "scheme": "http", "authority": authority, "body": "12345",
        "headers": [["Content-Length", "50"]] });
    let (answer, _) = world.one(&short);
    assert_eq!(answer["err"], "HttpRequestBodySize", "{answer}");
    assert_eq!(server.requests(), Vec::<String>::new());
    // What looks like an address of its own is only a path.
    let (answer, _) = world.one(&json!({ "scheme": "http", "authority": authority, "path": "//evil.example/x" }));
    assert_eq!(answer["status"], 200, "{answer}");
    assert!(server.requests()[0].starts_with("GET //evil.example/x HTTP/1.1\r\n"));
}
