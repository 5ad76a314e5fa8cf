//! Clients that break the rules, over both transports: each gets an answer or is dropped, and the server goes on.

mod http;
mod stdio;
mod tools;

use serde_json::{Value, json};
use std::time::Duration;

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
