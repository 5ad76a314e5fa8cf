//! Each kind of run is reported as what it is.

use crate::desk::{Desk, both, both_phases, damage, response};
use bailiwick_agent::KnownSecrets;
use bailiwick_report::Mark;
use bailiwick_runs::Status;
use serde_json::{Value, json};

const REQUEST: &str = "rename the model AnalyzeResult to WidgetAnalysis in the Python SDK";

#[test]
fn success_that_waits_shows_changes_difference_attempts_cost_and_how_to_decide() {
    let desk = Desk::new();
    let id = desk.ended(REQUEST, &response("success", "the request is carried out"), Status::Pending);
    let report = desk.report(&id);
    assert_eq!((report.verdict.mark, report.verdict.label.as_str()), (Mark::Good, "Success"));
    assert_eq!(report.verdict.sentence, "the request is carried out; its changes wait for a decision");
    let titles: Vec<_> = report.attempts.iter().map(|attempt| attempt.title.as_str()).collect();
    assert_eq!(
        titles,
        [
            "Classification",
            "Phase A, attempt 1 of 2: TypeSpec",
            "Phase B, attempt 1 of 2: customization code",
            "Claims"
        ]
    );
    assert_eq!(report.attempts[1].steps.len(), 3);
    assert_eq!(report.attempts[1].mark, Mark::Bad);
    assert_eq!(report.attempts[2].mark, Mark::Good);
    let totals = report.totals.as_ref().unwrap();
    assert_eq!((totals.turns, totals.tool_calls, totals.cost_millionths), (2, 5, Some(16_700)));
    assert_eq!((report.agents[0].sent_back, report.agents[1].outcome.as_str()), (1, "not ended"));
    let (html, markdown) = both(&report);
    for part in [
        REQUEST,
        "Content-Security-Policy",
        "default-src &#39;none&#39;",
        "<h2 id=\"diff-title\">Difference</h2>",
        "<del>def worst(result: <mark>AnalyzeResult</mark>)",
        "<ins>def worst(result: <mark>WidgetAnalysis</mark>)",
        "<span class=\"sign\">−</span>",
        "12 generated files",
        "0.016700",
        &format!("bailiwick run approve {id}"),
        &format!("bailiwick run revert {id}"),
    ] {
        assert!(html.contains(&part.replace("&#39;", "'")), "{part} in\n{html}");
    }
    for part in [
        "## ✓ Success",
        "```diff\n@@ -8 +8 @@\n",
        "-def worst(result: AnalyzeResult)",
        "+def worst(result: WidgetAnalysis)",
        "| together | | 2 | 5 | 8,400 | 2,000 | 620 | 0.016700 | 5.5 s |",
        &format!("bailiwick run revert {id}"),
    ] {
        assert!(markdown.contains(part), "{part} in\n{markdown}");
    }
    // Directories of this machine do not belong in a pull request.
    assert!(!markdown.contains(desk.package().to_str().unwrap()) && html.contains(desk.package().to_str().unwrap()));
}

#[test]
fn partial_and_failed_runs_show_what_is_to_be_done_by_hand() {
    for (outcome, status, label, ends) in [
        ("partial", Status::Pending, "Partial success", "its changes wait for a decision"),
        ("failure", Status::Failed { kept: true }, "Failure", "its changes were kept for a look"),
        ("failure", Status::Failed { kept: false }, "Failure", "both repositories were put back"),
        ("failure", Status::Unchanged, "Failure", "nothing was changed"),
    ] {
        let desk = Desk::new();
        let id = desk.ended(REQUEST, &response(outcome, "the pipeline changed its shape"), status);
        let report = desk.report(&id);
        assert_eq!(report.verdict.label, label);
        assert!(report.verdict.sentence.ends_with(ends), "{}", report.verdict.sentence);
        let (html, markdown) = both(&report);
        for text in [&html, &markdown] {
            for part in
                ["To do by hand", "2. the pipeline changed its shape", "the change is not mechanical", "ManualGuidance"]
            {
                assert!(text.contains(part), "{part} in\n{text}");
            }
            let decides = text.contains("bailiwick run approve");
            assert_eq!(decides, matches!(status, Status::Pending | Status::Failed { kept: true }), "{status}");
        }
    }
}

#[test]
fn approved_and_reverted_runs_say_so_and_offer_nothing() {
    let desk = Desk::new();
    let id = desk.ended(REQUEST, &response("success", "done"), Status::Pending);
    desk.store().approve(&id).unwrap();
    let report = desk.report(&id);
    assert_eq!((report.verdict.label.as_str(), report.status.as_str()), ("Success, approved", "approved"));
    assert!(report.decision.commands.is_empty() && report.timeline.last().unwrap().what.contains("approved"));
    let _ = both(&report);

    let desk = Desk::new();
    let id = desk.ended(REQUEST, &response("success", "done"), Status::Pending);
    desk.store().revert(&id).unwrap();
    let report = desk.report(&id);
    assert_eq!(report.verdict.label, "Reverted");
    assert_eq!(report.verdict.sentence, "it had succeeded: done; both repositories are as before");
    assert!(report.decision.commands.is_empty());
    let _ = both(&report);
}

#[test]
fn cancelled_killed_running_and_suspended_runs_are_told_apart() {
    let desk = Desk::new();
    let run = desk.begin("customize", REQUEST);
    let id = run.id().clone();
    run.event_of_a_build();
    let report = desk.report(&id);
    assert_eq!((report.verdict.label.as_str(), report.verdict.mark), ("Running", Mark::Plain));
    assert_eq!(report.attempts[0].steps[0].result, "under way, or broken off");
    let _ = both(&report);
    run.finish(Status::Reverted, &Value::Null).unwrap();
    let report = desk.report(&id);
    assert_eq!(report.verdict.label, "Cancelled");
    assert_eq!(report.attempts[0].steps[0].result, "broken off before it came to an end");
    let _ = both(&report);

    let run = desk.begin("customize", REQUEST);
    let id = run.id().clone();
    desk.edit();
    drop(run);
    let report = desk.report(&id);
    assert_eq!((report.verdict.label.as_str(), report.verdict.mark), ("Interrupted", Mark::Bad));
    assert!(report.timeline.iter().any(|moment| moment.what.starts_with("its process had died")));
    let _ = both(&report);

    let run = desk.begin("workflow", REQUEST);
    let id = run.suspend().unwrap();
    let report = desk.report(&id);
    assert_eq!(report.verdict.label, "Waiting");
    assert!(both(&report).1.contains("bailiwick run revert"));
}

#[test]
fn single_steps_and_workflows_have_their_own_responses() {
    let desk = Desk::new();
    let diagnostics = [crate::desk::diagnostic("error", "no such name")];
    let step =
        json!({ "step": "build", "succeeded": false, "runId": "r", "modifiedFiles": [], "diagnostics": diagnostics });
    let run = desk.begin("build", "");
    let id = run.id().clone();
    run.finish(Status::Unchanged, &step).unwrap();
    let report = desk.report(&id);
    assert_eq!((report.verdict.label.as_str(), report.diagnostics.len()), ("Failure", 1));
    assert!(both(&report).0.contains("no such name"));

    let entry = json!({ "iteration": 1, "phase": "AttemptTspFix", "action": "TypeSpec was edited", "result": "success", "details": "renamed" });
    let run = desk.begin("workflow", REQUEST);
    let id = run.id().clone();
    std::fs::write(run.directory().join("workflow.json"), json!({ "workflow": { "history": [entry] } }).to_string())
        .unwrap();
    let answer = json!({
        "phase": "Success", "message": "The package builds.", "workflow_id": "w", "is_complete": true, "status": "success",
        "continuation_required": false, "progress": { "iteration": 1, "max_iterations": 3, "phases_completed": [] },
    });
    run.finish(Status::Unchanged, &answer).unwrap();
    let report = desk.report(&id);
    assert_eq!(report.attempts[0].steps[0].name, "TypeSpec was edited");
    let _ = both(&report);
}

#[test]
fn damaged_record_is_reported_as_far_as_it_can_be_read() {
    for file in ["response.json", "changed.json", "events.jsonl", "transcript.jsonl"] {
        let desk = Desk::new();
        let id = desk.ended(REQUEST, &response("success", "done"), Status::Pending);
        damage(&desk, &id, file);
        let report = desk.report(&id);
        assert!(!report.damaged.is_empty(), "{file}");
        let (html, markdown) = both(&report);
        assert!(html.contains("Damaged record") && markdown.contains("**Damaged record:**"), "{file}");
        assert!(html.contains(REQUEST) && html.contains("bailiwick run revert"), "{file}");
    }
    let desk = Desk::new();
    let id = desk.ended(REQUEST, &response("success", "done"), Status::Pending);
    let store = desk.store();
    damage(&desk, &id, "run.json");
    // Nothing is known of it any more, and that is what is said.
    let error = bailiwick_report::gather(&store, &id, &KnownSecrets::new([])).unwrap_err();
    assert!(error.to_string().contains("run.json"), "{error}");
}

#[test]
fn response_of_another_version_and_unknown_events_are_shown_and_not_dropped() {
    let desk = Desk::new();
    let mut run = desk.begin("customize", REQUEST);
    let id = run.id().clone();
    both_phases(&mut run, "text");
    run.event("effect", &json!({ "effect": "teleport" })).unwrap();
    run.event("weather", &json!({ "sun": true })).unwrap();
    run.finish(Status::Unchanged, &json!({ "verdict": "fine" })).unwrap();
    let report = desk.report(&id);
    assert_eq!(report.verdict.label, "Outcome unknown");
    let (html, _) = both(&report);
    for part in ["<code>teleport</code>", "weather", "verdict"] {
        assert!(html.contains(part), "{part}");
    }
}

trait Recorded {
    fn event_of_a_build(&self);
}

impl Recorded for bailiwick_runs::Run {
    /// Appended beside the run, which this test wants to keep whole.
    fn event_of_a_build(&self) {
        use std::io::Write as _;
        let line = json!({ "time": "2026-11-22T01:00:00.000Z", "kind": "effect", "data": { "effect": "build" } });
        let path = self.directory().join("events.jsonl");
        let mut file = std::fs::OpenOptions::new().append(true).open(path).unwrap();
        writeln!(file, "{line}").unwrap();
    }
}
