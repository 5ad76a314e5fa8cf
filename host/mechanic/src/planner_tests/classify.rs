//! Verdicts, before and after attempts.

use std::collections::BTreeMap;

use super::typespec::{HEAD, edited};
use super::{build_error, run};
use crate::{sample, wordings};
use bailiwick_sdk::tasks::*;

fn classify_task(request: &str, index: SpecIndex) -> ClassifyTask {
    ClassifyTask {
        request: request.into(),
        language: Language::Python,
        package: None,
        index,
        history: String::new(),
        validation: None,
        first: None,
    }
}

async fn classified(task: ClassifyTask) -> Vec<ItemVerdict> {
    let result = run(task.into(), &mut BTreeMap::new()).await;
    serde_json::from_value::<Classification>(result).unwrap().items
}

#[tokio::test]
async fn request_is_routed_to_phase_a_and_a_done_one_to_success() {
    let open = classified(classify_task("hide deleteWidget", sample::index())).await;
    assert_eq!((open[0].route, open[0].id.as_str()), (Route::PhaseA, "1"));
    let hidden = sample::index_with(&[("Widgets.deleteWidget", None, Access::Internal)]);
    for wording in wordings::HIDE.iter().chain(wordings::HIDDEN_ALREADY) {
        if classified(classify_task(wording, sample::index())).await[0].route == Route::Failure {
            continue;
        }
        let verdicts = classified(classify_task(wording, hidden.clone())).await;
        assert_eq!(verdicts[0].route, Route::Success, "{wording}");
    }
    let renamed = sample::index_with(&[("AnalyzeResult", Some("WidgetAnalysis"), Access::Public)]);
    for wording in wordings::RENAME_MODEL.iter().chain(wordings::RENAMED_ALREADY) {
        if classified(classify_task(wording, sample::index())).await[0].route == Route::Failure {
            continue;
        }
        let verdicts = classified(classify_task(wording, renamed.clone())).await;
        assert_ne!(verdicts[0].route, Route::PhaseA, "{wording}");
    }
}

#[tokio::test]
async fn type_of_public_operations_is_hidden_with_them_and_never_alone() {
    let mut index = sample::index();
    let operations = ["getWidget", "deleteWidget"].map(|name| format!("Contoso.WidgetManager.Widgets.{name}"));
    let _ = index.uses.insert("Contoso.WidgetManager.Manufacturer".to_owned(), operations.to_vec());
    let alone = classified(classify_task("hide the model Manufacturer", index.clone())).await;
    let guidance = alone[0].guidance.clone().unwrap();
    assert_eq!(alone[0].route, Route::Failure);
    assert!(operations.iter().all(|operation| guidance.issue.contains(operation)), "{}", guidance.issue);

    let one =
        classified(classify_task("- hide the model Manufacturer\n- hide the operation getWidget", index.clone())).await;
    assert_eq!(one.iter().map(|item| item.route).collect::<Vec<_>>(), [Route::Failure, Route::PhaseA]);
    assert!(!one[0].guidance.clone().unwrap().issue.contains("getWidget"));

    let both = classified(classify_task("hide the model Manufacturer, getWidget and deleteWidget", index)).await;
    assert!(both.iter().all(|item| item.route == Route::PhaseA), "{both:#?}");
}

#[tokio::test]
async fn enum_of_a_property_is_hidden_with_its_model_and_never_alone() {
    let mut index = sample::index();
    let property = "Contoso.WidgetManager.Widget.status".to_owned();
    let _ = index.held.insert("Contoso.WidgetManager.WidgetStatus".to_owned(), vec![property.clone()]);
    let alone = classified(classify_task("hide the union WidgetStatus", index.clone())).await;
    let guidance = alone[0].guidance.clone().unwrap();
    assert_eq!(alone[0].route, Route::Failure);
    assert!(guidance.issue.contains(&property) && guidance.reason.contains("property"), "{guidance:?}");

    let both = classified(classify_task("- hide the model Widget\n- hide the union WidgetStatus", index)).await;
    assert!(both.iter().all(|item| item.route == Route::PhaseA), "{both:#?}");
}

#[tokio::test]
async fn out_of_scope_is_a_failure_with_four_parts() {
    let verdicts = classified(classify_task("add retry with circuit breaker to the client", sample::index())).await;
    let guidance = verdicts[0].guidance.clone().unwrap();
    assert_eq!(verdicts[0].route, Route::Failure);
    assert!(
        !guidance.issue.is_empty()
            && !guidance.files.is_empty()
            && !guidance.approach.is_empty()
            && !guidance.reason.is_empty()
    );
}

#[tokio::test]
async fn validation_decides_after_an_attempt() {
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
    // A specification that does not compile is never a success.
    let mut broken = sample::index();
    broken.diagnostics.push(tsp);
    assert_eq!(route(classify_task("hide deleteWidget", broken)).await, Route::Failure);
}

#[tokio::test]
async fn log_of_a_rename_that_the_specification_made_is_a_refresh() {
    let renamed = sample::index_with(&[("AnalyzeResult", Some("WidgetAnalysis"), Access::Public)]);
    let log = "azure/widget/models/_patch.py:3: error: Module \"azure.widget.models._models\" has no attribute \"AnalyzeResult\"  [attr-defined]\nFound 1 error in 1 file (checked 12 source files)";
    for request in [
        log.to_owned(),
        format!("Please fix the build errors below:\n{log}"),
        format!("The build fails with:\n```\n{log}\n```"),
    ] {
        let verdicts = classified(classify_task(&request, renamed.clone())).await;
        assert_eq!(verdicts[0].route, Route::PhaseA, "{request}: {verdicts:#?}");
        let (result, _) = edited(&request, renamed.clone(), Some(HEAD)).await;
        assert!(result.no_edit_needed);
        assert_eq!(
            (result.renames[0].old.as_str(), result.renames[0].new.as_str()),
            ("AnalyzeResult", "WidgetAnalysis")
        );
    }
    // What no rename explains is built as well: the build says what is wrong.
    let unrelated = classified(classify_task(log, sample::index())).await;
    assert_eq!(unrelated[0].route, Route::PhaseA);
    // An error in generated code is not the customization's.
    let generated = classified(classify_task(&log.replace("_patch.py", "_models.py"), sample::index())).await;
    assert_eq!(generated[0].route, Route::Failure);
    assert_eq!(generated[0].guidance.as_ref().unwrap().files, ["azure/widget/models/_models.py:3"]);
}

#[tokio::test]
async fn wish_for_another_package_is_guidance_and_stays_a_candidate() {
    let of = |package: &str| ClassifyTask {
        package: Some(package.into()),
        ..classify_task("In azure-communication-sms, please hide deleteWidget.", sample::index())
    };
    let own = classified(of("azure-communication-sms")).await;
    assert_eq!(own[0].route, Route::PhaseA);
    let result = run(of("azure-mgmt-widget").into(), &mut BTreeMap::new()).await;
    let other: Classification = serde_json::from_value(result).unwrap();
    assert_eq!((other.items[0].route, other.items[0].directives.len()), (Route::Failure, 0));
    assert!(other.items[0].guidance.as_ref().unwrap().issue.contains("azure-communication-sms"));
    assert_eq!(other.candidates.len(), 1);
}
