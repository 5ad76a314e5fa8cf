//! The edit scope.

use bailiwick_sdk::tasks::Route;

use super::super::{Customizations, EditScope, ErrorCode, Outcome};
use super::Run;

#[test]
fn spec_inputs_has_no_phase_b() {
    let mut run = Run::begin(EditScope::SpecInputs);
    run.phase_a()
        .landed()
        .regenerated(Customizations::Present)
        .build_fails("no attribute display_name")
        .classified(&[Route::Failure])
        .claims_hold();
    run.ends(Outcome::Partial, Some(ErrorCode::CustomCodeChangeRequired));
    assert!(!run.entered_phase_b());
    let required = run.state.custom_code_change_required();
    assert!(required[0].contains("no attribute display_name"));
}

#[test]
fn custom_code_regenerates_without_an_edit_and_may_repair() {
    let mut run = Run::begin(EditScope::CustomCode);
    run.phase_a()
        .regenerated(Customizations::Present)
        .build_fails("no attribute display_name")
        .patched()
        .regenerated(Customizations::Present)
        .built()
        .no_drift()
        .classified(&[Route::Success])
        .claims_hold();
    run.ends(Outcome::Success, None);
    assert_eq!(run.attempts(), (1, 1));
    assert!(!run.effects.contains(&"editTypespec"));
}

#[test]
fn custom_code_with_an_item_that_needs_the_specification_says_so() {
    let mut run = Run::begin(EditScope::CustomCode);
    run.phase_a().validated().phase_a();
    run.ends(Outcome::Failure, Some(ErrorCode::SpecChangeRequired));
    assert_eq!(run.state.spec_change_required(), ["item 0 of the request"]);
    assert!(!run.effects.contains(&"editTypespec"));
}

#[test]
fn scope_names_are_read_in_any_letter_case() {
    for (text, scope) in
        [("All", EditScope::All), ("spec-inputs", EditScope::SpecInputs), ("CUSTOMCODE", EditScope::CustomCode)]
    {
        assert_eq!(text.parse(), Ok(scope));
    }
    assert!("Everything".parse::<EditScope>().is_err());
}
