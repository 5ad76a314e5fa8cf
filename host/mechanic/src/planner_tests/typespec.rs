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

pub(super) async fn edited(request: &str, index: SpecIndex, before: Option<&str>) -> (TypespecResult, Option<String>) {
    let mut files: BTreeMap<String, String> =
        before.map(|text| (CLIENT.to_owned(), text.to_owned())).into_iter().collect();
    let result = run(typespec_task(request, index).into(), &mut files).await;
    (serde_json::from_value(result).unwrap(), files.remove(CLIENT))
}

pub(super) const HEAD: &str = "import \"./main.tsp\";\nimport \"@azure-tools/typespec-client-generator-core\";\n\nusing Azure.ClientGenerator.Core;\n";

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
async fn the_style_of_the_file_is_kept() {
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
async fn an_existing_decorator_of_the_language_gets_the_new_value() {
    let before =
        format!("{HEAD}\n@@clientName(Contoso.WidgetManager.Widget.displayName, \"caption\", \"python\"); // 1\n");
    let (result, text) =
        edited("rename Widget.displayName to title", customized(Some("python"), "\"caption\""), Some(&before)).await;
    assert_eq!(text.unwrap(), before.replace("\"caption\"", "\"title\""));
    // Hand-written code knows the name it had in the client, not the one of the specification.
    assert_eq!((result.renames[0].old.as_str(), result.renames[0].new.as_str()), ("caption", "title"));
}

#[tokio::test]
async fn a_decorator_that_languages_share_is_left_to_a_person() {
    for scope in ["python, java", "!csharp"] {
        let before =
            format!("{HEAD}\n@@clientName(Contoso.WidgetManager.Widget.displayName, \"caption\", \"{scope}\");\n");
        let (result, text) =
            edited("rename Widget.displayName to title", customized(Some(scope), "\"caption\""), Some(&before)).await;
        assert_eq!(text.unwrap(), before);
        assert_eq!(result.failure.unwrap().files, ["spec/client.tsp:6"]);
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
async fn an_attempt_that_did_not_compile_is_not_repeated() {
    let task = TypespecTask {
        feedback: vec![build_error("tsp", CLIENT, "Unknown identifier")],
        ..typespec_task("hide deleteWidget", sample::index())
    };
    let mut files = BTreeMap::from([(CLIENT.to_owned(), HEAD.to_owned())]);
    let result: TypespecResult = serde_json::from_value(run(task.into(), &mut files).await).unwrap();
    assert!(result.failure.is_some());
    assert_eq!(files[CLIENT], HEAD);
}
