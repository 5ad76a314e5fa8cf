//! Why a request came to nothing, and whether to send it again.

// A server of models writes the answer.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use std::error::Error as _;
use std::time::{Duration, SystemTime};

use bailiwick_agent::{BackendError, Usage};
use reqwest::StatusCode;
use reqwest::header::HeaderMap;
use serde_json::Value;

use crate::answer;

/// How much of what a provider said is repeated.
const MAX_MESSAGE_BYTES: usize = 300;

/// What came of one attempt.
pub(crate) enum Failure {
    /// Worth another attempt.
    Passing { message: String, retry_after: Option<Duration> },
    /// This answer is not to be had in pieces, but perhaps in one.
    NoStream { message: String },
    /// Final.
    Final(BackendError),
}

/// Judges what became of a connection.
pub(crate) fn connection(error: reqwest::Error) -> Failure {
    // The address may hold private data.
    let error = &error.without_url();
    if error.is_builder() {
        return refused(format!("the request cannot be made: {}", chain(error)));
    }
    let what = if error.is_connect() {
        "the endpoint cannot be reached"
    } else if error.is_timeout() {
        "there was no answer in time"
    } else {
        "the connection broke off"
    };
    Failure::Passing { message: format!("{what}: {}", chain(error)), retry_after: None }
}

/// Judges an answer that is an error by its status.
pub(crate) fn by_status(status: StatusCode, body: &str, headers: &HeaderMap, key_source: &str) -> Failure {
    let said = said(body);
    let said = if said.is_empty() { String::new() } else { format!(": {said}") };
    let number = status.as_u16();
    match number {
        // A server that knows no streams, or not with a count of tokens; a person who may not have them.
        400 | 422 if body.contains("stream") => {
            Failure::NoStream { message: format!("the provider answered with status {number}{said}") }
        }
        // No credit does not come back by waiting.
        429 if body.contains("insufficient_quota") => refused(format!("there is no quota left ({number}){said}")),
        408 | 429 | 500 | 502 | 503 | 504 | 529 => {
            let message = format!("the provider answered with status {number}{said}");
            Failure::Passing { message, retry_after: retry_after(headers) }
        }
        401 | 403 => refused(format!("the key in {key_source} was not accepted ({number}){said}")),
        404 => refused(format!("there is no such model or address ({number}){said}")),
        _ => refused(format!("the provider answered with status {number}{said}")),
    }
}

/// Judges an error that came where an answer, or a piece of it, should have come.
pub(crate) fn by_error(error: &Value) -> Failure {
    const PASSING: [&str; 12] = [
        "overloaded_error",
        "api_error",
        "rate_limit_error",
        "timeout_error",
        "server_error",
        "internal_error",
        "internal_server_error",
        "rate_limit_exceeded",
        "UNAVAILABLE",
        "INTERNAL",
        "RESOURCE_EXHAUSTED",
        "DEADLINE_EXCEEDED",
    ];
    let said = error.get("message").unwrap_or(error).as_str().map(bounded).unwrap_or_default();
    let said = if said.is_empty() { "it does not say what is wrong".to_owned() } else { said };
    let words = ["type", "code", "status"].map(|field| error[field].as_str().unwrap_or_default());
    let number = error["code"].as_u64().unwrap_or_default();
    let passing =
        words.iter().any(|word| PASSING.contains(word)) || matches!(number, 408 | 429 | 500 | 502..=504 | 529);
    if passing && !words.contains(&"insufficient_quota") {
        return Failure::Passing { message: format!("the provider broke off: {said}"), retry_after: None };
    }
    refused(said)
}

/// What a provider says in the body of an error: a line, perhaps empty.
pub(crate) fn said(body: &str) -> String {
    let parsed: Value = serde_json::from_str(body).unwrap_or_default();
    bounded(&answer::error_message(&parsed).unwrap_or_else(|| first_line(body)))
}

/// The time a provider asks for: as a number, or as a date by its own clock.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| Some(headers.get(name)?.to_str().ok()?.trim());
    let number = |name: &str| text(name)?.parse::<f64>().ok();
    if let Some(seconds) = number("retry-after-ms").map(|millis| millis / 1000.0).or_else(|| number("retry-after")) {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let date = |name: &str| httpdate::parse_http_date(text(name)?).ok();
    let now = date("date").unwrap_or_else(SystemTime::now);
    // There is nothing to wait for if the time has passed.
    Some(date("retry-after")?.duration_since(now).unwrap_or_default())
}

fn refused(message: String) -> Failure {
    Failure::Final(BackendError::Refused { message })
}

/// An answer that makes no sense.
pub(crate) fn malformed(message: String) -> Failure {
    Failure::Final(BackendError::Malformed { message, usage: Usage::default() })
}

/// The error with its causes, of which the last one says what happened.
pub(crate) fn chain(error: &reqwest::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(inner) = source {
        let inner_text = inner.to_string();
        if !text.contains(&inner_text) {
            text.push_str(": ");
            text.push_str(&inner_text);
        }
        source = inner.source();
    }
    bounded(&text)
}

fn first_line(text: &str) -> String {
    text.trim().lines().next().unwrap_or_default().to_owned()
}

/// One line of bounded length without control characters: it goes to a terminal. A key has to be out of the text before.
pub(crate) fn bounded(text: &str) -> String {
    let mut text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.len() > MAX_MESSAGE_BYTES {
        text.truncate(text.floor_char_boundary(MAX_MESSAGE_BYTES));
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::header::HeaderValue;
    use serde_json::json;

    fn headers(name: &'static str, value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(reqwest::header::HeaderName::from_static(name), HeaderValue::from_static(value))])
    }

    #[test]
    fn asked_time_is_read_in_seconds_and_milliseconds_and_nonsense_is_ignored() {
        assert_eq!(retry_after(&headers("retry-after", "7")), Some(Duration::from_secs(7)));
        assert_eq!(retry_after(&headers("retry-after-ms", "250")), Some(Duration::from_millis(250)));
        for nonsense in ["-1", "soon", "NaN", "inf", "Wed, 21 Oct 2026", "21 Oct 2026 07:28:00"] {
            assert_eq!(retry_after(&headers("retry-after", nonsense)), None, "{nonsense}");
        }
    }

    #[test]
    fn asked_time_as_a_date_goes_by_the_clock_of_the_provider() {
        let mut headers = headers("retry-after", "Wed, 21 Oct 2026 07:28:30 GMT");
        for (date, seconds) in [("Wed, 21 Oct 2026 07:28:00 GMT", 30), ("Wed, 21 Oct 2026 07:29:00 GMT", 0)] {
            headers.insert("date", HeaderValue::from_static(date));
            assert_eq!(retry_after(&headers), Some(Duration::from_secs(seconds)), "{date}");
        }
    }

    #[test]
    fn errors_in_place_of_an_answer_are_told_apart() {
        let cases = [
            (json!({"type": "overloaded_error", "message": "busy"}), true),
            (json!({"code": "server_error", "message": "oops"}), true),
            (json!({"code": 503, "status": "UNAVAILABLE"}), true),
            (json!({"code": 400, "status": "INVALID_ARGUMENT"}), false),
            (json!({"type": "rate_limit_error", "code": "insufficient_quota"}), false),
            (json!("no such thing"), false),
        ];
        for (error, passing) in cases {
            assert_eq!(matches!(by_error(&error), Failure::Passing { .. }), passing, "{error}");
        }
    }

    #[test]
    fn refused_stream_may_be_had_in_one_piece() {
        let body = r#"{"error": {"message": "you may not stream this model", "param": "stream"}}"#;
        let failure = by_status(StatusCode::BAD_REQUEST, body, &HeaderMap::new(), "`KEY`");
        assert!(matches!(failure, Failure::NoStream { .. }));
    }

    #[test]
    fn statuses_that_pass_are_told_from_those_that_stay() {
        for (status, passing) in
            [(400, false), (401, false), (403, false), (404, false), (408, true), (422, false), (429, true)]
                .into_iter()
                .chain([(500, true), (501, false), (502, true), (503, true), (504, true), (529, true)])
        {
            let failure = by_status(StatusCode::from_u16(status).unwrap(), "{}", &HeaderMap::new(), "`KEY`");
            assert_eq!(matches!(failure, Failure::Passing { .. }), passing, "{status}");
        }
        let quota = r#"{"error": {"message": "pay", "code": "insufficient_quota"}}"#;
        let failure = by_status(StatusCode::TOO_MANY_REQUESTS, quota, &HeaderMap::new(), "`KEY`");
        assert!(matches!(failure, Failure::Final(BackendError::Refused { .. })));
    }

    #[test]
    fn what_a_provider_says_is_one_bounded_line() {
        let text = bounded(&format!("\u{1b}[31m{}", "ä".repeat(500)));
        assert!(text.len() < 310 && !text.contains('\u{1b}'), "{text}");
    }
}
