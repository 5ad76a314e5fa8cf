//! Forms that were once taken for another wish than they are.

use super::{actions, renames, sample};
use crate::read::understand;
use bailiwick_sdk::tasks::{Change, Language, Scope};

#[test]
fn names_that_stand_one_below_the_other_are_no_pair() {
    for request in [
        "delete_widget\nget_widget",
        "The names promise otherwise:\n\n    begin_analyze\n    delete_widget\n\nWe want other names there.",
        "The Python names promise otherwise:\n\n    get_widget\n    delete_widget",
    ] {
        assert_eq!(actions(request), [] as [Change; 0], "{request}");
    }
}

#[test]
fn cell_that_says_what_kind_of_thing_is_meant_names_a_part_of_the_row() {
    let table = |row: &str| format!("| class | what | agreed |\n|---|---|---|\n{row}\n");
    let read = actions(&table("| `Widget` | property `displayName` | `title` |"));
    assert!(matches!(read.as_slice(), [one] if renames(one, ".Widget.displayName", "title")), "{read:#?}");
    let read = actions(&table("| `AnalyzeResult` | the class itself | `WidgetAnalysis` |"));
    assert!(matches!(read.as_slice(), [one] if renames(one, ".AnalyzeResult", "WidgetAnalysis")), "{read:#?}");
    // Nothing in it is called so.
    assert_eq!(actions(&table("| `Widget` | property `colour` | `color` |")), []);
}

#[test]
fn refusal_of_another_speaker_holds_in_bold_print_too() {
    let request = "**rkaur**: AnalyzeResult -> HealthReport?\n**mjohansson** (architect): No, that name has been in the docs \
                   for years.\n**rkaur**: works for me.";
    assert_eq!(actions(request), []);
}

#[test]
fn comparison_with_as_if_is_no_condition() {
    let read = actions("AnalyzeResult looks as if it came from another service. Please rename it to WidgetAnalysis.");
    assert!(matches!(read.as_slice(), [one] if renames(one, ".AnalyzeResult", "WidgetAnalysis")), "{read:#?}");
}

#[test]
fn name_for_a_part_that_was_spoken_of_is_not_given_to_what_holds_it() {
    for request in [
        "def delete_widget(self, widget_name: str, **kwargs)\n\nThat last parameter name is far too long. `widget_key` would do.",
        "The field is inherited from AnalyzeResult; name it Count there and we're good.",
    ] {
        let part = |one: &Change| one.target().is_some_and(|target| target.ends_with("::parameters.widgetName"));
        assert!(actions(request).iter().all(part), "{request}: {:#?}", actions(request));
    }
}

#[test]
fn place_where_others_write_a_name_is_no_scope() {
    let request = "AnalyzeResult: the docs team shortens that to \"widget analysis\" everywhere, so WidgetAnalysis.";
    let found = understand(request, Language::Python, &sample::index()).actions;
    assert!(found.iter().all(|one| one.scope.is_none()), "{found:#?}");
    let request = "Rename AnalyzeResult to WidgetAnalysis everywhere.";
    let found = understand(request, Language::Python, &sample::index()).actions;
    assert!(matches!(found.as_slice(), [one] if one.scope == Some(Scope::All)), "{found:#?}");
}

#[test]
fn name_that_its_own_sentence_takes_back_is_not_given() {
    for request in [
        "Widget: displayName to captionText, no sorry, captionLine (there are other captions, too).",
        "Please rename AnalyzeResult to HealthReport, no wait, WidgetAnalysis.",
        "Rename AnalyzeResult to HealthReport... hmm, no: let it be WidgetAnalysis.",
        "AnalyzeResult → HealthReport, no actually leave AnalyzeResult and only do Manufacturer → Producer.",
    ] {
        let taken = |one: &Change| matches!(one, Change::Rename { name, .. } if name == "captionText" || name == "HealthReport");
        assert!(!actions(request).iter().any(taken), "{request}: {:#?}", actions(request));
    }
}

#[test]
fn language_in_which_a_thing_is_kept_is_not_among_those_in_which_it_is_hidden() {
    let request = "deleteWidget only makes sense interactively. We agreed: keep it in Python, hide it in Go and Java.";
    let found = understand(request, Language::Go, &sample::index()).actions;
    let scope = Some(Scope::Only(vec![Language::Go, Language::Java]));
    assert!(found.iter().all(|one| one.scope == scope), "{found:#?}");
    assert_eq!(found.len(), 1);
}
