//! Forms that were once taken for another wish than they are.

use super::{actions, renames};
use bailiwick_sdk::tasks::Change;

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
