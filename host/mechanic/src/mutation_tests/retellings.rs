//! Wishes that are told in pieces: beside quoted code, in tables, in conversations, as a proposal that somebody adopts, as a
//! return to a name or a place that was. What only looks like one of them changes nothing.

use bailiwick_sdk::tasks::{Access, Change, Language, Scope, SpecIndex};

use super::super::sample;
use crate::read::understand;

fn read(text: &str, index: &SpecIndex) -> Vec<Change> {
    understand(text, Language::Python, index).actions.into_iter().map(|one| one.change).collect()
}

/// Each text with the part in place of the mark, and whether it comes to one change that fits.
fn one_each(frame: &str, parts: &[&str], index: &SpecIndex, fits: impl Fn(&Change) -> bool) {
    for part in parts {
        let text = frame.replace("{s}", part);
        let found = read(&text, index);
        assert!(matches!(found.as_slice(), [one] if fits(one)), "{text:?}: {found:?}");
    }
}

fn none_of(frame: &str, parts: &[&str], index: &SpecIndex) {
    let acting: Vec<String> = parts
        .iter()
        .map(|part| frame.replace("{s}", part))
        .filter(|text| !read(text, index).is_empty())
        .map(|text| format!("{text:?}: {:?}", read(&text, index)))
        .collect();
    assert!(acting.is_empty(), "{}", acting.join("\n"));
}

fn renames(change: &Change, of: &str, to: &str) -> bool {
    matches!(change, Change::Rename { target, name, .. } if target.ends_with(of) && name == to)
}

#[test]
fn remark_below_code_is_about_the_line_that_it_stands_at() {
    let index = sample::index();
    let frame = "> class Widget(_Model):\n>     name: str\n>     display_name: str\n\n{s}";
    let asked =
        ["`title`, please.", "Should read `title`.", "Make it `title`.", "What we would like to see here is `title`."];
    one_each(frame, &asked, &index, |one| renames(one, ".Widget.displayName", "title"));
    let idle = [
        "LGTM",
        "Why `title`?",
        "In Java it is `title`.",
        "Should be `int`.",
        "Add `title`, please.",
        "`title` is missing, please.",
        "Use `snake_case`.",
        "Use `__slots__` please.",
        "Please use `Annotated`.",
        "Docstring should say `title`.",
        "Would you like `title`?",
        "`title` would be the wrong name.",
        "The class should be called `title`.",
        "What others expect is `title`.",
        "Use `title` from the other package.",
        "What is n? I'd call it `title`.",
    ];
    none_of(frame, &idle, &index);
    // An unknown member is not the member that was named before.
    none_of("Widget.displayName is fine.\n\n> unknown_thing: str = rest_field()\n\n{s}", &["`title`, please."], &index);
}

#[test]
fn suggested_line_takes_the_place_of_the_quoted_one_unless_the_words_beside_it_say_no() {
    let index = sample::index();
    let frame = "> class AnalyzeResult(_Model):\n\n```suggestion\nclass HealthReport(_Model):\n```\n{s}";
    let asked = ["", "The word \"Result\" is not used elsewhere."];
    one_each(frame, &asked, &index, |one| renames(one, ".AnalyzeResult", "HealthReport"));
    let idle = [
        "Nobody likes it.",
        "This was declined.",
        "What do you think?",
        "Not in this release.",
        "Only an idea.",
        "We keep it.",
    ];
    none_of(frame, &idle, &index);
}

#[test]
fn specification_s_own_name_returns_where_it_is_asked_for() {
    let index = sample::index_with(&[("AnalyzeResult", Some("WidgetAnalysis"), Access::Public)]);
    let asked = [
        "`WidgetAnalysis` should be called `AnalyzeResult` again.",
        "`WidgetAnalysis` is odd. Let's use the original name.",
        "`WidgetAnalysis` is odd. Please give us plain `AnalyzeResult` back.",
        "`WidgetAnalysis`: we'd rather have the specification's own name.",
        "It was a customization, but let's remove it and use the original name of `WidgetAnalysis`.",
        "I take it back: give us the spec's own name again, `AnalyzeResult`.",
        "`WidgetAnalysis` is odd. Please align Python with the other languages.",
    ];
    one_each("{s}", &asked, &index, |one| renames(one, ".AnalyzeResult", "AnalyzeResult"));
    let idle = [
        "`WidgetAnalysis` must not get its original name back.",
        "Should `WidgetAnalysis` get its original name back?",
        "We removed the customization and used the original name of `WidgetAnalysis`.",
        "Use the original name of `WidgetAnalysis` in the docs.",
        "If the board agrees, use the original name of `WidgetAnalysis`.",
        "Let's use the original name of `WidgetAnalysis` in the next major version.",
        "Give `WidgetAnalysis` the original name of the file.",
        "We want `WidgetAnalysis` back, `AnalyzeResult` is odd.",
        "Use `WidgetAnalysis` as the name of `AnalyzeResult` again.",
        "`WidgetAnalysis` should be used again instead of `AnalyzeResult`.",
        "You have to call `AnalyzeResult` again after `WidgetAnalysis`.",
        "`WidgetAnalysis` is odd. Please align the docs with the other languages.",
        "`WidgetAnalysis` is odd. Please align the other languages with Python.",
        "`WidgetAnalysis` is odd. Others should align with Python.",
    ];
    none_of("{s}", &idle, &index);
}

#[test]
fn operation_returns_to_its_own_group_only_if_the_client_has_it_elsewhere() {
    let moved = |text: &str, index: &SpecIndex| -> Vec<String> {
        let to = |one: Change| match one {
            Change::Move { to, .. } => Some(to),
            _ => None,
        };
        read(text, index).into_iter().filter_map(to).collect()
    };
    let mut index = sample::index();
    let parts = index.clients.iter_mut().find(|one| one.name == "Parts").unwrap();
    let operation = parts.operations.remove(0);
    index.clients.iter_mut().find(|one| one.name == "Widgets").unwrap().operations.push(operation);
    assert_eq!(moved("getPart is on the wrong group. Please move it back.", &index), ["Contoso.WidgetManager.Parts"]);
    assert_eq!(moved("getPart is on the wrong group. Please move it back.", &sample::index()), [""; 0]);
    for idle in [
        "getPart moved back.",
        "Do not move getPart back.",
        "Should we move getPart back?",
        "Somebody moved getPart back there.",
    ] {
        assert_eq!(moved(idle, &index), [""; 0], "{idle}");
    }
}

#[test]
fn proposal_is_carried_out_where_somebody_adopts_it() {
    let index = sample::index();
    let frame = "For AnalyzeResult it proposes HealthReport. {s}";
    let asked = ["Let's adopt it.", "The board is happy with it, so let's adopt it.", "Please rename the model."];
    one_each(frame, &asked, &index, |one| renames(one, ".AnalyzeResult", "HealthReport"));
    let idle = [
        "",
        "Nobody wants to adopt it.",
        "Let's not adopt that.",
        "Ben said: let's adopt that.",
        "Should we adopt it?",
        "If we adopt it, people break.",
        "We adopted it last year.",
        "Let's adopt it in 2.0.",
        "The portal should adopt it.",
        "Let's use that as an example.",
        "Let's take that to the board.",
        "Please rename the file.",
        "Please rename the method.",
    ];
    none_of(frame, &idle, &index);
}

#[test]
fn last_word_of_a_conversation_counts() {
    let index = sample::index();
    let frame = "[10:01] Ana: AnalyzeResult, seriously?\n[10:02] Ben: `HealthReport`\n{s}";
    let asked = ["[10:03] Ana: +1, `HealthReport` it is", "[10:03] Ana: please do"];
    one_each(frame, &asked, &index, |one| renames(one, ".AnalyzeResult", "HealthReport"));
    let idle = [
        "[10:03] Ana: no",
        "[10:03] Ana: lol no",
        "[10:03] Ana: not now",
        "[10:03] Ana: let me ask the board first",
        "[10:03] Ana: what for?",
    ];
    none_of(frame, &idle, &index);
}

#[test]
fn column_that_nobody_named_is_a_wish_only_beside_one_of_today() {
    let index = sample::index();
    let frame = "| model | today | {s} |\n|---|---|---|\n| `Widget` | `displayName` | `title` |\n";
    one_each(frame, &["tomorrow", "in future"], &index, |one| renames(one, ".Widget.displayName", "title"));
    none_of(frame, &["Java", "wire", "default", "type", "since", "portal"], &index);
}

#[test]
fn criterion_obliges_and_a_sample_of_it_does_not() {
    let index = sample::index();
    let frame = "Acceptance criteria\n1. {s}";
    one_each(frame, &["`AnalyzeResult` is called `HealthReport`."], &index, |one| {
        renames(one, ".AnalyzeResult", "HealthReport")
    });
    let idle = [
        "`AnalyzeResult` is not called `HealthReport`.",
        "`AnalyzeResult` is called `HealthReport` in the docs.",
        "`AnalyzeResult` is called `HealthReport` on the wire.",
        "A sample shows how `AnalyzeResult` is called `HealthReport`.",
    ];
    none_of(frame, &idle, &index);
}

#[test]
fn language_that_is_left_out_in_any_words_is_left_out() {
    for words in [
        "with the exception of Go",
        "bar Go",
        "save for Go",
        "except Go",
        "with the exception of Go, whose owners keep it",
    ] {
        let text = format!("`AnalyzeResult` is to become `HealthReport` in every language {words}.");
        let found = understand(&text, Language::Python, &sample::index()).actions;
        assert!(
            matches!(found.as_slice(), [one] if one.scope == Some(Scope::Except(vec![Language::Go]))),
            "{text}: {found:?}"
        );
    }
}

#[test]
fn what_happens_to_a_thing_is_no_wish() {
    let idle = [
        "When you mock it, `AnalyzeResult` becomes `HealthReport`.",
        "On the wire `AnalyzeResult` turns into `HealthReport`.",
        "In JSON `AnalyzeResult` turns into `HealthReport`.",
        "`AnalyzeResult` turned into `HealthReport`.",
        "`AnalyzeResult` gets renamed to `HealthReport` by the emitter.",
        "The portal turns `AnalyzeResult` into `HealthReport`.",
        "We ship `AnalyzeResult` as `HealthReport` in Java.",
        "`AnalyzeResult` had better not be called `HealthReport`.",
        "It'd be nice if `AnalyzeResult` was called `HealthReport`, but it is too late.",
        "It would have been nice if `AnalyzeResult` was called `HealthReport`.",
        "I'd be sad if `AnalyzeResult` became `HealthReport`.",
        "After the release please rename `AnalyzeResult` to `HealthReport`.",
        "After you have asked the board, rename `AnalyzeResult` to `HealthReport`.",
        "`Widget.displayName` -> `*int16`",
        "`AnalyzeResult` is long. Would you like `HealthReport`?",
        "`AnalyzeResult` is long. Ben would vote for `HealthReport`.",
    ];
    let acting: Vec<&str> = idle
        .into_iter()
        .filter(|text| {
            let found = understand(text, Language::Python, &sample::index()).actions;
            found.iter().any(|one| one.scope.as_ref().is_none_or(|scope| scope.covers(Language::Python)))
        })
        .collect();
    assert!(acting.is_empty(), "{acting:#?}");
}

#[test]
fn label_or_verdict_holds_whatever_stands_in_the_request() {
    let index = sample::index();
    let asked = [
        "Please rename AnalyzeResult to HealthReport.",
        "> class AnalyzeResult(_Model):\n\n`HealthReport`, please.",
        "AnalyzeResult is long.\n\nWe would like `HealthReport`.",
        "| model | today | tomorrow |\n|---|---|---|\n| `AnalyzeResult` | `AnalyzeResult` | `HealthReport` |",
    ];
    let frames = [
        "[draft] {s}",
        "Status: withdrawn\n\n{s}",
        "Rejected:\n\n{s}",
        "If the board agrees:\n\n{s}",
        "{s}\n\n-1 from me.",
        "{s}\n\nThis has been rejected.",
        "{s}\n\nWhat do you think?",
        "Disregard the next line.\n\n{s}",
    ];
    for frame in frames {
        none_of(frame, &asked, &index);
    }
}
