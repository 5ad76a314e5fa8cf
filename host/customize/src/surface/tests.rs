use std::collections::BTreeSet;

use bailiwick_sdk::tasks::{
    Access, Change, ClientEntry, ClientOperation, ClientView, Decorator, Directive, Entity, EntityKind, Language,
    OperationParameter, Reach, SpecIndex, TypeSpecChange,
};

use super::code::Regenerated;
use super::{Cause, SeenIn, Surface, between, foreseen};
use crate::language::{LanguageService, Python};
use crate::response::{ChangedFile, Origin};

fn entity(kind: EntityKind, reference: &str, container: Option<&str>) -> Entity {
    let name = reference.rsplit('.').next().unwrap();
    Entity {
        kind,
        name: name.to_owned(),
        reference: reference.to_owned(),
        container: container.map(str::to_owned),
        file: "spec/main.tsp".to_owned(),
        line: 1,
        client: Some(ClientView { name: name.to_owned(), access: Access::Public }),
        reach: Reach::Reference,
        spread_from: Vec::new(),
    }
}

/// A service with an operation whose result nothing else uses, and a model that others use.
fn index() -> SpecIndex {
    let operation = |name: &str| ClientOperation {
        name: name.to_owned(),
        access: Access::Public,
        reference: format!("W.{name}"),
        source: format!("W.{name}"),
        parameters: Vec::new(),
    };
    SpecIndex {
        entities: vec![
            entity(EntityKind::Operation, "W.getReport", None),
            entity(EntityKind::Operation, "W.getPart", None),
            entity(EntityKind::Model, "W.Report", None),
            entity(EntityKind::Model, "W.Part", None),
            entity(EntityKind::Property, "W.Part.displayName", Some("W.Part")),
        ],
        clients: vec![ClientEntry {
            name: "WidgetClient".into(),
            parent: None,
            reference: Some("W".into()),
            initialization: Vec::new(),
            operations: vec![operation("getReport"), operation("getPart")],
        }],
        uses: [("W.Report".to_owned(), vec!["W.getReport".to_owned()])].into(),
        ..SpecIndex::default()
    }
}

fn changed(reference: &str, change: impl Fn(&mut ClientView)) -> SpecIndex {
    let mut index = index();
    index
        .entities
        .iter_mut()
        .filter(|one| one.reference == reference)
        .filter_map(|one| one.client.as_mut())
        .for_each(change);
    index
}

fn by(decorator: &str, target: &str) -> TypeSpecChange {
    TypeSpecChange {
        decorator_name: decorator.into(),
        target: target.into(),
        scope: "python".into(),
        file_path: "spec/client.tsp".into(),
    }
}

fn words(surface: &Surface) -> Vec<String> {
    surface.changes.iter().map(super::SurfaceChange::words).collect()
}

#[test]
fn renamed_property_is_told_with_its_decorator_and_in_the_language_s_letter_case() {
    let after = changed("W.Part.displayName", |client| client.name = "shownTitle".into());
    let found = between(Language::Python, &index(), &after, &[by("clientName", "W.Part.displayName")]).unwrap();
    assert_eq!(
        words(&found),
        ["renamed: property `Part.display_name` to `Part.shown_title`, by `@@clientName` on `W.Part.displayName`"]
    );
    assert_eq!((found.breaking, found.seen_in), (1, SeenIn::ClientModel));
    assert_eq!(between(Language::Python, &index(), &index(), &[]), None);
}

#[test]
fn members_of_a_type_that_goes_are_not_told_apart_from_it() {
    let mut after = changed("W.Part", |client| client.access = Access::Internal);
    for one in after.entities.iter_mut().filter(|one| one.container.as_deref() == Some("W.Part")) {
        one.client.as_mut().unwrap().access = Access::Internal;
    }
    let found = between(Language::Java, &index(), &after, &[by("access", "W.Part")]).unwrap();
    assert_eq!(words(&found), ["removed: model `Part`, by `@@access` on `W.Part`"]);
}

#[test]
fn hidden_operation_is_foreseen_to_take_the_types_with_it_that_nothing_else_uses() {
    let hide = Directive {
        change: Change::Hide { kind: EntityKind::Operation, target: "W.getReport".into() },
        scope: None,
        basis: String::new(),
    };
    let found = foreseen(Language::Python, &index(), &[&hide]).unwrap();
    assert_eq!(
        words(&found),
        [
            "removed: model `Report`, it follows from `@@access` on `W.getReport`",
            "removed: operation `WidgetClient.get_report`, by `@@access` on `W.getReport`",
        ]
    );
    assert_eq!(found.seen_in, SeenIn::Actions);
}

#[test]
fn parameter_that_is_spread_from_a_property_is_foreseen_in_every_operation_that_has_it() {
    let mut index = index();
    let property = "W.Scoping.region";
    for operation in &mut index.clients[0].operations {
        let reference = format!("{}::parameters.region", operation.reference);
        let reach = Reach::Property(property.to_owned());
        let parameter = entity(EntityKind::Parameter, &reference, Some(&operation.reference));
        let name = "region".to_owned();
        index.entities.push(Entity { name, reach, spread_from: vec![property.to_owned()], ..parameter });
        operation.parameters.push(OperationParameter {
            name: "region".into(),
            declared: "region".into(),
            place: "query".into(),
            r#type: None,
            optional: false,
        });
    }
    for (kind, target) in [(EntityKind::Parameter, "W.getPart::parameters.region"), (EntityKind::Property, property)] {
        let change = Change::Rename { kind, target: target.into(), name: "area".into() };
        let directive = Directive { change, scope: None, basis: String::new() };
        let found = words(&foreseen(Language::Python, &index, &[&directive]).unwrap());
        assert_eq!(found.len(), 2, "{found:?}");
        for operation in ["get_part", "get_report"] {
            let said = format!("operation `WidgetClient.{operation}` (`region` is called `area`)");
            let because = "it follows from `@@clientName` on `W.Scoping.region`";
            assert!(found.iter().any(|one| one.contains(&said) && one.ends_with(because)), "{found:?}");
        }
    }
}

#[test]
fn every_decorator_says_for_itself_what_users_notice() {
    let said: BTreeSet<String> = Decorator::ALL
        .into_iter()
        .map(|decorator| {
            let change = Change::Undecorate { kind: EntityKind::Model, target: "W.Report".into(), decorator };
            let directive = Directive { change, scope: None, basis: String::new() };
            let found = foreseen(Language::Python, &index(), &[&directive]).unwrap();
            assert_eq!((found.changes.len(), found.notes.len()), (0, 1), "{decorator:?}");
            found.notes[0].clone()
        })
        .collect();
    assert_eq!(said.len(), Decorator::ALL.len());
    assert!(said.iter().any(|one| one.starts_with("without `@clientDoc` on `W.Report` the reverse: ")), "{said:?}");
    let moved = Change::Move { kind: EntityKind::Operation, target: "W.getPart".into(), to: "Parts".into() };
    let directive = Directive { change: moved, scope: None, basis: String::new() };
    let found = foreseen(Language::Python, &index(), &[&directive]).unwrap();
    assert_eq!(found.notes, ["`W.getPart` is reached through `Parts` then"]);
}

const HEADER: &str = "# Code generated by Microsoft (R) Python Code Generator.\n";

fn file(path: &str, before: Option<&str>, after: Option<&str>) -> ChangedFile {
    let text = |text: &str| format!("{HEADER}{text}").into_bytes();
    ChangedFile {
        path: format!("sdk/{path}"),
        origin: Origin::Generator,
        before: before.map(text),
        after: after.map(text),
    }
}

/// The surface of a Python package on disk after these files changed in it.
fn regenerated(files: &[ChangedFile], before: &SpecIndex, after: &SpecIndex, changes: &[TypeSpecChange]) -> Surface {
    let directory = tempfile::tempdir().unwrap();
    for file in files {
        let path = directory.path().join(file.path.strip_prefix("sdk/").unwrap());
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        file.after.iter().for_each(|text| std::fs::write(&path, text).unwrap());
    }
    let language: &dyn LanguageService = &Python;
    let package = directory.path();
    Regenerated { language, package, files, before, after, changes }.surface().unwrap().unwrap()
}

#[test]
fn regeneration_tells_what_came_and_went_with_the_cause_of_each() {
    let client = |methods: &str| format!("class WidgetClient:\n{methods}");
    let files = [
        file(
            "azure/w/_client.py",
            Some(&client("    def get_report(self): ...\n    def old_one(self): ...\n")),
            Some(&client(
                "    def _get_report(self): ...\n    def get_part(self): ...\n    def send_request(self): ...\n",
            )),
        ),
        file(
            "azure/w/models/_models.py",
            Some("class Report(_Model):\n    id: str\n"),
            Some("class Report(_Model):\n    id: int\n"),
        ),
        file(
            "azure/w/models/__init__.py",
            Some("\n__all__ = [\n    \"Part\",\n    \"Report\",\n]\n"),
            Some("\n__all__ = [\n    \"Part\",\n]\n"),
        ),
        file(
            "azure/w/__init__.py",
            Some("\n__all__ = [\"WidgetClient\"]\n#1"),
            Some("\n__all__ = [\"WidgetClient\"]\n"),
        ),
        file("azure/w/_configuration.py", Some("v = \"2024-05-01\"\n"), Some("v = \"2025-05-01-preview\"\n")),
        file("setup.py", Some("setup()\n"), None),
    ];
    let mut after = index();
    after.clients[0].operations[0].access = Access::Internal;
    for one in after.entities.iter_mut().filter(|one| matches!(one.reference.as_str(), "W.getReport" | "W.Report")) {
        one.client.as_mut().unwrap().access = Access::Internal;
    }
    let found = regenerated(&files, &index(), &after, &[by("access", "W.getReport")]);
    assert_eq!(
        words(&found),
        [
            "removed: model `Report`, it follows from `@@access` on `W.getReport`",
            "removed: operation `WidgetClient.get_report`, by `@@access` on `W.getReport`",
            "removed: operation `WidgetClient.old_one`, by the specification or the emitter",
            "added: operation `WidgetClient.get_part`, by the specification as it stands",
            "added: operation `WidgetClient.send_request`, by the emitter",
        ]
    );
    assert_eq!(found.breaking, 3);
    assert_eq!(
        found.notes,
        ["the API version moves from `2024-05-01` to `2025-05-01-preview`", "files removed by the emitter: `setup.py`",]
    );
    assert_eq!(found.changes[3].cause, Cause::Specification);
}

#[test]
fn renamed_property_of_generated_code_is_one_change_and_not_two() {
    let class = |name: &str| format!("class Part(_Model):\n    {name}: str = rest_field(name=\"displayName\")\n");
    let files = [
        file("azure/w/models/_models.py", Some(&class("display_name")), Some(&class("shown_title"))),
        file("azure/w/models/__init__.py", Some("\n__all__ = [\"Part\"]\n#"), Some("\n__all__ = [\"Part\"]\n")),
    ];
    let after = changed("W.Part.displayName", |client| client.name = "shownTitle".into());
    let found = regenerated(&files, &index(), &after, &[by("clientName", "W.Part.displayName")]);
    assert_eq!(
        words(&found),
        ["renamed: property `Part.display_name` to `Part.shown_title`, by `@@clientName` on `W.Part.displayName`"]
    );
}

#[test]
fn more_changes_than_are_listed_are_counted() {
    let enums = |count: usize| -> String {
        std::iter::once("class Kind(str, Enum):\n    X = \"x\"\n".to_owned())
            .chain((0..count).map(|number| format!("    M{number:03} = \"m{number}\"\n")))
            .collect()
    };
    let files = [file("azure/w/_enums.py", Some(&enums(0)), Some(&enums(150)))];
    let found = regenerated(&files, &index(), &index(), &[]);
    assert_eq!((found.changes.len(), found.omitted, found.breaking), (100, 50, 0));
    assert!(found.lines().1.contains(&"130 more".to_owned()));
}

#[test]
fn property_of_a_base_model_names_the_models_that_change_with_it() {
    let mut index = index();
    for model in ["W.Valve", "W.Pump", "W.Hidden"] {
        index.entities.push(entity(EntityKind::Model, model, None));
    }
    index.entities.last_mut().unwrap().client.as_mut().unwrap().access = Access::Internal;
    let bases = [("W.Valve", "W.Part"), ("W.Pump", "W.Valve"), ("W.Hidden", "W.Part"), ("W.Report", "W.Other")];
    index.bases = bases.map(|(model, base)| (model.to_owned(), base.to_owned())).into();
    let target = "W.Part.displayName";
    let rename = Change::Rename { target: target.into(), kind: EntityKind::Property, name: "title".into() };
    let said = "`displayName` is declared in `Part`: 2 other models inherit it and change with it: `Pump`, `Valve`";
    let plan = foreseen(Language::Python, &index, &[&Directive { change: rename, scope: None, basis: String::new() }])
        .unwrap();
    assert_eq!(plan.notes, [said]);
    let mut after = index.clone();
    after.entities.iter_mut().filter(|one| one.reference == target).for_each(|one| {
        one.client.as_mut().unwrap().name = "title".into();
    });
    let model = between(Language::Python, &index, &after, &[by("clientName", target)]).unwrap();
    assert_eq!(model.notes, [said]);
    index.bases.clear();
    let alone = between(Language::Python, &index, &after, &[by("clientName", target)]).unwrap();
    assert_eq!(alone.notes, Vec::<String>::new());
}

#[test]
fn client_of_python_is_named_as_its_class_and_what_it_is_mixed_of_is_no_thing_of_its_own() {
    let mut index = index();
    index.clients[0].name = "WidgetMgmt".into();
    let hide = Change::Hide { kind: EntityKind::Operation, target: "W.getReport".into() };
    let hide = Directive { change: hide, scope: None, basis: String::new() };
    let named = |language| words(&foreseen(language, &index, &[&hide]).unwrap()).join("\n");
    assert!(named(Language::Python).contains("operation `WidgetMgmtClient.get_report`"), "{}", named(Language::Python));
    assert!(named(Language::Java).contains("operation `WidgetMgmt.getReport`"), "{}", named(Language::Java));

    let exports = |names: &str| format!("\n__all__ = [\n{names}]\n");
    let files = [
        file(
            "azure/w/_operations/__init__.py",
            Some(&exports("    \"WidgetClientOperationsMixin\",\n")),
            Some(&exports("")),
        ),
        file("azure/w/operations/__init__.py", Some(&exports("    \"OldOperations\",\n")), Some(&exports(""))),
    ];
    let found = regenerated(&files, &index, &index, &[]);
    assert_eq!(words(&found), ["removed: client `OldOperations`, by the specification or the emitter"]);
}
