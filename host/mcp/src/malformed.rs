//! Diagnoses invalid JSON-RPC messages and recovers the request id for the error response.

// A client writes the bytes.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

mod scan;

use rmcp::model::{ErrorCode, ErrorData, RequestId};
pub(crate) use scan::Scan;
use serde::de::IgnoredAny;
use serde_json::{Value, json};

/// How deep values may lie within each other, which is how deep they can be read without a stack of unknown size.
const DEPTH: usize = 127;

/// A message that cannot be taken.
#[derive(Debug)]
pub(crate) struct Malformed {
    /// The request that it was, where that can be told.
    pub(crate) id: Option<RequestId>,
    /// Whether it was a notification or an answer, to which there is no answer.
    pub(crate) is_unanswerable: bool,
    /// Why.
    pub(crate) error: ErrorData,
}

impl Malformed {
    /// The answer to it.
    pub(crate) fn answer(&self) -> Value {
        json!({ "jsonrpc": "2.0", "id": self.id, "error": self.error })
    }
}

/// Why a message could not be read; `None` if it is well-formed.
pub(crate) fn diagnose(message: &[u8]) -> Option<Malformed> {
    let mut scan = Scan::default();
    scan.feed(message);
    let invalid = |said: &str| ErrorData::invalid_request(said.to_owned(), None);
    let error = if let Err(error) = serde_json::from_slice::<IgnoredAny>(message) {
        let said = format!("the message is not JSON: {error}");
        return Some(Malformed {
            id: None,
            is_unanswerable: false,
            error: ErrorData::new(ErrorCode::PARSE_ERROR, said, None),
        });
    } else if scan.is_array() {
        invalid("batches are not supported: send one message at a time")
    } else if !scan.is_object() {
        invalid("the message is not a JSON object")
    } else if scan.deepest() > DEPTH {
        invalid(&format!("values may lie {DEPTH} deep within each other"))
    } else if std::str::from_utf8(message).is_err() {
        invalid("the message is not UTF-8")
    } else if serde_json::from_slice::<rmcp::model::ClientJsonRpcMessage>(message).is_ok() {
        return None;
    } else if scan.has_id() && scan.id().is_none() {
        invalid("`id` is neither a text nor a whole number of 64 bits")
    } else {
        invalid("this is not a JSON-RPC 2.0 request, notification or response")
    };
    Some(scan.refused(error))
}

impl Scan {
    /// What was scanned, refused for this reason.
    pub(crate) fn refused(&self, error: ErrorData) -> Malformed {
        // Without an id it is a notification; without a method an answer to a question of ours.
        let is_unanswerable = self.is_object() && (self.has_method() != self.has_id());
        Malformed { id: self.id(), is_unanswerable, error }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(message: &[u8]) -> (Option<RequestId>, i32, bool) {
        let malformed = diagnose(message).unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(message)));
        (malformed.id, malformed.error.code.0, malformed.is_unanswerable)
    }

    #[test]
    fn request_that_cannot_be_read_is_told_why_under_its_id() {
        let deep = format!("{{\"method\":\"a\",\"params\":{}{},\"id\":7}}", "[".repeat(20_000), "]".repeat(20_000));
        assert_eq!(told(deep.as_bytes()), (Some(RequestId::Number(7)), -32600, false));
        let open = format!("{{\"id\":7,\"method\":\"a\",\"params\":{}", "[".repeat(200_000));
        assert_eq!(told(open.as_bytes()), (None, -32700, false));
        let text = b"{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":\"a\",\"params\":{\"a\":\"\xff\xfe\"}}";
        assert_eq!(told(text), (Some(RequestId::String("x".into())), -32600, false));
        for (message, code) in [
            (&b"[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]"[..], -32600),
            (b"[]", -32600),
            (b"5", -32600),
            (b"no json", -32700),
            (b"{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}", -32600),
            (b"{\"jsonrpc\":\"2.0\",\"id\":1e400,\"method\":\"ping\"}", -32600),
            (b"{\"jsonrpc\":\"2.0\",\"id\":99999999999999999999,\"method\":\"ping\"}", -32600),
            (b"{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}", -32600),
        ] {
            assert_eq!(told(message), (None, code, false), "{}", String::from_utf8_lossy(message));
        }
        assert_eq!(told(b"{\"jsonrpc\":\"1.0\",\"id\":3,\"method\":\"ping\"}").0, Some(RequestId::Number(3)));
    }

    #[test]
    fn notification_and_answer_get_no_answer() {
        assert!(told(b"{\"jsonrpc\":\"1.0\",\"method\":\"notifications/x\"}").2);
        assert!(told(b"{\"jsonrpc\":\"1.0\",\"id\":1,\"result\":{}}").2);
    }

    #[test]
    fn what_can_be_read_is_not_malformed() {
        assert!(diagnose(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}").is_none());
    }
}
