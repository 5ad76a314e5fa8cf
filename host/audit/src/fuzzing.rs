//! Hostile lines of a log, and hostile texts that are written into one.

use bailiwick_fuzz::Target;

use crate::{KnownSecrets, Scrub as _, head, line, sanitize};

#[test]
fn audit_lines() {
    const WORDS: &[&str] = &[
        "{\"seq\":",
        "\"prev\":\"",
        "\",\"time\":\"",
        "\",\"kind\":\"",
        "\"hash\":\"",
        "\"}",
        "\\u0073",
        "\\\"",
        "secret",
        "\\ud83d",
    ];
    Target { name: "audit", words: WORDS }.run(|bytes| {
        for one in bytes.split(|byte| *byte == b'\n') {
            line::parse(one);
        }
        head::Head::parse(bytes);
        let text = String::from_utf8_lossy(bytes).into_owned();
        let _ = sanitize::printable(&text);
        let _ = sanitize::plain_json(&text);
        let secrets = KnownSecrets::new(["secret-\u{e4}\"\\".to_owned(), "seq-and-prev".to_owned()]);
        let _ = secrets.scrub(text);
        let _ = secrets.scrub_bytes(bytes.to_vec());
    });
}
