//! Whatever a model answers, the loop ends within its budget.

use std::time::Duration;

use bailiwick_agent::{
    AgentError, Completed, Conversation, Effect, Ending, Event, Exceeded, Message, ToolCall, ToolFailure, ToolReply,
    Transcript, TurnResponse, Validation, drive,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::support::{Desk, Scripted, agent, call, exit, lock, turn};

fn any_call() -> impl Strategy<Value = ToolCall> {
    let id = prop_oneof![Just(String::new()), "[a-c]", "call-[1-4]"];
    let what = prop_oneof![
        4 => Just(call("Look", json!({"id": "a"}))),
        4 => Just(call("Put", json!({"id": "b"}))),
        1 => Just(call("Put", json!({"id": "c", "fail": true}))),
        1 => Just(call("Put", json!({"id": 7}))),
        1 => Just(call("exit", json!({"result": "x"}))),
        1 => Just(call("Exit", json!({"result": 7}))),
        2 => prop_oneof![Just("yes"), Just("no")].prop_map(exit),
        1 => Just(call("Look", Value::Null)),
    ];
    (id, what).prop_map(|(id, call)| ToolCall { id, ..call })
}

fn any_answers() -> impl Strategy<Value = Vec<TurnResponse>> {
    let calls = prop_oneof![1 => Just(vec![]), 12 => prop::collection::vec(any_call(), 1..5)];
    prop::collection::vec(calls.prop_map(turn), 0..30)
}

fn judge(text: &str) -> Validation {
    if text == "yes" { Validation::Accepted } else { Validation::refused("not yes") }
}

fn drive_all(
    answers: &[TurnResponse],
    max: u32,
) -> (Result<Completed<String>, AgentError>, Conversation, usize, usize) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let (desk, model) = (Desk::default(), Scripted::new(answers.to_vec()));
    let agent = agent(max).validated_by(|text: &String| judge(text));
    let mut conversation = agent.define(&desk).expect("a definition").begin();
    let (mut transcript, mut save) = (Transcript::discarded(), |_: &Conversation| Ok(()));
    let outcome = runtime.block_on(drive(&agent, &mut conversation, &desk, &model, &mut transcript, &mut save));
    let run = lock(&desk.log).iter().filter(|line| line.starts_with('+')).count();
    let turns = model.turns();
    (outcome, conversation, run, turns)
}

/// Every message with calls is followed by exactly their results, in their order, and ids never repeat.
fn assert_answered(messages: &[Message]) {
    let mut seen = std::collections::HashSet::new();
    for (index, message) in messages.iter().enumerate() {
        let Message::Assistant { calls, .. } = message else { continue };
        let asked: Vec<_> = calls.iter().map(|call| (&call.id, &call.name)).collect();
        assert!(asked.iter().all(|(id, _)| seen.insert((*id).clone())), "an id repeats: {asked:?}");
        match messages.get(index + 1) {
            Some(Message::ToolResults(results)) => {
                let answered: Vec<_> = results.iter().map(|result| (&result.call_id, &result.name)).collect();
                assert_eq!(asked, answered);
            }
            Some(Message::User(_)) => assert!(asked.is_empty()),
            other => assert!(other.is_none(), "{other:?}"),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(bailiwick_fuzz::cases(400)) })]

    #[test]
    fn any_answers_end_within_the_budget_with_a_typed_outcome(answers in any_answers(), max in 1_u32..12) {
        let (outcome, conversation, run, turns) = drive_all(&answers, max);
        let calls = conversation.totals().tool_calls;
        prop_assert!(calls <= max, "{calls} of {max} calls");
        prop_assert!(run <= usize::try_from(calls)?, "{run} calls run, {calls} counted");
        prop_assert!(turns <= usize::try_from(max)? + 2, "{turns} turns for {max} calls");
        match outcome {
            Ok(completed) => prop_assert_eq!(completed.result, "yes"),
            Err(AgentError::Exceeded(Exceeded::ToolCalls { allowed })) => prop_assert_eq!(allowed, max),
            Err(AgentError::NoToolCall) => {}
            // Only when the model had nothing more to say.
            Err(AgentError::Backend { .. }) => prop_assert_eq!(turns, answers.len() + 1),
            Err(other) => prop_assert!(false, "{other:?}"),
        }
        assert_answered(&conversation.request().messages);
    }

    /// The state machine alone: replies in any order, each event with the state read back from JSON.
    #[test]
    fn order_of_replies_and_saving_change_nothing(answers in any_answers(), pick in any::<u64>()) {
        let agent = agent(40);
        // With and without a window so narrow that output is left out all the time.
        let window = (pick % 2 == 0).then_some(600);
        let model = Scripted { window, ..Scripted::new([]) };
        let definition = agent.define(&Desk::default()).and_then(|definition| definition.on(&model)).expect("a definition");
        let (mut plain, mut other) = (definition.begin(), definition.begin());
        let mut answers = answers.into_iter();
        loop {
            let events = match plain.effect() {
                Effect::Finish(_) => break,
                Effect::AskModel(_) => match answers.next() {
                    Some(answer) => vec![Event::Answered(answer)],
                    None => break,
                },
                Effect::Judge(arguments) => vec![Event::Judged(judge(arguments["result"].as_str().unwrap_or_default()))],
                Effect::Await(_) => unreachable!("no call is said to be begun"),
                Effect::Call(calls) => calls.iter().map(|planned| {
                    let outcome = if planned.call.arguments["fail"] == true {
                        Err(ToolFailure::new("failed", "on purpose"))
                    } else {
                        Ok(json!("out ".repeat(100 * planned.slot)))
                    };
                    Event::Called { slot: planned.slot, reply: ToolReply { outcome, cost: Value::Null }, took: Duration::ZERO }
                }).collect(),
            };
            let mut shuffled = events.clone();
            let places = u64::try_from(shuffled.len())?;
            shuffled.rotate_left(usize::try_from(pick % places)?);
            for (event, moved) in events.into_iter().zip(shuffled) {
                plain.advance(&definition, event, Duration::ZERO)?;
                other.advance(&definition, moved, Duration::ZERO)?;
                other = serde_json::from_str(&serde_json::to_string(&other)?)?;
            }
            prop_assert_eq!(&plain, &other);
        }
        let out = |message: &Message| match message {
            Message::ToolResults(results) => results.iter().filter(|result| result.content.get("leftOut").is_some()).count(),
            _ => 0,
        };
        prop_assert!(window.is_some() || plain.request().messages.iter().all(|message| out(message) == 0));
        prop_assert_eq!(plain.request().messages.iter().rev().find(|message| matches!(message, Message::ToolResults(_))).map_or(0, out), 0);
        let only_calls = !matches!(plain.ending(), Some(Ending::Exceeded(Exceeded::Tokens { .. } | Exceeded::WallClock { .. })));
        prop_assert!(only_calls, "{:?}", plain.ending());
    }
}
