//! Edits of `client.tsp`.

use std::collections::BTreeMap;

use super::{build_error, run};
use crate::sample;
use bailiwick_sdk::tasks::*;

const CLIENT: &str = "spec/client.tsp";

fn typespec_task(request: &str, index: SpecIndex) -> TypespecTask {
    TypespecTask {
        items: vec![ItemVerdict {
            id: "1".into(),
            text: request.into(),
            route: Route::PhaseA,
            reason: String::new(),
            directives: Vec::new(),
            guidance: None,
        }],
        request: request.into(),
        language: Language::Python,
        index,
        client_file: CLIENT.into(),
        main_file: "main.tsp".into(),
        feedback: Vec::new(),
    }
}

pub(crate) async fn edited(request: &str, index: SpecIndex, before: Option<&str>) -> (TypespecResult, Option<String>) {
    let mut files: BTreeMap<String, String> =
        before.map(|text| (CLIENT.to_owned(), text.to_owned())).into_iter().collect();
    let result = run(typespec_task(request, index).into(), &mut files).await;
    (serde_json::from_value(result).unwrap(), files.remove(CLIENT))
}

pub(crate) const HEAD: &str = "import \"./main.tsp\";\nimport \"@azure-tools/typespec-client-generator-core\";\n\nusing Azure.ClientGenerator.Core;\n";

#[tokio::test]
async fn one_decorator_is_appended_and_everything_else_stays() {
    let (result, text) = edited("hide deleteWidget", sample::index(), Some(HEAD)).await;
    assert_eq!(
        text.unwrap(),
        format!("{HEAD}\n@@access(Contoso.WidgetManager.Widgets.deleteWidget, Access.internal, \"python\");\n")
    );
    assert_eq!(result.changes.len(), 1);
    assert_eq!(result.changes[0].scope, "python");
    let rename = &result.renames[0];
    assert_eq!(
        (rename.container.as_deref(), rename.old.as_str(), rename.new.as_str()),
        (Some("WidgetsOperations"), "delete_widget", "_delete_widget")
    );
}

#[tokio::test]
async fn style_of_the_file_is_kept() {
    // Windows line ends, a comment at the end, no final line end, a byte order mark.
    let before = format!("\u{feff}{}", HEAD.replace('\n', "\r\n")) + "\r\n// end";
    let (_, text) = edited("hide deleteWidget", sample::index(), Some(&before)).await;
    assert_eq!(
        text.unwrap(),
        format!("{before}\r\n\r\n@@access(Contoso.WidgetManager.Widgets.deleteWidget, Access.internal, \"python\");")
    );
    // A file that names its targets in short, with a `using`, and a blank line at its end.
    let before = format!(
        "{HEAD}using Contoso.WidgetManager;\n\n@@clientName(AnalyzeResult, \"WidgetAnalysis\", \"csharp\");\n@@access(Widgets.getWidget, Access.internal, \"java\"); // why\n\n"
    );
    let mut index = sample::index();
    for (line, target) in [(7, "AnalyzeResult"), (8, "Widgets.getWidget")] {
        index.customizations.push(Customization {
            decorator: if line == 7 { "clientName".into() } else { "access".into() },
            target: format!("Contoso.WidgetManager.{target}"),
            arguments: vec!["x".into()],
            scope: Some(if line == 7 { "csharp".into() } else { "java".into() }),
            line,
            form: CustomizationForm::Augment,
        });
    }
    let (_, text) = edited("hide deleteWidget", index.clone(), Some(&before)).await;
    let expected = before.replace("// why\n", "// why\n@@access(Widgets.deleteWidget, Access.internal, \"python\");\n");
    // The statement before ends in a comment, so a blank line stands in between.
    let with_gap =
        before.replace("// why\n", "// why\n\n@@access(Widgets.deleteWidget, Access.internal, \"python\");\n");
    let text = text.unwrap();
    assert!(text == expected || text == with_gap, "{text}");
    let (_, text) = edited("rename model Widget to Gadget", index, Some(&before)).await;
    assert!(text.unwrap().contains("@@clientName(Contoso.WidgetManager.Widget, \"Gadget\", \"python\");"));
}

#[tokio::test]
async fn missing_imports_usings_and_files_are_added() {
    let decorator = "@@clientName(Contoso.WidgetManager.AnalyzeResult, \"WidgetAnalysis\", \"python\");\n";
    let request = "rename model AnalyzeResult to WidgetAnalysis";
    for before in [None, Some("")] {
        let (_, text) = edited(request, sample::index(), before).await;
        assert_eq!(text.unwrap(), format!("{HEAD}\n{decorator}"), "{before:?}");
    }
    let (_, text) = edited(request, sample::index(), Some("import \"./main.tsp\";\n")).await;
    assert_eq!(text.unwrap(), format!("{HEAD}\n{decorator}"));
    let (_, text) =
        edited(request, sample::index(), Some("import \"./main.tsp\";\n\nusing Contoso.WidgetManager;\n")).await;
    assert_eq!(
        text.unwrap(),
        format!(
            "import \"./main.tsp\";\nimport \"@azure-tools/typespec-client-generator-core\";\n\nusing Contoso.WidgetManager;\nusing Azure.ClientGenerator.Core;\n\n{decorator}"
        )
    );
}

fn customized(scope: Option<&str>, value: &str) -> SpecIndex {
    let mut index = sample::index_with(&[("Widget.displayName", Some("caption"), Access::Public)]);
    index.customizations.push(Customization {
        decorator: "clientName".into(),
        target: "Contoso.WidgetManager.Widget.displayName".into(),
        arguments: vec![value.into()],
        scope: scope.map(str::to_owned),
        line: 6,
        form: CustomizationForm::Augment,
    });
    index
}

#[tokio::test]
async fn existing_decorator_of_the_language_gets_the_new_value() {
    let before =
        format!("{HEAD}\n@@clientName(Contoso.WidgetManager.Widget.displayName, \"caption\", \"python\"); // 1\n");
    let (result, text) =
        edited("rename Widget.displayName to title", customized(Some("python"), "\"caption\""), Some(&before)).await;
    assert_eq!(text.unwrap(), before.replace("\"caption\"", "\"title\""));
    // Hand-written code knows the name it had in the client, not the one of the specification.
    assert_eq!((result.renames[0].old.as_str(), result.renames[0].new.as_str()), ("caption", "title"));
}

#[tokio::test]
async fn language_leaves_a_decorator_that_it_shares() {
    for (scope, left) in [("python, java", "java"), ("!csharp", "!csharp, !python")] {
        let before =
            format!("{HEAD}\n@@clientName(Contoso.WidgetManager.Widget.displayName, \"caption\", \"{scope}\");\n");
        let (result, text) =
            edited("rename Widget.displayName to title", customized(Some(scope), "\"caption\""), Some(&before)).await;
        let own = "@@clientName(Contoso.WidgetManager.Widget.displayName, \"title\", \"python\");\n";
        assert_eq!(text.unwrap(), format!("{}{own}", before.replace(scope, left)));
        let scopes: Vec<&str> = result.changes.iter().map(|one| one.scope.as_str()).collect();
        assert_eq!(scopes, ["python", left]);
    }
    // One without a scope yields to one with a scope.
    let before = format!("{HEAD}\n@@clientName(Contoso.WidgetManager.Widget.displayName, \"caption\");\n");
    let (result, text) =
        edited("rename Widget.displayName to title", customized(None, "\"caption\""), Some(&before)).await;
    assert!(
        text.unwrap().ends_with("\n@@clientName(Contoso.WidgetManager.Widget.displayName, \"title\", \"python\");\n")
    );
    assert!(result.failure.is_none());
}

#[tokio::test]
async fn what_is_there_already_is_not_written_again() {
    let renamed = sample::index_with(&[("Widget.displayName", Some("title"), Access::Public)]);
    let (result, text) = edited("rename Widget.displayName to title", renamed, Some(HEAD)).await;
    assert_eq!(text.unwrap(), HEAD);
    assert!(result.no_edit_needed && result.changes.is_empty() && result.failure.is_none());
    assert_eq!((result.renames[0].old.as_str(), result.renames[0].new.as_str()), ("display_name", "title"));
}

#[tokio::test]
async fn attempt_that_did_not_compile_is_not_repeated() {
    let task = TypespecTask {
        feedback: vec![build_error("tsp", CLIENT, "Unknown identifier")],
        ..typespec_task("hide deleteWidget", sample::index())
    };
    let mut files = BTreeMap::from([(CLIENT.to_owned(), HEAD.to_owned())]);
    let result: TypespecResult = serde_json::from_value(run(task.into(), &mut files).await).unwrap();
    assert!(result.failure.is_some());
    assert_eq!(files[CLIENT], HEAD);
}

fn directed(changes: Vec<(Change, Option<Scope>)>, index: SpecIndex) -> TypespecTask {
    let mut task = typespec_task("see the directives", index);
    task.items[0].directives =
        changes.into_iter().map(|(change, scope)| Directive { change, scope, basis: String::new() }).collect();
    task
}

async fn carried_out(
    changes: Vec<(Change, Option<Scope>)>,
    index: SpecIndex,
    before: &str,
) -> (TypespecResult, String) {
    let mut files = BTreeMap::from([(CLIENT.to_owned(), before.to_owned())]);
    let result = run(directed(changes, index).into(), &mut files).await;
    (serde_json::from_value(result).unwrap(), files.remove(CLIENT).unwrap())
}

const STATISTICS: &str = "Contoso.WidgetManager.Widgets.getStatistics";

#[tokio::test]
async fn directives_are_carried_out_without_a_word_of_the_text() {
    let hide = Change::Hide { kind: EntityKind::Operation, target: STATISTICS.into() };
    let rename =
        Change::Rename { kind: EntityKind::Model, target: "Contoso.WidgetManager.Part".into(), name: "Piece".into() };
    let both = Some(Scope::Only(vec![Language::Python, Language::Dotnet]));
    let (result, text) = carried_out(vec![(hide, None), (rename, both)], sample::index(), HEAD).await;
    assert_eq!(
        text,
        format!(
            "{HEAD}\n@@access({STATISTICS}, Access.internal, \"python\");\n@@clientName(Contoso.WidgetManager.Part, \"Piece\", \"python, csharp\");\n"
        )
    );
    assert_eq!(result.changes[1].scope, "python, csharp");
}

#[tokio::test]
async fn what_was_hidden_is_shown_again_by_removing_the_decorator() {
    let mut index = sample::index_with(&[("Widgets.getStatistics", None, Access::Internal)]);
    index.customizations.push(Customization {
        decorator: "access".into(),
        target: STATISTICS.into(),
        arguments: vec!["Access.internal".into()],
        scope: Some("python".into()),
        line: 6,
        form: CustomizationForm::Augment,
    });
    let before = format!("{HEAD}\n@@access({STATISTICS}, Access.internal, \"python\");\n");
    let show = Change::Show { kind: EntityKind::Operation, target: STATISTICS.into() };
    let (result, text) = carried_out(vec![(show.clone(), None)], index.clone(), &before).await;
    assert_eq!(text, format!("{HEAD}\n"));
    let rename = &result.renames[0];
    assert_eq!((rename.old.as_str(), rename.new.as_str()), ("_get_statistics", "get_statistics"));
    assert_eq!(result.changes[0].decorator_name, "access");
    // Nothing in `client.tsp` hides it: then it is made public there.
    index.customizations.clear();
    let (_, text) = carried_out(vec![(show, None)], index, HEAD).await;
    assert_eq!(text, format!("{HEAD}\n@@access({STATISTICS}, Access.public, \"python\");\n"));
}

#[tokio::test]
async fn own_name_takes_a_rename_back() {
    let name = "Contoso.WidgetManager.Widget.displayName";
    let before = format!("{HEAD}\n@@clientName({name}, \"caption\", \"python\");\n");
    let rename = Change::Rename { kind: EntityKind::Property, target: name.into(), name: "displayName".into() };
    let (result, text) = carried_out(vec![(rename, None)], customized(Some("python"), "\"caption\""), &before).await;
    assert_eq!(text, format!("{HEAD}\n"));
    assert_eq!((result.renames[0].old.as_str(), result.renames[0].new.as_str()), ("caption", "display_name"));
}

#[tokio::test]
async fn several_clients_are_one_block() {
    let operations = |names: &[&str]| names.iter().map(|name| format!("Contoso.WidgetManager.{name}")).collect();
    let widgets =
        ["getWidget", "createOrUpdateWidget", "deleteWidget", "listWidgets", "analyzeWidget", "getStatistics"];
    let widgets: Vec<String> = widgets.iter().map(|name| format!("Widgets.{name}")).collect();
    let widgets: Vec<&str> = widgets.iter().map(String::as_str).collect();
    let client = |name: &str, names: &[&str]| {
        (Change::Client { name: name.into(), operations: operations(names), parameters: Vec::new() }, None)
    };
    let parts = client("PartClient", &["Parts.getPart", "Parts.deletePart", "Parts.getStatistics"]);
    let (result, text) =
        carried_out(vec![client("WidgetClient", &widgets), parts.clone()], sample::index(), HEAD).await;
    assert_eq!(text.matches("namespace ClientCustomizations {").count(), 1, "{text}");
    assert_eq!(text.matches("@client(").count(), 2, "{text}");
    assert_eq!(result.changes.len(), 2);
    let (result, text) = carried_out(vec![client("WidgetClient", &widgets[1..]), parts], sample::index(), HEAD).await;
    // The client of today stays beside clients that leave an operation out.
    assert!(text.contains("autoMergeService: true") && text.matches("@client(").count() == 3, "{text}");
    assert_eq!(result.changes.len(), 3);
}

#[tokio::test]
async fn directive_that_does_not_hold_is_guidance_and_nothing_is_written() {
    let rename = |target: &str, name: &str| {
        let change = Change::Rename { kind: EntityKind::Model, target: target.into(), name: name.into() };
        (change, None)
    };
    let part = "Contoso.WidgetManager.Part";
    for (changes, issue) in [
        (vec![rename("Contoso.WidgetManager.Prat", "Piece")], "declares nothing called"),
        (vec![rename("Contoso.WidgetManager.Widgets.getWidget", "Piece")], "is no model"),
        (vec![rename(part, "Widget")], "is already that of"),
        (vec![rename(part, "class")], "keeps for itself"),
        (vec![rename(part, "2nd")], "is not an identifier"),
        (vec![rename(part, "Piece"), rename(part, "Bit")], "contradict each other"),
    ] {
        let (result, text) = carried_out(changes, sample::index(), HEAD).await;
        assert_eq!(text, HEAD);
        let failure = result.failure.expect(issue);
        assert!(failure.issue.contains(issue), "{failure:?}");
    }
}
