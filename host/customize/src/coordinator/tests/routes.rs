//! Each way through the workflow.

use super::*;

#[test]
fn typespec_fix_that_builds_is_a_success() {
    let mut workflow = begun();
    take(&mut workflow, &classified(true), &Checked::Passed);
    assert_eq!(workflow.phase(), Phase::AttemptTspFix);
    let next = take(&mut workflow, &tsp_applied(), &Checked::Passed);
    assert_eq!(next, Next::Check(Check { after: FixType::Tsp }));
    assert_eq!((workflow.phase(), workflow.status()), (Phase::Success, Some(Status::Success)));
}

#[test]
fn code_fix_that_builds_is_a_success() {
    let mut workflow = begun();
    take(&mut workflow, &classified(false), &Checked::Passed);
    assert_eq!(workflow.phase(), Phase::AttemptSdkFix);
    let next = take(&mut workflow, &sdk_applied(), &Checked::Passed);
    assert_eq!(next, Next::Check(Check { after: FixType::Sdk }));
    assert_eq!(workflow.phase(), Phase::Success);
}

#[test]
fn typespec_that_is_not_applicable_after_all_leads_to_the_code() {
    let mut workflow = begun();
    take(&mut workflow, &classified(true), &Checked::Passed);
    assert_eq!(take(&mut workflow, &tsp_not_applicable(), &Checked::Passed), Next::Answer);
    assert_eq!(workflow.phase(), Phase::AttemptSdkFix);
}

#[test]
fn failed_regeneration_ends_the_workflow_with_iterations_left() {
    let mut workflow = begun();
    take(&mut workflow, &classified(true), &Checked::Passed);
    take(&mut workflow, &tsp_applied(), &Checked::RegenerationFailed { diagnostics: vec![error("bad decorator")] });
    assert_eq!((workflow.phase(), workflow.iteration()), (Phase::Failure, 1));
    assert!(workflow.errors().contains("bad decorator"), "{}", workflow.errors());
}

#[test]
fn code_that_cannot_be_mended_ends_the_workflow() {
    let mut workflow = begun();
    take(&mut workflow, &classified(false), &Checked::Passed);
    take(&mut workflow, &sdk_failed(), &Checked::Passed);
    assert_eq!(workflow.phase(), Phase::Failure);
}

#[test]
fn failed_build_is_classified_anew_with_its_own_errors_until_no_iteration_is_left() {
    let mut workflow = begun();
    for iteration in 1..=3 {
        assert_eq!((workflow.phase(), workflow.iteration()), (Phase::Classify, iteration));
        take(&mut workflow, &classified(iteration % 2 == 0), &Checked::Passed);
        let applied = if iteration % 2 == 0 { tsp_applied() } else { sdk_applied() };
        take(&mut workflow, &applied, &build_failed(&format!("broken {iteration}")));
        assert!(workflow.errors().contains(&format!("broken {iteration}")));
        assert!(!workflow.errors().contains("MyModel"), "the errors of the last build replace the request");
    }
    assert_eq!((workflow.phase(), workflow.iteration()), (Phase::Failure, 3));
}

#[test]
fn refused_edits_change_neither_phase_nor_iteration_and_are_named() {
    let mut workflow = begun();
    take(&mut workflow, &classified(true), &Checked::Passed);
    let refused = Checked::EditsRefused { violations: vec!["`spec/main.tsp` may not be changed".into()] };
    take(&mut workflow, &tsp_applied(), &refused);
    assert_eq!((workflow.phase(), workflow.iteration()), (Phase::AttemptTspFix, 1));
    let answer = workflow.answer();
    assert_eq!(answer.refused_changes, ["`spec/main.tsp` may not be changed"]);
    assert!(answer.instruction.unwrap().contains("spec/main.tsp"));
    take(&mut workflow, &tsp_applied(), &Checked::Passed);
    assert!(workflow.answer().refused_changes.is_empty(), "refusals of undone work are dropped");
}

#[test]
fn claimed_edit_that_was_not_made_is_not_a_success() {
    let mut workflow = begun();
    take(&mut workflow, &classified(false), &Checked::Passed);
    take(&mut workflow, &sdk_applied(), &Checked::NothingEdited);
    assert_eq!(workflow.phase(), Phase::AttemptSdkFix);
    assert!(workflow.answer().message.contains("No customization file differs"));
}

#[test]
fn caller_whose_edits_are_refused_for_ever_is_given_up_on() {
    let mut workflow = begun();
    take(&mut workflow, &classified(true), &Checked::Passed);
    for _ in 0..MAX_HISTORY {
        take(&mut workflow, &tsp_applied(), &Checked::NothingEdited);
        if workflow.phase().is_terminal() {
            break;
        }
    }
    assert_eq!(workflow.phase(), Phase::Failure);
    assert!(workflow.history().len() <= MAX_HISTORY + 1);
}

#[test]
fn abandoned_workflow_is_a_failure_once() {
    let mut workflow = begun();
    workflow.abandon("nobody came back for a day");
    assert_eq!(workflow.phase(), Phase::Failure);
    let before = workflow.clone();
    workflow.abandon("again");
    assert_eq!(workflow, before);
}

#[test]
fn workflow_needs_a_request_and_a_sensible_number_of_iterations() {
    let begin = |request: &str, max_iterations| {
        Workflow::begin(Begin {
            id: "w".into(),
            request: request.into(),
            entry: EntryType::UserRequest,
            max_iterations,
            package: "/p".into(),
            project: "/t".into(),
        })
    };
    assert_eq!(begin(" \n", 3).unwrap_err(), BeginError::EmptyRequest);
    assert_eq!(begin("x", 0).unwrap_err(), BeginError::Iterations);
    assert_eq!(begin("x", MAX_ITERATIONS + 1).unwrap_err(), BeginError::Iterations);
    assert!(begin("x", MAX_ITERATIONS).is_ok());
    let long = (0..60_000).map(|word| format!("wish{word} ")).collect::<String>();
    assert!(matches!(begin(&long, 3).unwrap_err(), BeginError::RequestTooLong(_)));
    // The same line again and again is one line.
    assert!(begin(&"error X1: the same\n".repeat(10_000), 3).is_ok());
}
