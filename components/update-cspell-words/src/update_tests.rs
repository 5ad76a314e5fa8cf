//! Updates of texts.

use super::*;
use bailiwick_tool_sdk::diff;
use proptest::prelude::*;
use serde_json::Value as Json;

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// The text with the words in it; updating it once more must change nothing.
fn updated(text: &str, words: &[&str]) -> String {
    let new = diff::apply(text, &update(text, &owned(words)).unwrap().edits);
    assert!(update(&new, &owned(words)).unwrap().edits.is_empty(), "{new}");
    new
}

/// The value as another parser sees it.
fn value(text: &str) -> Json {
    let mut plain = text.strip_prefix(BOM).unwrap_or(text).to_owned();
    json_strip_comments::strip(&mut plain).unwrap();
    serde_json::from_str(&plain).unwrap_or_else(|error| panic!("{error}:\n{text}"))
}

#[test]
fn a_sorted_list_gets_only_the_lines_that_are_new() {
    let text = "{\n  \"words\": [\n    \"beta\",\n    \"delta\"\n  ]\n}\n";
    assert_eq!(
        updated(text, &["gamma", "Alpha", "zeta"]),
        "{\n  \"words\": [\n    \"Alpha\",\n    \"beta\",\n    \"delta\",\n    \"gamma\",\n    \"zeta\"\n  ]\n}\n"
    );
    let edits = update(text, &owned(&["gamma", "Alpha"])).unwrap().edits;
    let diff = diff::unified("c", text, &edits);
    let changed: Vec<_> = diff.lines().skip(3).filter(|line| line.starts_with(['+', '-'])).collect();
    // A comma is all that the line before a last one can get.
    assert_eq!(changed, ["+    \"Alpha\",", "-    \"delta\"", "+    \"delta\",", "+    \"gamma\""]);
}

#[test]
fn comments_stay_with_their_words() {
    let text = "{\n  \"words\": [\n    // the people\n\n    // from b\n    /* and c */\n    \"beta\", // why\n    \"delta\" // last\n    // \"off\"\n  ]\n}";
    assert_eq!(
        updated(text, &["alpha", "caesar", "echo"]),
        "{\n  \"words\": [\n    // the people\n\n    \"alpha\",\n    // from b\n    /* and c */\n    \"beta\", // why\n    \"caesar\",\n    \"delta\", // last\n    \"echo\"\n    // \"off\"\n  ]\n}"
    );
}

#[test]
fn a_list_in_one_line_stays_in_one_line() {
    for (before, after) in [
        ("[\"b\"]", "[\"a\", \"b\", \"c\"]"),
        ("[\"b\",]", "[\"a\", \"b\", \"c\",]"),
        ("[\"aa\",\"b\"]", "[\"a\", \"aa\",\"b\",\"c\"]"),
        ("[ \"b\" ]", "[ \"a\", \"b\", \"c\" ]"),
        ("[/* x */ \"b\" /* y */]", "[\"a\", /* x */ \"b\" /* y */, \"c\"]"),
        ("[]", "[\"a\", \"c\"]"),
        ("[ ]", "[\"a\", \"c\"]"),
        ("[/* x */]", "[/* x */ \"a\", \"c\"]"),
    ] {
        assert_eq!(updated(&format!("{{\"words\": {before}}}"), &["c", "a"]), format!("{{\"words\": {after}}}"));
    }
}

#[test]
fn unusual_layouts_are_followed() {
    for (before, after) in [
        // A closing bracket in the line of the last word.
        ("[\n  \"a\",\n  \"b\"]", "[\n  \"a\",\n  \"b\",\n  \"c\"]"),
        // A comma at the end stays the rule.
        ("[\n\t\"b\",\n]", "[\n\t\"b\",\n\t\"c\",\n]"),
        // A comma in a line of its own.
        ("[\n  \"b\"\n  ,\n]", "[\n  \"b\"\n  ,\n  \"c\",\n]"),
        // Several words in a line.
        ("[\n  \"a\", \"b\",\n  \"d\", \"e\"\n]", "[\n  \"a\", \"b\",\n  \"c\",\n  \"d\", \"e\"\n]"),
        // A comment that would swallow what is put in the same line.
        ("[\"a\", \"b\" // why\n]", "[\"a\", \"b\", // why\n  \"c\"\n]"),
        ("[ // all\n]", "[ // all\n  \"c\"\n]"),
        ("[\n  // all\n]", "[\n  // all\n  \"c\"\n]"),
    ] {
        assert_eq!(updated(&format!("{{\"words\": {before}}}"), &["c"]), format!("{{\"words\": {after}}}"));
    }
}

#[test]
fn an_empty_list_in_a_file_of_lines_is_unfolded() {
    let expected = "{\r\n\t\"words\": [\r\n\t\t\"a\",\r\n\t\t\"b\"\r\n\t],\r\n}\r\n";
    assert_eq!(updated("{\r\n\t\"words\": [],\r\n}\r\n", &["b", "a"]), expected);
}

#[test]
fn a_missing_list_is_added_in_the_style_of_the_file() {
    for (before, after) in [
        ("{}\n", "{\"words\": [\"a\"]}\n"),
        ("{\"version\": \"0.2\"}", "{\"version\": \"0.2\", \"words\": [\"a\"]}"),
        (
            "{\n    \"version\": \"0.2\" // why\n}\n",
            "{\n    \"version\": \"0.2\", // why\n    \"words\": [\n        \"a\"\n    ]\n}\n",
        ),
        (
            "{\r\n\t\"version\": \"0.2\",\r\n}\r\n",
            "{\r\n\t\"version\": \"0.2\",\r\n\t\"words\": [\r\n\t\t\"a\"\r\n\t],\r\n}\r\n",
        ),
        (
            "{\n  \"overrides\": [\n    {\"words\": [\"x\"]}\n  ]\n}",
            "{\n  \"overrides\": [\n    {\"words\": [\"x\"]}\n  ],\n  \"words\": [\n    \"a\"\n  ]\n}",
        ),
        ("{\n  // nothing yet\n}\n", "{\n  // nothing yet\n  \"words\": [\n    \"a\"\n  ]\n}\n"),
    ] {
        assert_eq!(updated(before, &["a"]), after);
        assert_eq!(value(after)["words"], serde_json::json!(["a"]));
    }
}

#[test]
fn a_file_that_was_not_there_is_complete() {
    let fresh = diff::apply("", &fresh(&owned(&["b", "A", "a"])).edits);
    assert_eq!(value(&fresh), serde_json::json!({"version": "0.2", "language": "en", "words": ["A", "b"]}));
    assert!(update(&fresh, &owned(&["a", "B"])).unwrap().edits.is_empty());
}

#[test]
fn words_that_are_there_are_reported_and_nothing_changes() {
    let text = "{\"words\": [\"Azure\", \"tsp\\u0021\"]}";
    let update = update(text, &owned(&["AZURE", "tsp!"])).unwrap();
    assert!(update.edits.is_empty() && update.added.is_empty());
    assert_eq!(update.already_present, ["AZURE", "tsp!"]);
}

#[test]
fn a_file_that_tells_letter_case_apart_is_believed() {
    let text = "{\"caseSensitive\": true, \"words\": [\"Azure\"]}";
    assert_eq!(updated(text, &["azure"]), "{\"caseSensitive\": true, \"words\": [\"Azure\", \"azure\"]}");
}

#[test]
fn words_that_are_no_list_of_strings_are_refused_with_their_place() {
    for (text, place) in [
        ("{\n  \"words\": \"a\"\n}", "line 2, column 12"),
        ("{\"words\": {\"a\": 1}}", "line 1, column 11"),
        ("{\"words\": null}", "line 1, column 11"),
        ("{\"words\": [\n \"a\",\n 7]}", "line 3, column 2"),
        ("{\"words\": [[\"a\"]]}", "line 1, column 12"),
    ] {
        let problem = update(text, &owned(&["b"])).unwrap_err().to_string();
        assert!(problem.ends_with(place), "{text}: {problem}");
    }
}

#[test]
fn quotes_and_backslashes_are_escaped() {
    let new = updated("{\"words\": []}", &["a\"b", "c\\d"]);
    assert_eq!(value(&new)["words"], serde_json::json!(["a\"b", "c\\d"]));
}

/// A file as people write them.
#[derive(Debug, Clone)]
struct File {
    text: String,
    words: Option<Vec<String>>,
}

/// How the words of a generated file are laid out.
#[derive(Debug, Clone)]
struct Style {
    ending: &'static str,
    indent: &'static str,
    mark: bool,
    lines: bool,
    last_comma: bool,
    last_feed: bool,
    sorted: bool,
    other: [bool; 2],
}

fn style() -> impl Strategy<Value = Style> {
    let ending = prop::sample::select(vec!["\n", "\r\n"]);
    let indent = prop::sample::select(vec!["  ", "    ", "\t", ""]);
    (ending, indent, any::<[bool; 5]>(), any::<[bool; 2]>()).prop_map(|(ending, indent, flags, other)| {
        let [mark, lines, last_comma, last_feed, sorted] = flags;
        Style { ending, indent, mark, lines, last_comma, last_feed, sorted, other }
    })
}

/// A word with which comments it has: above it, set off above it, behind it.
type Commented = (String, [bool; 3]);

fn write(style: &Style, words: Option<&[Commented]>) -> File {
    let Style { ending, indent, .. } = style;
    let mut words: Option<Vec<Commented>> = words.map(<[_]>::to_vec);
    if let Some(words) = words.as_mut().filter(|_| style.sorted) {
        words.sort_by_key(|(word, _)| word.to_lowercase());
    }
    let mut properties = Vec::new();
    if style.other[0] {
        properties.push("\"version\": \"0.2\" /* \"words\": [] */".to_owned());
    }
    if let Some(words) = &words {
        let mut list = String::from("\"words\": [");
        for (index, (word, [above, apart, behind])) in words.iter().enumerate() {
            let comma = if index + 1 < words.len() || style.last_comma { "," } else { "" };
            if style.lines {
                list.push_str(ending);
                if *apart {
                    list.push_str(&format!("{indent}// apart ]{ending}{ending}"));
                }
                if *above {
                    list.push_str(&format!("{indent}{indent}// above {word}{ending}"));
                }
                let behind = if *behind { format!(" // behind {word}") } else { String::new() };
                list.push_str(&format!("{indent}{indent}\"{word}\"{comma}{behind}"));
            } else {
                let space = if index > 0 { " " } else { "" };
                list.push_str(&format!("{space}\"{word}\"{comma}"));
            }
        }
        if style.lines {
            list.push_str(&format!("{ending}{indent}"));
        }
        properties.push(format!("{list}]"));
    }
    if style.other[1] {
        properties.push("\"ignorePaths\": [\"a]\", \"// b\"]".to_owned());
    }
    let mark = if style.mark { BOM } else { "" };
    let separator = format!(",{ending}{indent}");
    let last_comma = if style.last_comma && !properties.is_empty() { "," } else { "" };
    let last = if style.last_feed { ending } else { "" };
    let text = format!(
        "{mark}// \"words\": []{ending}{{{ending}{indent}{}{last_comma}{ending}}}{last}",
        properties.join(&separator)
    );
    File { text, words: words.map(|words| words.into_iter().map(|(word, _)| word).collect()) }
}

fn word() -> impl Strategy<Value = String> {
    "[a-cA-Cé]{1,3}"
}

fn file() -> impl Strategy<Value = (Style, File)> {
    let words = prop::collection::vec((word(), any::<[bool; 3]>()), 0..8);
    (style(), prop::option::weighted(0.9, words)).prop_map(|(style, words)| {
        let file = write(&style, words.as_deref());
        (style, file)
    })
}

/// What can stand between two tokens.
fn gap() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![" ", "\n", "\r\n", "\t", "/* x */", "// y\n", "/* z\n */", "\n\n"]);
    prop::collection::vec(piece, 0..4).prop_map(|pieces| pieces.concat())
}

fn folded(words: &[String]) -> Vec<String> {
    words.iter().map(|word| word.to_lowercase()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn only_the_list_changes_and_once((style, file) in file(), words in prop::collection::vec(word(), 1..6)) {
        let text = &file.text;
        let update = update(text, &words).unwrap();
        let new = diff::apply(text, &update.edits);

        // Nothing goes but whitespace in a list without words.
        for edit in &update.edits {
            prop_assert!(text[edit.span.clone()].trim_ascii().is_empty());
        }
        // The same value but for the words.
        let (mut before, mut after) = (value(text), value(&new));
        let there: Vec<String> = serde_json::from_value(after["words"].take()).unwrap();
        before["words"] = Json::Null;
        prop_assert_eq!(before, after);
        // Everything around the list is byte for byte the same.
        if file.words.is_some() {
            let open = text.match_indices("\"words\": [").find(|(at, _)| !text[..*at].ends_with("// ") && !text[..*at].ends_with("/* ")).unwrap().0;
            let head = &text[..open + "\"words\": [".len()];
            let ignored = text.rfind("\"ignorePaths\"").unwrap_or(text.len());
            let tail = &text[text[..ignored].rfind(']').unwrap()..];
            prop_assert!(new.starts_with(head) && new.ends_with(tail), "{new}");
        }
        // Each word is there once more than before, and the old ones are in their old order.
        let old = file.words.clone().unwrap_or_default();
        let kept: Vec<&String> = there.iter().filter(|word| !update.added.contains(word)).collect();
        prop_assert_eq!(kept, old.iter().collect::<Vec<_>>());
        prop_assert_eq!(there.len(), old.len() + update.added.len());
        for word in &words {
            prop_assert!(folded(&there).contains(&word.to_lowercase()));
            prop_assert!(update.already_present.contains(word) == folded(&old).contains(&word.to_lowercase()));
        }
        if folded(&old).is_sorted() {
            prop_assert!(folded(&there).is_sorted(), "{there:?}");
        }
        // Comments stay with their words, and lines end as they did.
        if style.ending == "\r\n" {
            prop_assert_eq!(new.matches('\n').count(), new.matches("\r\n").count());
        }
        for (line, next) in new.lines().zip(new.lines().skip(1)) {
            if let Some((_, word)) = line.split_once("// above ") {
                let quoted = format!("\"{word}\"");
                prop_assert!(next.contains(&quoted), "{new}");
            }
            if let Some((code, word)) = line.split_once("// behind ") {
                let quoted = format!("\"{word}\"");
                prop_assert!(code.contains(&quoted), "{new}");
            }
        }
        // Once is enough.
        let again = super::update(&new, &words).unwrap();
        prop_assert!(again.edits.is_empty() && again.added.is_empty());
    }

    #[test]
    fn comments_and_spaces_anywhere_leave_a_text_that_says_the_same(
        words in prop::collection::vec((gap(), "[ace]", gap()), 0..4),
        gaps in [gap(), gap(), gap(), gap(), gap()],
        last_comma in any::<bool>(),
        new in prop::collection::vec("[a-f]", 1..4),
    ) {
        let list: Vec<String> = words.iter().map(|(before, word, after)| format!("{before}\"{word}\"{after}")).collect();
        let comma = if last_comma && !words.is_empty() { "," } else { "" };
        let [a, b, c, d, e] = gaps;
        let text = format!("{a}{{{b}\"words\":{c}[{}{comma}{d}]{e}}}", list.join(","));
        let update = update(&text, &new).unwrap();
        let result = diff::apply(&text, &update.edits);
        let found: Vec<String> = serde_json::from_value(value(&result)["words"].take()).unwrap();
        prop_assert_eq!(found.len(), words.len() + update.added.len());
        prop_assert!(new.iter().all(|word| found.contains(word)));
        prop_assert!(super::update(&result, &new).unwrap().edits.is_empty(), "{result}");
        prop_assert_eq!(result.matches("/* x */").count(), text.matches("/* x */").count());
    }

    #[test]
    fn no_text_makes_it_panic(text in "[\\[\\]{}\",:/*a \n\r\\\\]{0,40}", words in prop::collection::vec(word(), 1..3)) {
        if let Ok(update) = update(&text, &words) {
            let new = diff::apply(&text, &update.edits);
            prop_assert!(super::update(&new, &words).is_ok(), "{new}");
        }
    }
}
