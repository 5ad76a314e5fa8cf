//! Answers as any client may send them.

use bailiwick_fuzz::Target;

use super::answer;

const WORDS: &[&str] = &[
    "{\"calls\":[",
    "{\"name\":\"Exit\",",
    "\"arguments\":{",
    "\"text\":\"",
    "```json\n",
    "```",
    "]}",
    "{",
    "[[[[",
    "}",
];

#[test]
fn text_answers() {
    Target { name: "text_answers", words: WORDS }.run(|bytes| {
        let text = String::from_utf8_lossy(bytes);
        let turn = answer::read(&text);
        assert!(turn.calls.len() <= 32);
    });
}
