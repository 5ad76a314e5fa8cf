//! The planners, driven turn by turn over files in memory.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::Mechanic;
use super::sample;
use crate::backend::{Backend, TurnRequest};
use crate::message::{Message, ToolResult};
use crate::tasks::*;

/// Lets the mechanic work until it hands in its result.
async fn run(task: AgentTask, files: &mut BTreeMap<String, String>) -> Value {
    let mut messages = Vec::new();
    for _ in 0..10 {
        let request = TurnRequest {
            instructions: String::new(),
            task: task.to_value().unwrap(),
            messages: messages.clone(),
            tools: Vec::new(),
        };
        let response = Mechanic.turn(&request).await.unwrap();
        let mut results = Vec::new();
        for call in &response.calls {
            if call.name == crate::EXIT {
                return call.arguments["result"].clone();
            }
            let (content, is_error) = match answer(&call.name, &call.arguments, files) {
                Ok(content) => (content, false),
                Err(kind) => (json!({"kind": kind, "message": kind}), true),
            };
            results.push(ToolResult { call_id: call.id.clone(), name: call.name.clone(), content, is_error });
        }
        assert!(!results.is_empty(), "a turn without a call");
        messages.push(Message::Assistant { text: response.text, calls: response.calls });
        messages.push(Message::ToolResults(results));
    }
    panic!("no end in sight: {messages:#?}");
}

fn answer(tool: &str, input: &Value, files: &mut BTreeMap<String, String>) -> Result<Value, &'static str> {
    let path = input["filePath"].as_str().unwrap();
    match tool {
        "ReadFile" => {
            let content = files.get(path).ok_or("not-found")?;
            // Two lines at a time, so that reading on is tried.
            let lines: Vec<&str> = content.split_inclusive('\n').collect();
            let start = usize::try_from(input["startLine"].as_u64().unwrap_or(1)).unwrap();
            let end = (start + 1).min(lines.len());
            Ok(json!({"content": lines[start - 1..end].concat(), "totalLines": lines.len(), "startLine": start, "endLine": end, "truncated": end < lines.len()}))
        }
        "WriteFile" => {
            files.insert(path.to_owned(), input["content"].as_str().unwrap().to_owned());
            Ok(json!({}))
        }
        "CodePatch" => {
            let content = files.get_mut(path).ok_or("not-found")?;
            let (old, new) = (input["oldContent"].as_str().unwrap(), input["newContent"].as_str().unwrap());
            let start = usize::try_from(input["startLine"].as_u64().unwrap()).unwrap();
            let before: usize = content.split_inclusive('\n').take(start - 1).map(str::len).sum();
            assert!(content[before..].starts_with(old), "{old:?}");
            content.replace_range(before..before + old.len(), new);
            if new.contains("refused") { Err("failed") } else { Ok(json!({})) }
        }
        _ => Err("unknown-tool"),
    }
}

fn classify_task(request: &str, index: SpecIndex) -> ClassifyTask {
    ClassifyTask { request: request.into(), language: Language::Python, index, history: String::new(), validation: None }
}

async fn classified(task: ClassifyTask) -> Vec<ItemVerdict> {
    let result = run(task.into(), &mut BTreeMap::new()).await;
    serde_json::from_value::<Classification>(result).unwrap().items
}

const CLIENT: &str = "spec/client.tsp";

fn typespec_task(request: &str, index: SpecIndex) -> TypespecTask {
    TypespecTask {
        items: vec![ItemVerdict { id: "1".into(), text: request.into(), route: Route::PhaseA, reason: String::new(), guidance: None }],
        request: request.into(),
        language: Language::Python,
        index,
        client_file: CLIENT.into(),
        main_file: "main.tsp".into(),
        feedback: Vec::new(),
    }
}

async fn edited(request: &str, index: SpecIndex, before: Option<&str>) -> (TypespecResult, Option<String>) {
    let mut files: BTreeMap<String, String> = before.map(|text| (CLIENT.to_owned(), text.to_owned())).into_iter().collect();
    let result = run(typespec_task(request, index).into(), &mut files).await;
    (serde_json::from_value(result).unwrap(), files.remove(CLIENT))
}

const HEAD: &str = "import \"./main.tsp\";\nimport \"@azure-tools/typespec-client-generator-core\";\n\nusing Azure.ClientGenerator.Core;\n";

#[tokio::test]
async fn a_request_is_routed_to_phase_a_and_a_done_one_to_success() {
    let open = classified(classify_task("hide deleteWidget", sample::index())).await;
    assert_eq!((open[0].route, open[0].id.as_str()), (Route::PhaseA, "1"));
    let hidden = sample::index_with(&[("Widgets.deleteWidget", None, Access::Internal)]);
    for wording in super::wordings::HIDE.iter().chain(super::wordings::HIDDEN_ALREADY) {
        let verdicts = classified(classify_task(wording, hidden.clone())).await;
        assert_eq!(verdicts[0].route, Route::Success, "{wording}");
    }
    let renamed = sample::index_with(&[("AnalyzeResult", Some("WidgetAnalysis"), Access::Public)]);
    for wording in super::wordings::RENAME_MODEL.iter().chain(super::wordings::RENAMED_ALREADY) {
        let verdicts = classified(classify_task(wording, renamed.clone())).await;
        assert_eq!(verdicts[0].route, Route::Success, "{wording}");
    }
}

#[tokio::test]
async fn out_of_scope_is_a_failure_with_four_parts() {
    let verdicts = classified(classify_task("add retry with circuit breaker to the client", sample::index())).await;
    let guidance = verdicts[0].guidance.clone().unwrap();
    assert_eq!(verdicts[0].route, Route::Failure);
    assert!(!guidance.issue.is_empty() && !guidance.files.is_empty() && !guidance.approach.is_empty() && !guidance.reason.is_empty());
}

fn build_error(tool: &str, file: &str, message: &str) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        file: Some(file.into()),
        line: Some(3),
        column: None,
        code: None,
        message: message.into(),
        symbol: None,
        tool: tool.into(),
    }
}

#[tokio::test]
async fn a_validation_decides_after_an_attempt() {
    let hidden = sample::index_with(&[("Widgets.deleteWidget", None, Access::Internal)]);
    let after = |index: SpecIndex, succeeded: bool, diagnostics: Vec<Diagnostic>, history: &str| ClassifyTask {
        validation: Some(ValidationReport { succeeded, diagnostics }),
        history: history.into(),
        ..classify_task("hide deleteWidget", index)
    };
    let route = async |task: ClassifyTask| classified(task).await[0].route;
    let attempt = "phase A, attempt 1: build failed";
    let mypy = build_error("mypy", "sdk/azure/widget/_patch.py", "bad");
    assert_eq!(route(after(hidden.clone(), true, vec![], attempt)).await, Route::Success);
    assert_eq!(route(after(hidden.clone(), false, vec![mypy.clone()], attempt)).await, Route::Failure);
    assert_eq!(route(after(hidden, false, vec![mypy], "verification: build failed")).await, Route::PhaseA);
    // The edit was undone by something that may pass.
    assert_eq!(route(after(sample::index(), false, vec![], attempt)).await, Route::PhaseA);
    let tsp = build_error("tsp", "spec/client.tsp", "Unknown identifier");
    assert_eq!(route(after(sample::index(), false, vec![tsp.clone()], attempt)).await, Route::Failure);
    // The decorator is there and does nothing.
    let mut ineffective = sample::index();
    ineffective.customizations.push(Customization {
        decorator: "access".into(),
        target: "Contoso.WidgetManager.Widgets.deleteWidget".into(),
        arguments: vec!["Access.internal".into()],
        scope: Some("python".into()),
        line: 6,
        form: CustomizationForm::Augment,
    });
    assert_eq!(route(after(ineffective, true, vec![], attempt)).await, Route::Failure);
    // A specification that does not compile is nobody's success.
    let mut broken = sample::index();
    broken.diagnostics.push(tsp);
    assert_eq!(route(classify_task("hide deleteWidget", broken)).await, Route::Failure);
}

#[tokio::test]
async fn a_log_of_a_rename_that_the_specification_made_is_a_refresh() {
    let renamed = sample::index_with(&[("AnalyzeResult", Some("WidgetAnalysis"), Access::Public)]);
    let log = "azure/widget/models/_patch.py:3: error: Module \"azure.widget.models._models\" has no attribute \"AnalyzeResult\"  [attr-defined]\nFound 1 error in 1 file (checked 12 source files)";
    for request in [log.to_owned(), format!("Please fix the build errors below:\n{log}"), format!("The build fails with:\n```\n{log}\n```")] {
        let verdicts = classified(classify_task(&request, renamed.clone())).await;
        assert_eq!(verdicts[0].route, Route::PhaseA, "{request}: {verdicts:#?}");
        let (result, _) = edited(&request, renamed.clone(), Some(HEAD)).await;
        assert!(result.no_edit_needed);
        assert_eq!((result.renames[0].old.as_str(), result.renames[0].new.as_str()), ("AnalyzeResult", "WidgetAnalysis"));
    }
    let unrelated = classified(classify_task(log, sample::index())).await;
    assert_eq!(unrelated[0].route, Route::Failure);
    assert_eq!(unrelated[0].guidance.as_ref().unwrap().files, ["azure/widget/models/_patch.py:3"]);
}

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
    let before = format!("{HEAD}using Contoso.WidgetManager;\n\n@@clientName(AnalyzeResult, \"WidgetAnalysis\", \"csharp\");\n@@access(Widgets.getWidget, Access.internal, \"java\"); // why\n\n");
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
    let with_gap = before.replace("// why\n", "// why\n\n@@access(Widgets.deleteWidget, Access.internal, \"python\");\n");
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
    let (_, text) = edited(request, sample::index(), Some("import \"./main.tsp\";\n\nusing Contoso.WidgetManager;\n")).await;
    assert_eq!(
        text.unwrap(),
        format!("import \"./main.tsp\";\nimport \"@azure-tools/typespec-client-generator-core\";\n\nusing Contoso.WidgetManager;\nusing Azure.ClientGenerator.Core;\n\n{decorator}")
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
    let before = format!("{HEAD}\n@@clientName(Contoso.WidgetManager.Widget.displayName, \"caption\", \"python\"); // 1\n");
    let (result, text) = edited("rename Widget.displayName to title", customized(Some("python"), "\"caption\""), Some(&before)).await;
    assert_eq!(text.unwrap(), before.replace("\"caption\"", "\"title\""));
    // Hand-written code knows the name it had in the client, not the one of the specification.
    assert_eq!((result.renames[0].old.as_str(), result.renames[0].new.as_str()), ("caption", "title"));
}

#[tokio::test]
async fn a_decorator_that_languages_share_is_left_to_a_person() {
    for scope in ["python, java", "!csharp"] {
        let before = format!("{HEAD}\n@@clientName(Contoso.WidgetManager.Widget.displayName, \"caption\", \"{scope}\");\n");
        let (result, text) = edited("rename Widget.displayName to title", customized(Some(scope), "\"caption\""), Some(&before)).await;
        assert_eq!(text.unwrap(), before);
        assert_eq!(result.failure.unwrap().files, ["spec/client.tsp:6"]);
    }
    // One without a scope yields to one with a scope.
    let before = format!("{HEAD}\n@@clientName(Contoso.WidgetManager.Widget.displayName, \"caption\");\n");
    let (result, text) = edited("rename Widget.displayName to title", customized(None, "\"caption\""), Some(&before)).await;
    assert!(text.unwrap().ends_with("\n@@clientName(Contoso.WidgetManager.Widget.displayName, \"title\", \"python\");\n"));
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

fn patch_task(new: &str) -> PatchTask {
    PatchTask {
        language: Language::Python,
        package: "azure-widget".into(),
        diagnostics: vec![build_error("mypy", "sdk/azure/widget/_patch.py", "Module \"azure.widget.models\" has no attribute \"AnalyzeResult\"")],
        customization_files: vec!["sdk/azure/widget/_patch.py".into(), "sdk/azure/widget/aio/_patch.py".into()],
        typespec_changes: Vec::new(),
        renames: vec![Rename { kind: EntityKind::Model, container: None, old: "AnalyzeResult".into(), new: new.into() }],
        line_limit: 19,
        file_limit: 4,
    }
}

fn patch_files() -> BTreeMap<String, String> {
    BTreeMap::from([
        ("sdk/azure/widget/_patch.py".to_owned(), "# one\n\nfrom .models import AnalyzeResult\nx = AnalyzeResult\n".to_owned()),
        ("sdk/azure/widget/aio/_patch.py".to_owned(), "from ..models import AnalyzeResult\n\n\ny = 1\nz: AnalyzeResult\n".to_owned()),
    ])
}

#[tokio::test]
async fn a_repair_patches_every_reference_and_reports_it() {
    let mut files = patch_files();
    let result = run(patch_task("WidgetAnalysis").into(), &mut files).await;
    let PatchResult::Patched { patches } = serde_json::from_value(result).unwrap() else { panic!("guidance") };
    let brief: Vec<_> = patches.iter().map(|patch| (patch.old_content_preview.as_str(), patch.replacement_count)).collect();
    assert_eq!(
        brief,
        [("from .models import AnalyzeResult\nx = AnalyzeResult", 2), ("from ..models import AnalyzeResult", 1), ("z: AnalyzeResult", 1)]
    );
    assert_eq!(files["sdk/azure/widget/_patch.py"], "# one\n\nfrom .models import WidgetAnalysis\nx = WidgetAnalysis\n");
    assert_eq!(files["sdk/azure/widget/aio/_patch.py"], "from ..models import WidgetAnalysis\n\n\ny = 1\nz: WidgetAnalysis\n");
}

#[tokio::test]
async fn without_a_rename_or_for_another_language_nothing_is_read() {
    for task in [
        PatchTask { renames: Vec::new(), ..patch_task("WidgetAnalysis") },
        PatchTask { language: Language::Java, ..patch_task("WidgetAnalysis") },
    ] {
        let mut files = BTreeMap::new();
        let PatchResult::Guidance(guidance) = serde_json::from_value(run(task.into(), &mut files).await).unwrap() else {
            panic!("patched")
        };
        assert_eq!(guidance.files, ["sdk/azure/widget/_patch.py:3"]);
    }
}

#[tokio::test]
async fn an_unknown_task_is_refused() {
    let request = TurnRequest { instructions: String::new(), task: json!({"kind": "poetry"}), messages: Vec::new(), tools: Vec::new() };
    assert!(Mechanic.turn(&request).await.is_err());
}
