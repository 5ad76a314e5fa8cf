//! What weights change: renames that the rules leave open, and renames that they would make.

use super::*;

fn read(request: &str) -> (Vec<Change>, Vec<Change>) {
    let read = understand(request, Language::Python, &sample::index());
    let changes = |directives: Vec<Directive>| directives.into_iter().map(|one| one.change).collect();
    (changes(read.actions), changes(read.candidates))
}

#[test]
fn wish_in_broken_grammar_is_done_where_it_is_very_likely() {
    for request in [
        "Part.displayName, we like more display_label for it",
        "display_label would be the name that we want for `Part.displayName` then",
        "for Part.displayName we settled at `display_label`",
    ] {
        let (found, _) = read(request);
        assert!(found.len() == 1 && renames(&found[0], ".Part.displayName", "displayLabel"), "{request}: {found:#?}");
    }
}

#[test]
fn rename_that_is_not_likely_is_left_to_a_person() {
    let group = "Ana, could you squeeze this in? Product wants verbs. In WidgetsClient (and the async twin, obviously) \
                 deleteWidget(String) is to become discardWidget, and getWidget(String) is to become readWidget. Signatures untouched.";
    let list = "Rename getPart of Parts to readPart and getStatistics of Parts to patch";
    for (request, wrong) in [(group, "Widgets"), (list, ".Parts")] {
        let (found, _) = read(request);
        let is_wrong = |one: &Change| one.target().is_some_and(|target| target.ends_with(wrong));
        assert!(!found.iter().any(is_wrong), "{request}: {found:#?}");
    }
}

#[test]
fn likely_name_does_not_outweigh_what_turns_it_down() {
    let code = "```diff\n-public partial class AnalyzeResult\n+public partial class HealthReport\n```\n\n";
    for behind in ["Please do not do this.", "Why did this happen?", "Nobody likes it.", "Not yet."] {
        let (found, _) = read(&format!("{code}{behind}"));
        assert!(found.is_empty(), "{behind}: {found:#?}");
    }
    let list = "- `AnalyzeResult` should be `HealthReport`\n- `Manufacturer` should be `Producer`";
    for request in [format!("{list}\n\nBut not before the next major version."), format!("Out of scope:\n{list}")] {
        assert!(read(&request).0.is_empty(), "{request}");
    }
}

#[test]
fn doubt_that_comes_of_words_in_another_language_does_not_count() {
    let (found, _) = read("Bitte `AnalyzeResult` in `WidgetAnalysis` umbenennen.");
    assert!(found.len() == 1 && renames(&found[0], ".AnalyzeResult", "WidgetAnalysis"), "{found:#?}");
}

#[test]
fn move_that_the_rules_do_not_read_is_done_where_it_is_very_likely() {
    for (request, group) in [
        ("list_widgets moves up to the client.", "Contoso.WidgetManager"),
        ("list_widgets goes into a group `Catalog`.", "Catalog"),
        ("list_widgets goes into a group `stock_lists`.", "StockLists"),
    ] {
        let (found, _) = read(request);
        let moves = |one: &Change| matches!(one, Change::Move { target, to, .. } if target.ends_with(".listWidgets") && to == group);
        assert!(found.len() == 1 && moves(&found[0]), "{request}: {found:#?}");
    }
}

#[test]
fn likely_move_does_not_outweigh_what_speaks_against_it() {
    for request in [
        "list_widgets goes into a group `Catalog`. That was declined.",
        "If the board agrees, list_widgets goes into a group `Catalog`.",
        "list_widgets goes into a group `Catalog`?",
        "list_widgets was to go into a group `Catalog`.",
        "list_widgets and get_part are alike. One of them goes into a group `Catalog`.",
        "In Java list_widgets goes into a group `Catalog`.",
        "`listWidgets` and `getPart` are alike. One of them should live in a group named `Catalog`.",
    ] {
        let (found, _) = read(request);
        assert!(found.is_empty(), "{request}: {found:#?}");
    }
}

#[test]
fn request_that_is_likely_to_ask_for_something_is_not_passed_over() {
    let request = "Subject: [PATCH] parts: make delete_part private";
    let understood = understand(request, Language::Python, &sample::index());
    assert!(understood.actions.is_empty() && !understood.guidance.is_empty(), "{understood:#?}");
}

#[test]
fn what_a_version_tells_is_not_done_again() {
    for request in [
        "1.0.0: `deletePart` internal.",
        "1.0.0-beta.2: deletePart hidden",
        "Commit 3fa2c1: make deletePart internal",
        "Already shipped in 1.0.0-beta.4: deletePart hidden.",
    ] {
        assert!(read(request).0.is_empty(), "{request}: {:#?}", read(request).0);
    }
    assert_eq!(read("1.0.0: please make deletePart internal.").0.len(), 1);
}

#[test]
fn one_of_several_that_is_picked_by_its_order_is_left_to_a_person() {
    for request in [
        "listWidgets and deletePart: the first one should be internal, not the second.",
        "Of listWidgets and deletePart only the second should be hidden.",
        "Of deletePart and listWidgets please hide the former, not the latter.",
        "listWidgets and getPart: move the last one to the client.",
    ] {
        assert!(read(request).0.is_empty(), "{request}: {:#?}", read(request).0);
    }
}

#[test]
fn what_is_wished_of_a_text_about_a_thing_does_not_move_the_thing() {
    for request in
        ["The getPart sample should go under Widgets.", "list_widgets was moved to the Parts chapter of the manual."]
    {
        assert!(read(request).0.is_empty(), "{request}: {:#?}", read(request).0);
    }
}

#[test]
fn name_that_is_asked_about_told_of_or_imagined_is_given_to_nothing() {
    for request in [
        "Is it true that `Part.displayName` is going to be `display_label`? Our release depends on it.",
        "Did somebody decide that `Part.displayName` becomes `display_label`?",
        "Was: `display_label`. Is: `Part.displayName`. Done in beta 3.",
        "`Part.displayName` as `display_label` is what our wrapper has. No change needed in the SDK.",
        "I could call `Part.displayName` `display_label`.",
        "`display_label` would be the wrong name for `Part.displayName`.",
        "In Java it is `display_label`, and here `Part.displayName`.",
    ] {
        let (found, _) = read(request);
        assert!(found.is_empty(), "{request}: {found:#?}");
    }
}

#[test]
fn name_before_an_edit_or_in_a_jest_waits_for_a_person() {
    for request in [
        "Please rename `Part.displayName` to `caption`.\n\nEDIT (14:20): Ana says that `title` is better.",
        "Please rename `Part.displayName` to `caption`.\n\nEDIT (14:20): I hear that `caption` is taken.",
        "Oh sure, let us rename `Part` to `Thing`, then everybody is happy.\n\nSeriously now: the names are fine.",
    ] {
        let (found, candidates) = read(request);
        let wrong = |one: &Change| matches!(one, Change::Rename { name, .. } if name == "caption" || name == "Thing");
        assert!(!found.iter().any(wrong), "{request}: {found:#?}");
        assert!(candidates.iter().any(wrong), "{request}: {candidates:#?}");
    }
}
