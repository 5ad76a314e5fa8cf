//! The tables of `wordings`, checked, and the properties that hold for every wording.

use proptest::prelude::*;
use proptest::sample::select;

use super::intents::{Intent, Refusal};
use super::request::{Item, read};
use super::sample;
use super::wordings::*;
use bailiwick_sdk::tasks::Language;

fn items(request: &str) -> Vec<Item> {
    read(request, Language::Python, &sample::index())
}

/// The one thing a request asks for, as `verb reference [name]`.
fn asked(request: &str) -> Result<String, Vec<Item>> {
    let items = items(request);
    match items.as_slice() {
        [Item { outcome: Ok(Intent::Hide { target }), .. }] => Ok(format!("hide {}", target.reference)),
        [Item { outcome: Ok(Intent::Rename { target, new }), .. }] => Ok(format!("rename {} {new}", target.reference)),
        _ => Err(items),
    }
}

const HIDDEN: &str = "hide Contoso.WidgetManager.Widgets.deleteWidget";
const MODEL: &str = "rename Contoso.WidgetManager.AnalyzeResult WidgetAnalysis";
const PROPERTY: &str = "rename Contoso.WidgetManager.Widget.displayName title";

fn accepted() -> Vec<(&'static str, &'static str)> {
    [
        (HIDDEN, [HIDE, HIDDEN_ALREADY, HIDE_MISSPELT].concat()),
        (MODEL, [RENAME_MODEL, RENAMED_ALREADY, RENAME_MODEL_MISSPELT].concat()),
        (PROPERTY, RENAME_PROPERTY.to_vec()),
    ]
    .into_iter()
    .flat_map(|(intent, wordings)| wordings.into_iter().map(move |wording| (wording, intent)))
    .collect()
}

#[test]
fn every_accepted_wording_yields_its_intent() {
    let wrong: Vec<_> = accepted()
        .into_iter()
        .filter_map(|(wording, intent)| match asked(wording) {
            Ok(asked) if asked == intent => None,
            other => Some(format!("{wording:?}: {other:#?}")),
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_refused_wording_yields_guidance_with_four_parts() {
    for (wording, why) in REFUSED {
        let items = items(wording);
        assert!(!items.is_empty());
        for item in items {
            let refusal = item.outcome.expect_err(&format!("{wording:?} ({why})"));
            let guidance = super::guidance::guidance(&refusal, Language::Python);
            for part in [&guidance.issue, &guidance.approach, &guidance.reason] {
                assert!(part.len() > 15, "{wording:?}: {part:?}");
            }
            assert!(!guidance.files.is_empty(), "{wording:?}");
        }
    }
}

#[test]
fn the_word_that_stopped_a_request_is_named() {
    for (wording, word) in [
        ("do not hide deleteWidget", "`not`"),
        ("hide deleteWidget if nobody uses it", "`if`"),
        ("hide deleteWidget quickly", "`quickly`"),
        ("hide deleteWidget in Java", "`Java`"),
        ("hide deleteWidgit", "deleteWidget"),
        ("hide getStatistics", "Parts.getStatistics"),
        ("hide the documentation of deleteWidget", "documentation"),
        ("hide the deleteWidget model", "no model"),
        ("rename Widget.displayName to class", "`class`"),
        ("add retry with circuit breaker to the client", "add"),
    ] {
        let refusal = items(wording).remove(0).outcome.unwrap_err();
        let guidance = super::guidance::guidance(&refusal, Language::Python);
        assert!(guidance.issue.contains(word), "{wording:?}: {}", guidance.issue);
    }
}

#[test]
fn a_pasted_log_does_not_count_as_sentences() {
    let log = "azure/widget/_patch.py:3: error: \"Widget\" has no attribute \"display_name\"  [attr-defined]\nFound 1 error in 1 file (checked 12 source files)";
    for request in [
        format!("hide deleteWidget\n\n{log}"),
        format!("{log}\n\nhide deleteWidget from the Python SDK"),
        format!("Hide deleteWidget. The build log is below:\n```\ndo not hide\n{log}\n```"),
        format!("Please make deleteWidget internal.\n\nmypy says:\n{log}\n"),
    ] {
        assert_eq!(asked(&request).as_deref(), Ok(HIDDEN), "{request}");
    }
}

#[test]
fn a_negation_is_no_part_of_a_name_unless_the_name_is_written_as_one() {
    for wording in ["hide NotFound", "hide not_found", "hide `not found`"] {
        assert_eq!(asked(wording).as_deref(), Ok("hide Contoso.WidgetManager.NotFound"), "{wording}");
    }
    assert!(asked("hide not found").is_err());
}

#[test]
fn a_list_has_an_item_for_each_line() {
    let items = items(
        "Please:\n- hide deleteWidget\n- rename model AnalyzeResult to WidgetAnalysis\n- add retries with jitter",
    );
    let outcomes: Vec<_> = items.iter().map(|item| item.outcome.is_ok()).collect();
    assert_eq!(outcomes, [true, true, false], "{items:#?}");
    assert_eq!(items[1].text, "rename model AnalyzeResult to WidgetAnalysis");
}

#[test]
fn a_restriction_in_a_list_stops_all_of_it() {
    let items = items("- hide deleteWidget\n- but not in the preview");
    assert!(matches!(items.as_slice(), [Item { outcome: Err(Refusal::Stop { .. }), .. }]), "{items:#?}");
}

/// Items of a list as `+` for an edit, `-` for guidance.
fn marks(request: &str) -> String {
    items(request).iter().map(|item| if item.outcome.is_ok() { '+' } else { '-' }).collect()
}

#[test]
fn an_item_that_stands_alone_stops_no_other() {
    let list = "Please address the following API review comments:\n- hide deleteWidget\n- do not rename getPart\n- rename model AnalyzeResult to WidgetAnalysis\n- hide deletePart if nobody uses deletePart\n- frobnicate Widget.description quickly\n- hide getPart in Java\n- Widget.displayName should be called title\n";
    assert_eq!(marks(list), "+-+---+", "{:#?}", items(list));
    let texts: Vec<String> = items(list).into_iter().map(|item| item.text).collect();
    assert_eq!(
        (texts[1].as_str(), texts[3].as_str()),
        ("do not rename getPart", "hide deletePart if nobody uses deletePart")
    );
}

#[test]
fn an_item_that_speaks_of_others_stops_them() {
    for second in [
        "but not in the preview",
        "except deletePart",
        "do not do this before deletePart is gone",
        "only if deletePart is hidden too",
        "cancel all items about deletePart",
        "wait for the other team",
        "not yet",
    ] {
        let list = format!("- hide deleteWidget\n- {second}");
        assert_eq!(marks(&list), "-", "{list}");
    }
}

#[test]
fn an_item_about_the_same_thing_stops_the_other() {
    for second in
        ["do not hide deleteWidget", "never touch Widgets.deleteWidget", "do not change the `Widgets` interface"]
    {
        let list = format!("- hide deleteWidget\n- rename model AnalyzeResult to WidgetAnalysis\n- {second}");
        assert_eq!(marks(&list), "-+-", "{list}: {:#?}", items(&list));
    }
}

#[test]
fn five_review_comments_have_five_verdicts_in_order() {
    let request = "API review feedback for Python:\n\n\
        Line 40: class AnalyzeResult(_Model):\nElementId: azure.widget.models.AnalyzeResult\nComment: Please rename this to WidgetAnalysis.\n\n\
        Line 81: def delete_widget(\nElementId: azure.widget.operations.WidgetsOperations.delete_widget\nComment: this should not be public\n\n\
        Line 90: def get_part(\nElementId: azure.widget.operations.PartsOperations.get_part\nComment: could we have retries on this?\n\n\
        Line 12: display_name: str\nElementId: azure.widget.models.Widget.display_name\nComment: rename to title\n\n\
        ElementId: azure.widget.models.Part\nComment: LGTM\n";
    let found = items(request);
    assert_eq!(marks(request), "++-+", "{found:#?}");
    for item in &found {
        assert_eq!(items(&item.text)[0].outcome, item.outcome, "{}", item.text);
    }
}

#[test]
fn eleven_errors_of_a_log_have_eleven_verdicts() {
    let log: String = (1..=11)
        .map(|line| format!("azure/widget/_patch.py:{line}: error: Name \"x{line}\" is not defined  [name-defined]\n"))
        .collect();
    let found = items(&log);
    assert_eq!(found.len(), 11, "{found:#?}");
    for (at, item) in found.iter().enumerate() {
        assert!(item.text.contains(&format!("_patch.py:{}:", at + 1)), "{}", item.text);
    }
    assert_eq!(items(&format!("hide deleteWidget\n\nPlease fix the build errors below:\n{log}")).len(), 12);
}

#[test]
fn contradicting_items_are_refused_together() {
    let items = items("Rename AnalyzeResult to WidgetAnalysis. Rename AnalyzeResult to WidgetReport.");
    assert!(matches!(items.as_slice(), [Item { outcome: Err(Refusal::Contradiction { .. }), .. }]), "{items:#?}");
}

#[test]
fn reading_the_text_of_an_item_yields_the_item() {
    for (wording, _) in accepted() {
        let item = items(wording).remove(0);
        assert_eq!(items(&item.text)[0].outcome, item.outcome, "{wording:?}");
    }
}

/// Puts words into a text at one of its gaps between words.
fn inserted(text: &str, gap: usize, words: &str) -> String {
    let mut parts: Vec<&str> = text.split(' ').collect();
    parts.insert(gap % (parts.len() + 1), words);
    parts.join(" ")
}

const NEGATIONS: &[&str] =
    &["not", "never", "don't", "do not", "no longer", "without", "except", "unless", "isn't", "DO NOT", "Not", "dont"];

fn is_edit(items: &[Item]) -> bool {
    items.iter().any(|item| matches!(item.outcome, Ok(Intent::Hide { .. } | Intent::Rename { .. })))
}

#[test]
fn a_negation_at_any_gap_of_any_accepted_wording_is_refused() {
    for (wording, _) in accepted() {
        for gap in 0..=wording.split(' ').count() {
            for negation in NEGATIONS {
                let negated = inserted(wording, gap, negation);
                assert!(!is_edit(&items(&negated)), "{negated:?}");
            }
        }
    }
}

fn recased(text: &str, seed: u64) -> String {
    text.chars()
        .enumerate()
        .flat_map(|(at, c)| {
            let upper = (seed >> (at % 64)) & 1 == 1;
            if upper { c.to_uppercase().collect::<Vec<_>>() } else { c.to_lowercase().collect() }
        })
        .collect()
}

proptest! {
    #[test]
    fn no_text_makes_the_reader_panic(text in "\\PC{0,200}") {
        prop_assert!(!items(&text).is_empty());
    }

    #[test]
    fn no_mix_of_known_words_makes_the_reader_panic(
        words in proptest::collection::vec(select(vec![
            "hide", "rename", "Widget", "deleteWidget", "'s", "of", "in", "Python", "to", "not", "because", ",", ".", "`", "\"",
            "the", "public", "API", "->", "- ", "\n", "```", "operation", "make", "internal", "should", "be", "title", ":", "(", ")",
        ]), 0..25)
    ) {
        prop_assert!(!items(&words.join(" ")).is_empty());
    }

    #[test]
    fn letter_case_of_a_request_to_hide_does_not_matter(wording in select(HIDE.to_vec()), seed in any::<u64>()) {
        prop_assert_eq!(asked(&recased(wording, seed)), Ok(HIDDEN.to_owned()));
    }

    #[test]
    fn separators_in_a_name_do_not_matter(
        wording in select(HIDE.to_vec()),
        name in select(vec!["deleteWidget", "delete_widget", "DeleteWidget", "delete-widget", "delete widget", "`delete widget`", "DELETE_WIDGET", "Widgets.deleteWidget", "deleteWidget()"]),
    ) {
        prop_assume!(wording.contains(" deleteWidget") && !wording.contains("deleteWidget'"));
        prop_assert_eq!(asked(&wording.replace("deleteWidget", name)), Ok(HIDDEN.to_owned()));
    }

    #[test]
    fn a_negation_in_an_accepted_wording_never_yields_an_edit(
        (wording, _) in select(accepted()), gap in any::<usize>(), negation in select(NEGATIONS.to_vec())
    ) {
        prop_assert!(!is_edit(&items(&inserted(wording, gap, negation))));
    }
}
