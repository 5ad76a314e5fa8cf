//! Seed 000, 9.3: the limits of the two phases are independent and never exceeded.

use bailiwick_sdk::tasks::Route;

use super::super::{Customizations, EditScope, ErrorCode, NotLandedCause, Outcome, Place};
use super::{Run, attempt_of};

#[test]
fn phase_a_limit_two_attempts_that_fail_differently_end_the_run() {
    let mut run = Run::begin(EditScope::All);
    run.phase_a();
    assert_eq!(attempt_of(run.state.awaiting()), Some(1));
    run.typespec_not_landed(NotLandedCause::DoesNotCompile, "unknown decorator @acces").phase_a();
    assert_eq!(attempt_of(run.state.awaiting()), Some(2));
    run.typespec_not_landed(NotLandedCause::DoesNotCompile, "unknown decorator @accss").phase_a();
    run.ends(Outcome::Failure, Some(ErrorCode::PhaseALimit));
    assert_eq!(run.attempts(), (2, 0));
}

#[test]
fn phase_a_limit_is_named_also_when_the_classifier_gives_up() {
    let mut run = Run::begin(EditScope::All);
    run.phase_a()
        .typespec_not_landed(NotLandedCause::DoesNotCompile, "one")
        .phase_a()
        .typespec_not_landed(NotLandedCause::DoesNotCompile, "two")
        .classified(&[Route::Failure]);
    run.ends(Outcome::Failure, Some(ErrorCode::PhaseALimit));
}

#[test]
fn second_attempt_is_given_the_error_of_the_first() {
    let mut run = Run::begin(EditScope::All);
    run.phase_a().landed().regeneration_fails(Place::Generator, "target not found").phase_a();
    let text = format!("{:?}", run.state.awaiting());
    assert!(text.contains("target not found"), "{text}");
}

#[test]
fn phase_b_limit_two_patches_that_do_not_help_end_the_run() {
    let mut run = Run::begin(EditScope::All);
    run.phase_a().landed().regenerated(Customizations::Present).build_fails("first");
    assert_eq!(attempt_of(run.state.awaiting()), Some(1));
    run.patched().regenerated(Customizations::Present).build_fails("second");
    assert_eq!(attempt_of(run.state.awaiting()), Some(2));
    run.patched().regenerated(Customizations::Present).build_fails("third").classified(&[Route::Failure]);
    run.ends(Outcome::Failure, Some(ErrorCode::PhaseBLimit));
    assert_eq!(run.attempts(), (1, 2));
}

#[test]
fn repair_that_leaves_no_customization_is_not_followed_by_another() {
    let mut run = Run::begin(EditScope::All);
    run.phase_a().landed().regenerated(Customizations::Present).build_fails("first");
    run.patched().regenerated(Customizations::Absent).build_fails("second").classified(&[Route::Failure]);
    run.ends(Outcome::Failure, Some(ErrorCode::BuildAfterPatchesFailed));
    assert_eq!(run.attempts(), (1, 1));
}

#[test]
fn combined_limit_each_phase_has_its_own_two_attempts() {
    let mut run = Run::begin(EditScope::All);
    run.phase_a()
        .landed()
        .regeneration_fails(Place::Generator, "emitter error")
        .phase_a()
        .landed()
        .regenerated(Customizations::Present)
        .build_fails("build error")
        .patched()
        .regenerated(Customizations::Present)
        .build_fails("another build error")
        .patched()
        .regenerated(Customizations::Present)
        .build_fails("a third build error")
        .phase_a();
    run.ends(Outcome::Failure, Some(ErrorCode::PhaseBLimit));
    assert_eq!(run.attempts(), (2, 2));
}

#[test]
fn combined_limit_phase_b_does_not_reset_the_counter_of_phase_a() {
    let mut run = Run::begin(EditScope::All);
    run.phase_a()
        .landed()
        .regenerated(Customizations::Present)
        .build_fails("a1")
        .patched()
        .regenerated(Customizations::Present)
        .build_fails("b1")
        .patched()
        .regenerated(Customizations::Present)
        .build_fails("b2")
        .phase_a()
        .landed()
        .regenerated(Customizations::Present)
        .build_fails("a2")
        .phase_a();
    run.ends(Outcome::Failure, Some(ErrorCode::PhaseALimit));
    assert_eq!(run.attempts(), (2, 2));
}

#[test]
fn refusals_by_the_gate_that_use_up_the_attempts_are_named() {
    let mut run = Run::begin(EditScope::All);
    run.phase_a()
        .typespec_not_landed(NotLandedCause::RefusedByGate, "only-client-file: main.tsp")
        .phase_a()
        .typespec_not_landed(NotLandedCause::RefusedByGate, "other-language: java")
        .phase_a();
    run.ends(Outcome::Failure, Some(ErrorCode::RefusedByGate));
}
