//! What several agents took together, however each of them ended.

use std::time::Duration;

use bailiwick_agent::{BackendError, Prices, Spent, Transcript, Usage};
use serde_json::json;
use tokio::time::timeout;

use super::support::{Desk, Scripted, agent, call, exit, look, turn};

const USAGE: Usage = Usage { input_tokens: 7, cached_input_tokens: 2, output_tokens: 3 };

#[tokio::test(start_paused = true)]
async fn agents_that_succeed_fail_or_are_dropped_all_count() {
    let (desk, mut transcript) = (Desk::default(), Transcript::discarded());
    let mut models = [
        // Succeeds after two turns and two calls.
        Scripted::new([turn([look("a")]), turn([exit("done")])]),
        // Runs out of calls after one.
        Scripted::new([turn([look("a")])]),
        // Gets no answer, which costs all the same.
        Scripted::failing([Ok(turn([look("a")])), Err(BackendError::Truncated { usage: USAGE })]),
        // Is dropped in its only call.
        Scripted::new([turn([call("Look", json!({"id": "slow", "ms": 5000}))])]),
    ];
    let calls = [9, 1, 9, 9];
    for (model, calls) in models.iter_mut().zip(calls) {
        model.prices = Some(Prices { input: 1_000_000, cached_input: 1_000_000, output: 2_000_000 });
        let agent = agent(calls);
        let run = bailiwick_agent::run(&agent, &desk, &*model, &mut transcript);
        let _ = timeout(Duration::from_secs(1), run).await;
    }
    let expected = Spent {
        turns: 5,
        tool_calls: 5,
        tool_time: Duration::ZERO,
        input_tokens: 5 * 10 + 7,
        cached_input_tokens: 5 * 4 + 2,
        output_tokens: 5 + 3,
        cost_millionths: Some(57 + 2 * 8),
    };
    assert_eq!(transcript.spent(), &expected);
}

#[tokio::test(start_paused = true)]
async fn calls_beside_each_other_count_each_and_what_is_not_run_counts_nothing() {
    let (desk, mut transcript) = (Desk::default(), Transcript::discarded());
    let lasts = |name: &str, ms: u64| call(name, json!({"id": "a", "ms": ms}));
    let model = Scripted::new([
        turn([lasts("Look", 300), lasts("Look", 200), lasts("Put", 100), call("None", json!({}))]),
        turn([exit("done")]),
    ])
    .slow(Duration::from_secs(3));
    let completed = bailiwick_agent::run(&agent(9), &desk, &model, &mut transcript).await.unwrap();
    assert_eq!(completed.totals.tool_time, Duration::from_millis(600));
    assert_eq!(completed.totals.wall, Duration::from_millis(6400));
    assert_eq!(transcript.spent().tool_time, Duration::from_millis(600));
    assert_eq!(transcript.spent().cost_millionths, None, "the prices are unknown");
}
