//! Wordings of regroupings, read and refused.

use super::{KeptClient, KeptContent};
use crate::intents::{Intent, Refusal};
use crate::request::read;
use crate::sample;
use crate::wordings::{MOVED, REGROUPED, REGROUPINGS_REFUSED};
use bailiwick_sdk::tasks::*;

fn intent(request: &str, index: &SpecIndex) -> Result<Intent, Refusal> {
    let items = read(request, Language::Python, index).items;
    assert_eq!(items.len(), 1, "{request}: {items:#?}");
    // The clients of a request are one intent; nothing to do is one as well.
    Ok(items.into_iter().next().unwrap().outcome?.into_iter().next().unwrap_or(Intent::Nothing))
}

#[test]
fn every_wording_of_a_regrouping_yields_the_same_clients() {
    let mut plans = Vec::new();
    for wording in REGROUPED {
        match intent(wording, &sample::index()) {
            Ok(Intent::Regroup { plan }) => plans.push(plan),
            other => panic!("{wording}: {other:#?}"),
        }
    }
    for (plan, wording) in plans.iter().zip(REGROUPED) {
        assert_eq!(plan.describe(), plans[0].describe(), "{wording}");
        let sets = |plan: &super::Regrouping| -> Vec<std::collections::BTreeSet<String>> {
            plan.clients.iter().map(|client| client.operations.iter().cloned().collect()).collect()
        };
        assert_eq!(sets(plan), sets(&plans[0]), "{wording}");
    }
}

#[test]
fn what_is_not_certain_of_a_regrouping_is_refused_with_the_reason() {
    for (wording, why) in REGROUPINGS_REFUSED {
        let refusal = intent(wording, &sample::index()).expect_err(wording);
        let guidance = crate::guidance::guidance(&refusal, Language::Python);
        assert!(guidance.issue.contains(why), "{wording}: {}", guidance.issue);
    }
}

#[test]
fn client_that_is_added_leaves_the_client_of_today_as_it_is() {
    for wording in [
        "add a separate client PartReaderClient with getPart and nothing else",
        "We would like a second client, PartReaderClient, which has\ngetPart.",
        "Please add a separate client\n\n    PartReaderClient\n\nwith get_part.",
    ] {
        let Ok(Intent::Regroup { plan }) = intent(wording, &sample::index()) else { panic!("{wording}") };
        assert_eq!(plan.describe(), "`PartReaderClient` (1 operation) beside `WidgetManagerClient`", "{wording}");
        let text = super::block(&plan, Language::Python).lines.join("\n");
        let kept =
            "name: \"WidgetManagerClient\",\n      service: Contoso.WidgetManager,\n      autoMergeService: true,\n";
        assert!(text.contains(kept) && text.contains("namespace WidgetManagerClient {\n  }\n\n"), "{text}");
        let added = "interface PartReaderClient {\n    getPart is Contoso.WidgetManager.Parts.getPart;\n  }";
        assert!(text.contains(added), "{text}");
    }
}

#[test]
fn client_that_stands_beside_the_one_of_today_is_done() {
    let mut index = sample::index();
    let parts = index.clients.iter().flat_map(|client| &client.operations).find(|one| one.name == "getPart");
    let made =
        ClientOperation { reference: "ClientCustomizations.PartReaderClient.getPart".into(), ..parts.unwrap().clone() };
    index.clients.push(ClientEntry {
        name: "PartReaderClient".into(),
        parent: None,
        reference: Some("ClientCustomizations.PartReaderClient".into()),
        initialization: Vec::new(),
        operations: vec![made],
    });
    let own = index.entities.iter().find(|one| one.reference == "Contoso.WidgetManager.Parts.getPart").unwrap();
    let again = Entity { reference: "ClientCustomizations.PartReaderClient.getPart".into(), ..own.clone() };
    index.entities.push(again);
    let found = intent("add a separate client PartReaderClient with getPart", &index);
    assert!(found.as_ref().is_ok_and(Intent::is_done), "{found:?}");
}

#[test]
fn client_without_groups_is_kept_with_its_operations_and_one_with_both_is_refused() {
    let request = "add a separate client PartReaderClient with getPart";
    let mut index = sample::index();
    let groups: Vec<ClientEntry> = index.clients.extract_if(.., |client| client.parent.is_some()).collect();
    let operations: Vec<ClientOperation> = groups.iter().flat_map(|group| group.operations.clone()).collect();
    index.clients[0].operations = operations.clone();
    let Ok(Intent::Regroup { plan }) = intent(request, &index) else { panic!("not read") };
    let Some(KeptClient { content: KeptContent::Operations(kept), .. }) = plan.kept else { panic!("{plan:?}") };
    assert_eq!(kept.len(), operations.len());

    index.clients.extend(groups);
    let refused = intent(request, &index).unwrap_err();
    assert!(matches!(&refused, Refusal::Structure { problem } if problem.contains("beside them")), "{refused:?}");
}

#[test]
fn tales_questions_and_groups_make_no_client() {
    for wording in [
        "We have a second client PartReaderClient with getPart.",
        "We offer two clients: PartReaderClient with getPart and OtherClient with listWidgets.",
        "Would a separate client PartReaderClient with getPart make sense?",
        "We considered a separate client PartReaderClient with getPart, but no.",
        "Move getPart into a client of their own, PartReaderClient.",
        "Add a separate client PartReaderClient with getPart and hide deleteWidget.",
    ] {
        let items = read(wording, Language::Python, &sample::index()).items;
        assert!(
            items.iter().all(|item| !matches!(&item.outcome, Ok(intents) if !intents.is_empty())),
            "{wording}: {items:#?}"
        );
    }
}

#[test]
fn word_that_turns_a_regrouping_round_stops_it() {
    for wording in REGROUPED {
        for turned in [
            format!("do not {wording}"),
            format!("if the board agrees, {wording}"),
            format!("{} except getPart", wording.trim_end_matches('.')),
        ] {
            let found = intent(&turned, &sample::index());
            assert!(!matches!(found, Ok(Intent::Regroup { .. })), "{turned}: {found:#?}");
        }
    }
}

#[test]
fn operations_are_moved_to_a_group_to_the_client_and_to_a_new_group() {
    for (wording, place) in MOVED {
        match intent(wording, &sample::index()) {
            Ok(Intent::Move { target, place: found, done: false }) => {
                let expected = ("Contoso.WidgetManager.Widgets.deleteWidget", *place);
                assert_eq!((target.reference.as_str(), found.source().as_str()), expected, "{wording}");
            }
            other => panic!("{wording}: {other:#?}"),
        }
    }
    let held = intent("move Widgets.getStatistics to the Parts interface", &sample::index()).unwrap_err();
    assert!(matches!(held, Refusal::Structure { .. }), "two operations of one name: {held:?}");
    let there = intent("move deleteWidget to the Widgets interface", &sample::index()).unwrap();
    assert!(there.is_done(), "{there:?}");
}

#[test]
fn move_beside_clients_that_an_older_core_does_not_move_between_is_refused() {
    let mut index = sample::index();
    index.customizations.push(Customization {
        decorator: "client".into(),
        target: "ClientCustomizations.WidgetClient".into(),
        arguments: Vec::new(),
        scope: Some("python".into()),
        line: 9,
        form: CustomizationForm::Declaration,
    });
    for wording in [MOVED[0].0, REGROUPED[0]] {
        let refusal = intent(wording, &index).unwrap_err();
        assert!(matches!(refusal, Refusal::Structure { .. } | Refusal::Place { .. }), "{refusal:?}");
    }
    index.customizations[0].scope = Some("java".into());
    for wording in [MOVED[0].0, REGROUPED[0]] {
        assert!(intent(wording, &index).is_ok(), "{wording}");
    }
}

/// The index after the clients of [`REGROUPED`] were declared.
fn regrouped() -> SpecIndex {
    let Ok(Intent::Regroup { plan }) = intent(REGROUPED[0], &sample::index()) else { panic!("no plan") };
    let mut index = sample::index();
    let operations: Vec<ClientOperation> = index.clients.iter().flat_map(|client| client.operations.clone()).collect();
    for entity in &mut index.entities {
        if matches!(entity.kind, EntityKind::Operation | EntityKind::Interface) {
            entity.client = None;
        }
    }
    index.clients = Vec::new();
    for client in &plan.clients {
        let holder = format!("ClientCustomizations.{}", client.name);
        let mut entry = ClientEntry {
            name: client.name.clone(),
            parent: None,
            reference: Some(holder.clone()),
            initialization: client.parameters.iter().map(|parameter| parameter.name.clone()).collect(),
            operations: Vec::new(),
        };
        for source in &client.operations {
            let mut operation = operations.iter().find(|one| one.source == *source).unwrap().clone();
            operation.reference = format!("{holder}.{}", operation.name);
            operation.parameters.clear();
            index.entities.push(Entity {
                kind: EntityKind::Operation,
                name: operation.name.clone(),
                reference: operation.reference.clone(),
                container: Some(holder.clone()),
                file: "spec/client.tsp".into(),
                line: 9,
                client: Some(ClientView { name: operation.name.clone(), access: Access::Public }),
                reach: Reach::Reference,
                spread_from: Vec::new(),
            });
            entry.operations.push(operation);
        }
        index.clients.push(entry);
    }
    index.namespaces.push("ClientCustomizations".into());
    index
}

#[test]
fn regrouping_that_is_there_is_done_in_every_wording() {
    for wording in REGROUPED {
        assert!(intent(wording, &regrouped()).is_ok_and(|intent| intent.is_done()), "{wording}");
    }
    let other =
        REGROUPED[0].replace("Widgets.getStatistics, ", "").replace("getPart", "Widgets.getStatistics, getPart");
    let moved = intent(&other, &regrouped());
    assert!(!moved.as_ref().is_ok_and(Intent::is_done), "{moved:?}");
}

#[test]
fn decorator_after_a_regrouping_stands_on_the_operation_of_the_client() {
    let Ok(Intent::Hide { target }) = intent("hide deleteWidget", &regrouped()) else { panic!("not hidden") };
    assert_eq!(target.reference, "ClientCustomizations.WidgetItemClient.deleteWidget");
}
