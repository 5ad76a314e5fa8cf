//! Why a request came to nothing, and whether to send it again.

use std::error::Error as _;
use std::time::Duration;

use bailiwick_agent::BackendError;
use genai::{Error, webc};
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
    /// Final.
    Final(BackendError),
}

/// Judges an error of genai. Nothing of genai's own words is used: they hold whole requests and answers. `scrub` takes
/// the key out of what came; done after it was cut off, half a key could be left over.
pub(crate) fn judge(error: Error, key_source: &str, scrub: &dyn Fn(String) -> String) -> Failure {
    match error {
        Error::WebModelCall { webc_error, .. } | Error::WebAdapterCall { webc_error, .. } => {
            web(webc_error, key_source, scrub)
        }
        Error::HttpError { status, body, headers, .. } => by_status(status, &scrub(body), &headers, key_source),
        Error::ChatResponseGeneration { response_body, .. } => Failure::Final(answer::unreadable(&response_body)),
        Error::ChatResponse { body, .. } => Failure::Final(answer::unreadable(&body)),
        other => refused(format!("the request cannot be made: {}", bounded(&first_line(&scrub(other.to_string()))))),
    }
}

fn web(error: webc::Error, key_source: &str, scrub: &dyn Fn(String) -> String) -> Failure {
    match error {
        webc::Error::ResponseFailedStatus { status, body, headers } => {
            by_status(status, &scrub(body), &headers, key_source)
        }
        webc::Error::ResponseFailedNotJson { content_type, .. } => {
            malformed(format!("it is of type `{}` and not JSON", bounded(&scrub(content_type))))
        }
        webc::Error::ResponseFailedInvalidJson { cause, .. } => {
            malformed(format!("it is not JSON: {}", bounded(&scrub(cause))))
        }
        // The address may hold what is nobody's business.
        webc::Error::Reqwest(error) => connection(&error.without_url()),
        webc::Error::JsonValueExt(_) => malformed("it lacks something".into()),
    }
}

fn connection(error: &reqwest::Error) -> Failure {
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

fn by_status(status: StatusCode, body: &str, headers: &HeaderMap, key_source: &str) -> Failure {
    let parsed: Value = serde_json::from_str(body).unwrap_or_default();
    let said = answer::error_message(&parsed).unwrap_or_else(|| first_line(body));
    let said = if said.is_empty() { String::new() } else { format!(": {}", bounded(&said)) };
    let number = status.as_u16();
    match number {
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

/// The time a provider asks for. A date is not read: it would go by two clocks.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let number = |name: &str| headers.get(name)?.to_str().ok()?.trim().parse::<f64>().ok();
    let seconds = number("retry-after-ms").map(|millis| millis / 1000.0).or_else(|| number("retry-after"))?;
    Duration::try_from_secs_f64(seconds).ok()
}

fn refused(message: String) -> Failure {
    Failure::Final(BackendError::Refused { message })
}

fn malformed(message: String) -> Failure {
    Failure::Final(BackendError::Malformed { message, usage: bailiwick_agent::Usage::default() })
}

/// The error with its causes, of which the last one says what happened.
fn chain(error: &reqwest::Error) -> String {
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

/// One line of bounded length without control characters: it goes to a terminal.
fn bounded(text: &str) -> String {
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

    fn headers(name: &'static str, value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(reqwest::header::HeaderName::from_static(name), HeaderValue::from_static(value))])
    }

    #[test]
    fn asked_time_is_read_in_seconds_and_milliseconds_and_nonsense_is_none() {
        assert_eq!(retry_after(&headers("retry-after", "7")), Some(Duration::from_secs(7)));
        assert_eq!(retry_after(&headers("retry-after-ms", "250")), Some(Duration::from_millis(250)));
        for nonsense in ["-1", "soon", "NaN", "inf", "Wed, 21 Oct 2026 07:28:00 GMT"] {
            assert_eq!(retry_after(&headers("retry-after", nonsense)), None, "{nonsense}");
        }
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
