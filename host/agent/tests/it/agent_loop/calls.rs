//! The calls of a turn: which run, when, and what the model gets back.

use std::time::Duration;

use bailiwick_agent::{Message, ToolCall};
use serde_json::json;

use super::support::{Desk, Scripted, agent, call, exit, kinds, lock, look, put, run, turn};

fn timed(name: &str, id: &str, ms: u64) -> ToolCall {
    call(name, json!({"id": id, "ms": ms}))
}

/// One turn with these calls, then the result; the tools' log, the time it took, and the model.
async fn one_turn(calls: Vec<ToolCall>) -> (Vec<String>, Duration, Scripted) {
    let (desk, model) = (Desk::default(), Scripted::new([turn(calls), turn([exit("done")])]));
    let completed = run(&agent(50), &desk, &model).await.expect("a result");
    (desk.log(), completed.totals.wall, model)
}

#[tokio::test(start_paused = true)]
async fn reads_of_one_turn_run_in_parallel_and_their_results_keep_the_order_asked() {
    let (log, wall, model) =
        one_turn(vec![timed("Look", "a", 300), timed("Look", "b", 100), timed("Look", "c", 200)]).await;
    assert_eq!(log, ["+a", "+b", "+c", "-b", "-c", "-a"]);
    assert!((300..320).contains(&wall.as_millis()), "{wall:?}");
    let did: Vec<_> = model.last_results().iter().map(|result| result.content["did"].clone()).collect();
    assert_eq!(did, ["Look a", "Look b", "Look c"]);
}

#[tokio::test(start_paused = true)]
async fn writes_of_one_turn_run_one_after_the_other_in_the_order_asked() {
    let (log, wall, _) = one_turn(vec![timed("Put", "a", 30), timed("Put", "b", 10), timed("Put", "c", 20)]).await;
    assert_eq!(log, ["+a", "-a", "+b", "-b", "+c", "-c"]);
    assert!((60..70).contains(&wall.as_millis()), "{wall:?}");
}

#[tokio::test(start_paused = true)]
async fn read_asked_for_after_a_write_sees_the_write_done() {
    let calls =
        vec![timed("Look", "a", 20), timed("Look", "b", 10), timed("Put", "w", 30), timed("Look", "c", 5), look("d")];
    let (log, _, _) = one_turn(calls).await;
    assert_eq!(log, ["+a", "+b", "-b", "-a", "+w", "-w", "+c", "+d", "-d", "-c"]);
}

#[tokio::test]
async fn unknown_tool_goes_back_to_the_model_and_the_other_calls_run() {
    for name in ["Fetch", "look", "exit", ""] {
        let (log, _, model) = one_turn(vec![call(name, json!({})), look("a")]).await;
        assert_eq!(log, ["+a", "-a"]);
        assert_eq!(kinds(&model.last_results()), ["unknown-tool", "ok"], "{name}");
    }
}

#[tokio::test]
async fn arguments_off_the_schema_go_back_to_the_model_and_the_tool_is_not_run() {
    for arguments in [json!({}), json!({"id": 1}), json!({"id": "a", "more": 1}), json!("a"), json!(null)] {
        let (log, _, model) = one_turn(vec![call("Put", arguments.clone())]).await;
        assert!(log.is_empty(), "{arguments} was run");
        let results = model.last_results();
        assert_eq!(kinds(&results), ["invalid-input"]);
        assert!(results[0].content["message"].as_str().unwrap().contains("`Put`"), "{results:?}");
    }
}

#[tokio::test]
async fn failure_of_a_tool_goes_back_to_the_model_with_kind_and_message() {
    let (_, _, model) = one_turn(vec![call("Look", json!({"id": "a", "fail": true}))]).await;
    let results = model.last_results();
    assert_eq!(results[0].content, json!({"kind": "not-found", "message": "there is no `a`"}));
    assert!(results[0].is_error);
}

#[tokio::test]
async fn later_writes_of_a_turn_run_though_an_earlier_call_failed() {
    let (log, _, _) = one_turn(vec![call("Put", json!({"id": "a", "fail": true})), put("b")]).await;
    assert_eq!(log, ["+a", "-a", "+b", "-b"]);
}

#[tokio::test]
async fn calls_without_an_id_or_with_one_used_before_get_ids_of_their_own() {
    let with_id = |id: &str| ToolCall { id: id.into(), ..look("a") };
    let model = Scripted::new([
        turn([with_id(""), with_id("call-2"), with_id("")]),
        turn([with_id("call-2"), with_id("mine")]),
        turn([exit("done")]),
    ]);
    run(&agent(50), &Desk::default(), &model).await.unwrap();
    let messages = lock(&model.asked).last().unwrap().messages.clone();
    let (mut asked, mut answered) = (Vec::new(), Vec::new());
    for message in &messages {
        match message {
            Message::Assistant { calls, .. } => asked.extend(calls.iter().map(|call| call.id.clone())),
            Message::ToolResults(results) => answered.extend(results.iter().map(|result| result.call_id.clone())),
            Message::User(_) => {}
        }
    }
    assert_eq!(asked, answered);
    assert!(asked.iter().all(|id| !id.is_empty()));
    assert_eq!(asked.iter().collect::<std::collections::HashSet<_>>().len(), 5, "{asked:?}");
    assert_eq!((&asked[1], &asked[4]), (&"call-2".to_string(), &"mine".to_string()));
}
