//! Which redirects of a registry are followed.

// What stands here is decided by others: nothing of it is an index or a number that is taken on trust.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use super::reference::is_loopback;
use reqwest::Url;
use reqwest::redirect::Attempt;

/// How many redirects one blob may take.
const MOST_REDIRECTS: usize = 3;

/// Registries redirect to where they keep blobs. A redirect may not give up encryption, nor lead from another machine to
/// this one.
pub(super) fn follow(origin: &Url, attempt: Attempt<'_>) -> reqwest::redirect::Action {
    if attempt.previous().len() > MOST_REDIRECTS {
        return attempt.error("too many redirects");
    }
    match may_lead(origin, attempt.url()) {
        true => attempt.follow(),
        false => attempt.error("the redirect is not allowed"),
    }
}

fn may_lead(origin: &Url, next: &Url) -> bool {
    let local = |url: &Url| url.host_str().is_some_and(is_loopback);
    if local(next) && !local(origin) {
        return false;
    }
    match next.scheme() {
        "https" => true,
        "http" => origin.scheme() == "http" && (local(origin) && local(next) || origin.host() == next.host()),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirect_leaves_neither_encryption_nor_enters_this_machine() {
        let cases = [
            ("https://r.example.com/", "https://storage.example.net/x", true),
            ("https://r.example.com/", "http://storage.example.net/x", false),
            ("https://r.example.com/", "http://r.example.com/x", false),
            ("https://r.example.com/", "https://127.0.0.1/x", false),
            ("https://r.example.com/", "https://[::1]/x", false),
            ("https://r.example.com/", "https://localhost/x", false),
            ("https://r.example.com/", "file:///etc/passwd", false),
            ("http://127.0.0.1:5000/", "http://127.0.0.1:6000/x", true),
            ("http://127.0.0.1:5000/", "http://example.com/x", false),
            ("http://r.example.com/", "http://r.example.com:81/x", true),
            ("http://r.example.com/", "http://other.example.com/x", false),
        ];
        for (origin, next, expected) in cases {
            assert_eq!(may_lead(&Url::parse(origin).unwrap(), &Url::parse(next).unwrap()), expected, "{origin} {next}");
        }
    }
}
