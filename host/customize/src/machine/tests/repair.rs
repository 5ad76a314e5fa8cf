//! A repair: Phase B alone, after a validation without an edit.

use super::super::{Customizations, Effect, ErrorCode, Outcome, Place, State};
use super::Run;

fn begin() -> Run {
    let (state, effect) = State::begin_repair("error: no attribute display_name");
    Run { state, effects: vec![effect.name()] }
}

#[test]
fn package_that_validates_needs_no_repair_and_no_classifier() {
    let mut run = begin();
    run.validated();
    run.ends(Outcome::Success, None);
    assert_eq!(run.effects, ["regenerate", "build", "checkDrift", "finish"]);
    assert_eq!(run.attempts(), (1, 0));
}

#[test]
fn failed_build_is_repaired_and_validated_again() {
    let mut run = begin();
    run.regenerated(Customizations::Present)
        .build_fails("no attribute display_name")
        .patched()
        .regenerated(Customizations::Present)
        .built()
        .no_drift()
        .claims_hold();
    run.ends(Outcome::Success, None);
    assert!(!run.effects.contains(&"classify") && !run.effects.contains(&"editTypespec"));
    assert_eq!(run.attempts(), (1, 1));
}

#[test]
fn repair_ends_at_its_limit_and_at_a_stall() {
    for (second, code) in [("another error", ErrorCode::PhaseBLimit), ("no attribute b", ErrorCode::StallDetected)] {
        let mut run = begin();
        run.regenerated(Customizations::Present)
            .build_fails("no attribute a")
            .patched()
            .regenerated(Customizations::Present)
            .build_fails("no attribute b")
            .patched()
            .regenerated(Customizations::Present)
            .build_fails(second);
        run.ends(Outcome::Failure, Some(code));
        assert_eq!(run.attempts(), (1, 2));
    }
}

#[test]
fn nothing_to_repair_is_said_without_an_agent() {
    let mut run = begin();
    run.regenerated(Customizations::Absent).build_fails("no attribute a");
    run.ends(Outcome::Failure, Some(ErrorCode::BuildNoCustomizationsFailed));
    let mut run = begin();
    run.regeneration_fails(Place::Generator, "the emitter crashed");
    run.ends(Outcome::Failure, Some(ErrorCode::RegenerateFailed));
    assert!(!run.effects.contains(&"patchCode"));
}

#[test]
fn failure_inside_a_customization_is_repaired() {
    let mut run = begin();
    run.regeneration_fails(Place::Customization, "no such member").patched().validated().claims_hold();
    run.ends(Outcome::Success, None);
    assert!(matches!(run.state.awaiting(), Effect::Finish { .. }));
}
