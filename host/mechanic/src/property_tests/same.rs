//! What does not change the meaning: letter case, quotes, emphasis, lists, and logs beside a request.

use proptest::prelude::*;
use proptest::sample::select;

use super::choices::choices;
use super::sentences::{Role, sentence};
use super::{asked, cases};
use bailiwick_sdk::tasks::Language;

fn recased(text: &str, mask: u64) -> String {
    let upper = |at: usize| (mask >> (at % 64)) & 1 == 1;
    text.chars()
        .enumerate()
        .map(|(at, c)| if upper(at) { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() })
        .collect()
}

const LOGS: &[&str] = &[
    "```\ndo not hide it\n```",
    "~~~text\nnever rename anything\n~~~",
    "azure/widget/_patch.py:3: error: \"Widget\" has no attribute \"display_name\"  [attr-defined]\nFound 1 error in 1 file (checked 12 source files)",
    "Traceback (most recent call last):\n  File \"/x/_patch.py\", line 12, in <module>\n    do_not(hide)\nImportError: cannot import name 'A' from 'b'",
    "spec/client.tsp:10:14 - error invalid-ref: Unknown identifier X\n> 10 | not this\n     | ^^^^",
];

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn letter_case_of_words_does_not_matter(mut choices in choices(), mask in any::<u64>()) {
        let mut made = sentence(&mut choices);
        for piece in made.pieces.iter_mut().filter(|piece| piece.role == Role::Words) {
            piece.text = recased(&piece.text, mask);
        }
        let text = made.text();
        prop_assert_eq!(asked(&text, made.language), Ok(made.intent), "{}", text);
    }

    #[test]
    fn quotes_and_emphasis_around_names_do_not_matter(mut choices in choices(), quotes in select(&[("`", "`"), ("\"", "\""), ("'", "'"), ("“", "”"), ("‘", "’"), ("«", "»"), ("„", "“"), ("``", "``"), ("*", "*"), ("**", "**"), ("**`", "`**"), ("***", "***"), ("(", ")"), ("[", "]")][..])) {
        let mut made = sentence(&mut choices);
        for at in 0..made.pieces.len() {
            let owns = made.pieces.get(at + 1).is_some_and(|next| next.text == "'s") && ["(", "["].contains(&quotes.0);
            let piece = &mut made.pieces[at];
            // Names that stand alone, and not with what holds them.
            if piece.role != Role::Words && !owns && piece.text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.') {
                piece.text = format!("{}{}{}", quotes.0, piece.text, quotes.1);
            }
        }
        let text = made.text();
        prop_assert_eq!(asked(&text, made.language), Ok(made.intent), "{}", text);
    }

    #[test]
    fn where_a_request_stands_does_not_matter(mut choices in choices(), place in select(&["> {}", "- {}", "* {}", "1. {}", "- [ ] {}", "  {}  ", "{}\r\n", "\u{feff}{}", "**{}**", "Hello team,\n\n{}\n\nThanks!", "{}.", "{}!", "API review feedback: {}"][..])) {
        let made = sentence(&mut choices);
        let text = place.replace("{}", &made.text());
        prop_assert_eq!(asked(&text, made.language), Ok(made.intent), "{}", text);
    }

    #[test]
    fn a_log_beside_a_request_does_not_matter(mut choices in choices(), log in select(LOGS), before in any::<bool>()) {
        let made = sentence(&mut choices);
        let text = if before { format!("{log}\n\n{}", made.text()) } else { format!("{}\n\n{log}", made.text()) };
        prop_assert_eq!(asked(&text, made.language), Ok(made.intent), "{}", text);
    }
}

#[test]
fn punctuation_that_only_joins_words_is_passed_over() {
    for text in [
        "hide deleteWidget (please)",
        "hide ***deleteWidget***",
        "*Please* hide **`deleteWidget`**.",
        "hide deleteWidget – thanks!",
        "hide the operation: deleteWidget",
        "hide deleteWidget…",
        "set **deleteWidget**'s visibility to internal",
        "-hide deleteWidget",
    ] {
        let hidden = "hide Contoso.WidgetManager.Widgets.deleteWidget".to_owned();
        assert_eq!(asked(text, Language::Python), Ok(hidden), "{text}");
    }
}
