//! Dropping the future of a run.

use std::time::Duration;

use bailiwick_agent::Transcript;
use serde_json::json;
use tokio::time::timeout;

use crate::support::{Desk, Page, Scripted, agent, call, look, turn};

#[tokio::test(start_paused = true)]
async fn dropped_run_drops_its_calls_at_once_and_the_transcript_says_so() {
    let slow = |id: &str| call("Look", json!({"id": id, "ms": 5000}));
    let (desk, page) = (Desk::default(), Page::default());
    let model = Scripted::new([turn([look("a")]), turn([slow("b"), slow("c")])]);
    let (agent, mut transcript) = (agent(9), Transcript::new(page.clone(), 1000));
    let run = bailiwick_agent::run(&agent, &desk, &model, &mut transcript);
    assert!(timeout(Duration::from_secs(1), run).await.is_err());
    assert_eq!(desk.log(), ["+a", "-a", "+b", "+c", "!b", "!c"]);
    let last = page.lines().pop().unwrap();
    assert_eq!((&last["entry"], &last["outcome"]), (&json!("end"), &json!("interrupted")));
    assert_eq!(last["totals"]["toolCalls"], 3);
}

#[tokio::test(start_paused = true)]
async fn dropped_run_that_waits_for_the_model_runs_nothing_more() {
    let desk = Desk::default();
    let model = Scripted::new([turn([look("a")])]).slow(Duration::from_secs(5));
    let (agent, mut transcript) = (agent(9), Transcript::discarded());
    let run = bailiwick_agent::run(&agent, &desk, &model, &mut transcript);
    assert!(timeout(Duration::from_secs(1), run).await.is_err());
    tokio::time::sleep(Duration::from_secs(10)).await;
    assert!(desk.log().is_empty());
}

#[test]
fn run_is_a_future_that_may_move_between_threads() {
    fn is_send<T: Send>(_: &T) {}
    let (agent, desk, model) = (agent(9), Desk::default(), Scripted::new([]));
    let mut transcript = Transcript::discarded();
    is_send(&bailiwick_agent::run(&agent, &desk, &model, &mut transcript));
}
