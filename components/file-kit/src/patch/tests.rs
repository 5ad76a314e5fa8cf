//! Situations a patch meets, and what holds whatever it meets.

use super::*;
use bailiwick_tool_sdk::ErrorKind;
use proptest::prelude::*;

const WORDS: Words = Words { old: "oldContent", new: "newContent", several: "give more of what is around the place" };

fn asked<'a>(old: &'a str, new: &'a str) -> Asked<'a> {
    Asked { old, new, start: None, end: None, places: Places::One, words: &WORDS }
}

fn apply_asked(text: &str, asked: &Asked<'_>) -> Result<Patched, ToolError> {
    patch(text, &Request::new(asked)?).map_err(|refusal| refusal.for_file("sdk/a.py", &WORDS))
}

fn apply(text: &str, old: &str, new: &str) -> Result<Patched, ToolError> {
    apply_asked(text, &asked(old, new))
}

fn text_of(text: &str, old: &str, new: &str) -> String {
    apply(text, old, new).unwrap().text
}

#[test]
fn a_unique_piece_is_replaced_and_nothing_else() {
    let patched = apply("\u{feff}a\r\nb = 1\r\nc", "b = 1", "b = 2").unwrap();
    assert_eq!(patched.text, "\u{feff}a\r\nb = 2\r\nc");
    assert_eq!((patched.matching, patched.line), (Matching::Exact, 2));
}

#[test]
fn a_byte_order_mark_stays_however_it_was_pasted() {
    assert_eq!(text_of("\u{feff}a\n", "\u{feff}a", "b"), "\u{feff}b\n");
    assert_eq!(text_of("\u{feff}a\n", "a", "\u{feff}b"), "\u{feff}b\n");
    assert_eq!(text_of("\u{feff}  a  = 1\n", "a = 1", "a = 2"), "\u{feff}  a = 2\n");
}

#[test]
fn line_feeds_match_and_become_carriage_returns_in_such_a_file() {
    let patched = apply("a\r\nb\r\nc\r\n", "a\nb", "x\ny\nz").unwrap();
    assert_eq!((patched.text.as_str(), patched.matching), ("x\r\ny\r\nz\r\nc\r\n", Matching::LineEndings));
    assert_eq!(text_of("a\r\nb\r\n", "b", "b\nc"), "a\r\nb\r\nc\r\n");
    assert_eq!(text_of("a\nb\n", "a\r\nb", "c\r\nd"), "c\nd\n");
}

#[test]
fn the_end_of_the_file_keeps_its_line_feed_or_the_lack_of_it() {
    assert_eq!(text_of("a\nb\n", "b\n", "c"), "a\nc\n");
    assert_eq!(text_of("a\nb", "b\n", "c\n"), "a\nc");
    assert_eq!(text_of("a\nb", "b", "c"), "a\nc");
}

#[test]
fn an_empty_new_text_deletes() {
    assert_eq!(text_of("a\nb\nc\n", "b\n", ""), "a\nc\n");
    assert_eq!(text_of("f(a, b)", ", b", ""), "f(a)");
}

#[test]
fn a_piece_that_is_there_twice_is_refused_with_its_lines() {
    let error = apply("a\nb\na\n", "a", "c").unwrap_err();
    assert_eq!(error.kind, ErrorKind::Ambiguous);
    assert!(error.message.contains("multiple times") && error.message.contains("lines 1, 3"), "{}", error.message);
    assert_eq!(apply("  a  b\nx\na   b\n", "a b", "c").unwrap_err().kind, ErrorKind::Ambiguous);
}

#[test]
fn every_place_is_replaced_when_asked() {
    let all = Asked { places: Places::All, ..asked("a", "b") };
    let patched = apply_asked("a\nc a\na", &all).unwrap();
    assert_eq!((patched.text.as_str(), patched.edits.len()), ("b\nc b\nb", 3));
}

#[test]
fn a_range_of_lines_tells_places_apart() {
    let at = |start, end| Asked { start: NonZeroU32::new(start), end: NonZeroU32::new(end), ..asked("a", "b") };
    assert_eq!(apply_asked("a\na\na\n", &at(2, 2)).unwrap().text, "a\nb\na\n");
    assert_eq!(apply_asked("a\na\na\n", &at(3, 99)).unwrap().text, "a\na\nb\n");
    assert_eq!(apply_asked("a\n", &at(2, 3)).unwrap_err().kind, ErrorKind::InvalidInput);
    assert_eq!(apply_asked("a\n", &at(3, 2)).unwrap_err().kind, ErrorKind::InvalidInput);
    let error = apply_asked("a\nx\ny\n", &at(2, 3)).unwrap_err();
    assert_eq!(error.kind, ErrorKind::NoMatch);
    assert!(error.message.contains("in lines 2 to 3") && error.message.contains("at line 1"), "{}", error.message);
}

#[test]
fn a_piece_that_is_not_there_names_the_nearest() {
    let error = apply("import os\ndef list_all(self):\n", "def list_al(self):", "x").unwrap_err();
    assert_eq!(error.kind, ErrorKind::NoMatch);
    assert!(error.message.contains("line 2, `def list_all(self):`"), "{}", error.message);
}

#[test]
fn pasted_line_numbers_are_left_out() {
    let text = "alpha\nbeta\ngamma\n";
    let patched = apply(text, "2: beta", "2: BETA").unwrap();
    assert_eq!((patched.text.as_str(), patched.matching), ("alpha\nBETA\ngamma\n", Matching::LineNumbers));
    assert_eq!(text_of(text, "2: beta\n3: gamma\n", "delta\n"), "alpha\ndelta\n");
    assert_eq!(text_of("a:\n    b  = 1\n", "2:     b = 1", "2:     b = 2"), "a:\n    b = 2\n");
    assert_eq!(text_of("a\r\nb\r\n", "1: a\n2: b", "c\nd"), "c\r\nd\r\n");
}

#[test]
fn code_that_looks_like_a_line_number_is_never_altered() {
    let text = "errors = {\n    404: NotFound,\n    409: Conflict,\n}\n";
    assert_eq!(text_of(text, "404: NotFound", "404: Missing"), text.replace("NotFound", "Missing"));
    assert_eq!(
        text_of(text, "    409: Conflict,\n", "    409: Conflict,\n    412: Changed,\n")
            .matches("412: Changed")
            .count(),
        1
    );
    assert_eq!(text_of("a\nbeta\n", "2: beta", "404: X"), "a\n404: X\n");
    // What would match without the number stands at another line, so the number is code that is not there.
    let error = apply("X\ny\n", "404: X", "404: Z").unwrap_err();
    assert_eq!(error.kind, ErrorKind::NoMatch);
    assert!(error.message.contains("would match line 1"), "{}", error.message);
}

#[test]
fn requests_that_change_nothing_are_refused() {
    for (old, new) in [("", "x"), ("a", "a"), ("\u{feff}", "b")] {
        assert_eq!(apply("a\n", old, new).unwrap_err().kind, ErrorKind::InvalidInput, "{old:?}");
    }
    assert_eq!(apply("a  b\n", "a b", "a  b").unwrap_err().kind, ErrorKind::InvalidInput);
}

/// A text of short lines that often repeat, with both endings and sometimes none at the end.
fn a_text() -> impl Strategy<Value = String> {
    let line = ("[ \t]{0,3}[abé(]{0,3}( {1,2}[ab=)]{1,3}){0,2}", prop_oneof![Just("\n"), Just("\r\n")]);
    (any::<bool>(), prop::collection::vec(line, 1..12), "[ab]{0,2}").prop_map(|(mark, lines, last)| {
        let body: String = lines.into_iter().map(|(line, ending)| line + ending).collect();
        if mark { format!("{BOM}{body}{last}") } else { body + &last }
    })
}

proptest! {
    #[test]
    fn what_was_not_named_stays_byte_for_byte(text in a_text(), from in 0usize..80, length in 1usize..20,
                                              new in "[ab \n]{0,12}", all in any::<bool>()) {
        let mut old: String = text.trim_start_matches(BOM).chars().skip(from).take(length).collect();
        prop_assume!(!old.trim().is_empty());
        if from % 3 == 0 { old = old.replace("\r\n", "\n"); }
        if from % 4 == 1 { old = old.replace("  ", " "); }
        let request = Asked { places: if all { Places::All } else { Places::One }, ..asked(&old, &new) };
        let Ok(patched) = apply_asked(&text, &request) else { return Ok(()) };
        prop_assert_eq!(text.starts_with(BOM), patched.text.starts_with(BOM));
        // The text between edits is the text of before, and an edit replaces the old words and no others.
        let (mut at, mut out) = (0, 0);
        for edit in &patched.edits {
            let kept = &text[at..edit.span.start];
            prop_assert_eq!(kept, &patched.text[out..out + kept.len()]);
            let words = |text: &str| text.split_ascii_whitespace().map(str::to_owned).collect::<Vec<_>>();
            prop_assert_eq!(words(&text[edit.span.clone()]), words(&old));
            at = edit.span.end;
            out += kept.len() + edit.with.len();
        }
        prop_assert_eq!(&text[at..], &patched.text[out..]);
    }

    #[test]
    fn a_file_with_carriage_returns_gets_no_bare_line_feed(text in a_text(), from in 0usize..60, length in 1usize..20,
                                                           new in "[ab \n]{0,12}") {
        let text = text.replace("\r\n", "\n").replace('\n', "\r\n");
        let old: String = text.trim_start_matches(BOM).replace("\r\n", "\n").chars().skip(from).take(length).collect();
        prop_assume!(!old.is_empty());
        let Ok(patched) = apply(&text, &old, &new) else { return Ok(()) };
        prop_assert!(!patched.text.replace("\r\n", "").contains(['\r', '\n']), "{:?}", patched.text);
    }

    #[test]
    fn the_diff_applied_to_the_old_text_is_the_new_one(text in a_text(), from in 0usize..60, length in 1usize..20,
                                                       new in "[ab \n]{0,12}", all in any::<bool>()) {
        let old: String = text.trim_start_matches(BOM).chars().skip(from).take(length).collect();
        prop_assume!(!old.is_empty());
        let request = Asked { places: if all { Places::All } else { Places::One }, ..asked(&old, &new) };
        let Ok(patched) = apply_asked(&text, &request) else { return Ok(()) };
        let diff = diff::unified("a", &text, &patched.edits);
        let bare = |text: &str| text.trim_start_matches(BOM).to_owned();
        prop_assert_eq!(follow(&bare(&text), &diff), bare(&patched.text), "{}", diff);
    }
}

/// Applies a unified diff without any leniency.
fn follow(text: &str, diff: &str) -> String {
    let old: Vec<&str> = text.split_inclusive('\n').collect();
    let (mut at, mut out) = (0, String::new());
    let mut rest = diff.split_inclusive('\n').skip(2).peekable();
    while let Some(line) = rest.next() {
        let bare = rest.peek().is_some_and(|next| next.starts_with('\\'));
        let content = if bare { line[1..].trim_end_matches('\n') } else { &line[1..] };
        match &line[..1] {
            "@" => {
                let (start, count) = line[4..].split(' ').next().unwrap().split_once(',').unwrap();
                let start = start.parse::<usize>().unwrap() - usize::from(count != "0");
                old[at..start].iter().for_each(|line| out.push_str(line));
                at = start;
            }
            "\\" => {}
            "+" => out.push_str(content),
            sign => {
                assert_eq!(old[at], content, "{diff}");
                at += 1;
                if sign == " " {
                    out.push_str(content);
                }
            }
        }
    }
    old[at..].iter().for_each(|line| out.push_str(line));
    out
}
