//! Answers behind a wish that turn it down and name nothing.

use super::*;

fn nothing_is_done(request: &str) {
    let read = actions(request);
    assert!(read.is_empty(), "{request}: {read:#?}");
}

#[test]
fn answer_that_turns_a_wish_down_holds_it() {
    for answer in [
        "We should not do this.",
        "That's not what we want.",
        "This is not for us.",
        "Mari does not like it.",
        "Not for now, though.",
        "Maybe later.",
        "This needs no change.",
        "That would be a breaking change, so we leave it.",
        "That's a breaking change, we can't do that in a GA package.",
        "I checked with Ines and she is against it.",
        "Dev: discussed offline, we keep the current name.",
        "The team prefers the current name.",
        "On reflection, the existing name is clearer.",
        "Wrong package, sorry!",
        "Triage: works as intended, closing.",
        "wait a sec, could be that we go for the plural",
        "Decision: keep.",
        "Consensus: no rename.",
    ] {
        nothing_is_done(&format!("`AnalyzeResult` should be called `HealthReport`.\n\n{answer}"));
        nothing_is_done(&format!("Rename AnalyzeResult to HealthReport.\n\n**mari** commented:\n{answer}"));
    }
    // However likely the rename is.
    nothing_is_done(
        "The name `AnalyzeResult` is too short for customers. `WidgetAnalysis` would be clear.\n\nDon't do it yet.",
    );
}

#[test]
fn remark_about_something_else_holds_no_wish() {
    for remark in [
        "Do NOT change anything that other languages see.",
        "Please don't forget the samples.",
        "Users don't like the old one.",
        "Thanks in advance.",
    ] {
        let read = actions(&format!("Rename AnalyzeResult to HealthReport.\n\n{remark}"));
        assert_eq!(read.len(), 1, "{remark}: {read:#?}");
    }
}

#[test]
fn replaced_name_keeps_what_the_wish_waits_for() {
    nothing_is_done(
        "AnalyzeResult should be `Analysis` once 2.0 is out.\n\nEDIT: not `Analysis` but `WidgetAnalysis`.",
    );
    let read = actions("AnalyzeResult should be `Analysis`.\n\nFor .NET not `Analysis` but `WidgetAnalysis`.");
    assert!(read.iter().all(|one| renames(one, ".AnalyzeResult", "Analysis")), "{read:#?}");
    nothing_is_done("Rename AnalyzeResult to Report.\nRename AnalyzeResult to `Analysis`.\n\nNo decision: `Analysis`");
}

#[test]
fn order_that_waits_for_a_talk_is_not_made_before_it() {
    nothing_is_done("Rename AnalyzeResult to HealthReport after talking to the service team.");
}

#[test]
fn reason_of_a_struck_item_that_is_said_of_others_too_is_read() {
    nothing_is_done("- ~~Widget → Gadget~~ rejected, and so are the next two\n- AnalyzeResult → HealthReport");
}

#[test]
fn rule_of_a_tool_in_brackets_is_no_name() {
    nothing_is_done("Fix AnalyzeResult. [NoImplInPublicAPI]");
}

#[test]
fn directive_of_a_diff_that_was_reverted_is_not_read() {
    nothing_is_done(
        "```diff\n   - rename-model:\n       from: AnalyzeResult\n-      to: Report\n+      to: HealthReport\n```\n**reviewer**:\nplease confirm\n\n**author**:\nchange is reverted already",
    );
}

#[test]
fn diff_beside_another_new_name_is_no_wish() {
    let text = "```diff\n-    display_name: str\n+    title: str\n```\nI'd expect `caption` as the name of this.";
    let read = actions(text);
    assert!(!read.iter().any(|one| renames(one, ".displayName", "title")), "{read:#?}");
}

#[test]
fn rename_whose_name_or_kind_an_answer_turns_down_is_held() {
    let wish = "* Change `deleteWidget` to `removeWidget` to follow the description\n\n**ann** · comment\n";
    for answer in [
        "I said to not do the `removeWidget` rename.",
        "Please don't do the `removeWidget` rename.",
        "We do not want `removeWidget`.",
        "OK, the method stays.",
        "The name stays as it is.",
    ] {
        let read = actions(&format!("{wish}{answer}"));
        assert!(read.is_empty(), "{answer}: {read:#?}");
    }
    for answer in [
        "OK.",
        "The class stays.",
        "The name of the package stays the same, by the way.",
        "In Java the name stays.",
        "Only the name changes, the method stays.",
        "Please don't use removeWidget as the wire name.",
    ] {
        let read = actions(&format!("{wish}{answer}"));
        assert_eq!(read.len(), 1, "{answer}: {read:#?}");
    }
}

#[test]
fn name_behind_instead_of_is_no_new_name() {
    for request in [
        "- Creating a widget requires passing `displayName` instead of `caption`",
        "Callers pass `displayName` instead of `caption` now.",
    ] {
        let read = actions(request);
        assert!(read.is_empty(), "{request}: {read:#?}");
    }
}
