//! What becomes of names.

use super::*;

#[test]
fn one_name_for_the_same_property_of_several_models_is_a_rename_of_each() {
    for wording in [
        "rename displayName to title on Widget and Manufacturer",
        "displayName => title, on Widget as well as on Manufacturer",
        "`display_name` must be `title` on `Widget` and `Manufacturer`.",
    ] {
        let found = actions(wording);
        let read = understand(wording, Language::Python, &sample::index());
        assert_eq!(found.len(), 2, "{wording}: {read:#?}");
        for model in [".Widget.displayName", ".Manufacturer.displayName"] {
            assert!(found.iter().any(|one| renames(one, model, "title")), "{wording}: {found:#?}");
        }
    }
    // Half of it is never done in silence.
    for wording in [
        "rename displayName to title on Widget and Gizmo2Summary",
        "displayName => title, on Gizmo2Summary as well as on Widget",
    ] {
        let read = understand(wording, Language::Python, &sample::index());
        assert!(read.actions.is_empty() && !read.guidance.is_empty(), "{wording}: {read:#?}");
    }
}

#[test]
fn page_that_is_pointed_to_gives_no_name() {
    let found = actions("LengthUnit.inch -> spell it INCHES, see the Contoso SDK guidelines");
    assert!(found.len() == 1 && renames(&found[0], ".LengthUnit.inch", "inches"), "{found:#?}");
    let found = actions("LengthUnit.inch -> write it INCHES, as Contoso says");
    assert!(found.iter().all(|one| renames(one, ".LengthUnit.inch", "inches")), "{found:#?}");
    assert!(actions("AnalyzeResult: see the Contoso SDK guidelines").is_empty());
}

#[test]
fn word_that_the_emitter_adds_to_a_group_is_not_part_of_its_name() {
    for wording in ["rename Widgets to GadgetsOperations", "rename WidgetsOperations to GadgetsOperations in Python"] {
        let found = understand(wording, Language::Python, &sample::index());
        let said = format!("{found:?}");
        assert!(found.actions.len() == 1 && said.contains("Gadgets"), "{wording}: {found:#?}");
    }
    let index = sample::index();
    let widgets = index.entities.iter().find(|one| one.reference == "Contoso.WidgetManager.Widgets").unwrap();
    let intent = crate::check::renamable(widgets, "GadgetsOperations", &[Language::Python], &index).unwrap();
    assert!(format!("{intent:?}").contains("new: \"Gadgets\""), "{intent:?}");
}

#[test]
fn what_a_name_reads_like_is_no_proposal() {
    for text in [
        "re: deleteWidget(String widgetKey)\n\n\"widgetKey\" reads like the key of a door.",
        "re: deleteWidget\n\n`doorKey` reads like the key of a door.",
        "deleteWidget\n\n`doorKey` sounds like the key of a door.",
    ] {
        let read = understand(text, Language::Python, &sample::index());
        assert!(read.actions.is_empty() && !read.guidance.is_empty(), "{text}: {read:#?}");
    }
    let found = actions("re: deleteWidget\n\n`removeWidget` reads better.");
    assert!(found.len() == 1 && renames(&found[0], ".deleteWidget", "removeWidget"), "{found:#?}");
}

#[test]
fn name_that_the_python_emitter_changes_is_refused_where_the_client_has_it_already() {
    let mut index = sample::index();
    let reference = "Contoso.WidgetManager.Widget.displayName";
    let property = index.entities.iter_mut().find(|one| one.reference == reference).unwrap();
    property.name = "values".into();
    property.client.as_mut().unwrap().name = "values".into();
    let property = property.clone();
    let refused = crate::check::renamable(&property, "values", &[Language::Python], &index).unwrap_err();
    assert!(format!("{refused:?}").contains("the emitter would change it"), "{refused:?}");
    let _ = crate::check::renamable(&property, "values", &[Language::Java], &index).unwrap();
}

#[test]
fn type_a_place_or_another_object_is_not_a_new_name() {
    for text in [
        "deleteWidget should return a WidgetReceipt instead of an AnalyzeResult.",
        "The base class of Widget should be Gadget.",
        "Widget.description: str | None",
        "Widget.description -> string",
        "Widget should be Serializable.",
        "Widget != Gadget",
        "Widget: a Gadget",
        "Widget.displayName has widget_display_name_text",
        "Widget.displayName needs widget_display_name_text",
        "Widget has WidgetInfo",
        "deleteWidget returns delete_widget_receipt",
        "deleteWidget hides errors.",
        "deleteWidget should be hidden behind a feature flag.",
        "Make deleteWidget faster and hide the spinner.",
        "Add an overload of deleteWidget. It should be called remove_widget.",
        "I looked at `AnalyzeResult` today. Please set the milestone to M12.",
        "I looked at `AnalyzeResult` today. Please change the assignee to Maria.",
        "I looked at `AnalyzeResult` today. We use AutoRest.",
        "I looked at `AnalyzeResult` today. It should be Monday at the latest.",
        "I looked at `AnalyzeResult` today. Epic: ApiReview",
        "I looked at `AnalyzeResult` today. New => Active",
        "`deleteWidget` is for us. Keep the code, we call it ourselves.",
        "Widget: I'd say that is fine.",
    ] {
        assert!(actions(text).is_empty(), "{text}: {:#?}", actions(text));
    }
}

#[test]
fn name_is_read_whatever_it_looks_like() {
    for (text, of, to) in [
        ("AnalyzeResult -> WidgetAnalysisNeeded", ".AnalyzeResult", "WidgetAnalysisNeeded"),
        ("s/AnalyzeResult/WidgetAnalysis/", ".AnalyzeResult", "WidgetAnalysis"),
        ("WidgetsClient.deleteWidget(String widgetName) -> discardWidget", ".deleteWidget", "discardWidget"),
        ("WidgetsClient.deleteWidget(widgetName) -> discardWidget", ".deleteWidget", "discardWidget"),
        ("AnalyzeResult is a strange name. WidgetAnalysis is what we want.", ".AnalyzeResult", "WidgetAnalysis"),
        ("Python should say WidgetAnalysis where the spec says AnalyzeResult.", ".AnalyzeResult", "WidgetAnalysis"),
        ("We agreed on WidgetAnalysis for AnalyzeResult.", ".AnalyzeResult", "WidgetAnalysis"),
        ("@somebot rename AnalyzeResult to WidgetAnalysis", ".AnalyzeResult", "WidgetAnalysis"),
        ("Bitte `AnalyzeResult` in `WidgetAnalysis` umbenennen.", ".AnalyzeResult", "WidgetAnalysis"),
    ] {
        let found = actions(text);
        assert!(found.len() == 1 && renames(&found[0], of, to), "{text}: {found:#?}");
    }
    assert!(actions("Bitte `AnalyzeResult` nicht in `WidgetAnalysis` umbenennen.").is_empty());
}

#[test]
fn person_s_words_about_a_suggested_name_count_more_than_the_rule() {
    let log = "src/Generated/Models/AnalyzeResult.cs(9,26): error AZC0012: Type name 'AnalyzeResult' is too generic. Consider using a more descriptive multi-word name, such as 'WidgetOutcome'.";
    let alone = understand(log, Language::Dotnet, &sample::index()).actions;
    assert_eq!(alone.len(), 1, "{alone:#?}");
    let prose = format!("{log}\n\nNot WidgetOutcome please.");
    let refused = understand(&prose, Language::Dotnet, &sample::index());
    assert!(refused.actions.is_empty() && !refused.guidance.is_empty(), "{refused:#?}");
}

#[test]
fn name_that_answers_one_wish_answers_no_other() {
    // `PartKind` has the letters of `Part`, and is the name of something else.
    let found = actions("The model `AnalyzeResult` of a `Part` says little. I suggest `PartAnalysis`.");
    assert!(found.iter().all(|one| renames(one, ".AnalyzeResult", "PartAnalysis")), "{found:#?}");
}

#[test]
fn parameter_that_the_index_does_not_have_is_left_to_a_person() {
    for wording in [
        "The `label` filter of `list_widgets` takes a number. `label_number` please.",
        "the `widget` filter of `list_widgets` wants an id. `widget_id`, please.",
    ] {
        assert!(actions(wording).is_empty(), "{wording}: {:#?}", actions(wording));
    }
}

#[test]
fn name_that_is_only_like_what_is_wanted_is_left_to_a_person() {
    for wording in [
        "AnalyzeResult should be called something like HealthReport.",
        "Rename AnalyzeResult to something shorter, e.g. Report.",
        "Move the tests of list_widgets to Parts.",
        "Internally delete_widget calls delete_part.",
        "list_widgets -> timeout",
        "AnalysisResult would have been a better name than AnalyzeResult.",
    ] {
        assert!(actions(wording).is_empty(), "{wording}: {:#?}", actions(wording));
    }
}

#[test]
fn constant_of_go_is_the_member_of_its_enum() {
    let found = understand("LengthUnitInch: LengthUnitInches please.", Language::Go, &sample::index());
    assert!(found.actions.len() == 1 && renames(&found.actions[0].change, ".LengthUnit.inch", "inches"), "{found:#?}");
}

#[test]
fn decorator_that_is_asked_for_gives_its_name() {
    for wording in [
        "`Widget.displayName` should get `@clientName(\"caption\")`.",
        "Please add @clientName(\"caption\") to Widget.displayName.",
    ] {
        let found = actions(wording);
        assert!(found.iter().all(|one| renames(one, ".Widget.displayName", "caption")), "{wording}: {found:#?}");
    }
}

#[test]
fn name_that_is_corrected_behind_the_wish_is_not_given() {
    for note in [
        "*Edit:* sorry, `captionText`, as it is the full word.",
        "Edit: sorry, `captionText`.",
        "**Edit**: `captionText`, sorry.",
        "Sorry, `captionText`.",
        "`captionText`, sorry for the typo.",
        "_Update_: `captionText` it is.",
        "Actually `captionText` is better.",
        "I mean `captionText`.",
        "Hmm, or rather captionText.",
        "PS: `captionText` would be even better.",
    ] {
        let text = format!("Please rename `Widget.displayName` to `caption`.\n\n{note}");
        let found = actions(&text);
        assert!(found.iter().all(|one| renames(one, ".Widget.displayName", "captionText")), "{text}: {found:#?}");
    }
    for note in ["Sorry for the noise.", "Sorry that this comes so late, `Widget` is new to me."] {
        let text = format!("Please rename `Widget.displayName` to `caption`.\n\n{note}");
        let found = actions(&text);
        assert!(found.len() == 1 && renames(&found[0], ".Widget.displayName", "caption"), "{text}: {found:#?}");
    }
}

#[test]
fn enum_of_javascript_is_known_by_its_prefix() {
    let renamed = |wording: &str| understand(wording, Language::Javascript, &sample::index());
    let found = renamed("Please rename `KnownLengthUnit.inch` to `inches`.");
    assert!(found.actions.len() == 1 && renames(&found.actions[0].change, ".LengthUnit.inch", "inches"), "{found:#?}");
    for wording in ["Please rename `KnownWidget` to `Gadget`.", "Please rename `Knownlengthunit` to `Length`."] {
        assert!(renamed(wording).actions.is_empty(), "{wording}");
    }
}

#[test]
fn word_in_front_of_the_type_that_has_it_is_its_member() {
    for wording in ["inch in LengthUnit => inches", "inch on LengthUnit should be called inches."] {
        let found = actions(wording);
        assert!(found.len() == 1 && renames(&found[0], ".LengthUnit.inch", "inches"), "{wording}: {found:#?}");
    }
    assert!(actions("The name of Widget should be clearer.").is_empty());
}

#[test]
fn more_names_than_things_are_left_to_a_person() {
    for wording in [
        "Rename Widget.displayName to short_title and caption.",
        "Widget has a name and displayName. Rename to short_name and caption, resp.",
    ] {
        assert!(actions(wording).is_empty(), "{wording}: {:#?}", actions(wording));
    }
}

#[test]
fn name_that_something_would_have_in_another_world_is_not_given() {
    for wording in [
        "I would call list_widgets find_widgets if we started today.",
        "I'd name list_widgets find_widgets if I had a say.",
        "AnalyzeResult would be too long if we change Result to Resultset.",
    ] {
        assert!(actions(wording).is_empty(), "{wording}: {:#?}", actions(wording));
    }
}

/// `X: X …` gives no name, and what follows is answered.
#[test]
fn name_that_a_thing_has_already_is_no_wish() {
    let read =
        understand("AnalyzeResult: AnalyzeResult is vague. HealthReport fits.", Language::Python, &sample::index());
    assert!(!read.guidance.is_empty() || read.actions.len() == 1, "{read:#?}");
}

#[test]
fn name_in_a_correction_takes_the_place_of_the_one_before() {
    let text = |note: &str| format!("Please rename `Widget.displayName` to `caption`.\n\n{note}");
    let found = actions(&text("*Edit:* sorry, `captionText`, as it is the full word."));
    assert!(found.len() == 1 && renames(&found[0], ".Widget.displayName", "captionText"), "{found:#?}");
    for note in [
        "Edit: sorry, `captionText` is taken.",
        "Edit: sorry, `captionText`?",
        "Edit: `captionText` or `captionLine`, sorry.",
        "Edit: sorry, `captionText` if Ben agrees.",
    ] {
        assert!(actions(&text(note)).is_empty(), "{note}: {:#?}", actions(&text(note)));
    }
}

#[test]
fn request_beside_a_list_of_renames_is_answered() {
    let text = "- `AnalyzeResult` should become `HealthReport`\n\nAnd kindly document how paging works.";
    let read = understand(text, Language::Python, &sample::index());
    assert!(read.actions.len() == 1 && read.guidance.len() == 1, "{read:#?}");
}

#[test]
fn word_of_the_language_is_a_name_where_a_command_leaves_nothing_else() {
    for (request, target, name) in [
        ("Rename AnalyzeResult.healthScore to level.", "AnalyzeResult.healthScore", "level"),
        ("Please rename Widget.description to note.", "Widget.description", "note"),
        ("Rename name to title on Widget.", "Widget.name", "title"),
        ("Rename LengthUnit.inch to next.", "LengthUnit.inch", "next"),
        ("Rename AnalyzeResult.healthScore to level in Python", "AnalyzeResult.healthScore", "level"),
        ("Rename AnalyzeResult.healthScore to kind for the Python SDK.", "AnalyzeResult.healthScore", "kind"),
        ("Rename healthScore of AnalyzeResult to level.", "AnalyzeResult.healthScore", "level"),
        (
            "Please rename the property `healthScore` of the model AnalyzeResult to kind in the Python client library.",
            "AnalyzeResult.healthScore",
            "kind",
        ),
        ("In Python, rename healthScore on AnalyzeResult to level", "AnalyzeResult.healthScore", "level"),
        ("For Python rename the AnalyzeResult.healthScore property to level", "AnalyzeResult.healthScore", "level"),
    ] {
        let read = understand(request, Language::Python, &sample::index());
        let [one] = read.actions.as_slice() else { panic!("{request}: {:?} {:?}", read.actions, read.guidance) };
        let Change::Rename { target: read, name: new, .. } = &one.change else { panic!("{request}") };
        assert!(read.ends_with(target) && new == name, "{request}: {read} {new}");
    }
    for request in [
        "Rename AnalyzeResult.healthScore to match the service.",
        "Rename AnalyzeResult.healthScore to the next name.",
        "Rename AnalyzeResult.healthScore to something.",
        "Rename this to name.",
        "Rename AnalyzeResult.healthScore to level in the docs.",
        "Rename AnalyzeResult.healthScore to level in Python and Java reviews.",
        "Rename AnalyzeResult.healthScore to change in Python?",
        "Rename AnalyzeResult.healthScore to level in Python if Java agrees.",
        "Rename AnalyzeResult.healthScore of the model to next in Python.",
    ] {
        assert_eq!(understand(request, Language::Python, &sample::index()).actions, [], "{request}");
    }
}

#[test]
fn command_behind_a_language_is_one_without_a_comma() {
    for request in [
        "In Python rename AnalyzeResult.healthScore to score",
        "In Python rename the property healthScore of AnalyzeResult to score.",
        "For the Python SDK rename AnalyzeResult.healthScore to score",
        "In Python hide deleteWidget",
        "For Python hide the operation deleteWidget.",
    ] {
        let read = understand(request, Language::Python, &sample::index());
        let [one] = read.actions.as_slice() else { panic!("{request}: {:?} {:?}", read.actions, read.guidance) };
        match &one.change {
            Change::Rename { target, name, .. } => {
                assert!(target.ends_with("AnalyzeResult.healthScore") && name == "score", "{request}: {target} {name}");
            }
            Change::Hide { target, .. } => assert!(target.ends_with("deleteWidget"), "{request}: {target}"),
            other => panic!("{request}: {other:?}"),
        }
    }
    for request in [
        "The Python rename of AnalyzeResult.healthScore to score broke us.",
        "In Python name is AnalyzeResult.healthScore to users.",
        "In Python hide and seek with deleteWidget is over.",
    ] {
        assert_eq!(understand(request, Language::Python, &sample::index()).actions, [], "{request}");
    }
    // With a comma or without it: a rename for another language.
    let changes = |request: &str| {
        let read = understand(request, Language::Python, &sample::index());
        read.actions.into_iter().map(|one| (one.change, one.scope)).collect::<Vec<_>>()
    };
    let other = "For Java, rename AnalyzeResult.healthScore to score";
    assert_eq!(changes(&other.replace(',', "")), changes(other));
}

/// In .NET `SerialNumber` is the client's name of the model and what the properties called `serialNumber` are written as.
#[test]
fn type_with_the_name_of_its_property_is_what_holds_it() {
    use bailiwick_sdk::tasks::{Access, ClientView, Entity, EntityKind};
    let mut index = sample::index();
    let model = (EntityKind::Model, "PartSerialNumber", "SerialNumber");
    let properties = ["PartSerialNumber", "Part", "Widget"]
        .map(|holder| (EntityKind::Property, format!("{holder}.serialNumber"), "serialNumber"));
    for (kind, path, client) in std::iter::once((model.0, model.1.to_owned(), model.2)).chain(properties) {
        let reference = format!("Contoso.WidgetManager.{path}");
        let (container, name) = reference.rsplit_once('.').unwrap();
        index.entities.push(Entity {
            kind,
            name: name.to_owned(),
            container: Some(container.to_owned()),
            file: "spec/models.tsp".into(),
            line: 90,
            client: Some(ClientView { name: client.to_owned(), access: Access::Public }),
            reach: bailiwick_sdk::tasks::Reach::Reference,
            spread_from: Vec::new(),
            reference,
        });
    }
    let read = |text: &str| understand(text, Language::Dotnet, &index).actions;
    for text in ["Rename serialNumber of SerialNumber to digits", "rename SerialNumber.serialNumber to digits"] {
        let found = read(text);
        let of = |one: &Change| renames(one, ".PartSerialNumber.serialNumber", "digits");
        assert!(found.len() == 1 && found.iter().all(|one| of(&one.change)), "{text}: {found:#?}");
    }
    // Here nothing says which is meant.
    for text in ["Rename SerialNumber to Digits", "rename serialNumber to digits"] {
        assert!(read(text).is_empty(), "{text}: {:#?}", read(text));
    }
}
