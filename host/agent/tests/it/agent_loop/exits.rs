//! Handing in a result.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use bailiwick_agent::{AgentError, Microagent, Transcript, Validation, Validator};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::support::{Desk, Scripted, agent, budget, call, exit, kinds, look, put, result, run, turn};

#[tokio::test]
async fn valid_result_ends_the_conversation() {
    let model = Scripted::new([turn([look("a")]), turn([exit("done")]), turn([look("b")])]);
    assert_eq!(result(&model).await, "done");
    assert_eq!(model.turns(), 2);
}

#[tokio::test]
async fn result_off_the_schema_goes_back_to_the_model_and_costs_a_call() {
    for arguments in [json!({"result": 1}), json!({}), json!("done"), json!({"result": "done", "more": 1})] {
        let model = Scripted::new([turn([call("Exit", arguments)]), turn([exit("done")])]);
        let completed = run(&agent(2), &Desk::default(), &model).await.unwrap();
        assert_eq!(kinds(&model.last_results()), ["invalid-input"]);
        assert_eq!(completed.totals.tool_calls, 2);
    }
}

#[tokio::test]
async fn result_that_fits_the_schema_but_not_the_type_goes_back_to_the_model() {
    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(try_from = "String")]
    #[schemars(with = "String")]
    struct Even(#[expect(dead_code, reason = "only its being read counts")] String);
    impl TryFrom<String> for Even {
        type Error = String;
        fn try_from(text: String) -> Result<Self, String> {
            if text.len().is_multiple_of(2) { Ok(Self(text)) } else { Err("odd length".into()) }
        }
    }
    let agent: Microagent<Even> = Microagent::new("", Value::Null, budget(5));
    let model = Scripted::new([turn([exit("odd")]), turn([exit("even")])]);
    bailiwick_agent::run(&agent, &Desk::default(), &model, &mut Transcript::discarded()).await.unwrap();
    assert!(model.last_results()[0].content["message"].as_str().unwrap().contains("odd length"));
}

#[tokio::test]
async fn refused_result_goes_back_with_its_reason_and_the_next_may_be_accepted() {
    for (reason, shown) in [(json!("too short"), "too short"), (json!({"missing": ["x"]}), r#"{"missing":["x"]}"#)] {
        let validator = move |text: &String| match text.len() {
            0..4 => Validation::refused(reason.clone()),
            _ => Validation::Accepted,
        };
        let model = Scripted::new([turn([exit("no")]), turn([exit("long")])]);
        let completed = run(&agent(2).validated_by(validator), &Desk::default(), &model).await.unwrap();
        assert_eq!((completed.result.as_str(), completed.totals.tool_calls), ("long", 2));
        let results = model.last_results();
        assert_eq!(kinds(&results), ["refused"]);
        assert!(results[0].content["message"].as_str().unwrap().contains(shown), "{results:?}");
    }
}

#[tokio::test]
async fn result_refused_at_the_last_call_ends_over_the_budget() {
    let model = Scripted::new([turn([exit("no")]), turn([exit("no")]), turn([exit("no")])]);
    let never = agent(2).validated_by(|_: &String| Validation::refused("no"));
    let error = run(&never, &Desk::default(), &model).await.unwrap_err();
    assert!(matches!(error, AgentError::Exceeded(_)), "{error:?}");
    assert_eq!(model.turns(), 2);
}

/// Takes its time, and counts.
struct Slow(AtomicU32);

#[async_trait]
impl Validator<String> for Slow {
    async fn validate(&self, _: &String) -> Validation {
        tokio::time::sleep(Duration::from_secs(5)).await;
        if self.0.fetch_add(1, Ordering::SeqCst) == 0 { Validation::refused("again") } else { Validation::Accepted }
    }
}

#[tokio::test(start_paused = true)]
async fn validator_that_waits_is_waited_for() {
    let model = Scripted::new([turn([exit("a")]), turn([exit("b")])]);
    let completed = run(&agent(5).validated_by(Slow(AtomicU32::new(0))), &Desk::default(), &model).await.unwrap();
    assert_eq!(completed.result, "b");
    assert!(completed.totals.wall >= Duration::from_secs(10));
}

#[tokio::test]
async fn calls_beside_exit_run_first_wherever_exit_stands_among_them() {
    for calls in [vec![exit("done"), put("a"), look("b")], vec![put("a"), exit("done"), look("b")]] {
        let (desk, model) = (Desk::default(), Scripted::new([turn(calls)]));
        let log = std::sync::Arc::clone(&desk.log);
        let judge = move |_: &String| match *super::support::lock(&log) == ["+a", "-a", "+b", "-b"] {
            true => Validation::Accepted,
            false => Validation::refused("judged too early"),
        };
        assert_eq!(run(&agent(3).validated_by(judge), &desk, &model).await.unwrap().result, "done");
    }
}

#[tokio::test]
async fn exit_beside_a_call_that_failed_is_refused_without_being_judged() {
    let failing = [call("Look", json!({"id": "a", "fail": true})), call("Fetch", json!({})), call("Put", json!({}))];
    for failed in failing {
        let model = Scripted::new([turn([exit("early"), failed]), turn([exit("done")])]);
        let judge = |text: &String| match text.as_str() {
            "done" => Validation::Accepted,
            _ => panic!("`{text}` was judged"),
        };
        let completed = run(&agent(5).validated_by(judge), &Desk::default(), &model).await.unwrap();
        assert_eq!((completed.result.as_str(), completed.totals.tool_calls), ("done", 3));
        assert_eq!(kinds(&model.last_results())[0], "unseen-failure");
    }
}

#[tokio::test]
async fn two_exits_in_one_turn_are_both_refused_and_the_call_between_them_runs() {
    let (desk, model) = (Desk::default(), Scripted::new([turn([exit("a"), put("p"), exit("b")]), turn([exit("c")])]));
    assert_eq!(run(&agent(5), &desk, &model).await.unwrap().result, "c");
    assert_eq!(kinds(&model.last_results()), ["ambiguous-exit", "ok", "ambiguous-exit"]);
    assert_eq!(desk.log(), ["+p", "-p"]);
}
