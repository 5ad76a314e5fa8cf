//! Hostile requests and specifications.

use bailiwick_fuzz::Target;

use super::{request, sample, tsp_syntax};
use bailiwick_sdk::tasks::Language;

const WORDS: &[&str] = &[
    "rename ",
    "hide ",
    "to ",
    "should be called ",
    "operation ",
    "Widgets.deleteWidget",
    "`a b`",
    "“a”",
    "don't ",
    "and ",
    "not ",
    "only for Python",
    "->",
    "**",
    "*",
    "- ",
    "1. ",
    "```",
    "error: ",
    "'s",
    ".@",
    "!",
    "sdk/a.py:1: ",
    "Traceback (most recent call last):",
    "#suppress",
    "@@clientName(",
];

#[test]
fn requests() {
    Target { name: "requests", words: WORDS }.run_text(|text| {
        // What a person writes in one message.
        let text: String = text.chars().take(2_000).collect();
        for language in [Language::Python, Language::Java] {
            request::read(&text, language, &sample::index());
        }
    });
}

#[test]
fn typespec_that_is_edited() {
    Target { name: "typespec", words: WORDS }.run_text(|text| {
        for statement in tsp_syntax::statements(text) {
            assert!(text.get(statement.span).is_some());
        }
    });
}
