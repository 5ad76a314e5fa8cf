//! Operations that a client of `client.tsp` declares again: `getPart is Parts.getPart`.
//!
//! The library has the client's operation, and none of the service's beside it. So a name that means both means the client's.

use std::collections::{HashMap, HashSet};

use bailiwick_sdk::tasks::SpecIndex;

/// For each operation of the service that the client has under other references alone, these. One that `client.tsp`
/// decorates itself is left out: what stands there is changed on it, and not on the client's.
pub(crate) fn declared_again(index: &SpecIndex, by_reference: &HashMap<&str, usize>) -> HashMap<usize, Vec<usize>> {
    let operations = || index.clients.iter().flat_map(|client| &client.operations);
    let own: HashSet<&str> = operations().map(|one| one.reference.as_str()).collect();
    let decorated: HashSet<&str> = index.customizations.iter().map(|one| one.target.as_str()).collect();
    let mut found: HashMap<usize, Vec<usize>> = HashMap::new();
    for one in operations() {
        let source = one.source.as_str();
        if own.contains(source) || decorated.contains(source) {
            continue;
        }
        if let (Some(&source), Some(&again)) = (by_reference.get(source), by_reference.get(one.reference.as_str())) {
            let places = found.entry(source).or_default();
            if !places.contains(&again) {
                places.push(again);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use bailiwick_sdk::tasks::{ClientEntry, ClientOperation, Customization, CustomizationForm, Entity, SpecIndex};

    use crate::entities::Lookup;
    use crate::sample;

    const SERVICE: &str = "Contoso.WidgetManager.Parts.getPart";
    const CLIENT: &str = "ClientCustomizations.PartClient.fetchPart";

    /// A project whose `client.tsp` has `fetchPart is Contoso.WidgetManager.Parts.getPart` in a client of its own.
    fn project() -> SpecIndex {
        let mut index = sample::index();
        let mut service = index.entities.iter().find(|one| one.reference == SERVICE).unwrap().clone();
        if let Some(client) = &mut service.client {
            client.name = "fetchPart".into();
        }
        index.entities.push(Entity {
            name: "fetchPart".into(),
            reference: CLIENT.into(),
            container: Some("ClientCustomizations.PartClient".into()),
            ..service
        });
        let operations = index.clients.iter_mut().flat_map(|client| &mut client.operations);
        for one in operations.filter(|one| one.reference == SERVICE) {
            one.reference = CLIENT.into();
        }
        index
    }

    fn references(index: &SpecIndex, text: &str) -> Vec<String> {
        let lookup = Lookup::new(index);
        lookup.find(text).into_iter().map(|at| lookup.entity(at).reference.clone()).collect()
    }

    #[test]
    fn name_of_the_service_means_the_operation_that_the_client_declares_again() {
        let index = project();
        for text in ["getPart", "Parts.getPart", SERVICE, "fetch_part", "PartClient.fetchPart"] {
            assert_eq!(references(&index, text), [CLIENT], "{text}");
        }
    }

    #[test]
    fn operation_that_the_client_has_itself_too_keeps_its_name() {
        let mut index = project();
        let has = |client: &&mut ClientEntry| client.operations.iter().any(|one| one.reference == CLIENT);
        let client = index.clients.iter_mut().find(has).unwrap();
        let again = client.operations.iter().find(|one| one.reference == CLIENT).unwrap().clone();
        client.operations.push(ClientOperation { reference: SERVICE.into(), ..again });
        assert_eq!(references(&index, "getPart"), [SERVICE]);
    }

    #[test]
    fn operation_that_client_tsp_decorates_keeps_its_name() {
        let mut index = project();
        let one = Customization {
            decorator: "access".into(),
            target: SERVICE.into(),
            arguments: vec!["Access.internal".into()],
            scope: None,
            line: 9,
            form: CustomizationForm::Augment,
        };
        index.customizations.push(one);
        assert_eq!(references(&index, "getPart"), [SERVICE]);
    }
}
