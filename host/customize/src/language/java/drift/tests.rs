use bailiwick_sdk::tasks::{Access, ClientView};

use super::*;
use crate::language::Java;

fn entity(kind: EntityKind, name: &str, container: Option<&str>, client: &str) -> Entity {
    let reference = container.map_or_else(|| format!("S.{name}"), |container| format!("{container}.{name}"));
    Entity {
        kind,
        name: name.into(),
        reference,
        container: container.map(str::to_owned),
        file: "spec/main.tsp".into(),
        line: 1,
        client: Some(ClientView { name: client.into(), access: Access::Public }),
        reach: bailiwick_sdk::tasks::Reach::Reference,
        spread_from: Vec::new(),
    }
}

/// The model `Result` with `healthScore`, which Java calls `conditionScore`, and `note`, which the customization removes.
fn index() -> SpecIndex {
    SpecIndex {
        entities: vec![
            entity(EntityKind::Model, "Result", None, "Result"),
            entity(EntityKind::Property, "healthScore", Some("S.Result"), "conditionScore"),
            entity(EntityKind::Property, "note", Some("S.Result"), "note"),
            entity(EntityKind::Interface, "Widgets", None, "Widgets"),
            entity(EntityKind::Operation, "purge", Some("S.Widgets"), "purge"),
        ],
        ..SpecIndex::default()
    }
}

fn drift(body: &str) -> Vec<(String, Option<u32>)> {
    drift_after(body, &[])
}

fn drift_after(body: &str, renames: &[Rename]) -> Vec<(String, Option<u32>)> {
    let directory = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| crate::laid_out::write(directory.path(), path, text);
    write(
        "src/main/java/a/Result.java",
        "package a;\nclass Result { int conditionScore; int getConditionScore() { return 1; } void mine() { } }\n",
    );
    write("src/main/java/a/WidgetsClient.java", "package a;\nclass WidgetsClient { void list() { } }\n");
    let text = format!(
        "class C extends Customization {{ public void customize(LibraryCustomization l, Logger g) {{\n\
         l.getClass(\"a\", \"Result\").customizeAst(ast -> {{ var r = ast.getClassByName(\"Result\").get();\n{body}\n }}); }} }}\n"
    );
    write("customization/src/main/java/C.java", &text);
    let request = DriftRequest { package: directory.path(), renames, fresh: &[], index: &index(), before: &[] };
    check(&request, &Java).unwrap().into_iter().map(|one| (one.symbol.unwrap_or_default(), one.line)).collect()
}

#[test]
fn name_that_a_rename_took_away_is_missed_at_its_line() {
    let found = drift("r.getMethodsByName(\"getHealthScore\").forEach(m -> m.setJavadocComment(\"x\"));");
    assert_eq!(found, [("getHealthScore".to_owned(), Some(3))]);
    assert_eq!(drift("r.getFieldByName(\"healthScore\").ifPresent(f -> f.setPublic(true));").len(), 1);
}

#[test]
fn name_that_is_there_is_not_missed() {
    assert_eq!(drift("r.getMethodsByName(\"getConditionScore\"); r.getFieldByName(\"conditionScore\");"), []);
}

#[test]
fn name_that_the_customization_itself_takes_away_is_not_missed() {
    assert_eq!(drift("r.getMethodsByName(\"getNote\").forEach(Node::remove);"), []);
}

#[test]
fn name_taken_away_that_was_never_there_is_missed() {
    let found = drift("r.getMethodsByName(\"getHealthScore\").forEach(Node::remove);");
    assert_eq!(found[0].0, "getHealthScore");
}

#[test]
fn member_that_the_customization_adds_is_not_missed() {
    assert_eq!(drift("r.addMethod(\"label\"); r.getMethodsByName(\"label\");"), []);
}

#[test]
fn type_that_does_not_exist_is_missed_and_members_of_unknown_classes_only_when_no_class_has_them() {
    let found = drift("ast.getClassByName(\"Gone\").ifPresent(c -> c.getMethodsByName(\"any\"));");
    assert_eq!(found.iter().map(|one| one.0.as_str()).collect::<Vec<_>>(), ["Gone"]);
    let found = drift("help().getMethodsByName(\"mine\"); help().getMethodsByName(\"nobodys\");");
    assert_eq!(found.iter().map(|one| one.0.as_str()).collect::<Vec<_>>(), ["nobodys"]);
}

#[test]
fn operation_of_a_client_that_was_removed_is_not_missed_and_a_remark_is_not_a_question() {
    let body = "l.getClass(\"a\", \"WidgetsClient\").customizeAst(x -> x.getClassByName(\"WidgetsClient\").get()\
        .getMethodsByName(\"purgeWithResponse\").forEach(Node::remove)); g.info(\"getHealthScore\");";
    assert_eq!(drift(body), []);
}

#[test]
fn file_that_is_removed_is_not_missed_unless_this_run_gave_its_type_another_name() {
    let body = "l.getRawEditor().removeFile(\"src/main/java/a/WidgetServiceVersion.java\");";
    assert_eq!(drift(body), []);
    let rename = |kind, old: &str| Rename { kind, old: old.into(), new: "GadgetService".into(), container: None };
    let found = drift_after(body, &[rename(EntityKind::Interface, "WidgetService")]);
    assert_eq!(found, [("WidgetServiceVersion".to_owned(), Some(3))]);
    assert_eq!(drift_after(body, &[rename(EntityKind::Property, "WidgetService")]), []);
    for (old, expected) in
        [("Widget", 1), ("WidgetClient", 1), ("WidgetServiceVersion", 1), ("Wid", 0), ("WidgetSer", 0)]
    {
        assert_eq!(drift_after(body, &[rename(EntityKind::Interface, old)]).len(), expected, "{old}");
    }
}

#[test]
fn type_whose_members_are_removed_is_missed() {
    let found =
        drift("ast.getClassByName(\"Gone\").ifPresent(c -> c.getMethodsByName(\"any\").forEach(Node::remove));");
    assert_eq!(found.iter().map(|one| one.0.as_str()).collect::<Vec<_>>(), ["Gone"]);
}
