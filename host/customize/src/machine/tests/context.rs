//! Seed 000, 9.6: the context limit is met before it is exceeded, and the run says so.

use bailiwick_sdk::tasks::Route;

use super::super::{CONTEXT_LIMIT, Customizations, EditScope, ErrorCode, Outcome};
use super::Run;

#[test]
fn very_long_errors_stop_the_run_before_the_limit_is_exceeded() {
    let mut run = Run::begin(EditScope::All);
    run.phase_a()
        .landed()
        .regenerated(Customizations::Absent)
        .build_fails(&"a very long error ".repeat(2_700))
        .awaits("classify");
    assert!(run.state.context().characters() <= CONTEXT_LIMIT);
    run.phase_a().landed().regenerated(Customizations::Absent).build_fails(&"another very long error ".repeat(2_700));
    run.ends(Outcome::Failure, Some(ErrorCode::ContextLimitExceeded));
    assert!(run.state.context().characters() <= CONTEXT_LIMIT);
    assert!(run.ending().message.contains("50000"), "{:?}", run.ending());
    let approach = &run.state.guidance().last().expect("guidance").approach;
    assert!(approach.contains("split the request"));
}

#[test]
fn full_context_does_not_start_a_repair() {
    let mut run = Run::begin(EditScope::All);
    run.phase_a().landed().regenerated(Customizations::Present).build_fails(&"x ".repeat(CONTEXT_LIMIT));
    run.ends(Outcome::Failure, Some(ErrorCode::ContextLimitExceeded));
    assert!(!run.entered_phase_b());
}

#[test]
fn request_that_is_too_large_even_when_reduced_stops_before_any_model() {
    let request: String = (0..9_000).map(|n| format!("error: member m{n}\n")).collect();
    let run = Run::with_request(EditScope::All, &request);
    run.ends(Outcome::Failure, Some(ErrorCode::ContextLimitExceeded));
    assert_eq!(run.effects, ["finish"]);
}

#[test]
fn oversized_request_is_reduced_and_the_run_goes_on() {
    let request = format!("{}error: no such member\n", "[INFO] noise\n".repeat(9_000));
    let mut run = Run::with_request(EditScope::All, &request);
    run.awaits("classify");
    assert_eq!(run.state.request(), "error: no such member");
}

#[test]
fn diagnostic_that_comes_again_is_only_counted() {
    let mut run = Run::begin(EditScope::All);
    run.phase_a()
        .landed()
        .regenerated(Customizations::Present)
        .build_fails("no attribute display_name")
        .patched()
        .regenerated(Customizations::Present)
        .build_fails("no attribute display_name");
    let history = run.state.history();
    assert_eq!(history.matches("display_name").count(), 1, "{history}");
    assert!(history.contains("as before"));
}

#[test]
fn history_is_append_only() {
    let mut run = Run::begin(EditScope::All);
    let mut before = run.state.history();
    run.phase_a();
    for _ in 0..2 {
        assert!(run.state.history().starts_with(&before));
        before = run.state.history();
        run.landed().validated().classified(&[Route::PhaseA]);
    }
    assert!(run.state.history().starts_with(&before));
}
