//! The JSON object in an answer. Models put words or a code fence around it.

#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use bailiwick_agent::{ToolCall, TurnResponse, Usage};
use serde_json::{Deserializer, Value};

/// More calls at once are not carried out; the conversation goes on with the results of these.
const MOST_CALLS: usize = 32;

/// What stands behind so many bytes is not read.
const LONGEST: usize = 1 << 20;

/// How many opening braces are tried as the beginning of the object.
const MOST_TRIES: usize = 64;

/// The calls in an answer. An answer without the object has no calls: it is text, and the loop says that a result is due.
pub(super) fn read(text: &str) -> TurnResponse {
    let text = text.get(..text.floor_char_boundary(LONGEST)).unwrap_or_default();
    let found = text.match_indices('{').take(MOST_TRIES).find_map(|(place, _)| {
        let value = Deserializer::from_str(text.get(place..)?).into_iter::<Value>().next()?.ok()?;
        let said = value.get("text").and_then(Value::as_str).unwrap_or_default();
        Some((said.to_owned(), calls(value.get("calls")?)?))
    });
    let (text, calls) = found.unwrap_or_else(|| (text.to_owned(), Vec::new()));
    TurnResponse { text, calls, usage: Usage::default() }
}

/// `None` where one of them is not a call.
fn calls(list: &Value) -> Option<Vec<ToolCall>> {
    let calls = list.as_array()?.iter().take(MOST_CALLS).map(|call| {
        let name = call.get("name")?.as_str()?.to_owned();
        Some(ToolCall { id: String::new(), name, arguments: call.get("arguments").cloned().unwrap_or_default() })
    });
    calls.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn called(text: &str) -> Vec<(String, Value)> {
        read(text).calls.into_iter().map(|call| (call.name, call.arguments)).collect()
    }

    #[test]
    fn object_is_found_alone_in_a_code_fence_and_between_words() {
        let object = "{\"text\": \"\", \"calls\": [{\"name\": \"Exit\", \"arguments\": {\"result\": {\"a\": 1}}}]}";
        let expected = vec![("Exit".to_owned(), json!({ "result": { "a": 1 } }))];
        for text in [
            object.to_owned(),
            format!("```json\n{object}\n```"),
            format!("I call {{Exit}} now: {object}\nThat is all."),
        ] {
            assert_eq!(called(&text), expected, "{text}");
        }
    }

    #[test]
    fn text_without_the_object_has_no_calls_and_is_kept() {
        for text in
            ["", "I would rename it.", "{\"name\": \"Exit\"}", "{\"calls\": \"Exit\"}", "{\"calls\": [1]}", "{{{{"]
        {
            assert_eq!(read(text), TurnResponse { text: text.to_owned(), ..TurnResponse::default() }, "{text}");
        }
    }

    #[test]
    fn very_many_calls_are_cut() {
        let many = vec![json!({ "name": "ReadFile" }); 1_000];
        assert_eq!(called(&json!({ "calls": many }).to_string()).len(), MOST_CALLS);
    }
}
