//! Moves beside clients that `client.tsp` declares: what is done, what is there, and what is refused with which words.

use crate::guidance::guidance;
use crate::sample;
use bailiwick_sdk::tasks::AskedAction::{Move, Rename};
use bailiwick_sdk::tasks::*;

const CLIENTS: &str = "ClientCustomizations";

/// Operations of the sample in three clients that `client.tsp` declares.
fn declared() -> SpecIndex {
    declared_as(&[
        ("ToolClient", None, &["Parts.deletePart"]),
        ("PartClient", None, &["Parts.getPart", "Parts.getStatistics"]),
        ("WidgetClient", None, &["Widgets.getWidget", "Widgets.deleteWidget", "Widgets.getStatistics"]),
    ])
}

/// The same in groups of one client.
fn grouped() -> SpecIndex {
    declared_as(&[
        ("WidgetClient", None, &["Widgets.getWidget", "Widgets.deleteWidget"]),
        ("Parts", Some("WidgetClient"), &["Parts.getPart", "Parts.getStatistics"]),
    ])
}

type Declared<'a> = (&'a str, Option<&'a str>, &'a [&'a str]);

fn declared_as(clients: &[Declared<'_>]) -> SpecIndex {
    let mut index = sample::index();
    let service: Vec<ClientOperation> = index.clients.iter().flat_map(|client| client.operations.clone()).collect();
    index.clients.clear();
    index.locates_declared = true;
    index.namespaces.push(CLIENTS.into());
    for one in &mut index.entities {
        if matches!(one.kind, EntityKind::Operation | EntityKind::Interface) {
            one.client = None;
        }
    }
    for ((name, parent, operations), line) in clients.iter().zip(20..) {
        let holder = format!("{CLIENTS}.{name}");
        let entity = |kind, reference: String, container: &str, name: &str| Entity {
            kind,
            name: name.to_owned(),
            reference,
            container: Some(container.to_owned()),
            file: "spec/client.tsp".into(),
            line,
            client: Some(ClientView { name: name.to_owned(), access: Access::Public }),
            reach: Reach::Reference,
            spread_from: Vec::new(),
        };
        index.entities.push(entity(EntityKind::Interface, holder.clone(), CLIENTS, name));
        let mut held = Vec::new();
        for source in *operations {
            let source = format!("Contoso.WidgetManager.{source}");
            let mut operation = service.iter().find(|one| one.source == source).unwrap().clone();
            operation.reference = format!("{holder}.{}", operation.name);
            index.entities.push(entity(EntityKind::Operation, operation.reference.clone(), &holder, &operation.name));
            held.push(operation);
        }
        index.clients.push(ClientEntry {
            name: (*name).to_owned(),
            parent: parent.map(str::to_owned),
            reference: Some(holder.clone()),
            initialization: Vec::new(),
            operations: held,
        });
        index.customizations.push(Customization {
            decorator: "client".into(),
            target: holder,
            arguments: Vec::new(),
            scope: None,
            line,
            form: CustomizationForm::Declaration,
        });
    }
    index
}

/// What becomes of options: how each reads, or why it is refused.
fn checked(options: &[(AskedAction, &str)], index: &SpecIndex) -> Result<Vec<String>, String> {
    let asked: Vec<AskedDirective> =
        options.iter().map(|(action, text)| AskedDirective::from_option(*action, text).unwrap()).collect();
    let found = crate::directives::resolve(&asked, index, Language::Python, &[Language::Java]);
    found.map(|found| found.items.into_iter().map(|item| item.reason).collect()).map_err(|error| error.to_string())
}

fn moved(text: &str, index: &SpecIndex) -> Result<Vec<String>, String> {
    checked(&[(Move, text)], index)
}

/// The last line of `client.tsp` after a request.
async fn written(request: &str, index: SpecIndex) -> String {
    let head = crate::planner_tests::typespec::HEAD;
    let (result, text) = crate::planner_tests::typespec::edited(request, index, Some(head)).await;
    assert!(result.failure.is_none(), "{:?}", result.failure);
    text.unwrap().lines().last().unwrap().to_owned()
}

#[tokio::test]
async fn operation_of_a_declared_client_moves_under_the_name_that_it_has_there() {
    assert_eq!(
        written("move deleteWidget to PartClient", declared()).await,
        "@@clientLocation(ClientCustomizations.WidgetClient.deleteWidget, ClientCustomizations.PartClient, \"python\");"
    );
    assert_eq!(
        written("move getPart to the root client", grouped()).await,
        "@@clientLocation(ClientCustomizations.Parts.getPart, ClientCustomizations.WidgetClient, \"python\");"
    );
    assert_eq!(
        written("move getPart to a new group called Stock", grouped()).await,
        "@@clientLocation(ClientCustomizations.Parts.getPart, \"Stock\", \"python\");"
    );
}

#[tokio::test]
async fn interface_that_is_declared_below_is_named_by_its_name_or_not_at_all() {
    assert_eq!(
        written("move deleteWidget to the Parts group", grouped()).await,
        "@@clientLocation(ClientCustomizations.WidgetClient.deleteWidget, \"Parts\", \"python\");"
    );
    let refused = moved("getPart=WidgetClient", &declared()).unwrap_err();
    assert!(refused.contains("is declared below `ClientCustomizations.PartClient`"), "{refused}");
    // A name in quotes is a group of the one client only as its declaration is called.
    let mut renamed = grouped();
    renamed.clients[1].name = "PartGroup".into();
    let refused = moved("deleteWidget=PartGroup", &renamed).unwrap_err();
    assert!(refused.contains("is declared below"), "{refused}");
}

#[test]
fn namespace_of_the_service_stands_for_its_one_client() {
    let said = moved("getPart=Contoso.WidgetManager", &grouped()).unwrap();
    assert!(said[0].contains("to the root client"), "{said:?}");
    let refused = moved("getPart=Contoso.WidgetManager", &declared()).unwrap_err();
    assert!(refused.contains("is not one of the clients that `client.tsp` declares"), "{refused}");
}

#[test]
fn operation_that_is_there_is_done() {
    let said = moved("deleteWidget=WidgetClient", &declared()).unwrap();
    assert!(said[0].starts_with("it is so already"), "{said:?}");
}

#[test]
fn what_is_not_certain_beside_declared_clients_is_refused_with_the_reason() {
    let refused = |text: &str, index: &SpecIndex| moved(text, index).unwrap_err();
    let new = refused("deleteWidget=Disposal", &declared());
    assert!(new.contains("not certain to which of several clients"), "{new}");
    let interface = refused("deleteWidget=Contoso.WidgetManager.Parts", &declared());
    assert!(interface.contains("is not one of the clients that `client.tsp` declares"), "{interface}");
    let taken = refused("WidgetClient.getStatistics=PartClient", &declared());
    assert!(taken.contains("`ClientCustomizations.PartClient.getStatistics` is there already"), "{taken}");
    let mut old = declared();
    old.locates_declared = false;
    let old = refused("deleteWidget=PartClient", &old);
    assert!(old.contains("does not follow `@clientLocation` beside it"), "{old}");
    let mut twice = declared();
    let again = twice.clients[2].operations[1].clone();
    twice.clients[0].operations.push(again);
    let twice = refused("WidgetClient.deleteWidget=PartClient", &twice);
    assert!(twice.contains("no client, or more than one, has the operation"), "{twice}");
    let absent = refused("createOrUpdateWidget=PartClient", &declared());
    assert!(absent.contains("createOrUpdateWidget"), "{absent}");
}

#[test]
fn operation_may_take_a_free_name_along_and_no_taken_one() {
    let both = |from: &str, name: &str| {
        checked(&[(Move, &format!("{from}=PartClient")), (Rename, &format!("{from}={name}"))], &declared())
    };
    assert!(both("WidgetClient.getStatistics", "getWidgetStatistics").is_ok());
    let taken = both("deleteWidget", "getPart").unwrap_err();
    assert!(taken.contains("is there already under the name `getPart`"), "{taken}");
    // The rename may name the operation as the service has it.
    let index = declared();
    let directive = |change| Directive { change, scope: None, basis: String::new() };
    let kind = EntityKind::Operation;
    let moved = directive(Change::Move {
        kind,
        target: "ClientCustomizations.WidgetClient.deleteWidget".into(),
        to: "ClientCustomizations.PartClient".into(),
    });
    let renamed = directive(Change::Rename {
        kind,
        target: "Contoso.WidgetManager.Widgets.deleteWidget".into(),
        name: "getPart".into(),
    });
    let checked = crate::check::check_all(&[&moved, &renamed], &index, Language::Python);
    assert!(checked[0].is_err(), "{checked:#?}");
}

#[test]
fn two_operations_of_one_name_do_not_go_to_one_place() {
    let options = [(Move, "WidgetClient.getStatistics=ToolClient"), (Move, "PartClient.getStatistics=ToolClient")];
    let refused = checked(&options, &declared()).unwrap_err();
    assert!(refused.contains("would both be called `getStatistics`"), "{refused}");
    let renamed = [options[0], options[1], (Rename, "PartClient.getStatistics=getPartStatistics")];
    assert!(checked(&renamed, &declared()).is_ok());
    // Nor beside clients that nothing declares.
    let options = [(Move, "Widgets.getStatistics=Totals"), (Move, "Parts.getStatistics=Totals")];
    assert!(checked(&options, &sample::index()).unwrap_err().contains("would both be called"));
}

#[test]
fn new_group_is_written_in_one_way() {
    let first = (Move, "Widgets.deleteWidget=Totals");
    assert!(checked(&[first, (Move, "Parts.getStatistics=Totals")], &sample::index()).is_ok());
    let refused = checked(&[first, (Move, "Parts.getStatistics=TOTALS")], &sample::index()).unwrap_err();
    assert!(refused.contains("would be two groups"), "{refused}");
}

#[test]
fn declared_client_is_not_emptied() {
    let both = [(Move, "PartClient.getPart=ToolClient"), (Move, "PartClient.getStatistics=ToolClient")];
    assert!(checked(&both, &declared()).unwrap_err().contains("`PartClient` would hold no operation"));
    assert!(checked(&both[..1], &declared()).is_ok());
    let exchanged = [both[0], both[1], (Move, "deleteWidget=PartClient")];
    assert!(checked(&exchanged, &declared()).is_ok());
    // What is renamed beside it, or asked for again, takes nothing out.
    let renamed = [both[0], (Rename, "PartClient.getStatistics=getTotals")];
    assert!(checked(&renamed, &declared()).is_ok());
}

#[test]
fn move_for_several_languages_is_refused_where_one_of_them_has_declared_clients() {
    let change = Change::Move {
        kind: EntityKind::Operation,
        target: "Contoso.WidgetManager.Widgets.deleteWidget".into(),
        to: "Contoso.WidgetManager.Parts".into(),
    };
    let scope = Some(Scope::Only(vec![Language::Python, Language::Java]));
    let directive = Directive { change, scope, basis: String::new() };
    let mut index = sample::index();
    assert!(crate::check::check_all(&[&directive], &index, Language::Python)[0].is_ok());
    index.customizations = declared().customizations;
    index.customizations.iter_mut().for_each(|one| one.scope = Some("java".into()));
    let refusal = crate::check::check_all(&[&directive], &index, Language::Python).remove(0).unwrap_err();
    let said = guidance(&refusal, Language::Python).issue;
    assert!(said.contains("one language at a time, here Python"), "{said}");
}

#[test]
fn the_root_client_is_no_place_where_several_stand_alone() {
    let items = crate::request::read("move deleteWidget to the root client", Language::Python, &declared()).items;
    assert!(items.iter().all(|item| !item.outcome.as_ref().is_ok_and(|intents| !intents.is_empty())), "{items:#?}");
}
