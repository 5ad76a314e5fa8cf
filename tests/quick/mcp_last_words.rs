//! How a client over stdio ends: it asks no more, or reads no more.

use bailiwick_tests::{hello, server};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

fn base() -> tempfile::TempDir {
    let base = tempfile::Builder::new().prefix("bailiwick-mcp-").tempdir().unwrap();
    std::fs::create_dir(base.path().join("docs")).unwrap();
    std::fs::write(base.path().join("docs/large.txt"), "0123456789abcde\n".repeat(1 << 16)).unwrap();
    base
}

fn spawned(base: &std::path::Path) -> Child {
    let mut server = server(base, &["--grant", "docs=docs"]);
    server.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
}

/// A handshake, and as many reads of `docs/large.txt` as wanted.
fn asking(reads: u64) -> String {
    let mut lines = vec![hello(), json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string()];
    let arguments = json!({ "path": "docs/large.txt" });
    lines.extend((100..100 + reads).map(|id| {
        let params = json!({ "name": "read_text_file", "arguments": arguments });
        json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }).to_string()
    }));
    lines.join("\n") + "\n"
}

#[test]
fn client_that_asks_no_more_and_reads_slowly_gets_every_answer() {
    const READS: u64 = 24;
    let base = base();
    let mut server = spawned(base.path());
    server.stdin.take().unwrap().write_all(asking(READS).as_bytes()).unwrap();
    let mut stdout = server.stdout.take().unwrap();
    let (mut read, mut piece) = (Vec::new(), vec![0; 64 << 10]);
    loop {
        let count = stdout.read(&mut piece).unwrap();
        if count == 0 {
            break;
        }
        read.extend_from_slice(&piece[..count]);
        // Longer than rmcp waits for all of it together.
        std::thread::sleep(Duration::from_millis(17));
    }
    let answers: Vec<Value> =
        read.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect();
    assert!(read.ends_with(b"\n"), "the last line is whole");
    let answered = answers.iter().filter(|answer| answer["id"].as_u64() >= Some(100) && answer["result"].is_object());
    assert_eq!(answered.count() as u64, READS);
    assert!(server.wait().unwrap().success());
}

#[test]
fn client_that_reads_no_more_is_not_waited_for() {
    let base = base();
    let mut server = spawned(base.path());
    let mut stdin = server.stdin.take().unwrap();
    stdin.write_all(asking(0).as_bytes()).unwrap();
    let mut stdout = BufReader::new(server.stdout.take().unwrap());
    stdout.read_line(&mut String::new()).unwrap();
    drop(stdout);
    let begun = Instant::now();
    stdin.write_all(asking(1).lines().last().unwrap().as_bytes()).unwrap();
    stdin.write_all(b"\n").unwrap();
    server.wait().unwrap();
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    drop(stdin);
}
