//! The index of a small service, for tests: two interfaces, a few models, names that occur more than once.

use bailiwick_sdk::tasks::*;

const NAMESPACE: &str = "Contoso.WidgetManager";

fn entity(kind: EntityKind, path: &str, line: u32) -> Entity {
    let reference = format!("{NAMESPACE}.{path}");
    let (container, name) = reference.rsplit_once('.').unwrap();
    let parameter = container.strip_suffix("::parameters");
    Entity {
        kind,
        name: name.to_owned(),
        container: Some(parameter.unwrap_or(container).to_owned()),
        file: if matches!(kind, EntityKind::Operation | EntityKind::Interface | EntityKind::Parameter) {
            "spec/routes.tsp".into()
        } else {
            "spec/models.tsp".into()
        },
        line,
        client: (kind != EntityKind::Scalar).then(|| ClientView { name: name.to_owned(), access: Access::Public }),
        reach: Reach::Reference,
        spread_from: Vec::new(),
        reference: reference.clone(),
    }
}

/// The namespace that the client is made of.
fn service() -> Entity {
    Entity {
        kind: EntityKind::Namespace,
        name: "WidgetManager".into(),
        reference: NAMESPACE.into(),
        container: None,
        file: "spec/main.tsp".into(),
        line: 9,
        client: Some(ClientView { name: "WidgetManagerClient".into(), access: Access::Public }),
        reach: Reach::Reference,
        spread_from: Vec::new(),
    }
}

/// The service as it stands before any customization.
pub(crate) fn index() -> SpecIndex {
    use EntityKind as K;
    let entities = [
        (K::Interface, "Widgets"),
        (K::Operation, "Widgets.getWidget"),
        (K::Parameter, "Widgets.getWidget::parameters.widgetName"),
        (K::Operation, "Widgets.createOrUpdateWidget"),
        (K::Operation, "Widgets.deleteWidget"),
        (K::Parameter, "Widgets.deleteWidget::parameters.widgetName"),
        (K::Operation, "Widgets.listWidgets"),
        (K::Operation, "Widgets.analyzeWidget"),
        (K::Operation, "Widgets.getStatistics"),
        (K::Interface, "Parts"),
        (K::Operation, "Parts.getPart"),
        (K::Operation, "Parts.deletePart"),
        (K::Operation, "Parts.getStatistics"),
        (K::Model, "Widget"),
        (K::Property, "Widget.name"),
        (K::Property, "Widget.displayName"),
        (K::Property, "Widget.description"),
        (K::Property, "Widget.status"),
        (K::Model, "Part"),
        (K::Property, "Part.id"),
        (K::Property, "Part.displayName"),
        (K::Model, "NotFound"),
        (K::Model, "Manufacturer"),
        (K::Property, "Manufacturer.displayName"),
        (K::Model, "AnalyzeResult"),
        (K::Property, "AnalyzeResult.widgetName"),
        (K::Property, "AnalyzeResult.healthScore"),
        (K::Enum, "LengthUnit"),
        (K::EnumMember, "LengthUnit.inch"),
        (K::Union, "WidgetStatus"),
        (K::EnumMember, "WidgetStatus.Active"),
        (K::Scalar, "partNumber"),
    ];
    SpecIndex {
        schema: INDEX_SCHEMA,
        namespaces: vec![NAMESPACE.into()],
        entities: std::iter::once(service())
            .chain(entities.iter().zip(10..).map(|(&(kind, path), line)| entity(kind, path, line)))
            .collect(),
        clients: clients(),
        imports: vec!["./main.tsp".into(), "@azure-tools/typespec-client-generator-core".into()],
        usings: vec!["Azure.ClientGenerator.Core".into(), NAMESPACE.into()],
        ..SpecIndex::default()
    }
}

/// One client with a group for each interface.
fn clients() -> Vec<ClientEntry> {
    let entry = |name: &str, parent: Option<&str>, reference: &str, operations: &[(&str, Option<&str>)]| {
        let operation = |(operation, path): &(&str, Option<&str>)| ClientOperation {
            name: (*operation).to_owned(),
            access: Access::Public,
            reference: format!("{reference}.{operation}"),
            source: format!("{reference}.{operation}"),
            parameters: path.map(path_parameter).into_iter().collect(),
        };
        ClientEntry {
            name: name.to_owned(),
            parent: parent.map(str::to_owned),
            reference: Some(reference.to_owned()),
            initialization: Vec::new(),
            operations: operations.iter().map(operation).collect(),
        }
    };
    let path_parameter = Some("widgetName");
    let widgets = [
        ("getWidget", path_parameter),
        ("createOrUpdateWidget", path_parameter),
        ("deleteWidget", path_parameter),
        ("listWidgets", None),
        ("analyzeWidget", path_parameter),
        ("getStatistics", None),
    ];
    let parts = [("getPart", Some("partId")), ("deletePart", Some("partId")), ("getStatistics", None)];
    vec![
        entry("WidgetManagerClient", None, NAMESPACE, &[]),
        entry("Widgets", Some("WidgetManagerClient"), &format!("{NAMESPACE}.Widgets"), &widgets),
        entry("Parts", Some("WidgetManagerClient"), &format!("{NAMESPACE}.Parts"), &parts),
    ]
}

fn path_parameter(name: &str) -> OperationParameter {
    OperationParameter {
        name: name.to_owned(),
        declared: name.to_owned(),
        place: "path".into(),
        r#type: Some("string".into()),
        optional: false,
    }
}

/// The same service after some entities changed in the client.
pub(crate) fn index_with(changes: &[(&str, Option<&str>, Access)]) -> SpecIndex {
    let mut index = index();
    for (path, name, access) in changes {
        let reference = format!("{NAMESPACE}.{path}");
        let entity = index.entities.iter_mut().find(|entity| entity.reference == reference).unwrap();
        let client = entity.client.as_mut().unwrap();
        client.access = *access;
        if let Some(name) = name {
            client.name = (*name).to_owned();
        }
    }
    index
}
