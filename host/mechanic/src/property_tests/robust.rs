//! No text makes the parser panic, and none costs it more than its length in steps.

use proptest::prelude::*;
use proptest::sample::select;

use super::{cases, items};
use crate::names::{camel, client_name, is_identifier, key, pascal, words};
use crate::tsp_syntax::statements;
use crate::{logs, work};
use bailiwick_sdk::python_names;
use bailiwick_sdk::tasks::{EntityKind, Language};

/// Pieces of text that mean something to some part of the parser.
const PIECES: &[&str] = &[
    "hide",
    "rename",
    "deleteWidget",
    "Widget",
    "'s",
    "n't",
    "'",
    "’",
    "`",
    "``",
    "```",
    "~~~",
    "\"",
    "“",
    "«",
    "*",
    "**",
    "-",
    "->",
    "--",
    "=>",
    "→",
    ".",
    "..",
    "@",
    "@@",
    "::",
    "#",
    "C#",
    "+",
    "~~",
    "|",
    "> 12 |",
    "^",
    ":",
    ": error: ",
    " - error x: ",
    "a.py:3",
    ":3:4: E0611: ",
    "File \"x\", line 1",
    "Traceback (most recent call last)",
    "XError: ",
    "to",
    "because",
    "since",
    ",",
    "(",
    ")",
    "()",
    "(...)",
    "\n",
    "\r\n",
    "\r",
    "\t",
    "    ",
    "- ",
    "* ",
    "1. ",
    "[ ] ",
    "# ",
    "> ",
    "\u{0}",
    "\u{1b}[2J",
    "\u{200b}",
    "\u{202e}",
    "\u{feff}",
    "\u{301}",
    "İ",
    "ß",
    "ﬃ",
    "é",
    "名",
    "🚫",
    "👩\u{200d}🚀",
    "\u{e0041}",
    "99999999999999999999",
    "Python",
    "if",
];

fn everything(text: &str) {
    for language in [Language::Python, Language::Java] {
        let read = items(text, language);
        assert!(!read.is_empty());
        for item in &read {
            if let Err(refusal) = &item.outcome {
                let guidance = crate::guidance::guidance(refusal, language);
                assert!(!guidance.issue.is_empty() && !guidance.files.is_empty());
            }
        }
    }
    logs::diagnostics(text);
    logs::quoted(text);
    statements(text);
    for kind in [EntityKind::Model, EntityKind::Property] {
        client_name(kind, text, text);
        let _ = python_names::python_name(kind, text);
    }
}

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn no_text_makes_any_part_panic(text in any::<String>()) {
        everything(&text);
    }

    #[test]
    fn no_mix_of_what_the_parser_knows_makes_any_part_panic(pieces in proptest::collection::vec(select(PIECES), 0..30), joined in any::<bool>()) {
        everything(&pieces.join(if joined { "" } else { " " }));
    }

    #[test]
    fn a_name_keeps_its_letters_whatever_case_it_is_written_in(name in "[a-zA-Z][a-zA-Z0-9_]{0,20}") {
        prop_assume!(is_identifier(&name));
        for written in [pascal(&name), camel(&name), python_names::snake(&name), words(&name).concat()] {
            prop_assert_eq!(key(&written), key(&name));
        }
        // Once written in the case of its kind it stays as it is.
        prop_assert_eq!(pascal(&pascal(&name)), pascal(&name));
        prop_assert_eq!(camel(&camel(&name)), camel(&name));
    }
}

/// Twice the text takes at most so many times the steps. Twice as many would be exact; fixed costs and words that
/// fall together are the rest.
const GROWTH: f64 = 2.6;

#[test]
fn twice_the_text_takes_twice_the_steps_and_no_more() {
    let mut wrong = Vec::new();
    let mut check = |piece: &str, joint: &str, what: &str, work: &dyn Fn(&str)| {
        let steps = |bytes: usize| {
            let count = bytes / (piece.len() + joint.len()).max(1);
            // A number in the piece is a new one each time.
            let pieces: Vec<String> = (0..count.max(1)).map(|at| piece.replace("{}", &format!("{at:08}"))).collect();
            let text = pieces.join(joint);
            work::of(|| work(&text)).max(1)
        };
        let (once, twice) = (steps(2_000), steps(4_000));
        if twice as f64 > once as f64 * GROWTH + 2_000.0 {
            wrong.push(format!("{what} of {piece:?} joined by {joint:?}: {once} steps, then {twice}"));
        }
    };
    for piece in PIECES.iter().chain(&[
        "hide deleteWidget.",
        "rename Widget to Gadget.",
        "- rename Widget to Gadget{}\n",
        "- hide operation{}\n",
        "hide x and y",
        "a'b",
        "«a",
        "} >",
        ";",
        "@@a(b",
        "import \"",
        "/*",
        "//",
        "\\",
    ]) {
        for joint in ["", " ", "\n"] {
            check(piece, joint, "reading", &|text| drop(items(text, Language::Python)));
            check(piece, joint, "diagnostics", &|text| drop(logs::diagnostics(text)));
            check(piece, joint, "statements", &|text| drop(statements(text)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_hundred_kilobytes_on_one_line_are_read() {
    for piece in PIECES {
        items(&piece.repeat(100_000 / piece.len()), Language::Python);
    }
}
