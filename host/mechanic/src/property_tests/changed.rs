//! A sentence with something in it that may change its meaning is never acted on.

use proptest::prelude::*;
use proptest::sample::select;

use super::choices::choices;
use super::sentences::{Role, Sentence, named, sentence};
use super::{cases, edits};
use crate::words::stop_kind;
use bailiwick_sdk::tasks::Language;

/// Words and phrases that turn a request round, restrict it or add to it.
const STOPS: &[&str] = &[
    "not",
    "never",
    "don't",
    "don’t",
    "do not",
    "no longer",
    "without",
    "except",
    "unless",
    "isn't",
    "DO NOT",
    "dont",
    "cannot",
    "no",
    "nobody",
    "hardly",
    "but",
    "instead of",
    "rather than",
    "other than",
    "if",
    "when",
    "only",
    "until",
    "after",
    "before",
    "once",
    "while",
    "whether",
    "maybe",
    "later",
    "all",
    "every",
    "each",
    "both",
    "any",
    "some",
    "everything",
    "if possible",
    "only if needed",
    "stop",
    "avoid",
    "keep",
    "forget to",
    "refuse to",
    "n't",
    "≠",
    "¬",
    "❌",
    "🚫",
    "&",
    "|",
    "~~",
    "<!--",
    "!=",
    "\u{200b}",
    "\u{202e}",
];

/// Words that nobody has said what they mean.
const UNKNOWN: &[&str] = &[
    "quickly",
    "partially",
    "reversibly",
    "dry-run",
    "un",
    "anti",
    "half",
    "docs",
    "preview",
    "v2",
    "2",
    "twice",
    "xyzzy",
    "(beta)",
    "sometimes",
];

/// Whether it may stand in a reason: signs and quantities restrict nothing there.
fn is_mild(stop: &str) -> bool {
    !stop.contains(char::is_alphabetic) || ["all", "every", "each", "both", "any", "some", "everything"].contains(&stop)
}

/// The gaps of a sentence. Behind a reason there is none, for it may say anything that asks for nothing.
fn gaps(made: &Sentence) -> usize {
    let begins = |text: &str| ["because", "since", "so that", "due to"].iter().any(|start| text.starts_with(start));
    made.pieces.len() + usize::from(!made.pieces.last().is_some_and(|piece| begins(&piece.text)))
}

fn second_targets(made: &Sentence) -> Vec<&'static str> {
    ["deletePart", "getWidget", "LengthUnit", "Manufacturer", "Widget.displayName", "NotFound", "`listWidgets`"]
        .into_iter()
        .filter(|name| !made.target.to_lowercase().contains(&name.to_lowercase().replace('`', "")))
        .filter(|name| !name.contains(made.target.rsplit('.').next().unwrap_or_default()))
        .collect()
}

proptest! {
    #![proptest_config(cases(600))]

    #[test]
    fn a_word_that_turns_round_or_restricts_means_guidance(mut choices in choices(), gap in any::<usize>(), stop in select(STOPS)) {
        let made = sentence(&mut choices);
        let gaps = if is_mild(stop) { gaps(&made) } else { made.pieces.len() + 1 };
        let text = made.with(gap % gaps, stop).text();
        prop_assert_eq!(edits(&text, made.language), Vec::<String>::new(), "{}", text);
    }

    #[test]
    fn an_unknown_word_means_guidance(mut choices in choices(), gap in any::<usize>(), word in select(UNKNOWN)) {
        let made = sentence(&mut choices);
        let text = made.with(gap % gaps(&made), word).text();
        prop_assert_eq!(edits(&text, made.language), Vec::<String>::new(), "{}", text);
    }

    #[test]
    fn a_second_target_means_guidance(mut choices in choices(), pick in any::<usize>(), join in select(&["and", ",", ", and", "or", "&", "+", "/", "as well as", ";", "|", "-", ":"][..]), before in any::<bool>()) {
        let made = sentence(&mut choices);
        let others = second_targets(&made);
        let other = others[pick % others.len()];
        let at = made.pieces.iter().position(|piece| piece.role == Role::Target).unwrap();
        let mut double = made.clone();
        let target = &made.pieces[at].text;
        double.pieces[at].text = if before { format!("{other} {join} {target}") } else { format!("{target} {join} {other}") };
        let text = double.text();
        prop_assert_eq!(edits(&text, made.language), Vec::<String>::new(), "{}", text);
    }

    #[test]
    fn another_language_means_guidance(mut choices in choices(), gap in any::<usize>(), other in 1..5_usize, form in select(&["in {L}", "for the {L} SDK", "{L}", "and {L}", "from {L}'s client"][..])) {
        let made = sentence(&mut choices);
        let own = Language::ALL.iter().position(|one| *one == made.language).unwrap();
        let other = Language::ALL[(own + other) % 5];
        let text = made.with(gap % (made.pieces.len() + 1), &form.replace("{L}", named(other))).text();
        prop_assert_eq!(edits(&text, made.language), Vec::<String>::new(), "{}", text);
    }

    #[test]
    fn a_sentence_beside_it_that_restricts_means_guidance(mut choices in choices(), before in any::<bool>(), gap in select(&[". ", ".\n", "\n", "\n\n", "; ", "! "][..]), stop in select(STOPS)) {
        let made = sentence(&mut choices);
        // On the next line it goes on with the reason, which may say anything that asks for nothing.
        prop_assume!(!(is_mild(stop) && !before && gap == "\n" && gaps(&made) == made.pieces.len()));
        let rest = format!("{stop} the preview");
        let text = if before { format!("{rest}{gap}{}", made.text()) } else { format!("{}{gap}{rest}", made.text()) };
        prop_assert_eq!(edits(&text, made.language), Vec::<String>::new(), "{}", text);
    }
}

#[test]
fn the_words_that_are_tried_are_those_that_stop() {
    let words = STOPS.iter().flat_map(|stop| stop.split(' ')).filter(|word| stop_kind(&word.to_lowercase()).is_some());
    assert!(words.count() > 40);
}

#[test]
fn what_can_be_read_in_two_ways_is_not_acted_on() {
    for text in ["replace name of Widget name with GadgetInfo", "change the name of Widget name to GadgetInfo"] {
        assert_eq!(edits(text, Language::Python), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn signs_that_may_mean_something_are_not_passed_over() {
    for text in [
        "rename Widget & displayName to title",
        "rename Widget + displayName to title",
        "rename Widget, displayName to title",
        "rename Widget: displayName to title",
        "rename Widget / displayName to title",
        "hide ≠ deleteWidget",
        "!hide deleteWidget",
        "hide -deleteWidget",
        "🚫 hide deleteWidget",
        "hide delete ≠ Widget",
        "hide delete ~~ Widget",
        "~~hide deleteWidget~~",
        "hide deleteWidget*",
        "hide *deleteWidget",
        "hide <deleteWidget>",
        "<!-- hide deleteWidget -->",
        "hide \u{202e}deleteWidget",
        "hide deleteWidget \u{200b}",
        "≠. Hide deleteWidget.",
        "hide deleteWidget\n| but not in the preview",
        "| hide deleteWidget | no |\nhide deleteWidget",
        "~~\nhide deleteWidget\n~~",
    ] {
        assert_eq!(edits(text, Language::Python), Vec::<String>::new(), "{text}");
    }
}
