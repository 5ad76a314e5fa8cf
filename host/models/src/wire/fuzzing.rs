//! Answers as any server may send them.

use bailiwick_fuzz::Target;
use serde_json::{Value, json};

use super::Form;
use crate::failure;
use crate::framing::Frames;

const FORMS: [Form; 5] = [Form::Chat, Form::Responses, Form::Anthropic, Form::Gemini, Form::Ollama];

const WORDS: &[&str] = &[
    "data: ",
    "event: ",
    "\n\n",
    "\r\n",
    "[DONE]",
    "{\"type\":\"",
    "content_block_start",
    "content_block_delta",
    "text_delta",
    "input_json_delta",
    "message_stop",
    "message_delta",
    "\"content_block\":",
    "\"delta\":",
    "\"index\":",
    "\"choices\":[",
    "\"tool_calls\":[",
    "\"arguments\":",
    "\"candidates\":[",
    "\"parts\":[",
    "\"functionCall\":",
    "\"usage\":",
    "\"done\":true",
    "\"output\":[",
    "\"error\":",
    "\"message\":",
    "null",
    "[[[[",
    "{\"a\":",
    "\"x\"",
    "[]",
];

#[test]
fn streams() {
    Target { name: "streams", words: WORDS }.run(|bytes| {
        for form in FORMS {
            let mut assembler = form.assembler();
            let mut take = |piece: &[u8]| match serde_json::from_slice::<Value>(piece) {
                Ok(piece) => {
                    failure::by_error(&piece);
                    let _ = assembler.take(&piece);
                }
                Err(_) => {
                    assembler.take_word(&String::from_utf8_lossy(piece));
                }
            };
            let mut frames = Frames::new(form.framing());
            bytes.chunks(7).for_each(|chunk| frames.take(chunk, &mut take));
            frames.end(&mut take);
            if let Some(whole) = assembler.whole() {
                form.read(&whole);
            }
        }
    });
}

#[test]
fn bodies() {
    Target { name: "bodies", words: WORDS }.run(|bytes| {
        failure::said(&String::from_utf8_lossy(bytes));
        let Ok(body) = serde_json::from_slice::<Value>(bytes) else { return };
        for form in FORMS {
            form.read(&body);
        }
    });
}

#[test]
fn block_that_is_not_an_object_is_an_error_and_ends_nothing() {
    for block in [json!("x"), json!(1), json!([]), json!(true)] {
        let mut assembler = Form::Anthropic.assembler();
        let begun = assembler.take(&json!({ "type": "content_block_start", "index": 0, "content_block": block }));
        assert!(begun.is_err(), "{block}");
        for delta in
            [json!({ "type": "text_delta", "text": "a" }), json!({ "type": "input_json_delta", "partial_json": "{}" })]
        {
            assert!(assembler.take(&json!({ "type": "content_block_delta", "index": 0, "delta": delta })).is_err());
        }
        assert!(assembler.take(&json!({ "type": "message_stop" })).is_ok());
        assert!(assembler.whole().is_some());
    }
}
