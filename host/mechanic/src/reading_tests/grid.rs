//! Every frame of a wish, over the sample service: nearly all are read, and no frame is misread.

use super::asides::ASIDES;
use super::frames::{HIDINGS, MOVES, RENAMES, SHOWINGS};
use super::*;

/// What a request asks for in a language of the sample service whose `deletePart` is internal.
fn read(request: &str) -> Vec<(Change, Option<Scope>)> {
    let index = sample::index_with(&[("Parts.deletePart", None, bailiwick_sdk::tasks::Access::Internal)]);
    let read = understand(request, Language::Python, &index);
    read.actions.into_iter().map(|one| (one.change, one.scope)).collect()
}

/// How many requests come to one change that fits; no request may come to another one.
fn count(requests: impl Iterator<Item = String>, fits: impl Fn(&Change) -> bool) -> (usize, usize) {
    let (mut read_right, mut all) = (0, 0);
    for request in requests {
        let found = read(&request);
        assert!(found.iter().all(|(change, _)| fits(change)), "{request}: {found:#?}");
        all += 1;
        read_right += usize::from(found.len() == 1);
    }
    (read_right, all)
}

fn renamed(change: &Change) -> bool {
    renames(change, ".AnalyzeResult", "WidgetAnalysis")
}

fn moved(change: &Change, to: &str) -> bool {
    matches!(change, Change::Move { target, to: place, .. } if target.ends_with("Widgets.listWidgets") && place.ends_with(to))
}

#[test]
fn seventeen_of_twenty_frames_of_a_rename_are_read() {
    let frame = |frame: &&str| frame.replace("OLD", "AnalyzeResult").replace("NEW", "WidgetAnalysis");
    let (right, all) = count(RENAMES.iter().map(frame), renamed);
    assert!(right * 20 >= all * 17, "{right} of {all}");
}

#[test]
fn seventeen_of_twenty_frames_of_a_hiding_are_read() {
    let frame = |frame: &&str| frame.replace("OLD", "delete_widget");
    let (right, all) = count(HIDINGS.iter().map(frame), hides);
    assert!(right * 20 >= all * 17, "{right} of {all}");
}

#[test]
fn two_of_three_frames_of_a_showing_are_read() {
    let frame = |frame: &&str| frame.replace("OLD", "delete_part");
    let shows = |change: &Change| matches!(change, Change::Show { target, .. } if target.ends_with("Parts.deletePart"));
    let (right, all) = count(SHOWINGS.iter().map(frame), shows);
    assert!(right * 3 >= all * 2, "{right} of {all}");
}

#[test]
fn nine_of_ten_frames_of_a_move_are_read_for_a_group_that_is_there_and_for_a_new_one() {
    for (place, to) in [("the parts group", ".Parts"), ("`Parts`", ".Parts"), ("a new group Catalog", "Catalog")] {
        let frame = |frame: &&str| frame.replace("OLD", "list_widgets").replace("PLACE", place);
        let (right, all) = count(MOVES.iter().map(frame), |change| moved(change, to));
        assert!(right * 10 >= all * 9, "{place}: {right} of {all}");
    }
}

#[test]
fn nothing_beside_a_wish_changes_it() {
    let around = |aside: &&str| {
        let wish = "Rename AnalyzeResult to WidgetAnalysis.";
        [format!("{aside} {wish}"), format!("{wish}\n\n{aside}")]
    };
    let (right, all) = count(ASIDES.iter().flat_map(around), renamed);
    assert!(right * 10 >= all * 9, "{right} of {all}");
    let between = |aside: &&str| format!("AnalyzeResult is a strange name. {aside} Please call it WidgetAnalysis.");
    let (right, all) = count(ASIDES.iter().map(between), renamed);
    assert!(right * 10 >= all * 9, "{right} of {all}");
}

#[test]
fn scope_stands_where_people_put_it() {
    use bailiwick_sdk::tasks::Language::{Dotnet, Javascript, Python};
    let two = Some(Scope::Only(vec![Python, Javascript]));
    for (request, scope) in [
        ("Rename AnalyzeResult to WidgetAnalysis in Python as well as in JavaScript.", &two),
        ("In Python and JavaScript AnalyzeResult should be called WidgetAnalysis.", &two),
        ("AnalyzeResult is a bad name. In Python and JavaScript it should be WidgetAnalysis.", &two),
        ("AnalyzeResult stutters. For Python and JavaScript let it be WidgetAnalysis.", &two),
        ("AnalyzeResult is too generic. Python and JavaScript want WidgetAnalysis.", &two),
        ("Rename AnalyzeResult to WidgetAnalysis across the board.", &Some(Scope::All)),
        ("AnalyzeResult -> WidgetAnalysis\n\nLanguages: all", &Some(Scope::All)),
        ("AnalyzeResult -> WidgetAnalysis\n\nNot only in Python but everywhere.", &Some(Scope::All)),
        ("AnalyzeResult -> WidgetAnalysis\n\nEverywhere, please.", &Some(Scope::All)),
        (
            "AnalyzeResult -> WidgetAnalysis\n\nIn every language except C#, where it has shipped.",
            &Some(Scope::Except(vec![Dotnet])),
        ),
    ] {
        let found = read(request);
        assert!(found.len() == 1 && renamed(&found[0].0), "{request}: {found:#?}");
        assert_eq!(&found[0].1, scope, "{request}");
    }
}

#[test]
fn parameter_that_is_spoken_of_is_never_its_operation() {
    for request in [
        "def delete_widget(self, widget_name: str, **kwargs)\n\nRename the parameter to name_of_it.",
        "delete_widget(widget_name)\n\nParameters named like a property confuse people. -> widgetKey",
        "delete_widget takes a keyword that nobody understands. It should be called widget_key.",
        "Could the SDK say `widget_key` in the first and `part_key` in the second? `id` is a keyword of delete_widget and delete_part.",
        "Rename the fooBar option on listWidgets to resumeToken.",
        "the widgetName option on listWidgets gets the name resumeToken",
    ] {
        let found = read(request);
        let operation = |change: &Change| {
            matches!(change, Change::Rename { kind: bailiwick_sdk::tasks::EntityKind::Operation, .. })
        };
        assert!(!found.iter().any(|(change, _)| operation(change)), "{request}: {found:#?}");
    }
}

#[test]
fn what_a_decorator_takes_where_something_lies_and_a_type_are_no_names() {
    for request in [
        "delete_widget: Access.internal please",
        "list_widgets -> move to the parts group",
        "> public string DisplayName { get; }\n\nin AnalyzeResult. It sounds like a method.",
        "Widget.status and Widget.name are strings. They have to be TimeSpan in C#.",
        "WidgetsClientAnalyzeWidgetResponse... can we find something shorter for AnalyzeResult?",
    ] {
        let found = read(request);
        let renames = |change: &Change| matches!(change, Change::Rename { .. });
        assert!(!found.iter().any(|(change, _)| renames(change)), "{request}: {found:#?}");
    }
}

#[test]
fn new_name_stands_in_front_of_the_old_one_in_brackets() {
    let found = read("We want fetchWidget (was getWidget) and fetchPart (getPart at the moment).");
    let to = |path: &str, name: &str| found.iter().any(|(change, _)| renames(change, path, name));
    assert!(found.len() == 2 && to(".getWidget", "fetchWidget") && to(".getPart", "fetchPart"), "{found:#?}");
}

#[test]
fn new_name_in_front_of_brackets_that_was_refused_or_only_proposed_changes_nothing() {
    for request in [
        "The board rejected fetchWidget (was getWidget).",
        "Ann proposed fetchWidget (was getWidget).",
        "We considered fetchWidget (was getWidget) and dropped it.",
        "fetchWidget (was getWidget) is not what we want.",
        "fetchWidget (was getWidget) is what the other team uses.",
        "Last year we introduced fetchWidget (was getWidget).",
    ] {
        assert!(read(request).is_empty(), "{request}: {:#?}", read(request));
    }
}

#[test]
fn list_below_a_place_that_was_reached_before_goes_nowhere() {
    for head in [
        "In the last release we moved these to a new group Catalog:",
        "These were moved to a new group Catalog:",
        "Do not move these to a new group Catalog:",
        "Should we move these to a new group Catalog?",
        "We would need a new group Catalog for these, which is too much:",
    ] {
        let request = format!("{head}\n- list_widgets\n- get_part");
        assert!(read(&request).is_empty(), "{request}: {:#?}", read(&request));
    }
}

#[test]
fn list_below_a_place_goes_there() {
    for head in ["Move these to a new group Catalog:", "The following operations should go into a new group Catalog:"] {
        let found = read(&format!("{head}\n- list_widgets\n- get_part"));
        let moved = |path: &str| {
            found.iter().any(|(change, _)| matches!(change, Change::Move { target, to, .. } if target.ends_with(path) && to == "Catalog"))
        };
        assert!(found.len() == 2 && moved(".listWidgets") && moved(".getPart"), "{head}: {found:#?}");
    }
}

#[test]
fn block_below_no_code_names_what_the_words_behind_it_speak_of() {
    let block = "```suggestion\n  caption: string;\n```\n";
    for behind in ["on Widget.displayName, which says more", "instead of `Widget.displayName`."] {
        let found = read(&format!("{block}{behind}"));
        assert!(found.len() == 1 && renames(&found[0].0, ".Widget.displayName", "caption"), "{behind}: {found:#?}");
    }
    for behind in [
        "on the wire this is another name.",
        "instead of `Widget.displayName`? No, thanks.",
        "on Widget.displayName would be wrong.",
    ] {
        assert!(read(&format!("{block}{behind}")).is_empty(), "{behind}");
    }
}

#[test]
fn operation_is_hidden_until_something_happens_and_not_when_it_happens() {
    let found = read("Please make delete_widget internal until the service is fixed.");
    assert!(found.len() == 1 && hides(&found[0].0), "{found:#?}");
    for request in [
        "Don't make delete_widget internal until the service is fixed.",
        "Keep delete_widget public until the service is fixed, then hide it.",
        "Wait until the service is fixed, then hide delete_widget.",
    ] {
        assert!(read(request).is_empty(), "{request}");
    }
}

#[test]
fn praise_news_and_refusals_ask_for_nothing() {
    use crate::read::understand;
    for request in [
        "Very happy to see AnalyzeResult renamed, that was the right call. Approved from my side.",
        "FYI: the proposal to rename AnalyzeResult to WidgetAnalysis was turned down. Nothing to do.",
        "Thanks for getting get_part and list_widgets named properly so quickly!",
    ] {
        let read = understand(request, Language::Python, &sample::index());
        assert!(read.actions.is_empty() && read.guidance.is_empty(), "{request}: {read:#?}");
    }
    for request in [
        "AnalyzeResult is confusing. Thanks for looking into it!",
        "LGTM, but AnalyzeResult should have a better name.",
        "Approved. Can we still rename AnalyzeResult?",
        "LGTM. AnalyzeResult -> WidgetAnalysis maybe, keep the others.",
    ] {
        let read = understand(request, Language::Python, &sample::index());
        assert!(!read.guidance.is_empty(), "{request}: {read:#?}");
    }
}

#[test]
fn log_of_tests_alone_asks_for_no_repair() {
    let log = "./widgets_client_test.go:41:19: undefined: recording.Start\nFAIL\tcontoso/widgets [build failed]\n\nThe proxy is not wired up yet.";
    let read = understand(log, Language::Go, &sample::index());
    assert!(read.actions.is_empty(), "{read:#?}");
}

#[test]
fn dotnet_calls_get_what_lists() {
    let read = understand("Hide GetWidgetsAsync.", Language::Dotnet, &sample::index());
    let hidden =
        |one: &Directive| matches!(&one.change, Change::Hide { target, .. } if target.ends_with(".listWidgets"));
    assert!(read.actions.len() == 1 && read.actions.iter().all(hidden), "{read:#?}");
}
