//! Customizations of `client.tsp` that a request takes back, and the new groups that it names.

use super::*;
use bailiwick_sdk::tasks::Access;

/// The sample service, where the client calls `displayName` of `Widget` by another name, and `deletePart` lies in `Widgets`.
fn index() -> SpecIndex {
    let mut index = sample::index_with(&[("Widget.displayName", Some("shortTitle"), Access::Public)]);
    let parts = index.clients.iter_mut().find(|one| one.name == "Parts").unwrap();
    let at = parts.operations.iter().position(|one| one.name == "deletePart").unwrap();
    let moved = parts.operations.remove(at);
    index.clients.iter_mut().find(|one| one.name == "Widgets").unwrap().operations.push(moved);
    index.customizations.push(Customization {
        decorator: "clientName".into(),
        target: "Contoso.WidgetManager.Widget.displayName".into(),
        arguments: vec!["\"shortTitle\"".into()],
        scope: Some("python".into()),
        line: 5,
        form: CustomizationForm::Augment,
    });
    index
}

fn done(request: &str) -> Vec<Change> {
    understand(request, Language::Python, &index()).actions.into_iter().map(|one| one.change).collect()
}

fn gets_its_own_name(request: &str) {
    let read = done(request);
    assert!(
        matches!(read.as_slice(), [one] if renames(one, ".Widget.displayName", "displayName")),
        "{request}: {read:#?}"
    );
}

fn nothing_is_done(request: &str) {
    let read = done(request);
    assert!(read.is_empty(), "{request}: {read:#?}");
}

#[test]
fn name_of_the_client_is_taken_back() {
    for request in [
        "Remove `Widget.displayName -> short_title`.",
        "Remove `Widget.displayName -> \"shortTitle\"` (never shipped under that name)",
        "Please revert these renames:\n\n- `Widget.displayName` -> `short_title`",
        "Widget has an alias for display_name, short_title. Please get rid of that alias.",
        "Python calls the property short_title. Therefore I request removing that client name for Python.",
        "Please stop renaming Widget.displayName in Python.",
        "Lose the override on Widget.displayName.",
    ] {
        gets_its_own_name(request);
    }
}

#[test]
fn rename_that_is_taken_out_is_never_made() {
    for request in [
        "Remove `AnalyzeResult -> HealthReport` (never shipped under that name)",
        "| Type | Change |\n|---|---|\n| AnalyzeResult | Remove `AnalyzeResult -> \"HealthReport\"` |",
        "Removed: `AnalyzeResult -> HealthReport`",
        "Get rid of `AnalyzeResult -> HealthReport`.",
        "## Removed renames\n\n- `AnalyzeResult` -> `HealthReport`",
        "Remove the following renames:\n- `AnalyzeResult` -> `HealthReport`",
        "These renames are removed:\n- `AnalyzeResult` -> `HealthReport`",
    ] {
        nothing_is_done(request);
    }
    // A part of the name is removed, and not the rename.
    for request in [
        "Remove the suffix `Result`: `AnalyzeResult` -> `Analysis`",
        "Drop suffixes from the models\n\n- `AnalyzeResult` -> `Analysis`",
    ] {
        let read = actions(request);
        assert!(matches!(read.as_slice(), [one] if renames(one, ".AnalyzeResult", "Analysis")), "{request}: {read:#?}");
    }
}

#[test]
fn what_is_not_to_be_taken_back_for_certain_stays() {
    for request in [
        "The Python-only name short_title confuses support. Should we revert it?",
        "The Python-only name short_title confuses support. Don't revert it.",
        "The Python-only name short_title confuses support. Revert it if the portal agrees.",
        "Widget.short_title is computed. The last commit broke that. Revert it.",
        "Please stop renaming the folders.",
        "Remove the name of the author from Widget.short_title.",
        "The build of Widget.short_title is red. Get rid of it.",
        "Nobody asked to remove the alias of Widget.displayName.",
        "Jana wants to remove `Widget.displayName -> shortTitle` and I disagree.",
        "It was a mistake to remove `Widget.displayName -> shortTitle`.",
        "The script should remove `Widget.displayName -> shortTitle` from the generated JSON.",
        "Removing `Widget.displayName -> shortTitle` broke the samples.",
        "Removed: `Widget.displayName -> shortTitle`",
        "Remove `Widget.displayName -> shortTitle` from the README migration table",
        "The Go team removed these renames:\n- `Widget.displayName` -> `shortTitle`\n\nWe keep them.",
        "Removed renames (1.2.0):\n- `Widget.displayName` -> `shortTitle`",
        "Please delete these aliases from the migration doc:\n- `Widget.displayName` -> `shortTitle`",
        "Widget.displayName has the name short_title. Reverting it would be breaking.",
        "Remove the rename detection from the Widget.displayName diff tool.",
        "Please remove the custom name for Widget.displayName that a script adds to the recordings.",
        "Stop renaming Widget.displayName. shortTitle is final.",
        "Stop renaming Widget.displayName on every PR.",
        "Remove `Widget.displayName -> shortTitle` (needs approval)",
        "Remove `Widget.displayName -> shortTitle`, that was the plan.",
        "Remove `Widget.displayName -> shortTitle` and call it title.",
        "Remove these renames in the Java client:\n- `Widget.displayName` -> `shortTitle`",
        "Remove these renames:\n- `Widget.displayName` -> `shortTitle` (keep)",
        "We lost the rename of Widget.displayName. Undo that.",
        "The override on Widget.displayName was removed last week.",
    ] {
        nothing_is_done(request);
    }
}

#[test]
fn operation_goes_back_to_where_the_specification_has_it() {
    for request in [
        "deletePart was moved to Widgets some time ago. Put it back where it came from.",
        "delete_part should be on Parts again, where the spec has it.",
    ] {
        let read = done(request);
        let back = |one: &Change| matches!(one, Change::Move { target, to, .. } if target.ends_with(".deletePart") && to.ends_with(".Parts"));
        assert!(matches!(read.as_slice(), [one] if back(one)), "{request}: {read:#?}");
    }
    nothing_is_done("getPart is on Parts. Put it back where it came from.");
    nothing_is_done("delete_part should be retried again where the spec says 429.");
    nothing_is_done("The license header of delete_part should be back where it was.");
    nothing_is_done("deletePart was moved to Widgets some time ago. Should we put it back where it came from?");
}

#[test]
fn name_of_a_new_group_is_the_name_of_nothing_else() {
    let moved = |request: &str| {
        let read = actions(request);
        let new = |one: &Change| matches!(one, Change::Move { target, to, .. } if target.ends_with(".getPart") && to == "Photos");
        assert!(matches!(read.as_slice(), [one] if new(one)), "{request}: {read:#?}");
    };
    moved("I'd like get_part on a separate group, let's say Photos.");
    moved("get_part should be in an own operation group with the name Photos.");
    for request in [
        "Contact:\nName: janeDoe",
        "get_part does not show up.\nName: test_run\nRegion: westus",
        "Widget.displayName is stored in a column. Name: display_title",
    ] {
        let read = actions(request);
        assert!(read.is_empty(), "{request}: {read:#?}");
    }
    for request in [
        "get_part needs its own client. Name: Photos.",
        "get_part needs a group of its own. Its name: Photos.",
        "Give get_part a group of its own and call it Photos.",
    ] {
        let read = actions(request);
        assert!(!read.iter().any(|one| matches!(one, Change::Rename { .. })), "{request}: {read:#?}");
    }
}

#[test]
fn arrow_between_two_groups_gives_neither_the_name_of_the_other() {
    for request in [
        "Parts -> Widgets: getPart",
        "Error in getPart: Parts -> Widgets",
        "Moved last release: getPart: Parts -> Widgets",
        "Trace: getPart: Parts -> Widgets -> Parts",
        "Not getPart: Parts -> Widgets.",
    ] {
        let read = actions(request);
        assert!(read.is_empty(), "{request}: {read:#?}");
    }
}

#[test]
fn other_word_orders_give_the_name() {
    for request in [
        "`title` is what `Widget.displayName` should be called.",
        "`Widget.displayName` is too long, we settled for `title`.",
        "The board insists on `title` for `Widget.displayName`.",
        "`Widget.displayName` is to be replaced by `title`.",
        "Set the client name of `Widget.displayName` to `title`.",
        "Use `title` as the client name of `Widget.displayName`.",
    ] {
        let read = actions(request);
        assert!(
            matches!(read.as_slice(), [one] if renames(one, ".Widget.displayName", "title")),
            "{request}: {read:#?}"
        );
    }
    for request in [
        "`Widget.displayName` is too long, we almost settled for `title`.",
        "`Widget.displayName` is too long, did we settle for `title`?",
        "`Widget.displayName` is too long, the Java team settled for `title`.",
        "`Widget.displayName` is fine, they never insisted on `title`.",
        "From now on is `Widget.displayName` called `title`?",
        "From now on `Widget.displayName` is called `title` by the Go team.",
        "Half the board agreed on `title` for `Widget.displayName`.",
        "In the CLI we settled on `title` for `Widget.displayName`.",
        "The board insists on `title` for `Widget.displayName`, but we stay with what we have.",
        "Edit the UI string `Widget.displayName` to read `title`.",
        "`Widget.displayName` is to be replaced by `title` by the service team.",
        "EDIT: sorry, wrong tab.",
    ] {
        nothing_is_done(request);
    }
}

#[test]
fn line_of_a_python_model_may_say_what_the_wire_calls_it() {
    let diff = |wire: &str| {
        let lines = format!("-    display_name: str = rest_field()\n+    title: str = rest_field(name=\"{wire}\")\n");
        actions(&format!("Please make it so, in class Widget:\n\n```diff\n{lines}```\n"))
    };
    assert!(matches!(diff("display_name").as_slice(), [one] if renames(one, ".Widget.displayName", "title")));
    assert!(diff("description").is_empty());
}
