//! Wishes for parameters of operations that are instances of templates.

use super::planner_tests::typespec::{HEAD, edited};
use super::read::{Understood, understand};
use super::{directives, sample};
use bailiwick_sdk::tasks::*;

const SERVICE: &str = "Contoso.WidgetManager";

/// The service with parameters that templates put in: `listWidgets` and `analyzeWidget` have `region` from the property of a
/// model of parameters, `getStatistics` of the widgets has one `path` of its own, and `getPart` one of a library's template.
/// `Manufacturer` has a property `path`. `getWidget` names `region` itself, and has it from the same property.
fn index() -> SpecIndex {
    let mut index = sample::index();
    let like = index.entities.iter().find(|one| one.reference.ends_with("Manufacturer.displayName")).unwrap().clone();
    let region = format!("{SERVICE}.Scoping.region");
    let mut put = |kind, container: &str, between: &str, name: &str, reach: Reach, spread_from: Vec<String>| {
        index.entities.push(Entity {
            kind,
            name: name.to_owned(),
            reference: format!("{SERVICE}.{container}{between}{name}"),
            container: Some(format!("{SERVICE}.{container}")),
            file: "spec/routes.tsp".into(),
            line: 70,
            client: Some(ClientView { name: name.to_owned(), access: Access::Public }),
            reach,
            spread_from,
        });
    };
    let parameter = EntityKind::Parameter;
    for operation in ["Widgets.listWidgets", "Widgets.analyzeWidget"] {
        put(parameter, operation, "::parameters.", "region", Reach::Property(region.clone()), vec![region.clone()]);
    }
    put(parameter, "Widgets.getWidget", "::parameters.", "region", Reach::Reference, vec![region.clone()]);
    put(parameter, "Widgets.getStatistics", "::parameters.", "path", Reach::Declaration, Vec::new());
    put(parameter, "Parts.getPart", "::parameters.", "partId", Reach::Template, Vec::new());
    put(EntityKind::Property, "Manufacturer", ".", "path", Reach::Reference, Vec::new());
    index.entities.push(Entity {
        name: "region".into(),
        reference: region,
        container: Some(format!("{SERVICE}.Scoping")),
        client: None,
        ..like
    });
    index
}

fn read(request: &str) -> Understood {
    understand(request, Language::Python, &index())
}

#[test]
fn parameter_that_nothing_reaches_is_named_with_what_to_write_and_no_property_is_renamed() {
    for request in [
        "Rename the parameter path of Widgets.getStatistics to filePath",
        "# \"path\" param is to be renamed \"file_path\"",
        "Please rename the `path` parameter to `file_path` in Widgets.get_statistics.",
    ] {
        let understood = read(request);
        assert_eq!(understood.actions, [], "{request}");
        let [said] = understood.guidance.as_slice() else { panic!("{request}: {understood:#?}") };
        assert!(
            said.issue.contains("the parameter `path` of `Contoso.WidgetManager.Widgets.getStatistics`"),
            "{said:?}"
        );
        assert!(said.approach.contains("clientName(\"filePath\", \"python\")` in front of `path`"), "{said:?}");
        assert!(said.approach.contains("`...GetStatisticsParameters`"), "{said:?}");
        assert!(said.files.contains(&"spec/routes.tsp:70".to_owned()), "{said:?}");
        assert!(said.reason.contains("an instance of a template"), "{said:?}");
    }
}

#[test]
fn parameter_that_a_template_makes_is_left_with_its_reason() {
    let understood = read("rename the parameter part_id of get_part to identifier");
    assert_eq!(understood.actions, []);
    assert!(
        understood.guidance[0].issue.ends_with("is made by a template, and no decorator in `client.tsp` reaches it")
    );
}

#[test]
fn name_that_a_parameter_and_a_property_have_is_not_chosen() {
    let understood = read("rename path to file_path");
    assert_eq!(understood.actions, []);
    assert!(understood.guidance[0].issue.starts_with("`path` can mean "), "{:?}", understood.guidance);
}

#[test]
fn parameter_that_is_spread_from_a_property_of_the_client_is_not_renamed_alone() {
    let mut index = index();
    for entity in index.entities.iter_mut().filter(|one| one.reference.ends_with("Scoping.region")) {
        entity.client = Some(ClientView { name: "region".into(), access: Access::Public });
    }
    let request = "rename the parameter region of list_widgets to area";
    let understood = understand(request, Language::Python, &index);
    assert_eq!(understood.actions, []);
    let said = &understood.guidance[0];
    assert!(said.issue.contains("which is a property of the Python client as well"), "{said:?}");
    assert!(said.approach.contains("`--rename Contoso.WidgetManager.Scoping.region=NAME`"), "{said:?}");
    // Without the word it is the property, which the parameters are spread from.
    index.entities.retain(|one| !one.reference.ends_with("getWidget::parameters.region"));
    let targets: Vec<String> = understand("rename region to area", Language::Python, &index)
        .actions
        .iter()
        .map(|one| one.change.target().unwrap().to_owned())
        .collect();
    assert_eq!(targets, ["Contoso.WidgetManager.Scoping.region"]);
}

#[tokio::test]
async fn parameter_of_a_model_of_parameters_is_renamed_there_and_every_operation_is_told() {
    let request = "rename the parameter region of list_widgets to area";
    let (result, text) = edited(request, index(), Some(HEAD)).await;
    let written = "@@clientName(Contoso.WidgetManager.Scoping.region, \"area\", \"python\");";
    assert_eq!(text.as_deref(), Some(format!("{HEAD}\n{written}\n").as_str()));
    let renames: Vec<_> = result.renames.iter().map(|one| (one.old.as_str(), one.new.as_str())).collect();
    assert_eq!(renames, [("region", "area"); 3]);

    // What is so already is not written again, and is taken back where it stands.
    let mut after = index();
    for entity in after.entities.iter_mut().filter(|one| one.name == "region" && one.kind == EntityKind::Parameter) {
        entity.client = Some(ClientView { name: "area".into(), access: Access::Public });
    }
    after.customizations.push(Customization {
        decorator: "clientName".into(),
        target: "Contoso.WidgetManager.Scoping.region".into(),
        arguments: vec!["\"area\"".into()],
        scope: Some("python".into()),
        line: 6,
        form: CustomizationForm::Augment,
    });
    let before = format!("{HEAD}\n{written}\n");
    let (again, text) = edited(request, after.clone(), Some(&before)).await;
    assert!(again.no_edit_needed, "{again:?}");
    assert_eq!(text.as_deref(), Some(before.as_str()));
    let back = "rename the parameter area of list_widgets to region";
    let (_, text) = edited(back, after, Some(&before)).await;
    assert_eq!(text.as_deref().map(str::trim_end), Some(HEAD.trim_end()));
}

#[test]
fn directive_by_the_property_says_which_operations_change_and_others_are_refused() {
    let resolved = |text: &str, action| {
        let asked = AskedDirective::from_option(action, text).unwrap();
        directives::resolve(&[asked], &index(), Language::Python, &[])
    };
    for text in ["Scoping.region=area", "listWidgets.region=area", "analyzeWidget.region=area"] {
        let found = resolved(text, AskedAction::Rename).unwrap();
        let reason = &found.items[0].reason;
        for operation in ["listWidgets", "analyzeWidget", "getWidget"] {
            assert!(reason.contains(operation), "{text}: {reason}");
        }
        assert!(reason.contains("by the property `Contoso.WidgetManager.Scoping.region`"), "{reason}");
    }
    let refused = resolved("getWidget.path=x", AskedAction::Rename).unwrap_err();
    assert!(refused.to_string().contains("nothing called"), "{refused}");
    let refused = resolved("Widgets.getStatistics.path=x", AskedAction::Rename).unwrap_err().to_string();
    assert!(refused.contains("is reached by no decorator in `client.tsp`"), "{refused}");
    let moved = resolved("listWidgets.region=WidgetManagerClient", AskedAction::Move).unwrap_err().to_string();
    assert!(moved.contains("is reached by `Contoso.WidgetManager.Scoping.region` alone"), "{moved}");
}

/// The service in which the parameter `nm` of these operations comes from a property: the key of a resource that the client
/// does not have, under a name of its own, or what an alias declares, which is no declaration of the index.
fn with_nm(property: &str, operations: &[&str]) -> SpecIndex {
    let mut index = index();
    let like =
        index.entities.iter().find(|one| one.reference.ends_with("listWidgets::parameters.region")).unwrap().clone();
    for operation in operations {
        index.entities.push(Entity {
            name: "nm".into(),
            reference: format!("{SERVICE}.{operation}::parameters.nm"),
            container: Some(format!("{SERVICE}.{operation}")),
            client: Some(ClientView { name: "nm".into(), access: Access::Public }),
            reach: Reach::Property(property.to_owned()),
            spread_from: vec![property.to_owned()],
            ..like.clone()
        });
    }
    index
}

#[tokio::test]
async fn parameter_of_an_alias_or_of_a_key_is_renamed_where_it_is_declared_and_taken_back() {
    for property in ["Contoso.WidgetManager.Paging.nm", "Contoso.WidgetManager.Shelf.name"] {
        let operations = ["Widgets.listWidgets", "Widgets.analyzeWidget"];
        let mut index = with_nm(property, &operations);
        let (result, text) =
            edited("rename the parameter nm of list_widgets to shelfName", index.clone(), Some(HEAD)).await;
        let written = format!("@@clientName({property}, \"shelfName\", \"python\");");
        assert_eq!(text, Some(format!("{HEAD}\n{written}\n")), "{result:?}");
        let renames: Vec<_> = result.renames.iter().map(|one| (one.old.as_str(), one.new.as_str())).collect();
        assert_eq!(renames, [("nm", "shelf_name"); 2]);
        let asked = AskedDirective::from_option(AskedAction::Rename, "listWidgets.nm=shelfName").unwrap();
        let resolved = directives::resolve(&[asked], &index, Language::Python, &[]).unwrap();
        assert!(resolved.items[0].reason.contains("analyzeWidget"), "every operation is told: {:?}", resolved.items);

        for entity in index.entities.iter_mut().filter(|one| one.name == "nm") {
            entity.client = Some(ClientView { name: "shelfName".into(), access: Access::Public });
        }
        index.customizations.push(Customization {
            decorator: "clientName".into(),
            target: property.into(),
            arguments: vec!["\"shelfName\"".into()],
            scope: Some("python".into()),
            line: 6,
            form: CustomizationForm::Augment,
        });
        let before = format!("{HEAD}\n{written}\n");
        let (_, text) = edited("rename the parameter shelf_name of list_widgets to nm", index, Some(&before)).await;
        assert_eq!(text.as_deref().map(str::trim_end), Some(HEAD.trim_end()), "{property}");
    }
}

#[test]
fn parameter_of_the_key_of_a_model_of_the_client_is_left_with_the_option_that_renames_both() {
    let index = with_nm("Contoso.WidgetManager.Manufacturer.displayName", &["Widgets.listWidgets"]);
    let understood = understand("rename the parameter nm of list_widgets to shelfName", Language::Python, &index);
    assert_eq!(understood.actions, []);
    let said = &understood.guidance[0];
    assert!(said.approach.contains("`--rename Contoso.WidgetManager.Manufacturer.displayName=NAME`"), "{said:?}");
}

#[test]
fn new_name_that_one_of_the_operations_has_is_refused() {
    let understood = read("rename the parameter region of list_widgets to widgetName");
    assert_eq!(understood.actions, [], "`getWidget` has it");
    assert!(understood.guidance[0].issue.contains("getWidget::parameters.widgetName"), "{:?}", understood.guidance);
}
