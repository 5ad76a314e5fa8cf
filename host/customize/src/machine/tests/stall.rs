//! Seed 000, 9.4: the same error twice running within a phase is a stall; across phases it is not.

use bailiwick_sdk::tasks::Route;

use super::super::{Customizations, EditScope, ErrorCode, Event, Outcome, Place, TypespecEdit};
use super::{NotLandedCause, Run, not_landed};

#[test]
fn phase_a_stall_is_named_before_the_limit() {
    let mut run = Run::begin(EditScope::All);
    run.phase_a()
        .landed()
        .regeneration_fails(Place::Generator, "/tmp/one/client.tsp:3:1 unknown name X")
        .phase_a()
        .landed()
        .regeneration_fails(Place::Generator, "/tmp/two/client.tsp:9:4 unknown name X")
        .classified(&[Route::Failure]);
    run.ends(Outcome::Failure, Some(ErrorCode::StallDetected));
    assert!(!run.state.guidance().is_empty());
    assert_eq!(run.attempts(), (2, 0));
}

#[test]
fn phase_b_stall_is_named_before_the_limit() {
    let mut run = Run::begin(EditScope::All);
    run.phase_a()
        .landed()
        .regenerated(Customizations::Present)
        .build_fails("a")
        .patched()
        .regenerated(Customizations::Present)
        .build_fails("same")
        .patched()
        .regenerated(Customizations::Present)
        .build_fails("same")
        .classified(&[Route::Failure]);
    run.ends(Outcome::Failure, Some(ErrorCode::StallDetected));
    assert!(!run.state.guidance().is_empty());
}

#[test]
fn error_carried_from_phase_a_into_phase_b_is_not_a_stall() {
    let mut run = Run::begin(EditScope::All);
    run.phase_a()
        .landed()
        .regenerated(Customizations::Present)
        .build_fails("same")
        .patched()
        .regenerated(Customizations::Present)
        .build_fails("same")
        .awaits("patchCode");
    assert_eq!(run.attempts(), (1, 2));
}

#[test]
fn stall_of_phase_a_does_not_go_on_into_phase_b() {
    let mut run = Run::begin(EditScope::All);
    run.phase_a()
        .no_edit()
        .regenerated(Customizations::Absent)
        .build_fails("same")
        .phase_a()
        .no_edit()
        .regenerated(Customizations::Present)
        .build_fails("same")
        .awaits("classify");
    assert!(!run.entered_phase_b());
}

#[test]
fn passed_validation_between_two_equal_errors_is_not_a_stall() {
    let mut run = Run::begin(EditScope::All);
    run.phase_a()
        .landed()
        .regenerated(Customizations::Present)
        .build_fails("same")
        .patched()
        .regenerated(Customizations::Present)
        .built()
        .no_drift()
        .phase_a()
        .landed()
        .regenerated(Customizations::Present)
        .build_fails("same")
        .awaits("patchCode");
}

#[test]
fn two_equal_refusals_are_a_stall() {
    let refused = || TypespecEdit::NotLanded(not_landed(NotLandedCause::RefusedByGate, "same"));
    let mut run = Run::begin(EditScope::All);
    run.phase_a()
        .send(Event::TypespecEdited { edit: refused() })
        .phase_a()
        .send(Event::TypespecEdited { edit: refused() })
        .phase_a();
    run.ends(Outcome::Failure, Some(ErrorCode::StallDetected));
}
