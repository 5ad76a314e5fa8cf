//! What is moved and hidden.

use super::*;

#[test]
fn wish_for_the_client_itself_is_a_move() {
    for wording in ["Could list_widgets be on the top-level client?", "list_widgets should be on the client itself."] {
        let found = actions(wording);
        let moved = |one: &Change| matches!(one, Change::Move { target, to, .. } if target.ends_with("Widgets.listWidgets") && to == "Contoso.WidgetManager");
        assert!(found.len() == 1 && found.iter().all(moved), "{wording}: {found:#?}");
    }
}

#[test]
fn new_name_whose_path_leads_to_another_group_moves_as_well() {
    let table = |of: &str, to: &str| format!("Agreed:\n\n| today | target |\n|---|---|\n| `{of}` | `{to}` |");
    for (of, to) in
        [("Parts.deletePart", "Widgets.removePart"), ("client.parts.delete_part", "client.widgets.remove_part")]
    {
        let wording = table(of, to);
        let found = actions(&wording);
        let moved = |one: &Change| {
            matches!(one, Change::Move { target, to, .. }
                if target.ends_with(".Parts.deletePart") && to.ends_with(".Widgets"))
        };
        let renamed = |one: &Change| renames(one, ".Parts.deletePart", "removePart");
        assert!(found.len() == 2 && found.iter().any(moved) && found.iter().any(renamed), "{wording}: {found:#?}");
    }
    for wording in [
        table("Parts.deletePart", "Parts.removePart"),
        "Please rename `deletePart` of Parts to `Widgets.removePart`.".to_owned(),
        "Please rename `Parts.deletePart` to `removePart`, as in `Widgets.removePart`.".to_owned(),
    ] {
        let found = actions(&wording);
        assert!(!found.iter().any(|one| matches!(one, Change::Move { .. })), "{wording}: {found:#?}");
    }
}

#[test]
fn moved_operation_may_have_a_name_that_its_old_one_would_collide_with() {
    let request =
        |name: &str| format!("Agreed:\n\n| today | target |\n|---|---|\n| `Widgets.getStatistics` | `Parts.{name}` |");
    let found = actions(&request("getTotals"));
    assert!(found.iter().any(|one| matches!(one, Change::Move { .. })) && found.len() == 2, "{found:#?}");
    let taken = actions(&request("deletePart"));
    assert!(!taken.iter().any(|one| matches!(one, Change::Move { .. })), "{taken:#?}");
}

#[test]
fn operation_goes_back_or_there_where_one_group_is_meant() {
    let moves = |wording: &str, to: &str| {
        let found = actions(wording);
        let moved = |one: &Change| {
            matches!(one, Change::Move { target, to: place, .. }
                if target.ends_with("Widgets.listWidgets") && place.ends_with(to))
        };
        assert!(found.len() == 1 && found.iter().all(moved), "{wording}: {found:#?}");
    };
    moves("`list_widgets` sits on Widgets. The plant has its lists on Parts. Please move it there.", ".Parts");
    moves("`list_widgets` was put next to the parts. We want it back on Parts.", ".Parts");
    moves("Please move `list_widgets` back to Parts.", ".Parts");
    for wording in [
        "We do not want `list_widgets` back on Parts.",
        "`list_widgets` was on Parts. Nobody wants it back on Parts.",
        "`list_widgets` is fine. Parts is fine. Nobody has to go there.",
        "We got feedback on Parts about `list_widgets`.",
    ] {
        assert!(actions(wording).is_empty(), "{wording}: {:#?}", actions(wording));
    }
}

#[test]
fn clause_that_asks_counts_before_the_one_that_tells_of_it() {
    let found =
        actions("Nobody outside of the plant should see `delete_widget`, so please take it out of the public surface.");
    assert!(found.len() == 1 && hides(&found[0]), "{found:#?}");
}

#[test]
fn operation_that_is_expected_elsewhere_moves_and_one_that_was_put_there_does_not() {
    for wording in [
        "I'd expect list_widgets under Parts. Can it be moved there?",
        "We want list_widgets on Parts.",
        "list_widgets should be directly on Parts",
        "move list_widgets to Parts, it has nothing to do with widgets",
        "list_widgets should go back to Parts",
    ] {
        let found = actions(wording);
        let moved = |one: &Change| matches!(one, Change::Move { target, to, .. } if target.ends_with("Widgets.listWidgets") && to.ends_with(".Parts"));
        assert!(found.len() == 1 && found.iter().all(moved), "{wording}: {found:#?}");
    }
    for wording in [
        "list_widgets was put onto Parts.",
        "We don't want list_widgets on Parts.",
        "We want list_widgets on Parts to fail with a clear error.",
        "I expected list_widgets on Parts, but Widgets makes sense.",
        "Would you expect list_widgets on Parts?",
    ] {
        assert!(actions(wording).is_empty(), "{wording}: {:#?}", actions(wording));
    }
}

#[test]
fn what_nobody_outside_should_see_is_hidden_and_a_bug_is_not() {
    for wording in ["nobody outside should see delete_widget.", "Get rid of delete_widget in the public API"] {
        let found = actions(wording);
        assert!(found.len() == 1 && hides(&found[0]), "{wording}: {found:#?}");
    }
    for wording in [
        "Get rid of the bug in delete_widget in the public API",
        "Don't get rid of delete_widget in the public API",
        "Nobody outside of the team should see how delete_widget works.",
        "Should nobody outside see delete_widget?",
        "Ben said nobody outside should see delete_widget.",
        "delete_widget should not be part of the talk about the public API.",
    ] {
        assert!(actions(wording).is_empty(), "{wording}: {:#?}", actions(wording));
    }
}

#[test]
fn purpose_that_repeats_the_path_does_not_hold_a_move() {
    let found =
        actions("Move list_widgets from Widgets onto the client, so that callers can write client.list_widgets().");
    let moved = |one: &Change| matches!(one, Change::Move { target, to, .. } if target.ends_with("Widgets.listWidgets") && to == "Contoso.WidgetManager");
    assert!(found.len() == 1 && found.iter().all(moved), "{found:#?}");
    assert!(actions("Callers can write client.list_widgets(), so list_widgets was moved onto the client.").is_empty());
}

#[test]
fn operations_form_a_group_of_their_own_where_it_is_asked() {
    let found =
        actions("get_part and delete_part need more rights. Both should form a separate group named `PartAdmin`.");
    let moved = |one: &Change| matches!(one, Change::Move { to, .. } if to == "PartAdmin");
    assert!(found.len() == 2 && found.iter().all(moved), "{found:#?}");
    for request in [
        "get_part and delete_part need more rights. Both form a separate group named `PartAdmin`.",
        "get_part and delete_part could form a group of their own, called `PartAdmin`, but we decided against it.",
        "Should get_part and delete_part form a group of their own, called `PartAdmin`?",
    ] {
        assert!(actions(request).is_empty(), "{request}: {:#?}", actions(request));
    }
    // Everybody who needs a thing says nothing of what shall become of it.
    let found = actions("The clerks need list_widgets for the stocktaking. It should sit directly on Parts.");
    let moved = |one: &Change| matches!(one, Change::Move { target, to, .. } if target.ends_with("Widgets.listWidgets") && to.ends_with(".Parts"));
    assert!(found.len() == 1 && found.iter().all(moved), "{found:#?}");
}

#[test]
fn name_that_a_moved_thing_gets_is_not_the_one_of_its_new_place() {
    for request in [
        "Please move deletePart from Parts to Widgets and call it removePart.",
        "Move deletePart to Widgets and name it removePart there.",
        "Please move deletePart from Parts over to Widgets and rename it to removePart.",
    ] {
        let found = actions(request);
        let moved = |one: &Change| matches!(one, Change::Move { target, to, .. } if target.ends_with(".deletePart") && to.ends_with(".Widgets"));
        assert!(found.len() == 2 && found.iter().any(moved), "{request}: {found:#?}");
        assert!(found.iter().any(|one| renames(one, ".Parts.deletePart", "removePart")), "{request}: {found:#?}");
    }
    let idiom = "Move deletePart to Widgets and call it a day.";
    assert_eq!(actions(idiom).len(), 1, "{idiom}: {:#?}", actions(idiom));
}

#[test]
fn new_group_is_named_as_groups_are_however_the_request_writes_it() {
    for wording in [
        "Move `listWidgets` to a new operation group called `widgetCatalog`.",
        "Please put list_widgets into a new group `widget_catalog`.",
    ] {
        let found = actions(wording);
        let moved = |one: &Change| matches!(one, Change::Move { target, to, .. } if target.ends_with(".listWidgets") && to == "WidgetCatalog");
        assert!(found.len() == 1 && found.iter().all(moved), "{wording}: {found:#?}");
    }
}
