//! Messages and addresses as any client may send them.

use bailiwick_fuzz::Target;

use crate::malformed;
use crate::resources::Address;

const WORDS: &[&str] = &[
    "{\"jsonrpc\":\"2.0\"",
    "\"id\":",
    "\"method\":\"tools/call\"",
    "\"params\":{",
    "\"arguments\":{",
    "\"name\":",
    "\"result\":",
    "\"error\":",
    "\\u0000",
    "\\ud800",
    "[[[[",
    "{\"a\":",
    "1e400",
    "-0",
    "null",
    "bailiwick://",
];

#[test]
fn mcp_messages() {
    Target { name: "mcp", words: WORDS }.run(|bytes| {
        if let Some(malformed) = malformed::diagnose(bytes) {
            malformed.answer();
        }
        let _ = serde_json::from_slice::<rmcp::model::ClientJsonRpcMessage>(bytes);
        let _ = jsonwebtoken::decode_header(bytes);
        let text = String::from_utf8_lossy(bytes);
        let _ = Address::parse(text.trim());
    });
}
