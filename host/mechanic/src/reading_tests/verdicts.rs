//! What is decided about wishes elsewhere in a request: by their order, in votes, as a joke, in a correction.

use super::{actions, hides, renames};
use bailiwick_sdk::tasks::Change;

const BOTH: &str = "- hide deleteWidget\n- AnalyzeResult -> WidgetAnalysis\n";

fn is_renamed_alone(request: &str) {
    let read = actions(request);
    assert!(
        matches!(read.as_slice(), [one] if renames(one, ".AnalyzeResult", "WidgetAnalysis")),
        "{request}: {read:#?}"
    );
}

fn is_hidden_alone(request: &str) {
    let read = actions(request);
    assert!(matches!(read.as_slice(), [one] if hides(one)), "{request}: {read:#?}");
}

#[test]
fn wishes_of_which_one_is_refused_by_its_order_leave_the_other() {
    assert_eq!(actions(BOTH).len(), 2);
    for decision in [
        "The first one no, the second one yes.",
        "The former was turned down, the latter is fine.",
        "We said no to the first and yes to the second.",
        "We do only the second one.",
        "Just the rename, please.",
        "With the second go ahead. The first we refuse, people use it.",
    ] {
        is_renamed_alone(&format!("{BOTH}\n{decision}"));
    }
    is_hidden_alone(&format!("{BOTH}\nThe first one yes, the second one no."));
}

#[test]
fn wishes_of_which_one_is_refused_by_its_number_leave_the_others() {
    let numbered = "1. hide deleteWidget\n2. AnalyzeResult -> WidgetAnalysis\n";
    for decision in ["2 stands, 1 is off the table.", "Strike number 1. Number 2 still stands."] {
        is_renamed_alone(&format!("{numbered}\n{decision}"));
    }
    let four = format!("{numbered}3. hide listWidgets\n");
    is_renamed_alone(&format!("{four}\nTake 2. The other two have been voted out."));
    is_renamed_alone(&format!("Strike number 1 of my list, number 2 still stands.\n\n{numbered}"));
    let lettered = "(a) hide deleteWidget\n(b) AnalyzeResult -> WidgetAnalysis\n";
    is_renamed_alone(&format!("{lettered}\nI'm fine with (b), go ahead. With (a) I am not."));
    is_hidden_alone(&format!("{lettered}\na is OK with everybody, b is not."));
    let bracketed = "(1) hide deleteWidget\n(2) AnalyzeResult -> WidgetAnalysis\n(3) hide listWidgets\n";
    is_renamed_alone(&format!("{bracketed}\n2 approved for Python, 1 and 3 declined."));
}

#[test]
fn lines_that_end_with_a_vote_are_decided_one_by_one() {
    is_renamed_alone("- deleteWidget internal: 1 yes / 5 no\n- AnalyzeResult -> WidgetAnalysis: 6 yes / 0 no\n");
    is_renamed_alone("- hide deleteWidget (no)\n- AnalyzeResult -> WidgetAnalysis (yes)\n");
    let polled = "Here are the votes:\n- hide deleteWidget ... 2\n- AnalyzeResult -> WidgetAnalysis ... 4\n";
    assert_eq!(actions(polled), [] as [Change; 0], "a number says nothing");
}

#[test]
fn decision_about_something_that_is_not_in_the_list_leaves_all_to_a_person() {
    for decision in ["The third one no.", "Hold on, not the fourth one."] {
        assert_eq!(actions(&format!("{BOTH}\n{decision}")), [] as [Change; 0], "{decision}");
    }
}

#[test]
fn proposal_that_ends_in_a_sentence_without_its_name_is_not_made() {
    const WISH: &str = "Rename AnalyzeResult to WidgetAnalysis.";
    is_renamed_alone(WISH);
    for behind in [
        "Both voted down 5 to 1 on Thursday.",
        "10:40 decision revoked, people would mix them up.",
        "After some talk I retire the proposal.",
        "It lost the vote.",
        "The architects prefer to leave AnalyzeResult, it is the spelling on the wire.",
        "(That was a joke, before somebody opens a pull request.)",
        "OK, back to being serious: hide deleteWidget.",
        "Sorry, I mixed that up. Not WidgetAnalysis, it has to be something else.",
        "Errata: it is another one that I looked at.",
        "My boss prefers PartAnalysis, so use that.",
        "None of it touches us.",
        "^ strike \"analysis\", I mixed that up.",
        "WidgetAnalysis no, we have something better.",
        "PS: I read the thread now, they want to keep it. Consider this mail unsent.",
    ] {
        let read = actions(&format!("{WISH} {behind}"));
        assert!(read.iter().all(|one| !renames(one, ".AnalyzeResult", "WidgetAnalysis")), "{behind}: {read:#?}");
    }
    for jest in
        ["Oh sure, let's rename AnalyzeResult to WidgetAnalysis.", "For 1 April: AnalyzeResult becomes WidgetAnalysis."]
    {
        assert_eq!(actions(jest), [] as [Change; 0], "{jest}");
    }
}

#[test]
fn decision_about_something_of_its_own_says_nothing_of_the_wish() {
    for behind in [
        "The old `CreateOptions` alias was voted down last year.",
        "The first customer who saw it was not happy.",
        "I vote for it. No objection from Java.",
        "The rename is seriously overdue.",
        "At first nobody noticed.",
    ] {
        is_renamed_alone(&format!("Rename AnalyzeResult to WidgetAnalysis. {behind}"));
    }
}

#[test]
fn reason_that_is_turned_round_decides_nothing() {
    for behind in [
        "The rename is not breaking.",
        "The rename has no effect on the wire.",
        "The first one isn't used by anybody.",
        "The wire format is not affected.",
        "The client will poll the status until it is done.",
        "We ship on April 1st.",
        "By SDK I mean the Python one.",
        "Java said no to the first one.",
    ] {
        is_renamed_alone(&format!("Rename AnalyzeResult to WidgetAnalysis. {behind}"));
    }
}

#[test]
fn order_that_counts_something_unread_or_a_question_leaves_all_to_a_person() {
    for request in [
        format!("- hide fooBar\n{BOTH}\nThe first yes, the second no."),
        "1. hide fooBar\n2. hide deleteWidget\n3. AnalyzeResult -> WidgetAnalysis\n\nThe first yes, the second no."
            .to_owned(),
        format!("{BOTH}\nThe first two no."),
        format!("{BOTH}\nYes to all but the second."),
    ] {
        let read = actions(&request);
        assert!(!read.iter().any(|one| renames(one, ".AnalyzeResult", "WidgetAnalysis")), "{request}: {read:#?}");
    }
    let held = "I wonder whether we should rename AnalyzeResult to WidgetAnalysis and hide deleteWidget.";
    for question in
        ["Was the second approved?", "If the second is accepted, we ship it in May.", "Java said yes to the second."]
    {
        assert_eq!(actions(&format!("{held} {question}")), [] as [Change; 0], "{question}");
    }
}

#[test]
fn word_that_decides_is_a_name_and_a_column_of_something_else_decides_nothing() {
    let table = |head: &str| {
        format!(
            "| old | new | {head} |\n|---|---|---|\n| AnalyzeResult | WidgetAnalysis | no |\n| Widget | Gadget | no |"
        )
    };
    assert_eq!(actions(&table("breaking")).len(), 2);
    assert_eq!(actions(&table("decision")), [] as [Change; 0]);
}

#[test]
fn log_that_is_to_be_ignored_is_not_repaired() {
    let log = "sdk/widget/azure-widget/azure/widget/_patch.py:12: error: Module has no attribute \"AnalyzeResult\"  [attr-defined]";
    let repaired = |request: &str| actions(request).iter().any(|one| matches!(one, Change::Repair { .. }));
    assert!(repaired(log), "the log alone");
    assert!(!repaired(&format!("{log}\n\n^ ignore, a typo in my own code, fixed.")));
}
