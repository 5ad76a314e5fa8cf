//! A conversation that is saved, read back and resumed.

use std::time::Duration;

use bailiwick_agent::{
    AgentError, BackendError, Completed, Conversation, Effect, Ending, Event, Exceeded, Microagent, ResumeError,
    ToolReply, Totals, Transcript, TurnResponse, Usage, Validation, drive,
};
use serde_json::json;

use super::support::{Desk, Page, Scripted, agent, budget, call, exit, look, put, say, turn};

fn script() -> Vec<TurnResponse> {
    vec![
        say("Let me see."),
        turn([look("a"), call("Fetch", json!({})), look("b"), put("c")]),
        turn([call("Look", json!({"id": "d", "fail": true})), exit("early")]),
        turn([exit("no")]),
        turn([put("e"), look("f"), exit("done")]),
    ]
}

fn judged(max_tool_calls: u32) -> Microagent<String> {
    agent(max_tool_calls).validated_by(|text: &String| match text.as_str() {
        "no" => Validation::refused("not no"),
        _ => Validation::Accepted,
    })
}

fn saved(conversation: &Conversation) -> Conversation {
    let text = serde_json::to_string(conversation).expect("a state that serialises");
    serde_json::from_str(&text).expect("a state that reads back")
}

async fn go_on(
    conversation: &mut Conversation,
    desk: &Desk,
    answers: Vec<TurnResponse>,
) -> Result<Completed<String>, AgentError> {
    let model = Scripted::new(answers);
    drive(&judged(20), conversation, desk, &model, &mut Transcript::discarded(), &mut |_| Ok(())).await
}

#[tokio::test(start_paused = true)]
async fn conversation_resumed_after_any_event_comes_to_the_same_result_and_runs_every_call_once() {
    let (desk, mut states) = (Desk::default(), Vec::new());
    let mut conversation = judged(20).define(&desk).unwrap().begin();
    states.push((saved(&conversation), desk.log().len()));
    let model = Scripted::new(script());
    let mut keep = |state: &Conversation| {
        states.push((saved(state), desk.log().len()));
        Ok(())
    };
    let mut page = Transcript::discarded();
    let whole = drive(&judged(20), &mut conversation, &desk, &model, &mut page, &mut keep).await.unwrap();
    assert_eq!((whole.result.as_str(), whole.totals.turns, whole.totals.tool_calls), ("done", 5, 10));
    assert_eq!(states.len(), 16, "one for the beginning, 5 turns, 6 calls, 2 of them begun before, 2 verdicts");
    // What comes of those is in `stopped`.
    states.retain(|(state, _)| !matches!(state.effect(), Effect::Await(_)));
    assert_eq!(states.len(), 14);

    for (mut state, run_before) in states {
        let turns = usize::try_from(state.totals().turns).unwrap();
        let rest = Desk::default();
        let resumed = go_on(&mut state, &rest, script().split_off(turns)).await.unwrap();
        assert_eq!(resumed, whole);
        assert_eq!(state, conversation);
        assert_eq!(rest.log(), desk.log()[run_before..]);
    }
}

#[tokio::test]
async fn resumed_conversation_that_had_ended_gives_the_same_result_without_asking() {
    let desk = Desk::default();
    let mut conversation = judged(20).define(&desk).unwrap().begin();
    let first = go_on(&mut conversation, &desk, vec![turn([exit("done")])]).await.unwrap();
    assert_eq!(go_on(&mut saved(&conversation), &desk, vec![]).await.unwrap(), first);
    assert!(matches!(conversation.ending(), Some(Ending::Completed(_))));
}

#[tokio::test]
async fn conversation_that_went_over_its_budget_stays_over_it() {
    let desk = Desk::default();
    let mut conversation = judged(1).define(&desk).unwrap().begin();
    let model = Scripted::new([turn([look("a")])]);
    let first =
        drive(&judged(1), &mut conversation, &desk, &model, &mut Transcript::discarded(), &mut |_| Ok(())).await;
    assert!(matches!(first, Err(AgentError::Exceeded(_))));
    let again = go_on(&mut saved(&conversation), &desk, vec![turn([exit("done")])]).await;
    assert!(matches!(again, Err(AgentError::Exceeded(_))), "{again:?}");
}

#[tokio::test]
async fn turn_that_failed_is_asked_again_on_resuming_and_its_tokens_count() {
    let desk = Desk::default();
    let mut conversation = judged(20).define(&desk).unwrap().begin();
    let cut = BackendError::Truncated { usage: Usage { input_tokens: 5, cached_input_tokens: 0, output_tokens: 7 } };
    let model = Scripted::failing([Ok(turn([look("a")])), Err(cut)]);
    let page = Page::default();
    let failed =
        drive(&judged(20), &mut conversation, &desk, &model, &mut Transcript::new(page.clone(), 1000), &mut |_| Ok(()))
            .await;
    assert!(matches!(failed, Err(AgentError::Backend { .. })), "{failed:?}");
    assert_eq!(page.entries().last().unwrap(), "backendFailed");
    let completed = go_on(&mut saved(&conversation), &desk, vec![turn([exit("done")])]).await.unwrap();
    let usage = Usage { input_tokens: 25, cached_input_tokens: 8, output_tokens: 9 };
    assert_eq!((completed.totals.turns, completed.totals.usage), (2, usage));
}

#[tokio::test]
async fn conversation_of_another_definition_is_refused_and_the_part_named() {
    let desk = Desk::default();
    let conversation = judged(20).define(&desk).unwrap().begin();
    let others: [(Microagent<String>, &str); 2] = [
        (Microagent::new("Do other things.", json!({"kind": "test"}), budget(20)), "instructions"),
        (Microagent::new("Do it.", json!({"kind": "other"}), budget(20)), "task"),
    ];
    for &(ref agent, part) in &others {
        assert_eq!(agent.define(&desk).unwrap().admits(&conversation), Err(ResumeError::Changed { part }));
    }
    let numbers: Microagent<u32> = Microagent::new("Do it.", json!({"kind": "test"}), budget(20));
    assert_eq!(numbers.define(&desk).unwrap().admits(&conversation), Err(ResumeError::Changed { part: "tools" }));
    let model = Scripted::new([turn([exit("done")])]);
    let (mut foreign, mut page) = (conversation.clone(), Transcript::discarded());
    let outcome = drive(&others[0].0, &mut foreign, &desk, &model, &mut page, &mut |_| Ok(())).await;
    assert!(matches!(outcome, Err(AgentError::Resume(_))), "{outcome:?}");
    assert_eq!((model.turns(), &foreign), (0, &conversation));
    assert_eq!(judged(99).define(&desk).unwrap().admits(&conversation), Ok(()), "a budget may be changed");
}

#[tokio::test]
async fn conversation_saved_in_another_format_is_refused() {
    let desk = Desk::default();
    let definition = judged(20).define(&desk).unwrap();
    let mut state = serde_json::to_value(definition.begin()).unwrap();
    state["format"] = json!(99);
    let other: Conversation = serde_json::from_value(state).unwrap();
    assert_eq!(definition.admits(&other), Err(ResumeError::Format { found: 99, expected: 2 }));
}

#[tokio::test]
async fn state_that_cannot_be_saved_stops_the_run_before_its_next_call() {
    let desk = Desk::default();
    let mut conversation = judged(20).define(&desk).unwrap().begin();
    let model = Scripted::new([turn([put("a")])]);
    let mut full = |_: &Conversation| Err(std::io::Error::other("the disk is full"));
    let outcome = drive(&judged(20), &mut conversation, &desk, &model, &mut Transcript::discarded(), &mut full).await;
    assert!(matches!(outcome, Err(AgentError::Save(_))), "{outcome:?}");
    assert!(desk.log().is_empty());
}

#[test]
fn event_that_answers_nothing_is_refused_and_changes_nothing() {
    let definition = judged(20).define(&Desk::default()).unwrap();
    let reply = || ToolReply { outcome: Ok(json!(1)), cost: json!(null) };
    let called = |slot| Event::Called { slot, reply: reply(), took: Duration::ZERO };
    let second = Duration::from_secs(1);

    let waits_for_model = definition.begin();
    let mut waits_for_calls = waits_for_model.clone();
    waits_for_calls.advance(&definition, Event::Answered(turn([put("a"), put("b"), exit("c")])), second).unwrap();
    let mut waits_for_verdict = waits_for_calls.clone();
    for slot in 0..2 {
        waits_for_verdict.advance(&definition, called(slot), second).unwrap();
    }
    let mut ended = waits_for_verdict.clone();
    ended.advance(&definition, Event::Judged(Validation::Accepted), second).unwrap();

    let answered = || Event::Answered(turn([exit("x")]));
    let judged = || Event::Judged(Validation::Accepted);
    let misplaced = [
        (&waits_for_model, vec![called(0), judged()]),
        (&waits_for_calls, vec![answered(), judged(), called(2), called(9)]),
        (&waits_for_verdict, vec![answered(), called(0), called(2)]),
        (&ended, vec![answered(), called(0), judged(), Event::TimeUp]),
    ];
    for (state, events) in misplaced {
        for event in events {
            let mut changed = state.clone();
            assert!(changed.advance(&definition, event.clone(), second).is_err(), "{event:?}");
            assert_eq!(&changed, state, "{event:?}");
        }
    }
}

#[test]
fn time_spent_before_saving_counts_after_resuming() {
    let definition = judged(20).define(&Desk::default()).unwrap();
    let mut conversation = definition.begin();
    conversation.advance(&definition, Event::Answered(turn([look("a")])), Duration::from_secs(59)).unwrap();
    let mut resumed = saved(&conversation);
    let reply = ToolReply { outcome: Ok(json!(1)), cost: json!(null) };
    resumed
        .advance(&definition, Event::Called { slot: 0, reply, took: Duration::from_secs(1) }, Duration::from_secs(2))
        .unwrap();
    let allowed = Duration::from_secs(60);
    assert_eq!(resumed.ending(), Some(&Ending::Exceeded(Exceeded::WallClock { allowed })));
    assert_eq!(
        resumed.totals(),
        &Totals { wall: Duration::from_secs(61), tool_time: Duration::from_secs(1), ..*conversation.totals() }
    );
}
