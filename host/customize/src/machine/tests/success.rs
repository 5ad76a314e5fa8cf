//! No false success.

use bailiwick_sdk::tasks::Route;

use super::super::{Claims, Customizations, EditScope, ErrorCode, Event, NotLandedCause, Outcome, Place, Proof};
use super::Run;

#[test]
fn already_done_with_a_valid_proof_regenerates_nothing() {
    let mut run = Run::begin(EditScope::All);
    run.classified(&[Route::Success]).proof(Proof::Valid);
    run.ends(Outcome::Success, None);
    assert!(run.state.rests_on_recorded_proof());
    assert_eq!(run.effects, ["classify", "checkProof", "finish"]);
}

#[test]
fn already_done_without_a_proof_is_regenerated_and_built_first() {
    let mut run = Run::begin(EditScope::All);
    run.classified(&[Route::Success]).proof(Proof::Missing).validated().classified(&[Route::Success]);
    run.ends(Outcome::Success, None);
    assert_eq!(run.attempts(), (0, 0));
    assert!(!run.state.rests_on_recorded_proof());
}

#[test]
fn already_done_that_does_not_build_is_not_a_success() {
    let mut run = Run::begin(EditScope::All);
    run.classified(&[Route::Success])
        .proof(Proof::Missing)
        .regenerated(Customizations::Present)
        .build_fails("broken")
        .classified(&[Route::Success]);
    run.ends(Outcome::Failure, Some(ErrorCode::UnverifiedSuccess));
    assert!(!run.entered_phase_b());
}

#[test]
fn failed_verification_can_lead_phase_a_and_from_there_to_phase_b() {
    let mut run = Run::begin(EditScope::All);
    run.classified(&[Route::Success])
        .proof(Proof::Missing)
        .regenerated(Customizations::Present)
        .build_fails("broken")
        .phase_a()
        .no_edit()
        .regenerated(Customizations::Present)
        .build_fails("broken")
        .awaits("patchCode");
}

#[test]
fn failed_regeneration_that_the_classifier_calls_done_is_not_a_success() {
    let mut run = Run::begin(EditScope::All);
    run.phase_a().landed().regeneration_fails(Place::Generator, "emitter error").classified(&[Route::Success]);
    run.ends(Outcome::Failure, Some(ErrorCode::UnverifiedSuccess));
}

#[test]
fn failed_attempts_over_old_code_that_still_builds_are_not_success() {
    let mut run = Run::begin(EditScope::All);
    run.phase_a()
        .typespec_not_landed(NotLandedCause::DoesNotCompile, "one")
        .phase_a()
        .typespec_not_landed(NotLandedCause::DoesNotCompile, "two")
        .classified(&[Route::PhaseA]);
    run.ends(Outcome::Failure, Some(ErrorCode::PhaseALimit));
}

#[test]
fn claim_that_is_not_in_the_difference_is_not_a_success() {
    let mut run = Run::begin(EditScope::All);
    run.phase_a().landed().validated().classified(&[Route::Success]).awaits("checkClaims").send(Event::ClaimsChecked {
        claims: Claims::Missing { claims: vec!["@@access on Widgets.deleteWidget".to_owned()] },
    });
    run.ends(Outcome::Failure, Some(ErrorCode::ClaimNotInDiff));
    assert!(run.ending().message.contains("Widgets.deleteWidget"));
}

#[test]
fn build_before_the_last_edit_does_not_count() {
    let mut run = Run::begin(EditScope::All);
    run.phase_a()
        .landed()
        .validated()
        .phase_a()
        .landed()
        .regeneration_fails(Place::Generator, "emitter error")
        .classified(&[Route::Success]);
    run.ends(Outcome::Failure, Some(ErrorCode::UnverifiedSuccess));
    assert!(run.state.build().is_none());
}

#[test]
fn success_is_taken_back_where_files_changed_since_and_no_other_ending_is() {
    let mut run = Run::begin(EditScope::All);
    run.phase_a().landed().validated().classified(&[Route::Success]).claims_hold();
    run.ends(Outcome::Success, None);
    let since = run.state.clone().changed_since("files changed".to_owned());
    let ending = since.ending().unwrap();
    assert_eq!((ending.outcome, ending.code), (Outcome::Partial, Some(ErrorCode::ChangedMeanwhile)));
    assert_eq!((ending.message.as_str(), since.build(), since.guidance().len()), ("files changed", None, 1));

    let mut run = Run::begin(EditScope::All);
    run.phase_a().landed().regeneration_fails(Place::Generator, "error").classified(&[Route::Success]);
    assert_eq!(run.state.clone().changed_since("files changed".to_owned()), run.state);
}

#[test]
fn attempts_used_up_with_every_check_passed_is_partial() {
    let mut run = Run::begin(EditScope::All);
    run.phase_a().landed().validated().phase_a().landed().validated().phase_a().claims_hold();
    run.ends(Outcome::Partial, Some(ErrorCode::PhaseALimit));
    assert!(!run.state.guidance().is_empty());
}

#[test]
fn second_landing_replaces_what_the_first_one_claimed() {
    let mut run = Run::begin(EditScope::All);
    run.phase_a().landed().validated().phase_a().landed().validated().classified(&[Route::Success]);
    assert_eq!(run.state.typespec_changes().len(), 1);
}
