//! Spelling dictionaries as anybody may have written them.

use bailiwick_fuzz::Target;
use bailiwick_tool_sdk::diff;

use crate::update::update;

#[test]
fn cspell() {
    const WORDS: &[&str] = &[
        "\"words\": [",
        "\"caseSensitive\": true",
        "\"beta\",",
        "// ",
        "/* ",
        " */",
        ",\n",
        "]",
        "}",
        "\r\n",
        "\\u0061",
        "\\ud800",
        "'x'",
        "0x1",
    ];
    Target { name: "cspell", words: WORDS }.run_text(|text| {
        let words = ["gamma".to_owned(), "Alpha\u{e4}".to_owned()];
        let Ok(done) = update(text, &words) else { return };
        assert_eq!(done.added.len() + done.already_present.len(), words.len());
        let mut at = 0;
        for edit in &done.edits {
            // In order, apart, and nothing goes but white space.
            assert!(at <= edit.span.start && text[edit.span.clone()].trim_ascii().is_empty(), "{edit:?} of {text:?}");
            at = edit.span.end;
        }
        let new = diff::apply(text, &done.edits);
        let again = update(&new, &words).unwrap_or_else(|problem| panic!("{problem}: {new:?} of {text:?}"));
        assert!(again.edits.is_empty() && again.already_present.len() == words.len(), "{new:?} of {text:?}");
    });
}
