//! Over HTTP.

use super::{LIMIT, base, malformed, shown};
use bailiwick_tests::{HttpServer, exchange, hello, request};
use serde_json::json;

#[test]
fn malformed_message_is_answered_over_http() {
    let base = base();
    let server = HttpServer::start(base.path(), &["--grant", "docs=docs"]);
    let begun = server.post(&server.usual(), &hello());
    let mut headers = server.usual();
    headers.push(("Mcp-Session-Id", begun.header("Mcp-Session-Id").unwrap().to_owned()));
    headers.push(("Mcp-Protocol-Version", "2025-11-25".into()));
    let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string();
    assert_eq!(server.post(&headers, &ready).status, 202);
    for (message, code, id) in malformed() {
        let mut bytes = request("POST", "/mcp", &headers, "")
            .replace("Content-Length: 0", &format!("Content-Length: {}", message.len()))
            .into_bytes();
        bytes.extend_from_slice(&message);
        let reply = exchange(&server.address, &bytes);
        let answer = reply.message();
        assert_eq!(answer["error"]["code"], code, "{}: {reply:?}", shown(&message));
        assert_eq!(answer["id"], id, "{}: {reply:?}", shown(&message));
    }
    for (name, value, status) in [
        ("Content-Type", "text/plain", 415),
        ("Content-Type", "application/x-www-form-urlencoded", 415),
        ("Accept", "text/html", 406),
        ("Mcp-Protocol-Version", "1999-01-01", 400),
    ] {
        let mut headers = headers.clone();
        headers.retain(|(header, _)| *header != name);
        headers.push((name, value.into()));
        assert_eq!(server.post(&headers, &ready).status, status, "{name}: {value}");
    }
    // Its length told, in pieces, and told wrong.
    let long = " ".repeat(LIMIT + 1);
    assert!(matches!(server.post(&headers, &long).status, 413 | 0));
    let pieces = request("POST", "/mcp", &headers, "").replace("Content-Length: 0", "Transfer-Encoding: chunked");
    let mut piece = format!("{pieces}{:x}\r\n", long.len()).into_bytes();
    piece.extend_from_slice(long.as_bytes());
    piece.extend_from_slice(b"\r\n0\r\n\r\n");
    assert!(matches!(exchange(&server.address, &piece).status, 413 | 0));
    // Before a handshake there is no session to ask in.
    let list = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" }).to_string();
    let reply = server.post(&server.usual(), &list);
    assert!(!reply.body.contains("read_text_file") && reply.status >= 400, "{reply:?}");
    assert_eq!(server.post(&headers, &list).status, 200, "and the server goes on");
}

#[test]
fn page_in_a_browser_reaches_nothing_however_it_names_this_machine() {
    let base = base();
    let server = HttpServer::start(base.path(), &["--grant", "docs=docs"]);
    let port = server.address.rsplit(':').next().unwrap().to_owned();
    let with = |name: &'static str, values: &[&str]| {
        let mut headers = server.usual();
        headers.retain(|(header, _)| *header != name);
        headers.extend(values.iter().map(|value| (name, (*value).replace("PORT", &port))));
        headers
    };
    for host in [
        "attacker.example",
        "attacker.example:PORT",
        "127.0.0.1.attacker.example:PORT",
        "localhost.attacker.example",
        "127.0.0.1@attacker.example",
        "localhost.",
        "127.1",
        "2130706433",
        "0x7f.0.0.1",
        "0.0.0.0:PORT",
        "[::ffff:127.0.0.1]:PORT",
        "[::]",
        "",
        "127.0.0.1 attacker.example",
        "127.0.0.1,attacker.example",
        "127.0.0.1/attacker.example",
    ] {
        let reply = server.post(&with("Host", &[host]), &hello());
        assert!(matches!(reply.status, 400 | 403), "{host}: {reply:?}");
    }
    for hosts in [&["127.0.0.1:PORT", "attacker.example"][..], &["attacker.example", "127.0.0.1:PORT"], &[]] {
        let reply = server.post(&with("Host", hosts), &hello());
        assert!(matches!(reply.status, 400 | 403), "{hosts:?}: {reply:?}");
    }
    for host in ["LOCALHOST:PORT", "localhost", "[::1]:PORT", "127.0.0.1:PORT"] {
        assert_eq!(server.post(&with("Host", &[host]), &hello()).status, 200, "{host}");
    }
    for origins in [
        &["null"][..],
        &[""],
        &["http://attacker.example"],
        &["http://127.0.0.1"],
        &["http://localhost"],
        &["http://[::1]:1"],
        &["https://localhost:PORT"],
        &["http://attacker.example:PORT"],
        &["http://localhost:PORT.attacker.example"],
        &["http://127.0.0.2:PORT"],
        &["https://localhost.attacker.example"],
        &["file://"],
        &["vscode-webview://x"],
        &["chrome-extension://x"],
        &["http://localhost:PORT", "http://attacker.example"],
        &["http://attacker.example", "http://localhost:PORT"],
    ] {
        let mut headers = server.usual();
        headers.extend(origins.iter().map(|origin| ("Origin", (*origin).replace("PORT", &port))));
        let reply = server.post(&headers, &hello());
        assert!(matches!(reply.status, 400 | 403), "{origins:?}: {reply:?}");
        assert!(reply.header("Access-Control-Allow-Origin").is_none(), "{reply:?}");
        // What a browser asks before it sends.
        let asking = request("OPTIONS", "/mcp", &headers, "");
        let reply = exchange(&server.address, asking.as_bytes());
        assert!(reply.status >= 400 && !reply.head.to_lowercase().contains("access-control"), "{reply:?}");
    }
}

#[test]
fn other_methods_other_places_and_other_protocols_do_nothing() {
    let base = base();
    let server = HttpServer::start(base.path(), &["--grant", "docs=docs"]);
    for method in ["PUT", "PATCH", "HEAD", "TRACE", "OPTIONS", "POSTX", "post", "PROPFIND"] {
        let reply = exchange(&server.address, request(method, "/mcp", &server.usual(), "").as_bytes());
        assert!(reply.status >= 400, "{method}: {reply:?}");
    }
    let mut overridden = server.usual();
    overridden.push(("X-HTTP-Method-Override", "POST".into()));
    assert!(exchange(&server.address, request("GET", "/mcp", &overridden, "").as_bytes()).status >= 400);
    for place in
        ["/", "/mcp/", "//mcp", "/mcp/..", "/x/../mcp", "/MCP", "/%6dcp/", "/.well-known/oauth-protected-resource"]
    {
        let reply = exchange(&server.address, request("POST", place, &server.usual(), &hello()).as_bytes());
        assert!(matches!(reply.status, 400..=499), "{place}: {reply:?}");
    }
    for bytes in [
        &b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"[..],
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET /mcp HTTP/9.9\r\n\r\n",
        b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
        b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        b"POST /mcp HTTP/1.1\r\nHost: localhost\r\n Authorization: folded\r\n\r\n",
        b"\r\n\r\n\r\n\x00\x00",
    ] {
        let reply = exchange(&server.address, bytes);
        assert!(reply.status == 0 || reply.status >= 400, "{}: {reply:?}", shown(bytes));
    }
    let (token, two) = (server.token.clone(), server.usual());
    for values in
        [vec![format!("Bearer {token}"), "Bearer x".into()], vec!["Bearer x".into(), format!("Bearer {token}")]]
    {
        let mut headers = two.clone();
        headers.retain(|(name, _)| *name != "Authorization");
        headers.extend(values.into_iter().map(|value| ("Authorization", value)));
        assert_eq!(server.post(&headers, &hello()).status, 401, "one of two tokens is a choice");
    }
    let mut headers = two;
    headers.retain(|(name, _)| *name != "Authorization");
    let asked = request("POST", &format!("/mcp?access_token={token}"), &headers, &hello());
    assert_eq!(exchange(&server.address, asked.as_bytes()).status, 401, "a token in the URL is refused");
    assert_eq!(server.post(&server.usual(), &hello()).status, 200, "and the server goes on");
}
