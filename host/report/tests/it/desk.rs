//! Runs in a store of their own, recorded the way a customization records them.

use bailiwick_agent::KnownSecrets;
use bailiwick_report::{Report, gather};
use bailiwick_runs::{BeginRun, Coverage, RootSpec, Run, RunId, Status, Store};
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

/// A store and a package beside it.
pub(crate) struct Desk {
    directory: TempDir,
}

impl Desk {
    pub(crate) fn new() -> Self {
        let desk = Self { directory: tempfile::tempdir().unwrap() };
        for (path, text) in
            [("azure-widget/_patch.py", "old\n"), ("WidgetManager/client.tsp", "import \"./main.tsp\";\n")]
        {
            let path = desk.directory.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        desk
    }

    pub(crate) fn store(&self) -> Store {
        Store::open(&self.directory.path().join("state")).unwrap()
    }

    pub(crate) fn run_directory(&self, id: &RunId) -> PathBuf {
        self.directory.path().join("state/runs").join(id.as_str())
    }

    pub(crate) fn package(&self) -> PathBuf {
        self.directory.path().join("azure-widget")
    }

    pub(crate) fn begin(&self, kind: &str, request: &str) -> Run {
        let root = |name: &str, directory: &str, coverage| RootSpec {
            name: name.to_owned(),
            directory: self.directory.path().join(directory),
            coverage,
        };
        let begun = BeginRun {
            kind: kind.to_owned(),
            request: request.to_owned(),
            details: json!({ "language": "python", "model": "openai:gpt-5" }),
            roots: vec![
                root("sdk", "azure-widget", Coverage::Tree { skip: vec![], skip_at_root: vec![] }),
                root("spec", "WidgetManager", Coverage::Files(vec!["client.tsp".into()])),
            ],
        };
        self.store().begin(begun).unwrap()
    }

    pub(crate) fn edit(&self) {
        fs::write(self.package().join("_patch.py"), "new\n").unwrap();
    }

    pub(crate) fn report(&self, id: &RunId) -> Report {
        gather(&self.store(), id, &KnownSecrets::new(["sk-canary-0123456789".to_owned()])).unwrap()
    }

    /// A run of both phases that ended like this.
    pub(crate) fn ended(&self, request: &str, response: &Value, status: Status) -> RunId {
        let mut run = self.begin("customize", request);
        let id = run.id().clone();
        both_phases(&mut run, request);
        if status != Status::Unchanged {
            self.edit();
        }
        run.finish(status, response).unwrap();
        id
    }
}

/// What a customization of both phases records.
pub(crate) fn both_phases(run: &mut Run, text: &str) {
    let item = json!({ "id": "1", "text": text, "route": "PHASE_A", "reason": "`@@clientName` renames a model", "guidance": null });
    let change = json!({ "decoratorName": "clientName", "target": "Contoso.AnalyzeResult", "scope": "python", "filePath": "spec/client.tsp" });
    let rename = json!({ "kind": "model", "container": null, "old": "AnalyzeResult", "new": "WidgetAnalysis" });
    let error = diagnostic("error", "Module has no attribute \"AnalyzeResult\"; maybe \"AnalyzeResults\"?");
    let patch = json!({ "filePath": "sdk/azure/widget/_patch.py", "oldContentPreview": "AnalyzeResult", "newContentPreview": "WidgetAnalysis", "replacementCount": 3 });
    let regenerated = json!({ "event": "regenerated", "regeneration": { "result": "succeeded", "customizations": "present", "diagnostics": [] } });
    let steps = [
        (
            json!({ "effect": "classify", "validation": null }),
            json!({ "event": "classified", "classification": { "items": [item] } }),
        ),
        (
            json!({ "effect": "editTypespec", "attempt": 1, "items": [item], "feedback": [] }),
            json!({ "event": "typespecEdited", "edit": { "outcome": "landed", "changes": [change], "renames": [rename] } }),
        ),
        (json!({ "effect": "regenerate" }), regenerated.clone()),
        (
            json!({ "effect": "build" }),
            json!({ "event": "built", "build": { "result": "failed", "diagnostics": [error] } }),
        ),
        (
            json!({ "effect": "patchCode", "attempt": 1, "diagnostics": [error], "typespecChanges": [change], "renames": [rename] }),
            json!({ "event": "codePatched", "patch": { "outcome": "landed", "patches": [patch] } }),
        ),
        (json!({ "effect": "regenerate" }), regenerated),
        (
            json!({ "effect": "build" }),
            json!({ "event": "built", "build": { "result": "passed", "diagnostics": [diagnostic("warning", text)] } }),
        ),
        (
            json!({ "effect": "checkDrift" }),
            json!({ "event": "driftChecked", "drift": { "result": "passed", "diagnostics": [] } }),
        ),
        (
            json!({ "effect": "checkClaims", "typespecChanges": [change], "codePatches": [patch] }),
            json!({ "event": "claimsChecked", "claims": { "result": "allInDiff" } }),
        ),
    ];
    for (effect, event) in steps {
        run.event("effect", &effect).unwrap();
        run.event("event", &event).unwrap();
    }
    run.event("timing", &json!({ "totalMs": 12_000, "childrenMs": 11_950, "ownMs": 50 })).unwrap();
    fs::write(run.directory().join("transcript.jsonl"), transcript(text)).unwrap();
}

pub(crate) fn diagnostic(severity: &str, message: &str) -> Value {
    json!({ "severity": severity, "file": "sdk/azure/widget/_patch.py", "line": 14, "column": 5, "code": "attr-defined", "message": message, "symbol": "AnalyzeResult", "tool": "mypy" })
}

fn transcript(text: &str) -> String {
    let usage = json!({ "inputTokens": 4_200, "cachedInputTokens": 1_000, "outputTokens": 310 });
    let lines = [
        json!({ "seq": 0, "at": 1, "entry": "begin", "backend": "openai:gpt-5", "template": { "id": "classification", "version": "1.0.0" } }),
        json!({ "seq": 1, "at": 2, "entry": "turn", "turn": 1, "calls": 1, "usage": usage, "cost": 8_350, "tookMs": 2_100, "text": text }),
        json!({ "seq": 2, "at": 3, "entry": "validation", "callId": "a", "verdict": "refused", "reason": { "refusedByGate": [{ "rule": "other-language", "path": "client.tsp", "message": text }] } }),
        json!({ "seq": 3, "at": 4, "entry": "end", "outcome": "completed" }),
        json!({ "seq": 4, "at": 5, "entry": "begin", "backend": text, "template": { "id": "code-patch-python", "version": "1.0.0" } }),
        json!({ "seq": 5, "at": 6, "entry": "turn", "turn": 1, "calls": 4, "usage": usage, "cost": 8_350, "tookMs": 3_400, "text": text }),
    ];
    lines.map(|line| format!("{line}\n")).concat()
}

/// A response in the form of a customization's.
pub(crate) fn response(outcome: &str, text: &str) -> Value {
    let success = outcome == "success";
    let guidance = json!({ "issue": text, "files": ["sdk/azure/widget/_patch.py:14", text], "approach": format!("1. Open the file.\n2. {text}"), "reason": "the change is not mechanical" });
    json!({
        "outcome": outcome,
        "success": success,
        "errorCode": if success { Value::Null } else { "ManualGuidance".into() },
        "message": text,
        "runId": "r",
        "changesSummary": [
            "spec/client.tsp: `@@clientName` on `Contoso.WidgetManager.AnalyzeResult` for python",
            "sdk/azure/widget/_patch.py: `AnalyzeResult` became `WidgetAnalysis` in 3 places",
            format!("12 generated files changed {text}"),
        ],
        "typeSpecChanges": [{ "decoratorName": "clientName", "target": "Contoso.WidgetManager.AnalyzeResult", "scope": "python", "filePath": "spec/client.tsp" }],
        "codePatches": [],
        "modifiedFiles": ["spec/client.tsp", "sdk/azure/widget/_patch.py"],
        "buildResult": { "success": success, "errorMessages": if success { json!([]) } else { json!([format!("sdk/azure/widget/_patch.py:14: error [attr-defined] {text}")]) }, "warningMessages": ["sdk/azure/widget/models.py:3: warning [unused] unused import"] },
        "phaseAAttempts": 1,
        "phaseBAttempts": 1,
        "specChangeRequired": [],
        "customCodeChangeRequired": [],
        "manualGuidance": if success { json!([]) } else { json!([guidance]) },
        "nextSteps": [],
        "diff": diff(text),
    })
}

fn diff(text: &str) -> String {
    let text = text.replace(['\n', '\r'], " ");
    let path = text.chars().filter(|character| !character.is_control()).take(300).collect::<String>();
    format!(
        "--- a/spec/client.tsp\n+++ b/spec/client.tsp\n@@ -8,3 +8,4 @@\n // The .NET guidelines ask for a noun that says what was analysed.\n \
         @@clientName(AnalyzeResult, \"WidgetAnalysis\", \"csharp\");\n+@@clientName(AnalyzeResult, \"WidgetAnalysis\", \"python\");\n \n\
         --- a/sdk/azure/widget/_patch.py\n+++ b/sdk/azure/widget/_patch.py\n@@ -1,7 +1,7 @@\n from __future__ import annotations\n \n\
         -from ._models import AnalyzeResult, AnalysisFinding\n+from ._models import WidgetAnalysis, AnalysisFinding\n \n \n\
         -def worst(result: AnalyzeResult) -> AnalysisFinding | None:\n+def worst(result: WidgetAnalysis) -> AnalysisFinding | None:\n     \
         \"\"\"The gravest finding of an analysis, if it has any.\"\"\"\n@@ -40,2 +40,3 @@\n {text}\n-    {text}\n+    {text} and more\n+    another line\n\
         Binary files a/sdk/{path} and b/sdk/{path} differ\n\
         # generated: sdk/azure/widget/models/_models.py changed, +14 -14 lines\n# generated: sdk/{path} added, +1 -0 lines\n# and 10 more generated files\n"
    )
}

/// Both forms of a report.
pub(crate) fn both(report: &Report) -> (String, String) {
    let html = bailiwick_report::html(report);
    let markdown = bailiwick_report::markdown(report);
    assert!(html.len() <= bailiwick_report::HTML_BYTES, "{} bytes", html.len());
    assert!(markdown.len() <= bailiwick_report::MARKDOWN_BYTES, "{} bytes", markdown.len());
    crate::well_formed::html(&html);
    (html, markdown)
}

/// Replaces a file of a run with text that is not JSON.
pub(crate) fn damage(desk: &Desk, id: &RunId, file: &str) {
    let path = desk.run_directory(id).join(file);
    assert!(path.exists(), "{}", path.display());
    fs::write(path, b"{\"cut off\xff\n").unwrap();
}
