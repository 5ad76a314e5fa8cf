//! Seed 000, 9.1 and 9.2: the shapes of the six scenarios.

use bailiwick_sdk::tasks::Route;

use super::super::{Customizations, EditScope, Outcome, Place};
use super::Run;

#[test]
fn scenarios_2_4_5_6_phase_a_alone_succeeds() {
    let mut run = Run::begin(EditScope::All);
    run.phase_a().landed().validated().classified(&[Route::Success]).claims_hold();
    run.ends(Outcome::Success, None);
    assert_eq!(run.attempts(), (1, 0));
    assert!(!run.entered_phase_b());
}

#[test]
fn phase_b_is_not_entered_when_the_build_passes_although_customization_files_exist() {
    let mut run = Run::begin(EditScope::All);
    run.phase_a()
        .landed()
        .regenerated(Customizations::Present)
        .built()
        .no_drift()
        .classified(&[Route::Success])
        .claims_hold();
    run.ends(Outcome::Success, None);
    assert!(!run.entered_phase_b());
}

#[test]
fn scenario_1_an_attempt_without_an_edit_leads_to_the_repair_of_a_duplicate_field() {
    let mut run = Run::begin(EditScope::All);
    run.phase_a()
        .no_edit()
        .regenerated(Customizations::Present)
        .build_fails("variable operationId already defined")
        .patched()
        .regenerated(Customizations::Present)
        .built()
        .no_drift()
        .classified(&[Route::Success])
        .claims_hold();
    run.ends(Outcome::Success, None);
    assert_eq!(run.attempts(), (1, 1));
}

#[test]
fn scenario_3_rename_drift_takes_one_attempt_of_each_phase() {
    let mut run = Run::begin(EditScope::All);
    run.phase_a()
        .landed()
        .regenerated(Customizations::Present)
        .build_fails("\"Widget\" has no attribute \"display_name\"")
        .patched()
        .regenerated(Customizations::Present)
        .built()
        .no_drift()
        .classified(&[Route::Success])
        .claims_hold();
    run.ends(Outcome::Success, None);
    assert_eq!(run.attempts(), (1, 1));
    assert_eq!(run.state.typespec_changes().len(), 1);
    assert_eq!(run.state.code_patches().len(), 1);
}

#[test]
fn scenario_3_that_fails_inside_a_customization_class_at_generation_is_repaired() {
    let mut run = Run::begin(EditScope::All);
    run.phase_a()
        .landed()
        .regeneration_fails(Place::Customization, "display does not exist in package")
        .awaits("patchCode");
    assert_eq!(run.attempts(), (1, 1));
}

#[test]
fn scenario_3_that_is_silent_is_found_by_the_drift_check_and_repaired() {
    let mut run = Run::begin(EditScope::All);
    run.phase_a()
        .landed()
        .regenerated(Customizations::Present)
        .built()
        .drifted("getMethodsByName(\"old\") finds nothing")
        .awaits("patchCode");
    assert_eq!(run.attempts(), (1, 1));
}

#[test]
fn regeneration_that_fails_elsewhere_is_never_repaired_in_code() {
    let mut run = Run::begin(EditScope::All);
    run.phase_a().landed().regeneration_fails(Place::Generator, "emitter crashed").awaits("classify");
    assert!(!run.entered_phase_b());
}
