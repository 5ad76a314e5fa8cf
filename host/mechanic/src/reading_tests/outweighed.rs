//! Wishes that are so likely that they are made although the rest of the request makes the rules doubt them, and what no
//! likelihood outweighs.

use super::*;

fn renamed(request: &str, of: &str, to: &str) {
    let read = actions(request);
    assert!(matches!(read.as_slice(), [one] if renames(one, of, to)), "{request}: {read:#?}");
}

fn nothing_is_done(request: &str) {
    let read = actions(request);
    assert!(read.is_empty(), "{request}: {read:#?}");
}

#[test]
fn remark_that_turns_nothing_down_holds_no_clear_wish_back() {
    renamed(
        "> Is there a reason why AnalyzeResult is called so?\n\nNone that I remember. WidgetAnalysis it is, go ahead.",
        ".AnalyzeResult",
        "WidgetAnalysis",
    );
}

#[test]
fn what_the_thing_is_said_to_be_is_no_new_thing() {
    renamed("`AnalyzeResult` is a riddle, call it `WidgetAnalysis`.", ".AnalyzeResult", "WidgetAnalysis");
    nothing_is_done("AnalyzeResult needs a builder, call it WidgetAnalysisBuilder.");
}

#[test]
fn name_that_a_thing_has_is_told_in_front_of_another_one() {
    renamed(
        "In the Python models `AnalyzeResult` appears as `AnalyzeResult`. They ask for `WidgetAnalysis`, and I'd say we give them that.",
        ".AnalyzeResult",
        "WidgetAnalysis",
    );
}

#[test]
fn reply_that_calls_a_rename_breaking_holds_it_back() {
    let wish = "Just a suggestion to rename `AnalyzeResult` to `WidgetAnalysis`.\n\n**ramya** commented:\n";
    nothing_is_done(&format!("{wish}Thanks. The rename would be a breaking change for those who use it."));
    nothing_is_done(&format!("{wish}Unfortunately, changing these names would be considered a breaking change."));
}

#[test]
fn agreement_on_another_name_holds_the_first_one_back() {
    nothing_is_done(
        "Rename AnalyzeResult to Analysis.\n\n**mari** commented:\nAgreement was to rename it to `WidgetAnalysis`.",
    );
}

#[test]
fn name_that_replaces_another_one_is_the_one_that_is_given() {
    renamed(
        "AnalyzeResult should become `Analysis`.\n\nEDIT: talked to Ines about this. So not `Analysis` but `WidgetAnalysis`.",
        ".AnalyzeResult",
        "WidgetAnalysis",
    );
    nothing_is_done(
        "AnalyzeResult should become `Analysis`.\n\nWould it be better if we say not `Analysis` but `WidgetAnalysis`?",
    );
}

#[test]
fn decision_behind_a_label_leaves_out_the_other_names() {
    renamed(
        "Ravi: `AnalyzeResult` is too terse\nMarek: `Analysis`?\nRavi: I'd take `WidgetAnalysis`.\nRavi: fine with me. Decision: `WidgetAnalysis`.",
        ".AnalyzeResult",
        "WidgetAnalysis",
    );
}

#[test]
fn reason_behind_what_is_struck_out_says_nothing_of_the_other_items() {
    renamed(
        "- ~~Manufacturer → Maker~~ dropped, names of people are left alone\n- AnalyzeResult → WidgetAnalysis",
        ".AnalyzeResult",
        "WidgetAnalysis",
    );
    nothing_is_done("- ~~AnalyzeResult → WidgetAnalysis~~ dropped, it is not needed");
}

#[test]
fn sibling_that_a_thing_is_compared_with_keeps_its_name() {
    nothing_is_done(
        "This is an adjective. Its sibling is `AnalyzeResult`, so this one should be `WidgetAnalyzeResult`.",
    );
}

#[test]
fn thing_whose_visibility_is_asked_for_is_no_name_of_what_stands_above() {
    let read = actions("sdk/widget/azure-widget/azure/widget/WidgetsOperations.py\n\ndeleteWidget should be internal.");
    assert!(matches!(read.as_slice(), [one] if hides(one)), "{read:#?}");
}

#[test]
fn link_in_a_cell_gives_no_name() {
    let table = "| LineNo | Element | LineText | CommentText |\n|---|---|---|---|\n";
    nothing_is_done(&format!(
        "{table}| 655 | azure.widget.models.AnalyzeResult | class AnalyzeResult | Use a more descriptive name. \
         https://example.com/azure-sdk/python_design.html |"
    ));
}

#[test]
fn other_languages_that_keep_a_name_are_where_the_wish_is_not_for() {
    renamed(
        "Agreed in the call: `AnalyzeResult` will be `WidgetAnalysis` in Python. The other four languages keep `AnalyzeResult`.",
        ".AnalyzeResult",
        "WidgetAnalysis",
    );
}

#[test]
fn items_in_the_words_of_one_that_is_made_are_made_too() {
    let read = actions(
        "- WidgetStatus.Active, expected Enabled\n- deleteWidget, expected removeWidget\n- getWidget, expected readWidget\nPlease change them \
         accordingly.",
    );
    assert_eq!(read.len(), 2, "{read:#?}");
}
