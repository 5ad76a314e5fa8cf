//! Seed 000, 9.7: the structure of the answer.

use bailiwick_agent::Spent;
use bailiwick_sdk::tasks::{
    Change, Classification, CodePatchDetail, Diagnostic, Directive, EntityKind, ItemVerdict, Language, ManualGuidance,
    Route, Severity, TypeSpecChange,
};

use super::{ChangedFile, Disposition, Origin, Response, RunFacts, unified};
use crate::machine::{
    Before, Checked, Claims, CodePatch, Customizations, EditScope, Event, Input, Keep, Regeneration, State,
    TypespecEdit, step,
};
use crate::plan::PlannedAction;
use crate::surface::{Cause, SeenIn, Surface, SurfaceChange, SurfaceChangeKind};

fn route(route: Route) -> Event {
    let item = ItemVerdict {
        id: "1".to_owned(),
        text: "rename displayName to title".to_owned(),
        route,
        reason: "clientName does it".to_owned(),
        directives: Vec::new(),
        guidance: None,
    };
    Event::Classified { classification: Classification { items: vec![item], ..Classification::default() } }
}

fn landed() -> Event {
    let change = TypeSpecChange {
        decorator_name: "clientName".to_owned(),
        target: "Contoso.Widget.displayName".to_owned(),
        scope: "python".to_owned(),
        file_path: "spec/client.tsp".to_owned(),
    };
    Event::TypespecEdited { edit: TypespecEdit::Landed { changes: vec![change], renames: Vec::new() } }
}

fn patched() -> Event {
    let patch = CodePatchDetail {
        file_path: "sdk/azure/widget/_patch.py".to_owned(),
        old_content_preview: "self.display_name".to_owned() + &"x".repeat(200),
        new_content_preview: "self.title".to_owned(),
        replacement_count: 3,
    };
    Event::CodePatched { patch: CodePatch::Landed { patches: vec![patch] } }
}

fn regenerated() -> Event {
    let customizations = Customizations::Present;
    Event::Regenerated { regeneration: Regeneration::Succeeded { customizations, diagnostics: Vec::new() } }
}

fn diagnostic(severity: Severity, message: &str) -> Diagnostic {
    Diagnostic {
        severity,
        file: Some("sdk/azure/widget/_patch.py".to_owned()),
        line: Some(3),
        column: None,
        code: Some("attr-defined".to_owned()),
        message: message.to_owned(),
        symbol: None,
        tool: "mypy".to_owned(),
    }
}

fn broken() -> Event {
    let diagnostics = vec![diagnostic(Severity::Error, "no attribute \"display_name\"")];
    Event::Built { build: Checked::Failed { diagnostics }, before: Before::default() }
}

fn built() -> Event {
    let diagnostics = vec![diagnostic(Severity::Warning, "unused import")];
    Event::Built { build: Checked::Passed { diagnostics }, before: Before::default() }
}

fn no_drift() -> Event {
    Event::DriftChecked { drift: Checked::Passed { diagnostics: Vec::new() } }
}

fn claims() -> Event {
    Event::ClaimsChecked { claims: Claims::AllInDiff }
}

fn run(events: Vec<Event>) -> State {
    let input = Input { request: "rename displayName to title".to_owned(), scope: EditScope::All, keep: Keep::Partial };
    let (state, _) = State::begin(&input);
    events.into_iter().fold(state, |state, event| step(state, event).0)
}

fn file(path: &str, origin: Origin, before: Option<&str>, after: Option<&str>) -> ChangedFile {
    let bytes = |text: &str| text.as_bytes().to_vec();
    ChangedFile { path: path.to_owned(), origin, before: before.map(bytes), after: after.map(bytes) }
}

fn facts(disposition: Disposition, files: Vec<ChangedFile>) -> RunFacts {
    RunFacts {
        run_id: "r-7".to_owned(),
        disposition,
        files,
        directories: [("sdk".to_owned(), "/clones/azure-widget".to_owned())].into(),
        background: Vec::new(),
        candidates: Vec::new(),
        leftovers: Vec::new(),
        put_back: None,
        surface: None,
        usage: Spent::default(),
    }
}

fn both_phases() -> (State, RunFacts) {
    let state = run(vec![
        route(Route::PhaseA),
        landed(),
        regenerated(),
        broken(),
        patched(),
        regenerated(),
        built(),
        no_drift(),
        route(Route::Success),
        claims(),
    ]);
    let files = vec![
        file(
            "spec/client.tsp",
            Origin::Agent,
            None,
            Some("@@clientName(Widget.displayName, \"title\", \"python\");\n"),
        ),
        file("sdk/azure/widget/_patch.py", Origin::Agent, Some("a\nself.display_name\n"), Some("a\nself.title\n")),
        file("sdk/azure/widget/models/_models.py", Origin::Generator, Some("a\nb\n"), Some("a\nc\nd\n")),
    ];
    (state, facts(Disposition::Pending, files))
}

#[test]
fn success_of_both_phases_lists_everything_that_changed() {
    let (state, facts) = both_phases();
    let response = Response::new(&state, &facts);
    assert!(response.success);
    assert_eq!(response.error_code, None);
    assert_eq!((response.phase_a_attempts, response.phase_b_attempts), (1, 1));
    assert_eq!(response.type_spec_changes.len(), 1);
    assert_eq!(response.code_patches[0].old_content_preview.chars().count(), 100);
    assert_eq!(
        response.modified_files,
        ["spec/client.tsp", "sdk/azure/widget/_patch.py", "sdk/azure/widget/models/_models.py"]
    );
    let build = response.build_result.expect("a build");
    assert!(build.success && build.error_messages.is_empty());
    assert_eq!(build.warning_messages, ["sdk/azure/widget/_patch.py:3: warning [attr-defined] unused import"]);
    let summary = response.changes_summary.join("\n");
    assert!(summary.contains("`@@clientName` on `Contoso.Widget.displayName` for python"), "{summary}");
    assert!(summary.contains("in 3 places") && summary.contains("1 generated files"), "{summary}");
    assert_eq!(response.next_steps[0], "Review changes and commit if approved");
    for command in ["show", "approve", "revert"] {
        let command = format!("`bailiwick run {command} r-7`");
        assert!(response.next_steps.iter().any(|step| step.contains(&command)), "{command}");
    }
    assert!(response.manual_guidance.is_empty());
}

#[test]
fn change_of_both_repositories_says_what_becomes_of_the_pinned_commit_and_where_the_grants_lie() {
    let (state, facts) = both_phases();
    let response = Response::new(&state, &facts);
    assert!(response.next_steps.iter().any(|step| {
        step.contains("open a pull request in each") && step.contains("`commit` in `tsp-location.yaml`")
    }));
    assert_eq!(response.directories["sdk"], "/clones/azure-widget");
}

#[test]
fn public_types_that_are_gone_without_a_directive_are_named_and_others_are_not() {
    let (state, mut facts) = both_phases();
    let change = |name: &str, change: SurfaceChangeKind, cause: Cause| SurfaceChange {
        change,
        name: name.to_owned(),
        new_name: None,
        kind: "model".to_owned(),
        details: Vec::new(),
        cause,
        because: String::new(),
    };
    let surface = |changes: Vec<SurfaceChange>| Surface {
        seen_in: SeenIn::GeneratedCode,
        breaking: changes.len(),
        changes,
        omitted: 0,
        notes: Vec::new(),
    };
    let said = |facts: &RunFacts| {
        let steps = Response::new(&state, facts).next_steps;
        steps.into_iter().filter(|step| step.contains("public types")).collect::<Vec<_>>()
    };
    let mut changes = vec![
        change("Part", SurfaceChangeKind::Removed, Cause::Decorator),
        change("Widget.name", SurfaceChangeKind::Removed, Cause::Emitter),
        change("Stock", SurfaceChangeKind::Added, Cause::Emitter),
    ];
    facts.surface = Some(surface(changes.clone()));
    assert_eq!(said(&facts), [] as [&str; 0]);
    for name in ["A", "B", "C", "D", "E", "F"] {
        changes.push(change(name, SurfaceChangeKind::Removed, Cause::Emitter));
    }
    facts.surface = Some(surface(changes));
    assert_eq!(
        said(&facts),
        [
            "The generation removed public types that no directive names: model `A`, model `B`, model `C`, model `D`, model `E` and 1 more. \
          `publicSurface` says why"
        ]
    );
}

#[test]
fn field_names_are_the_documented_ones() {
    let (state, facts) = both_phases();
    let value = serde_json::to_value(Response::new(&state, &facts)).expect("serialises");
    let names =
        |value: &serde_json::Value| -> Vec<String> { value.as_object().expect("an object").keys().cloned().collect() };
    assert_eq!(
        names(&value),
        [
            "outcome",
            "success",
            "errorCode",
            "message",
            "runId",
            "changesSummary",
            "typeSpecChanges",
            "codePatches",
            "publicSurface",
            "background",
            "modifiedFiles",
            "directories",
            "buildResult",
            "phaseAAttempts",
            "phaseBAttempts",
            "specChangeRequired",
            "customCodeChangeRequired",
            "manualGuidance",
            "nextSteps",
            "usage",
            "diff"
        ]
    );
    assert_eq!(value["outcome"], "success");
    assert_eq!(names(&value["typeSpecChanges"][0]), ["decoratorName", "target", "scope", "filePath"]);
    assert_eq!(
        names(&value["codePatches"][0]),
        ["filePath", "oldContentPreview", "newContentPreview", "replacementCount"]
    );
    assert_eq!(names(&value["buildResult"]), ["success", "errorMessages", "warningMessages", "knownMessages"]);
}

#[test]
fn partial_keeps_what_landed_and_says_what_remains() {
    let guidance = ManualGuidance {
        issue: "the pipeline changed its shape".to_owned(),
        files: vec!["sdk/azure/widget/_patch.py:3".to_owned()],
        approach: "rewrite it".to_owned(),
        reason: "not mechanical".to_owned(),
    };
    let patch = CodePatch::Guidance(guidance.clone());
    let state =
        run(vec![route(Route::PhaseA), landed(), regenerated(), broken(), Event::CodePatched { patch }, claims()]);
    let response = Response::new(&state, &facts(Disposition::Pending, Vec::new()));
    let value = serde_json::to_value(&response).expect("serialises");
    assert_eq!((&value["outcome"], &value["errorCode"]), (&"partial".into(), &"ManualGuidance".into()));
    assert!(!response.success);
    assert_eq!(response.next_steps[0], "Some issues remain, review and fix manually");
    assert_eq!(response.manual_guidance, [guidance]);
    assert!(response.changes_summary.iter().any(|line| line == "by hand: the pipeline changed its shape"));
    let build = response.build_result.expect("a build");
    assert!(!build.success && build.error_messages.len() == 1);
    let text =
        Response { build_result: None, ..Response::new(&state, &facts(Disposition::Pending, Vec::new())) }.format();
    for part in ["issue:", "files:", "approach:", "reason:", "the pipeline changed its shape", "not mechanical"] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[test]
fn candidates_stand_beside_what_remains_and_never_beside_a_success() {
    let candidate = PlannedAction::of(
        &Directive {
            change: Change::Hide { kind: EntityKind::Operation, target: "Service.Group.get".into() },
            scope: None,
            basis: "hide get, perhaps".into(),
        },
        Language::Python,
    );
    let (state, done) = both_phases();
    let done = Response::new(&state, &RunFacts { candidates: vec![candidate.clone()], ..done });
    assert!(done.success && done.candidates.is_empty() && !done.format().contains("--hide"));
    let state = run(vec![route(Route::Failure)]);
    let facts = RunFacts { candidates: vec![candidate.clone()], ..facts(Disposition::Unchanged, Vec::new()) };
    let open = Response::new(&state, &facts);
    assert_eq!((open.success, &open.candidates), (false, &vec![candidate]));
    assert!(open.format().contains("`--hide Service.Group.get`"), "{}", open.format());
    assert!(open.next_steps.iter().any(|step| step.contains("`candidates`")), "{:?}", open.next_steps);
}

#[test]
fn reverted_failure_claims_no_change() {
    let state = run(vec![
        route(Route::PhaseA),
        landed(),
        regenerated(),
        broken(),
        Event::Aborted { code: crate::machine::ErrorCode::Cancelled, message: "cancelled".to_owned() },
    ]);
    let response = Response::new(&state, &facts(Disposition::Reverted, Vec::new()));
    assert!(response.type_spec_changes.is_empty() && response.code_patches.is_empty());
    assert!(response.modified_files.is_empty() && response.diff.is_empty());
    assert!(response.changes_summary[0].starts_with("tried and taken back: "));
    assert_eq!(response.next_steps[0], "Manual intervention required, see error details");
    assert!(!response.next_steps.iter().any(|step| step.contains("approve")));
}

#[test]
fn run_that_has_not_ended_is_never_a_success() {
    let response = Response::new(&run(vec![route(Route::PhaseA)]), &facts(Disposition::Kept, Vec::new()));
    assert!(!response.success);
    assert!(response.message.contains("editTypespec"));
}

#[test]
fn text_form_says_outcome_build_changes_and_steps() {
    let (state, facts) = both_phases();
    let text = Response::new(&state, &facts).format();
    for part in [
        "success: the request is carried out",
        "run: r-7",
        "attempts: TypeSpec 1 of 2, code 1 of 2",
        "build: passed, 0 errors, 1 warning",
        "\nchanges\n",
        "  - spec/client.tsp",
        "\nnext steps\n  - Review changes",
    ] {
        assert!(text.contains(part), "{part:?} in {text}");
    }
}

#[test]
fn diff_is_full_for_agents_and_a_summary_for_the_generator() {
    let (_, facts) = both_phases();
    assert_eq!(
        unified(&facts.files),
        "--- /dev/null\n+++ b/spec/client.tsp\n@@ -0,0 +1 @@\n\
         +@@clientName(Widget.displayName, \"title\", \"python\");\n\
         --- a/sdk/azure/widget/_patch.py\n+++ b/sdk/azure/widget/_patch.py\n@@ -1,2 +1,2 @@\n a\n\
         -self.display_name\n+self.title\n\
         # generated: sdk/azure/widget/models/_models.py changed, +2 -1 lines\n"
    );
}

#[test]
fn diff_of_binary_content_or_too_many_files_stays_short() {
    let mut binary = file("sdk/a.bin", Origin::Agent, Some("a"), None);
    binary.before = Some(vec![0xff, 0]);
    assert_eq!(unified(&[binary]), "Binary files a/sdk/a.bin and /dev/null differ\n");
    let many: Vec<ChangedFile> =
        (0..60).map(|n| file(&format!("sdk/m{n}.py"), Origin::Generator, None, Some("a\n"))).collect();
    let text = unified(&many);
    assert_eq!(text.lines().count(), 51);
    assert!(text.contains("# generated: sdk/m0.py added, +1 -0 lines\n"));
    assert!(text.ends_with("# and 10 more generated files\n"));
}

#[test]
fn path_cannot_pretend_to_be_a_line_of_the_diff() {
    let text = unified(&[file("sdk/a\n+evil", Origin::Agent, Some("a\n"), Some("b\n"))]);
    assert!(text.starts_with("--- a/sdk/a?+evil\n"), "{text}");
}

#[test]
fn what_was_read_as_background_is_in_both_forms_of_the_answer() {
    let (state, facts) = both_phases();
    let pieces = vec!["Thanks a lot,\n  Ann".to_owned(), "x".repeat(300)];
    let facts = RunFacts { background: pieces.clone(), ..facts };
    let response = Response::new(&state, &facts);
    assert_eq!(response.background, pieces);
    let text = response.format();
    assert!(text.contains("\nread as background, which asks for nothing\n  - Thanks a lot, Ann\n  - xxx"), "{text}");
    assert!(text.contains("x…\n") && !text.contains(&"x".repeat(161)), "{text}");
    let nothing = Response::new(&state, &RunFacts { background: Vec::new(), ..facts }).format();
    assert!(!nothing.contains("background"), "{nothing}");
}
