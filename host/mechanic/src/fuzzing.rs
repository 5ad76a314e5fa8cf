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

/// What the compiler answered, or a cache kept of it: code of a specification ran beside the compiler.
#[test]
fn indexes() {
    const WORDS: &[&str] = &[
        "{\"schema\":3,",
        "\"entities\":[",
        "\"clients\":[",
        "\"uses\":{",
        "\"kind\":\"operation\"",
        "\"name\":\"deleteWidget\"",
        "\"name\":\"\"",
        "\"reference\":\"Contoso.WidgetManager.Widgets.deleteWidget\"",
        "\"parent\":\"Contoso.WidgetManager\"",
        "\"parameters\":[",
        "\\u202e",
        "null",
        "{}",
    ];
    Target { name: "indexes", words: WORDS }.run(|bytes| {
        let Ok(index) = serde_json::from_slice::<bailiwick_sdk::tasks::SpecIndex>(bytes) else { return };
        for text in
            ["rename deleteWidget to removeWidget", "hide Widget", "move listWidgets to `Parts`", "call `a` `b`"]
        {
            request::read(text, Language::Python, &index);
        }
    });
}
