//! Reviews, minutes and letters in which each sentence speaks of its own item.

use super::*;

/// The changes of a request in short: what, the target's own part of its name, the new name or place.
fn read(request: &str) -> Vec<String> {
    read_for(request, Language::Python)
}

fn read_for(request: &str, language: Language) -> Vec<String> {
    let short = |target: &str| target.trim_start_matches("Contoso.WidgetManager.").to_owned();
    let one = |change: Change| match change {
        Change::Rename { target, name, .. } => format!("{} -> {name}", short(&target)),
        Change::Hide { target, .. } => format!("hide {}", short(&target)),
        Change::Show { target, .. } => format!("show {}", short(&target)),
        Change::Move { target, to, .. } => format!("{} to {}", short(&target), short(&to)),
        Change::Client { name, operations, .. } => {
            format!("{name}: {}", operations.iter().map(|one| short(one)).collect::<Vec<_>>().join(", "))
        }
        other => format!("{other:?}"),
    };
    understand(request, language, &sample::index()).actions.into_iter().map(|one| one.change).map(one).collect()
}

#[test]
fn judgement_of_another_thing_holds_nothing_that_was_asked_for() {
    for request in [
        "Widget should be called Gadget. Should Part be called Piece, too? I don't think so.",
        "Please rename Widget to Gadget. Anything else? No.",
        "Please rename Widget to Gadget. Not `Gizmo`, as was said further up.",
        "1. naming: Widget -> Gadget, agreed\n2. retry policy: parked until spring\n3. samples: Ana takes them",
        "Item 3 - names\nWidget becomes Gadget.\nItem 4 - the lift on floor 2. Deferred.",
        "Widget -> Gadget\n\nEverything not in this list was declined.",
        "Please rename Widget to Gadget.\n**Are you willing to send a PR?** No",
    ] {
        assert_eq!(read(request), ["Widget -> Gadget"], "{request}");
    }
    for request in [
        "Please rename Widget to Gadget. Should we really? I don't think so.",
        "Please rename Widget to Gadget. Not sure, `Gizmo` may be better.",
        "1. naming: Widget -> Gadget\n2. all of it waits for the board",
        "Widget -> Gadget\n\nThe others wouldn't.",
        "Nothing to be changed here, this is only an overview.\n\nWidget -> Gadget",
        "This page describes how the next version looks.\n\n| old | new |\n|---|---|\n| Widget | Gadget |",
        "Accepted\n  Part -> Piece\nNot accepted\n  Widget -> Gadget",
    ] {
        assert!(!read(request).iter().any(|one| one.starts_with("Widget ->")), "{request}");
    }
}

#[test]
fn suggestion_block_is_read_against_the_code_above_it() {
    let one =
        "```python\nclass Widget(_Model):\n```\n\nThat is hard to say.\n\n```suggestion\nclass Gadget(_Model):\n```";
    assert_eq!(read(one), ["Widget -> Gadget"]);
    let file = "src/models/Widget.java:42\n\n```suggestion\npublic final class Gadget {\n```";
    assert_eq!(read_for(file, Language::Java), ["Widget -> Gadget"]);
    let lines = "```ts\nexport interface Part {\n    displayName?: string;\n}\n```\n\n```suggestion\nexport interface Part {\n    \
                 title?: string;\n}\n```";
    assert_eq!(read_for(lines, Language::Javascript), ["Part.displayName -> title"]);
    let other = "```python\nclass Widget(_Model):\n```\n\n```suggestion\nclass Gadget(_Model):\n```\n\nPlease don't apply this.";
    assert!(read(other).is_empty());
}

#[test]
fn code_and_paths_give_no_names() {
    for request in [
        "_models.py:1187\n\n    display_name: str = rest_field(name=\"displayName\")\n\nWhat is that?",
        "✓ should delete with deleteWidget\n✓ test/public/widgets.spec.ts (11) 10044ms",
        "The builder of Widget would follow (WidgetCatalogClientBuilder).",
        "Widgets has a `getStatistics` already, so the one that we bring in becomes readStatistics.",
        "On Part: gadgetName.",
    ] {
        assert!(read(request).is_empty(), "{request}: {:?}", read(request));
    }
}

#[test]
fn client_is_made_up_by_several_sentences_or_a_list() {
    let expected = ["PartReaderClient: Parts.getPart"];
    for request in [
        "We want a client of its own for getPart and nothing else. Call it PartReaderClient.",
        "Reading gets `PartReaderClient`:\n\n* getPart\n\nPlease implement.",
        "getPart gets its own client, `PartReaderClient`, and it is the only operation there.",
        "Reading gets its own client, PartReaderClient. It has getPart and nothing else.",
    ] {
        assert_eq!(read(request), expected, "{request}");
    }
    for request in [
        "We want a client of its own for getPart. Call me about it.",
        "Reading gets its own client, PartReaderClient, if the board agrees. It has getPart.",
        "getPart leaves the client and becomes a client of its own, PartReaderClient.",
        "Does getPart get its own client, PartReaderClient?",
    ] {
        assert!(read(request).is_empty(), "{request}: {:?}", read(request));
    }
}

#[test]
fn operation_that_is_moved_gets_the_name_that_stands_behind_its_place() {
    let expected = ["Widgets.deleteWidget -> removeWidget", "Widgets.deleteWidget to Parts"];
    for request in [
        "Move Widgets.deleteWidget to Parts and call it removeWidget",
        "Move Widgets.deleteWidget to the Parts group as removeWidget",
        "Decision: deleteWidget goes over to Parts and is called removeWidget there.",
    ] {
        let mut found = read(request);
        found.sort();
        assert_eq!(found, expected, "{request}");
    }
    assert_eq!(read("deleteWidget moves from Widgets to Parts."), ["Widgets.deleteWidget to Parts"]);
    assert_eq!(read("Make deleteWidget a method of Parts."), ["Widgets.deleteWidget to Parts"]);
    assert_eq!(read("deleteWidget goes to a new operation group `removal`."), ["Widgets.deleteWidget to Removal"]);
    for request in [
        "When deleteWidget moves from Widgets to Parts, people will be lost.",
        "deleteWidget already moved from Widgets to Parts.",
        "In Java deleteWidget goes to a group of its own.",
    ] {
        assert!(read(request).is_empty(), "{request}: {:?}", read(request));
    }
}

#[test]
fn name_that_is_linked_by_words_of_change_is_given() {
    for request in [
        "Widget is going to be Gadget in Python.",
        "Widget should be replaced by Gadget.",
        "Widget please as Gadget.",
        "The new name for Widget is Gadget.",
        "The name of Widget changes to Gadget.",
        "Widget is Gadget from now on.",
        "Widget: too general for a class -> Gadget",
    ] {
        assert_eq!(read(request), ["Widget -> Gadget"], "{request}");
    }
    for request in [
        "Widget is not going to be Gadget.",
        "Widget was replaced by Gadget in the portal.",
        "Is the new name for Widget Gadget?",
        "If the board agrees, the new name for Widget is Gadget.",
        "deleteWidget: its argument xyz -> Gadget",
    ] {
        assert!(read(request).is_empty(), "{request}: {:?}", read(request));
    }
}

#[test]
fn several_pairs_of_a_thing_and_its_name_are_a_wish() {
    let request = "No abbreviations in class names. So Widget is WidgetItem, and Part is PartItem.";
    assert_eq!(read(request), ["Widget -> WidgetItem", "Part -> PartItem"]);
    for request in [
        "Widget is WidgetItem.",
        "In the portal Widget is WidgetItem, and Part is PartItem.",
        "In Java Widget is WidgetItem, and Part is PartItem.",
        "Widget was WidgetItem, and Part was PartItem.",
    ] {
        assert!(read(request).is_empty(), "{request}: {:?}", read(request));
    }
}

#[test]
fn all_operations_of_a_group_and_neither_of_two_are_hidden_together() {
    let parts = ["hide Parts.getPart", "hide Parts.deletePart", "hide Parts.getStatistics"];
    assert_eq!(read("Hide all operations of Parts."), parts);
    assert_eq!(read("All three methods of PartsClient should be internal."), parts);
    assert_eq!(read("Neither getPart nor deletePart should be public."), parts[..2]);
    assert_eq!(read("The generated getPart of Parts and the generated deletePart must be internal."), parts[..2]);
    for request in [
        "Both methods of PartsClient should be internal.",
        "Hide all operations of Parts except getPart.",
        "Neither getPart nor name should be public.",
    ] {
        assert!(read(request).is_empty(), "{request}: {:?}", read(request));
    }
}

#[test]
fn part_of_a_list_that_is_not_understood_is_guidance() {
    for request in [
        "Rename Widget to Gadget and Foo to Bar.",
        "Rename getPart of Parts to readPart and getStatistics of Parts to patch",
        "Widget should be Gadget and AnalyzeResult should be patch.",
        "Hide deleteWidget and Foo.",
        "Hide status and deletePart of Parts.",
        "Rename Widget to Gadget, then delete Part.",
        "Rename Widget to Gadget and update the samples.",
        "hide foo",
        "Move getPart to Widgets and foo to Parts.",
        "Move getPart and foo to Widgets.",
        "Make deleteWidget internal and foo public.",
        "deleteWidget and foo should be internal.",
        "deleteWidget should be internal, and foo as well.",
        "Widget should be Gadget and so should foo.",
        "Hide deleteWidget and rename foo to bar.",
        "Rename Widget to Gadget plus hide deletePart.",
        "Rename Widget to Gadget. Remove Part.",
        "Rename Widget to Gadget. Also do the property.",
        "Rename Widget to Gadget. Keep the old name as an alias.",
        "Rename Widget to Gadget. Same for the rest.",
    ] {
        let found = understand(request, Language::Python, &sample::index());
        assert!(!found.guidance.is_empty(), "{request}: {found:#?}");
    }
    for request in [
        "Rename Widget to Gadget and Part to PartItem.",
        "Rename Widget to Gadget, as in Java and C#.",
        "Rename Widget to Gadget to be consistent.",
        "Hide deleteWidget and deletePart in Python and Java.",
        "Please hide deleteWidget, deletePart and getPart.",
        "Rename Widget to Gadget because people go from Parts to this.",
    ] {
        let found = understand(request, Language::Python, &sample::index());
        assert!(found.guidance.is_empty() && !found.actions.is_empty(), "{request}: {found:#?}");
    }
}

#[test]
fn suggestion_for_a_quoted_line_of_a_diff_is_read() {
    let request = "> +class Widget(_Model):\n> +    display_name: str = rest_field()\n\nShorter, please.\n\n```suggestion\n    title: str = rest_field()\n```";
    let found = actions(request);
    assert!(found.len() == 1 && renames(&found[0], ".Widget.displayName", "title"), "{found:#?}");
}
