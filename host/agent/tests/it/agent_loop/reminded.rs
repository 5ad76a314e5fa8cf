//! A turn without a call.

use bailiwick_agent::{AgentError, Message};

use super::support::{Desk, Scripted, agent, exit, lock, look, run, say, turn};

#[tokio::test]
async fn turn_without_a_call_is_answered_with_a_reminder_and_the_run_goes_on() {
    let model = Scripted::new([say("I am done."), turn([exit("done")])]);
    let completed = run(&agent(1), &Desk::default(), &model).await.unwrap();
    assert_eq!((completed.totals.turns, completed.totals.tool_calls), (2, 1));
    let messages = &lock(&model.asked)[1].messages;
    assert_eq!(messages[0], Message::Assistant { text: "I am done.".into(), calls: vec![] });
    assert!(matches!(&messages[1], Message::User(text) if text.contains("`Exit`")), "{messages:?}");
}

#[tokio::test]
async fn second_turn_without_a_call_fails_even_if_there_were_calls_in_between() {
    for between in [vec![], vec![turn([look("a")])]] {
        let turns = between.len() + 2;
        let answers = [vec![say("a")], between, vec![say("b"), turn([exit("late")])]].concat();
        let model = Scripted::new(answers);
        let error = run(&agent(9), &Desk::default(), &model).await.unwrap_err();
        assert!(matches!(error, AgentError::NoToolCall), "{error:?}");
        assert_eq!(model.turns(), turns);
    }
}
