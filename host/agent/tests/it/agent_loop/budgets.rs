//! What an agent may spend, each part with an error that names it.

use std::time::Duration;

use bailiwick_agent::{
    AgentError, BackendError, Budget, Conversation, DefinitionError, Ending, Exceeded, Microagent, Prices, Transcript,
    TurnResponse, Usage, Validation,
};
use serde_json::{Value, json};

use super::support::{Desk, Scripted, agent, budget, call, exit, look, put, run, turn};

async fn exceeded(agent: &Microagent<String>, desk: &Desk, model: &Scripted) -> Exceeded {
    match run(agent, desk, model).await {
        Err(AgentError::Exceeded(exceeded)) => exceeded,
        other => panic!("{other:?}"),
    }
}

fn within(wall: Duration) -> Microagent<String> {
    Microagent::new("", Value::Null, Budget { wall, ..budget(9) })
}

#[tokio::test]
async fn last_call_that_is_not_a_result_ends_the_run_without_asking_again() {
    let model = Scripted::new([turn([look("a")]), turn([look("b")]), turn([exit("late")])]);
    assert_eq!(exceeded(&agent(2), &Desk::default(), &model).await, Exceeded::ToolCalls { allowed: 2 });
    assert_eq!(model.turns(), 2);
}

#[tokio::test]
async fn last_call_that_is_the_result_is_within_the_budget() {
    let model = Scripted::new([turn([look("a")]), turn([exit("done")])]);
    let completed = run(&agent(2), &Desk::default(), &model).await.unwrap();
    assert_eq!((completed.totals.tool_calls, completed.totals.turns), (2, 2));
}

#[tokio::test]
async fn turn_that_asks_for_more_calls_than_are_left_runs_none_of_them() {
    let (desk, model) = (Desk::default(), Scripted::new([turn([look("a")]), turn([put("b"), put("c"), exit("done")])]));
    assert_eq!(exceeded(&agent(3), &desk, &model).await, Exceeded::ToolCalls { allowed: 3 });
    assert_eq!(desk.log(), ["+a", "-a"]);
}

#[tokio::test]
async fn calls_that_are_never_run_cost_budget_too() {
    for wrong in [call("Fetch", json!({})), call("Put", json!({})), call("Exit", json!({}))] {
        let model = Scripted::new([turn([wrong.clone()]), turn([wrong]), turn([exit("late")])]);
        assert_eq!(exceeded(&agent(2), &Desk::default(), &model).await, Exceeded::ToolCalls { allowed: 2 });
    }
}

#[tokio::test]
async fn turn_over_the_token_budget_ends_the_run_before_its_calls() {
    let tight = Microagent::new("", Value::Null, Budget { tokens: Some(32), ..budget(9) });
    let (desk, model) = (Desk::default(), Scripted::new([turn([look("a")]), turn([look("b")]), turn([put("c")])]));
    assert_eq!(exceeded(&tight, &desk, &model).await, Exceeded::Tokens { allowed: 32, used: 33 });
    assert_eq!(desk.log(), ["+a", "-a", "+b", "-b"]);
}

#[tokio::test]
async fn token_budget_spent_to_the_last_token_is_kept() {
    let tight = Microagent::new("", Value::Null, Budget { tokens: Some(22), ..budget(9) });
    let model = Scripted::new([turn([look("a")]), turn([exit("done")])]);
    let usage: Usage = run(&tight, &Desk::default(), &model).await.unwrap().totals.usage;
    assert_eq!(usage, Usage { input_tokens: 20, cached_input_tokens: 8, output_tokens: 2 });
}

#[tokio::test(start_paused = true)]
async fn slow_model_is_stopped_when_the_time_is_up() {
    let wall = Duration::from_secs(3);
    let model = Scripted::new([turn([look("a")]), turn([exit("late")])]).slow(Duration::from_secs(2));
    let started = tokio::time::Instant::now();
    assert_eq!(exceeded(&within(wall), &Desk::default(), &model).await, Exceeded::WallClock { allowed: wall });
    // Before the answer that was on its way.
    assert!(started.elapsed() < Duration::from_secs(4), "{:?}", started.elapsed());
}

#[tokio::test]
async fn model_is_not_asked_when_no_time_is_left() {
    let model = Scripted::new([turn([exit("done")])]);
    let allowed = Duration::ZERO;
    assert_eq!(exceeded(&within(allowed), &Desk::default(), &model).await, Exceeded::WallClock { allowed });
    assert_eq!(model.turns(), 0);
}

#[tokio::test(start_paused = true)]
async fn slow_call_is_stopped_and_later_ones_not_begun_when_the_time_is_up() {
    let wall = Duration::from_secs(1);
    let slow = |id: &str| call("Put", json!({"id": id, "ms": 700}));
    let (desk, model) = (Desk::default(), Scripted::new([turn([slow("a"), slow("b"), slow("c")])]));
    assert_eq!(exceeded(&within(wall), &desk, &model).await, Exceeded::WallClock { allowed: wall });
    assert_eq!(desk.log(), ["+a", "-a", "+b", "!b"]);
}

#[tokio::test(start_paused = true)]
async fn slow_validator_is_stopped_when_the_time_is_up() {
    struct Endless;
    #[async_trait::async_trait]
    impl bailiwick_agent::Validator<String> for Endless {
        async fn validate(&self, _: &String) -> Validation {
            std::future::pending().await
        }
    }
    let wall = Duration::from_secs(1);
    let model = Scripted::new([turn([exit("done")])]);
    let endless = within(wall).validated_by(Endless);
    assert_eq!(exceeded(&endless, &Desk::default(), &model).await, Exceeded::WallClock { allowed: wall });
}

#[tokio::test]
async fn work_that_blocks_the_thread_past_the_time_does_not_yield_a_result() {
    let wall = Duration::from_millis(20);
    let model = Scripted::new([turn([exit("late")])]);
    let blocking = within(wall).validated_by(|_: &String| {
        std::thread::sleep(Duration::from_millis(40));
        Validation::Accepted
    });
    assert_eq!(exceeded(&blocking, &Desk::default(), &model).await, Exceeded::WallClock { allowed: wall });
}

#[tokio::test]
async fn model_that_does_not_answer_fails_the_run_with_its_own_reason() {
    let model = Scripted::failing([Err(BackendError::Unavailable { message: "429".into(), retry_after: None })]);
    let error = run(&agent(5), &Desk::default(), &model).await.unwrap_err();
    assert_eq!(error.to_string(), "no answer from `scripted`: the model is not available: 429");
    assert_eq!(error.hint(), Some("try again later"));
}

const PRICES: Prices = Prices { input: 3_000_000, cached_input: 300_000, output: 15_000_000 };
// 6 tokens at 3, 4 at 0.3 and 1 at 15 millionths, the begun one counted.
const TURN_COST: u64 = 35;

fn priced(answers: impl IntoIterator<Item = TurnResponse>) -> Scripted {
    Scripted { prices: Some(PRICES), ..Scripted::new(answers) }
}

#[tokio::test]
async fn turn_over_the_limit_on_money_ends_the_run_before_its_calls() {
    let (desk, model) = (Desk::default(), priced([turn([look("a")]), turn([put("b")]), turn([exit("late")])]));
    let poor = agent(9).with_cost_limit(2 * TURN_COST - 2);
    assert_eq!(exceeded(&poor, &desk, &model).await, Exceeded::Money { allowed: 68, used: 69 });
    assert_eq!((desk.log().join(" "), model.turns()), ("+a -a".into(), 2));
}

#[tokio::test]
async fn money_spent_to_the_last_millionth_is_within_the_limit() {
    let model = priced([turn([look("a")]), turn([exit("done")])]);
    let completed = run(&agent(9).with_cost_limit(69), &Desk::default(), &model).await.unwrap();
    assert_eq!(completed.result, "done");
}

#[tokio::test]
async fn tokens_of_a_failed_turn_cost_money_too() {
    let usage = Usage { output_tokens: 1_000_000, ..Usage::default() };
    let failing = Scripted::failing([Err(BackendError::Truncated { usage })]);
    let model = Scripted { prices: Some(PRICES), ..failing };
    let desk = Desk::default();
    let poor = agent(9).with_cost_limit(1);
    let mut conversation = poor.define(&desk).unwrap().begin();
    let (mut transcript, mut save) = (Transcript::discarded(), |_: &Conversation| Ok(()));
    let _ = bailiwick_agent::drive(&poor, &mut conversation, &desk, &model, &mut transcript, &mut save).await;
    let ending = Ending::Exceeded(Exceeded::Money { allowed: 1, used: 15_000_000 });
    assert_eq!(conversation.ending(), Some(&ending));
}

#[tokio::test]
async fn limit_on_money_without_prices_is_refused_before_the_model_is_asked() {
    let model = Scripted::new([turn([exit("done")])]);
    let error = run(&agent(9).with_cost_limit(1), &Desk::default(), &model).await.unwrap_err();
    assert!(matches!(error, AgentError::Definition(DefinitionError::NoPrices { .. })), "{error:?}");
    assert_eq!(model.turns(), 0);
}
