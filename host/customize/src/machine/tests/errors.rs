//! Seed 000, 9.5, and what else can go wrong.

use bailiwick_sdk::tasks::{Classification, Route};

use super::super::{
    Before, Customizations, EditScope, ErrorCode, Event, Input, Keep, NotLandedCause, Outcome, Place, Proof,
};
use super::{NotLanded, Run, TypespecEdit, guidance, item, not_landed, passed};

#[test]
fn phase_a_failure_without_a_build_never_enters_phase_b() {
    let mut run = Run::begin(EditScope::All);
    run.phase_a().landed().regeneration_fails(Place::Generator, "emitter error NoSuchModel").awaits("classify");
    assert!(run.state.history().contains("emitter error NoSuchModel"));
    run.classified(&[Route::Failure]);
    run.ends(Outcome::Failure, Some(ErrorCode::RegenerateFailed));
    assert!(!run.entered_phase_b());
    assert!(!run.effects.contains(&"build"));
    let guidance = run.state.guidance().last().expect("guidance");
    assert!(guidance.issue.contains("NoSuchModel"));
    assert_eq!(guidance.files, ["sdk/azure/widget/_patch.py:3"]);
}

#[test]
fn phase_b_files_do_not_exist_so_it_is_not_entered() {
    let mut run = Run::begin(EditScope::All);
    run.phase_a().landed().regenerated(Customizations::Absent).build_fails("broken").classified(&[Route::Failure]);
    run.ends(Outcome::Failure, Some(ErrorCode::BuildNoCustomizationsFailed));
    assert!(!run.entered_phase_b());
}

#[test]
fn manual_guidance_path_keeps_phase_a_and_patches_nothing() {
    let mut run = Run::begin(EditScope::All);
    run.phase_a()
        .landed()
        .regenerated(Customizations::Present)
        .build_fails("the pipeline changed its shape")
        .patch_judged_infeasible()
        .claims_hold();
    run.ends(Outcome::Partial, Some(ErrorCode::ManualGuidance));
    assert_eq!(run.state.guidance(), [guidance()]);
    assert!(run.state.code_patches().is_empty());
}

#[test]
fn specification_with_which_the_package_does_not_build_stays_only_where_that_was_asked_for() {
    let run = |keep: Keep| {
        let mut run = Run::with_input(&Input { request: "hide deleteWidget".to_owned(), scope: EditScope::All, keep });
        run.phase_a()
            .landed()
            .regenerated(Customizations::Present)
            .build_fails("the pipeline changed its shape")
            .patch_judged_infeasible();
        if keep != Keep::WhatBuilds {
            run.claims_hold();
        }
        run
    };
    let put_back = run(Keep::WhatBuilds);
    put_back.ends(Outcome::Failure, Some(ErrorCode::ManualGuidance));
    assert_eq!(put_back.state.guidance(), [guidance()]);
    let message = &put_back.state.ending().unwrap().message;
    assert!(message.contains("the package does not build with the changed specification"), "{message}");
    for keep in [Keep::Partial, Keep::Failed] {
        let kept = run(keep);
        kept.ends(Outcome::Partial, Some(ErrorCode::ManualGuidance));
        assert!(!kept.state.ending().unwrap().message.contains("does not stay"));
    }
}

#[test]
fn agent_of_phase_a_that_gives_guidance_is_not_asked_again() {
    let ended = NotLanded { guidance: Some(guidance()), ..not_landed(NotLandedCause::AgentFailed, "two widgets") };
    let mut run = Run::begin(EditScope::All);
    run.phase_a().send(Event::TypespecEdited { edit: TypespecEdit::NotLanded(ended) });
    run.ends(Outcome::Failure, Some(ErrorCode::ManualGuidance));
    assert_eq!(run.state.guidance(), [guidance()]);
    assert_eq!(run.attempts(), (1, 0));
}

#[test]
fn manual_guidance_after_a_patch_that_did_not_help_keeps_nothing() {
    let mut run = Run::begin(EditScope::All);
    run.phase_a()
        .landed()
        .regenerated(Customizations::Present)
        .build_fails("one")
        .patched()
        .regenerated(Customizations::Present)
        .build_fails("two")
        .patch_judged_infeasible();
    run.ends(Outcome::Failure, Some(ErrorCode::ManualGuidance));
}

#[test]
fn out_of_scope_is_guidance_without_an_attempt() {
    let mut run = Run::begin(EditScope::All);
    run.classified(&[Route::Failure]);
    run.ends(Outcome::Failure, Some(ErrorCode::ManualGuidance));
    assert_eq!(run.state.guidance(), [guidance()]);
    assert_eq!(run.attempts(), (0, 0));
}

#[test]
fn one_item_done_and_one_for_a_person_is_partial() {
    // The package builds, so what was done stays in any case.
    for keep in [Keep::WhatBuilds, Keep::Partial, Keep::Failed] {
        let request = "hide deleteWidget".to_owned();
        let mut run = Run::with_input(&Input { request, scope: EditScope::All, keep });
        run.classified(&[Route::PhaseA, Route::Failure])
            .landed()
            .validated()
            .classified(&[Route::Success, Route::Failure])
            .claims_hold();
        run.ends(Outcome::Partial, Some(ErrorCode::ManualGuidance));
    }
}

#[test]
fn missing_answer_is_a_failure() {
    let mut run = Run::begin(EditScope::All);
    run.classified(&[]);
    run.ends(Outcome::Failure, Some(ErrorCode::ManualGuidance));
    let guidance = &run.state.guidance()[0];
    assert_eq!(guidance.issue, "hide deleteWidget from the Python SDK");
}

#[test]
fn classifier_that_fails_is_a_failure() {
    let mut run = Run::begin(EditScope::All);
    run.send(Event::ClassifierFailed { message: "the model refused to answer".to_owned() });
    run.ends(Outcome::Failure, Some(ErrorCode::ManualGuidance));
    assert_eq!(run.state.guidance()[0].reason, "the model refused to answer");
}

#[test]
fn item_that_a_later_answer_leaves_out_is_a_failure() {
    let mut run = Run::begin(EditScope::All);
    run.classified(&[Route::PhaseA, Route::PhaseA]).landed().validated().classified(&[Route::Success]).claims_hold();
    run.ends(Outcome::Partial, Some(ErrorCode::ManualGuidance));
    assert_eq!(run.state.items()[1].route, Route::Failure);
}

#[test]
fn item_answered_in_two_ways_is_a_failure() {
    let mut run = Run::begin(EditScope::All);
    let items = vec![item(0, Route::PhaseA), item(0, Route::Success)];
    run.send(Event::Classified { classification: Classification { items, ..Classification::default() } });
    run.ends(Outcome::Failure, Some(ErrorCode::ManualGuidance));
}

#[test]
fn only_item_is_the_same_item_whatever_it_is_called() {
    let mut run = Run::begin(EditScope::All);
    run.phase_a().landed().validated();
    let mut renamed = item(0, Route::Success);
    renamed.id = "another-id".to_owned();
    let classification = Classification { items: vec![renamed], ..Classification::default() };
    run.send(Event::Classified { classification }).claims_hold();
    run.ends(Outcome::Success, None);
}

#[test]
fn agent_that_changes_nothing_twice_is_a_failure() {
    let mut run = Run::begin(EditScope::All);
    run.phase_a()
        .typespec_not_landed(NotLandedCause::AgentFailed, "budget of 100 tool calls used up")
        .classified(&[Route::Failure]);
    run.ends(Outcome::Failure, Some(ErrorCode::TypespecCustomizationFailed));
}

#[test]
fn event_out_of_place_ends_the_run_and_nothing_follows() {
    let mut run = Run::begin(EditScope::All);
    run.phase_a().send(Event::Built { build: passed(), before: Before::default() });
    run.ends(Outcome::Failure, Some(ErrorCode::UnexpectedError));
    let ended = run.state.clone();
    run.send(Event::ProofChecked { proof: Proof::Valid });
    assert_eq!(run.state, ended);
}

#[test]
fn cancelled_run_is_a_failure_with_its_own_code() {
    let mut run = Run::begin(EditScope::All);
    run.phase_a()
        .landed()
        .send(Event::Aborted { code: ErrorCode::Cancelled, message: "cancelled by the caller".to_owned() });
    run.ends(Outcome::Failure, Some(ErrorCode::Cancelled));
}

#[test]
fn errors_that_a_compiler_stops_at_and_that_were_there_before_are_told_with_what_to_do() {
    let ends = |count: usize| {
        let mut run = Run::begin(EditScope::All);
        let broken = vec![super::error("`Widget` has no body"); count];
        let before = Before { known: Vec::new(), broken };
        run.phase_a().landed().regenerated(Customizations::Present);
        run.send(Event::Built { build: super::failed("`Widget` has no body"), before }).patch_judged_infeasible();
        run.state.candidate.as_ref().or(run.state.ending()).map(|ending| ending.message.clone()).unwrap_or_default()
    };
    assert!(ends(1).contains("before this run either: correct 1 error of then and ask again"), "{}", ends(1));
    assert!(ends(12).contains("correct 12 errors of then and ask again") && ends(12).contains("`Widget` has no body"));
    assert!(!ends(0).contains("before this run either"));
}
