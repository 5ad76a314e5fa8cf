//! Clients that break the rules, over both transports: each gets an answer or is dropped, and the server goes on.

use bailiwick_tests::{HttpServer, Mcp, exchange, hello, request, server};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// How long anything may take before a test gives up.
const PATIENCE: Duration = Duration::from_secs(120);
const LIMIT: usize = 16 << 20;

fn base() -> tempfile::TempDir {
    let base = tempfile::Builder::new().prefix("bailiwick-mcp-").tempdir().unwrap();
    std::fs::create_dir(base.path().join("docs")).unwrap();
    std::fs::write(base.path().join("docs/a.txt"), "one\n").unwrap();
    base
}

/// Malformed messages, their answers, and whether the id of the request is found.
fn malformed() -> Vec<(Vec<u8>, i64, Value)> {
    let text = |text: &str| text.as_bytes().to_vec();
    let deep = |inner: &str, depth| format!("{}{inner}{}", "[".repeat(depth), "]".repeat(depth));
    let call = |arguments: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":77,"method":"tools/call","params":{{"name":"read_text_file","arguments":{arguments}}}}}"#
        )
    };
    vec![
        (text(&call("5")), -32602, json!(77)),
        (text(&call("[]")), -32602, json!(77)),
        (text(&call("\"x\"")), -32602, json!(77)),
        (text(r#"{"jsonrpc":"2.0","id":77,"method":"tools/call","params":[]}"#), -32600, json!(77)),
        (text(r#"{"jsonrpc":"2.0","id":77,"method":"tools/call"}"#), -32602, json!(77)),
        (text(r#"{"jsonrpc":"2.0","id":77,"method":"no/such/method"}"#), -32601, json!(77)),
        (text(r#"{"jsonrpc":"2.0","id":77,"method":""}"#), -32601, json!(77)),
        (text(&call(&format!("{{\"path\":{}}}", deep("1", 5_000)))), -32600, json!(77)),
        (text(&call(&format!("{{\"path\":{}}}", deep("{\"a\":1}", 300_000)))), -32600, json!(77)),
        (text(r#"{"jsonrpc":"2.0","id":77,"method":5}"#), -32600, json!(77)),
        (text(r#"{"jsonrpc":"1.0","id":"77","method":"ping"}"#), -32600, json!("77")),
        (text(r#"{"id":77,"method":"ping"}"#), -32600, json!(77)),
        (
            b"{\"jsonrpc\":\"2.0\",\"id\":77,\"method\":\"ping\",\"params\":{\"a\":\"\xff\"}}".to_vec(),
            -32600,
            json!(77),
        ),
        (text(r#"[{"jsonrpc":"2.0","id":77,"method":"ping"}]"#), -32600, json!(null)),
        (text("[]"), -32600, json!(null)),
        (text("5"), -32600, json!(null)),
        (text(r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#), -32600, json!(null)),
        (text(r#"{"jsonrpc":"2.0","id":1e400,"method":"ping"}"#), -32600, json!(null)),
        (text(r#"{"jsonrpc":"2.0","id":99999999999999999999,"method":"ping"}"#), -32600, json!(null)),
        (text(r#"{"jsonrpc":"2.0","id":[77],"method":"ping"}"#), -32600, json!(null)),
    ]
}

fn shown(message: &[u8]) -> String {
    String::from_utf8_lossy(&message[..message.len().min(120)]).into_owned()
}

#[test]
fn malformed_message_is_answered_over_stdio() {
    let base = base();
    let mut client = Mcp::legacy(base.path(), &["--grant", "docs=docs"], json!({}));
    for (message, code, id) in malformed() {
        client.send_bytes(&message);
        let answer = client.next_message();
        assert_eq!(answer["error"]["code"], code, "{}: {answer:#}", shown(&message));
        assert_eq!(answer["id"], id, "{}: {answer:#}", shown(&message));
    }
    // To these there is no answer, and the next one is that to a request.
    for silent in [
        &br#"{"jsonrpc":"2.0","method":"notifications/no-such"}"#[..],
        br#"{"jsonrpc":"2.0","method":"$/lsp","params":[1]}"#,
        br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":5}"#,
        br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"of nobody"}}"#,
        br#"{"jsonrpc":"2.0","id":5,"result":{}}"#,
        br#"{"jsonrpc":"1.0","id":5,"result":{}}"#,
        b"\xff\xfe\x00",
        b"}{",
    ] {
        client.send_bytes(silent);
    }
    assert!(!client.tools().is_empty());
    assert!(client.aside.is_empty(), "{:?}", client.aside);
    assert!(client.close().success());
}

#[test]
fn line_that_is_too_long_is_answered_wherever_its_id_stands() {
    let base = base();
    let mut command = server(base.path(), &["--grant", "docs=docs"]);
    command.stderr(Stdio::piped());
    let mut client = Mcp::over(command, json!({}));
    let filling = "x".repeat(LIMIT);
    let message = |before: &str, after: &str| {
        format!(r#"{{"jsonrpc":"2.0",{before}"method":"tools/call","params":{{"name":"{filling}","id":8}}{after}}}"#)
    };
    for (message, id) in [
        (message("\"id\":77,", ""), json!(77)),
        (message("", ",\"id\":77"), json!(77)),
        (message("\"id\":\"a\\\"b\",", ""), json!("a\"b")),
    ] {
        client.send_text(&message);
        let answer = client.next_message();
        assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(-32600), &id), "{answer:#}");
        assert!(answer["error"]["message"].as_str().unwrap().contains("16777216 bytes"), "{answer:#}");
    }
    client.send_text(&message("", ""));
    client.send_text(&format!("{{\"jsonrpc\":\"2.0\",\"id\":5,\"result\":\"{filling}\"}}"));
    assert!(!client.tools().is_empty());
    assert!(client.aside.is_empty(), "{:?}", client.aside);
    let mut said = String::new();
    let stderr = client.stderr();
    assert!(client.close().success());
    BufReader::new(stderr).read_to_string(&mut said).unwrap();
    assert_eq!(said.matches("a message may have 16777216 bytes").count(), 2, "what has no answer is told: {said}");
}

#[test]
fn two_requests_of_one_id_and_requests_before_the_handshake_do_no_harm() {
    let base = base();
    let mut client = Mcp::legacy(base.path(), &["--grant", "docs=docs"], json!({}));
    let call = r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"read_text_file","arguments":{"path":"docs/a.txt"}}}"#;
    // A client that uses an id twice at a time cannot tell two answers apart, and may get one.
    client.send_text(call);
    client.send_text(call);
    let answer = client.next_message();
    assert_eq!((&answer["id"], &answer["result"]["content"][0]["text"]), (&json!(7), &json!("one\n")), "{answer:#}");
    assert!(!client.tools().is_empty());
    // A second handshake is refused or answered, and changes nothing.
    client.send_text(&hello());
    client.next_message();
    assert!(!client.tools().is_empty());

    let mut early = Mcp::silent(server(base.path(), &["--grant", "docs=docs"]));
    early.send_text(call);
    let answer = early.next_message();
    assert!(answer["error"].is_object() && !answer.to_string().contains("one"), "{answer:#}");
    early.close();
}

fn spawned(base: &std::path::Path) -> Child {
    server(base, &["--grant", "docs=docs"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn ends(child: &mut Child) -> std::process::ExitStatus {
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        assert!(started.elapsed() < PATIENCE, "the server does not end");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn client_that_never_reads_does_not_keep_the_server_from_ending() {
    let base = base();
    for ending in ["end of input", "signal"] {
        let mut child = spawned(base.path());
        let mut stdin = child.stdin.take().unwrap();
        let list = r#"{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{}}"#;
        writeln!(stdin, "{}", hello()).unwrap();
        writeln!(stdin, "{}", json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).unwrap();
        // Answers of far more than a pipe holds, none of which is read.
        for _ in 0..100 {
            writeln!(stdin, "{list}").unwrap();
        }
        if ending == "signal" {
            rustix::process::kill_process(rustix::process::Pid::from_child(&child), rustix::process::Signal::TERM)
                .unwrap();
            ends(&mut child);
            drop(stdin);
        } else {
            drop(stdin);
            ends(&mut child);
        }
    }
}

#[test]
fn client_that_closes_what_it_reads_from_is_gone_and_the_server_ends_quietly() {
    let base = base();
    let mut child = spawned(base.path());
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    writeln!(stdin, "{}", hello()).unwrap();
    let mut line = String::new();
    stdout.read_line(&mut line).unwrap();
    assert!(line.contains("serverInfo"), "{line}");
    drop(stdout);
    let _ = writeln!(stdin, "{}", json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    let _ = writeln!(stdin, r#"{{"jsonrpc":"2.0","id":2,"method":"tools/list"}}"#);
    let status = ends(&mut child);
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!(status.code(), Some(0), "{status}: {said}");
    assert!(!said.contains("panicked"), "{said}");
    drop(stdin);
}

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

/// Whatever a schema says, and what it does not say.
fn bad(schema: &Value) -> Vec<Value> {
    let names: Vec<String> =
        schema["properties"].as_object().map(|all| all.keys().cloned().collect()).unwrap_or_default();
    let places = [
        "/etc/passwd",
        "/no/such/place",
        "/proc/self/root/etc",
        "/dev/null",
        "../../etc/passwd",
        "docs/../../x",
        "docs/no such file",
        "docs/a.txt/b",
        "docs",
        "",
        "a\u{0}b",
        "~",
        "%2e%2e/x",
        "docs/*[",
        "20261120-130405-678-k3m9x2qa",
    ];
    let mut all = vec![json!({}), json!({ "no such": 1 })];
    for place in places {
        // The same for every member that takes a text, and what else is needed as its schema has it.
        let mut given = json!({});
        for name in &names {
            let property = &schema["properties"][name];
            given[name] = match property["type"].as_str() {
                Some("string") => property["enum"][0].as_str().map_or_else(|| json!(place), |word| json!(word)),
                Some("integer" | "number") => json!(1),
                Some("boolean") => json!(false),
                Some("array") if property["items"]["type"] == "string" => json!([place]),
                Some("array") => json!([{}]),
                _ => json!(place),
            };
        }
        all.push(given.clone());
        // And only what has to be there.
        let needed: Vec<_> = schema["required"].as_array().cloned().unwrap_or_default();
        if let Some(given) = given.as_object_mut() {
            given.retain(|name, _| needed.contains(&json!(name)));
        }
        all.push(given);
    }
    for name in &names {
        for value in [json!(null), json!([]), json!({}), json!(-1), json!(1e300), json!("x".repeat(1 << 16))] {
            let mut given = json!({});
            given[name] = value;
            all.push(given);
        }
    }
    all
}

#[test]
fn no_tool_tells_a_place_of_this_machine_whatever_it_is_called_with() {
    let base = base();
    let home = base.path().join("home of somebody");
    std::fs::create_dir(&home).unwrap();
    // A state directory that cannot be had: what is told of that is not told to a client.
    std::fs::write(base.path().join("file"), "").unwrap();
    let place = base.path().to_str().unwrap();
    let temporary = std::env::temp_dir();
    let temporary = format!("{}/", temporary.to_str().unwrap().trim_end_matches('/'));
    let cache = bailiwick_tests::cache();
    for state in ["state", "file/state"] {
        let mut command = server(base.path(), &["--grant", "docs=docs:rw", "--answer-within", "0"]);
        command.env("HOME", &home).env("BAILIWICK_STATE_DIR", base.path().join(state));
        let mut client = Mcp::over(command, json!({ "elicitation": {} }));
        let listed = client.request("tools/list", json!({}));
        let secrets = [place, temporary.as_str(), cache.to_str().unwrap(), "home of somebody"];
        let tells = |said: &str| secrets.iter().any(|secret| said.contains(secret));
        assert!(!tells(&listed.to_string()), "{listed:#}");
        for tool in listed["result"]["tools"].as_array().into_iter().flatten() {
            let name = tool["name"].as_str().unwrap();
            for arguments in bad(&tool["inputSchema"]) {
                let answer = client.request("tools/call", json!({ "name": name, "arguments": arguments }));
                let mut said = answer.to_string();
                // This one is there to say which directories were granted, by the paths that the operator gave.
                if name == "list_allowed_directories" {
                    said = said.replace(&format!("{place}/docs"), "DOCS");
                }
                assert!(!tells(&said), "{name} {arguments}: {said}");
                assert!(answer["error"].is_null() || answer["error"]["code"] == -32602, "{name} {arguments}: {said}");
            }
        }
        assert!(client.close().success());
    }
}

/// Goes down by handles: a path has a greatest length.
fn nested(top: &std::path::Path, depth: usize) {
    use rustix::fs::{Mode, OFlags, mkdirat, openat};
    let flags = OFlags::DIRECTORY | OFlags::CLOEXEC;
    let mut handle = openat(rustix::fs::CWD, top, flags, Mode::empty()).unwrap();
    for _ in 0..depth {
        mkdirat(&handle, "d", Mode::RWXU).unwrap();
        handle = openat(&handle, "d", flags, Mode::empty()).unwrap();
    }
}

#[test]
fn directory_of_very_many_files_and_one_nested_without_end_are_answered_and_the_server_goes_on() {
    let base = base();
    let docs = base.path().join("docs");
    for directory in ["many", "deep"] {
        std::fs::create_dir(docs.join(directory)).unwrap();
    }
    for number in 0..100_000 {
        std::fs::File::create(docs.join(format!("many/file-{number:06}"))).unwrap();
    }
    nested(&docs.join("deep"), 3_000);
    let mut client = Mcp::legacy(base.path(), &["--grant", "docs=docs"], json!({}));
    for directory in ["many", "deep"] {
        for (tool, further) in [
            ("list_directory", json!({})),
            ("list_directory_with_sizes", json!({ "sortBy": "size" })),
            ("directory_tree", json!({})),
            ("search_files", json!({ "pattern": "**/{d,file-0}/**/{a,b,c}*" })),
        ] {
            let mut arguments = further;
            arguments["path"] = json!(docs.join(directory));
            let answer = client.call(tool, arguments.clone());
            let text = answer.to_string();
            // A list that is complete, or one that says that it is not, or an error; never more than a message may have.
            assert!(text.len() <= LIMIT, "{tool} {arguments}: {} bytes", text.len());
            assert!(!answer["content"].as_array().unwrap().is_empty(), "{tool} {arguments}: {text:.200}");
            let read = client.call("read_text_file", json!({ "path": docs.join("a.txt") }));
            assert!(read.to_string().contains("one"), "after {tool} {arguments}: {read}");
        }
    }
    client.close();
    // Removing it by paths is what the standard library does not do at this depth on every system.
    let removed = std::process::Command::new("rm").arg("-rf").arg(docs.join("deep")).status().unwrap();
    assert!(removed.success());
}
