//! A word that turns a meaning round always counts.

use proptest::prelude::*;

use super::*;

/// Sentences that ask for one change, with the change.
fn asked() -> impl Strategy<Value = (&'static str, bool)> {
    let all: Vec<(&'static str, bool)> = [HIDE, HIDE_MISSPELT]
        .concat()
        .into_iter()
        .map(|one| (one, true))
        .chain([RENAME_MODEL, RENAME_MODEL_MISSPELT].concat().into_iter().map(|one| (one, false)))
        .collect();
    proptest::sample::select(all)
}

fn fits(change: &Change, hide: bool) -> bool {
    if hide { hides(change) } else { renames(change, ".AnalyzeResult", "WidgetAnalysis") }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, ..ProptestConfig::default() })]

    /// What is left of a sentence without one of its words asks for the same, or for nothing.
    #[test]
    fn word_that_is_dropped_makes_no_other_change((text, hide) in asked(), gap in any::<prop::sample::Index>()) {
        let mut words: Vec<&str> = text.split(' ').collect();
        let negates = ["not", "don't", "shouldn't", "Thanks!", "no", "longer", "out", "from", "remove", "remvoe", "drop", "take"];
        let at = gap.index(words.len());
        let named = ["delete", "widget", "analyze", "analysis"].iter().any(|part| words[at].to_lowercase().contains(part));
        prop_assume!(!negates.contains(&words[at]) && !named);
        words.remove(at);
        let changed = words.join(" ");
        for change in actions(&changed) {
            prop_assert!(fits(&change, hide), "{}: {:?}", changed, change);
        }
    }

    /// A sentence behind a condition, in a question to people or turned down asks for nothing.
    #[test]
    fn sentence_that_is_turned_round_asks_for_nothing((text, _) in asked(), round in 0..6_usize) {
        prop_assume!(!text.contains('\n'));
        let sentence = text.trim_end_matches(['.', '!', '?']);
        let turned = match round {
            0 => format!("{sentence}? No. Please disregard that."),
            1 => format!("If the board agrees, {sentence}."),
            2 => format!("Somebody proposed: \"{sentence}\". That is not going to happen."),
            3 => format!("{sentence}. Scratch that."),
            4 => format!("> {sentence}\n\nI do not agree, we keep it."),
            _ => format!("{sentence}, but only once Java has decided."),
        };
        prop_assert!(actions(&turned).is_empty(), "{}: {:?}", turned, actions(&turned));
    }

    /// Of two things that change places the one that is named is changed, or none.
    #[test]
    fn target_that_is_named_is_the_one_that_changes((text, hide) in asked()) {
        prop_assume!(hide);
        let other = text.replace("deleteWidget", "deletePart").replace("delete_widget", "delete_part").replace("Widgets.", "Parts.").replace("WidgetsOperations", "PartsOperations").replace("Widgets", "Parts").replace("delete widget", "delete part");
        for change in actions(&other) {
            let named = matches!(&change, Change::Hide { target, .. } if target == "Contoso.WidgetManager.Parts.deletePart");
            prop_assert!(named, "{}: {:?}", other, change);
        }
    }
}
