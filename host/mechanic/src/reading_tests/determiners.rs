//! A determiner in front of the noun of a kind points back, whatever is called like the noun.

use super::*;
use bailiwick_sdk::tasks::{Entity, EntityKind};

/// The sample service with one more thing, made after one that it has.
fn with(model: &str, kind: EntityKind, reference: &str, in_client: bool) -> SpecIndex {
    let mut index = sample::index();
    let known = index.entities.iter().find(|entity| entity.reference.ends_with(model)).unwrap().clone();
    let (container, name) = reference.rsplit_once('.').unwrap();
    let client = known.client.clone().filter(|_| in_client);
    let client = client.map(|client| bailiwick_sdk::tasks::ClientView { name: name.to_owned(), ..client });
    let entity = Entity {
        kind,
        name: name.to_owned(),
        reference: reference.to_owned(),
        container: Some(container.to_owned()),
        client,
        ..known
    };
    index.entities.push(entity);
    index
}

fn targets(request: &str, index: &SpecIndex) -> Vec<String> {
    let target = |one: Directive| match one.change {
        Change::Rename { target, .. } | Change::Hide { target, .. } | Change::Show { target, .. } => target,
        other => format!("{other:?}"),
    };
    understand(request, Language::Python, index).actions.into_iter().map(target).collect()
}

#[test]
fn determiner_before_the_noun_of_a_kind_is_no_name() {
    let value = with("Part.displayName", EntityKind::Property, "Contoso.WidgetManager.Part.value", true);
    let action = with("Part.displayName", EntityKind::Property, "Contoso.WidgetManager.Part.action", true);
    for (index, request) in [
        (&value, "WidgetStatus knows Active. Rename this value: InService."),
        (&value, "LengthUnit knows one unit. Please call this value centimetre."),
        (&value, "The second value should be InService."),
        (&value, "The same value -> InService"),
        (&action, "Rename that action to runCheck."),
        (&action, "The last action should be called runCheck."),
    ] {
        let found = targets(request, index);
        assert!(found.iter().all(|one| !one.starts_with("Contoso.WidgetManager.Part.")), "{request}: {found:?}");
    }
    for (index, request) in [
        (&value, "Rename `value` of Part to amount."),
        (&value, "Part.value -> amount"),
        (&value, "The value property of Part should be called amount."),
        (&action, "The `action` of Part should be `step`."),
    ] {
        let found = targets(request, index);
        assert!(found.len() == 1 && found[0].starts_with("Contoso.WidgetManager.Part."), "{request}: {found:?}");
    }
}

#[test]
fn name_of_two_types_is_the_one_in_the_client_or_guidance() {
    for (in_client, count) in [(true, 0), (false, 1)] {
        let index =
            with("WidgetManager.Part", EntityKind::Model, "Contoso.WidgetManager.Stock.Manufacturer", in_client);
        for request in ["Manufacturer -> Producer", "Rename Manufacturer to Producer."] {
            let read = understand(request, Language::Python, &index);
            assert_eq!(read.actions.len(), count, "{request}: {read:#?}");
            assert_eq!(read.guidance.is_empty(), count == 1, "{request}: {read:#?}");
        }
    }
}

#[test]
fn heading_that_names_one_group_is_what_a_noun_of_its_kind_means() {
    for request in [
        "PartsClient. Could we call this operation group Inventory?",
        "PartsClient. Please call this group Inventory.",
        "PartsOperations: strange. Please name this operation group Inventory.",
    ] {
        let found = targets(request, &sample::index());
        assert_eq!(found, ["Contoso.WidgetManager.Parts"], "{request}");
    }
    for request in [
        "AnalyzeResult. Please call this operation group Inventory.",
        "PartsClient, WidgetsClient. Please call this operation group Inventory.",
    ] {
        let found = targets(request, &sample::index());
        assert!(found.is_empty(), "{request}: {found:?}");
    }
}
