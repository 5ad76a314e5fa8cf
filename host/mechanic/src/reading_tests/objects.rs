//! What a wish is about: the thing in front of an arrow, something that the sentence makes, a text, a part of the people.

use super::*;

#[test]
fn word_in_front_of_an_arrow_gets_the_name_and_not_the_label() {
    let found = actions("Widget: description -> summary");
    assert!(found.len() == 1 && renames(&found[0], ".Widget.description", "summary"), "{found:#?}");
    for request in ["Widgets: everything -> listAll", "Parts: size -> partSize"] {
        assert!(actions(request).is_empty(), "{request}: {:#?}", actions(request));
    }
}

#[test]
fn wish_about_something_else_than_the_thing_that_is_named_is_not_carried_out() {
    for request in [
        "Make list_widgets accept a filter and call it `filter_text`.",
        "delete_widget should accept a list. A delete_all_widgets beside it would help.",
        "The docstring of get_part() says `AnalyzeResult`; it should say `WidgetAnalysis`.",
        "Could you tell me who named it delete_widget? I would have called it remove_widget.",
        "Make delete_widget faster and hide its progress bar.",
        "delete_widget should not be visible to users without the role of an owner.",
        "get_widget is slow. We want a stream beside it, with read_all().",
        "Please give us another client, called WidgetReaderClient.",
        "delete_widget is fire and forget. Customers want delete_and_wait.",
        "list_widgets returns everything. I want list_names for one manufacturer only.",
        "delete_widget prints to stdout. Let it write to a logger called widget_events.",
        "Our collection has \"delete_widget (was: drop_widget)\". Please update the collection.",
        "| name | suggestion | vote |\n|---|---|---|\n| AnalyzeResult | WidgetAnalysis | 2:5 |",
        "My pull request renames AnalyzeResult to AnalyzeResultItem. Could you review it?",
        "I was about to propose `AnalyzeResultItem` for AnalyzeResult, and then saw that it is taken.",
        "In Java it is AnalyzeResult, in Go WidgetAnalysis. Which one is right?",
        "AnalyzeResult should be WidgetAnalysis. Or am I wrong?",
        "Our provider maps AnalyzeResult -> WidgetAnalysis.",
        "Our provider maps Widget -> Gadget; AnalyzeResult -> WidgetAnalysis.",
        "The naming bot opened an issue (\"AnalyzeResult: use WidgetAnalysis\"). Can we turn it off?",
        "The assistant suggests: rename AnalyzeResult to WidgetAnalysis.",
        "Widget -> AnalyzeResult -> displayName: that chain is too deep.",
        "delete_widget takes a name like \"w1\". An enum WidgetName would be safer.",
        "list_widgets(page_size): the argument should be `list_size`",
        "now\n\n    client.delete_widget(name);\n\nwanted\n\n    client.delete_widget(name, force);",
        "now\n\n    client.delete_widget(name);\n\nwanted\n\n    client.delete_widget(name).wait();",
        "`health_score` of AnalyzeResult is negative.\n\n### Expected\n\n`zero`",
        "delete_widget, drop_widget, remove_widget... pick one and stick to it!",
        "For the record, the names were: AnalyzeResult -> WidgetAnalysis.",
        "# TODO: rename AnalyzeResult to WidgetAnalysis\nclass AnalyzeResult:\n\nThis note is old. Can the comment go?",
    ] {
        assert!(actions(request).is_empty(), "{request}: {:#?}", actions(request));
    }
}

#[test]
fn wish_without_a_word_of_naming_is_carried_out_where_it_says_what_the_thing_shall_be() {
    for request in [
        "AnalyzeResult is vague. I would like it to be WidgetAnalysis.",
        "AnalyzeResult is a strange name. WidgetAnalysis is what we want.",
        "| name | suggestion | vote |\n|---|---|---|\n| AnalyzeResult | WidgetAnalysis | 5:2 |",
    ] {
        let found = actions(request);
        assert!(found.len() == 1 && renames(&found[0], ".AnalyzeResult", "WidgetAnalysis"), "{request}: {found:#?}");
    }
}

#[test]
fn new_name_that_spells_out_what_stands_beside_the_target_is_not_given_to_it() {
    let mut index = sample::index();
    for (name, line) in [("cnt", 90), ("maxSz", 91)] {
        let mut entity = index.entities.iter().find(|one| one.reference.ends_with(".Part.id")).cloned().unwrap();
        entity.reference = format!("Contoso.WidgetManager.Part.{name}");
        entity.name = name.to_owned();
        entity.client.as_mut().unwrap().name = name.to_owned();
        entity.line = line;
        index.entities.push(entity);
    }
    let read = |request: &str| understand(request, Language::Python, &index).actions;
    let found = read("Part.max_sz is unclear. Spell it out: count.");
    assert!(found.is_empty(), "{found:#?}");
    let found = read("Part.max_sz is unclear. Spell it out: maximum_size.");
    assert!(found.len() == 1 && renames(&found[0].change, ".Part.maxSz", "maximumSize"), "{found:#?}");
}

#[test]
fn wish_with_a_reason_or_a_person_in_front_of_it_is_read() {
    for request in [
        "could someone please rename AnalyzeResult to WidgetAnalysis, nobody gets it",
        "@sdk-team can we please have AnalyzeResult renamed to WidgetAnalysis",
        "The guideline says: \"No verbs in names of models.\" AnalyzeResult should be WidgetAnalysis.",
        "The rule forbids verbs. For our package this means that AnalyzeResult becomes WidgetAnalysis.",
        "The docs people are waiting for us, so please rename AnalyzeResult to WidgetAnalysis.",
    ] {
        let found = actions(request);
        assert!(found.len() == 1 && renames(&found[0], ".AnalyzeResult", "WidgetAnalysis"), "{request}: {found:#?}");
    }
    for request in [
        "can somebody please explain why AnalyzeResult was renamed to WidgetAnalysis",
        "The docs people are waiting for us, so let's wait with renaming AnalyzeResult to WidgetAnalysis.",
        "For the service this means that AnalyzeResult becomes WidgetAnalysis in the REST API.",
        "I wonder whether the main client should be called GadgetClient.",
    ] {
        assert!(actions(request).is_empty(), "{request}: {:#?}", actions(request));
    }
    let found = actions("`WidgetManagerClient` is long, so the main client should be called `GadgetClient`.");
    assert!(
        matches!(found.as_slice(), [Change::Rename { target, name, .. }] if target == "Contoso.WidgetManager" && name == "GadgetClient"),
        "{found:#?}"
    );
}
