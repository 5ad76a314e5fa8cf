//! The coordinator, driven by hand.

mod answers;
mod properties;
mod reports;
mod routes;

use bailiwick_sdk::tasks::Diagnostic;
use serde_json::{Value, json};

use super::*;

pub(super) fn begun() -> Workflow {
    begun_with(USUAL_ITERATIONS)
}

pub(super) fn begun_with(max_iterations: u8) -> Workflow {
    Workflow::begin(Begin {
        id: "workflow-1".into(),
        request: "error CS0246: The type 'MyModel' could not be found".into(),
        entry: EntryType::BuildError,
        max_iterations,
        package: "/sdk/package".into(),
        project: "/spec/project".into(),
    })
    .unwrap()
}

pub(super) fn report(value: &Value) -> Report {
    Report::read(value).unwrap()
}

pub(super) fn classified(tsp_applicable: bool) -> Report {
    report(&json!({ "type": "classification", "tspApplicable": tsp_applicable }))
}

pub(super) fn tsp_applied() -> Report {
    report(&json!({ "type": "tsp_fix_applied", "description": "renamed it" }))
}

pub(super) fn tsp_not_applicable() -> Report {
    report(&json!({ "type": "tsp_fix_not_applicable", "reason": "it is logic" }))
}

pub(super) fn sdk_applied() -> Report {
    report(&json!({ "type": "sdk_fix_applied", "description": "patched it" }))
}

pub(super) fn sdk_failed() -> Report {
    report(&json!({ "type": "sdk_fix_failed", "reason": "too large" }))
}

pub(super) fn build_failed(message: &str) -> Checked {
    Checked::BuildFailed { diagnostics: vec![error(message)] }
}

pub(super) fn error(message: &str) -> Diagnostic {
    serde_json::from_value(json!({ "severity": "error", "tool": "build", "message": message })).unwrap()
}

/// Takes a report and, where it leads to a check, what came of that.
pub(super) fn take(workflow: &mut Workflow, report: &Report, checked: &Checked) -> Next {
    let next = workflow.receive(report).unwrap();
    if let Next::Check(_) = next {
        workflow.checked(checked);
    }
    next
}
