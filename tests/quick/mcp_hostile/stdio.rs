//! Over standard input and output.

use super::{LIMIT, PATIENCE, base, malformed, shown};
use bailiwick_tests::{Mcp, hello, server};
use serde_json::json;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

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
