//! What is taken as a report, and when.

use super::*;

#[test]
fn report_may_be_json_or_a_string_that_holds_it() {
    let value = json!({ "type": "classification", "tspApplicable": true });
    assert_eq!(report(&value), Report::Classification { tsp_applicable: true });
    assert_eq!(report(&Value::String(value.to_string())), Report::Classification { tsp_applicable: true });
}

#[test]
fn unusable_report_is_refused_with_what_is_wrong_with_it() {
    let cases = [
        (json!("{"), "not JSON"),
        (json!("[1]"), "object with a `type`"),
        (json!(7), "object with a `type`"),
        (json!({ "tspApplicable": true }), "object with a `type`"),
        (json!({ "type": 3 }), "object with a `type`"),
        (json!({ "type": "build_complete", "success": true }), "unknown type `build_complete`"),
        (json!({ "type": "classification" }), "`tspApplicable` is missing"),
        (json!({ "type": "classification", "tspApplicable": "yes" }), "`tspApplicable`: invalid type"),
        (json!({ "type": "tsp_fix_applied", "description": " " }), "`description` is empty"),
        (json!({ "type": "sdk_fix_failed", "description": "x" }), "`reason` is missing"),
    ];
    for (value, expected) in cases {
        let error = Report::read(&value).unwrap_err().to_string();
        assert!(error.contains(expected), "{value}: {error}");
    }
    let long = json!({ "type": "sdk_fix_failed", "reason": "x".repeat(REPORT_BYTES) });
    assert!(matches!(Report::read(&long), Err(ReportError::TooLong(_))));
    assert!(matches!(Report::read(&Value::String(long.to_string())), Err(ReportError::TooLong(_))));
}

#[test]
fn report_of_another_phase_leaves_the_state_as_it_was() {
    let all = [classified(true), tsp_applied(), tsp_not_applicable(), sdk_applied(), sdk_failed()];
    let mut classify = begun();
    let mut tsp = begun();
    take(&mut tsp, &classified(true), &Checked::Passed);
    let mut sdk = begun();
    take(&mut sdk, &classified(false), &Checked::Passed);
    for (workflow, taken) in [(&mut classify, 0..1), (&mut tsp, 1..3), (&mut sdk, 3..5)] {
        for (index, report) in all.iter().enumerate().filter(|(index, _)| !taken.contains(index)) {
            let before = workflow.clone();
            let error = workflow.receive(report).unwrap_err();
            assert!(matches!(error, Rejected::WrongType { .. }), "{index}: {error}");
            assert_eq!(*workflow, before);
        }
    }
}

#[test]
fn workflow_that_is_over_takes_nothing() {
    let mut workflow = begun();
    take(&mut workflow, &classified(false), &Checked::Passed);
    take(&mut workflow, &sdk_applied(), &Checked::Passed);
    let before = workflow.clone();
    assert!(matches!(workflow.receive(&classified(true)).unwrap_err(), Rejected::Over { .. }));
    assert_eq!(workflow, before);
}

#[test]
fn second_report_waits_for_the_check_of_the_first() {
    let mut workflow = begun();
    workflow.receive(&classified(true)).unwrap();
    workflow.receive(&tsp_applied()).unwrap();
    let before = workflow.clone();
    assert!(matches!(workflow.receive(&tsp_applied()).unwrap_err(), Rejected::Checking { .. }));
    assert_eq!(workflow, before);
    let answer = workflow.answer();
    assert!(answer.continuation_required && answer.expected_result.is_none());
    workflow.checked(&Checked::Passed);
    workflow.checked(&build_failed("a check that was not asked for"));
    assert_eq!(workflow.phase(), Phase::Success);
}
