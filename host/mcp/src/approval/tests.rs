//! What may come back with a call that was answered with a question.

use super::*;
use crate::call::Again;
use serde_json::{Value, json};

fn asking(valid: Duration) -> Approvals {
    under(&Keys::of_this_process().unwrap(), valid)
}

fn under(keys: &Keys, valid: Duration) -> Approvals {
    let limits = ServerLimits { answer: valid, ..ServerLimits::nothing() };
    Approvals::new(&limits, keys).unwrap()
}

fn call(again: Again, person: Person) -> Call {
    Call { person, again, ..Call::for_tests() }
}

async fn asked(approvals: &Approvals, exactly: &str) -> String {
    let asked = approvals.ask(exactly, "keep it?", &call(Again::default(), Person::AskedByAnswer)).await.unwrap();
    let Asked::Ask(ask) = asked else { panic!("{asked:?}") };
    assert!(ask.input_requests.unwrap().contains_key(KEY));
    ask.request_state.unwrap()
}

async fn answered(approvals: &Approvals, exactly: &str, state: Option<&str>, answer: Value) -> Result<Said, Failure> {
    let responses = (!answer.is_null()).then(|| [(KEY.to_owned(), answer)].into_iter().collect());
    let again = Again { responses, state: state.map(str::to_owned) };
    match approvals.ask(exactly, "keep it?", &call(again, Person::AskedByAnswer)).await? {
        Asked::Answered(said) => Ok(said),
        Asked::Ask(_) => panic!("asked again"),
    }
}

fn yes() -> Value {
    json!({ "action": "accept", "content": { "approve": true } })
}

#[tokio::test]
async fn yes_to_this_very_call_counts_once() {
    let approvals = asking(Duration::from_secs(60));
    let state = asked(&approvals, "approve a").await;
    assert_eq!(answered(&approvals, "approve a", Some(&state), yes()).await, Ok(Said::Yes));
    assert!(answered(&approvals, "approve a", Some(&state), yes()).await.unwrap_err().message.contains("before"));
}

#[tokio::test]
async fn everything_but_yes_is_no() {
    let approvals = asking(Duration::from_secs(60));
    for answer in [
        json!({ "action": "decline" }),
        json!({ "action": "cancel" }),
        json!({ "action": "accept" }),
        json!({ "action": "accept", "content": { "approve": false } }),
        json!({ "action": "accept", "content": { "approve": "true" } }),
        json!({ "action": "decline", "content": { "approve": true } }),
    ] {
        let state = asked(&approvals, "approve a").await;
        assert_eq!(answered(&approvals, "approve a", Some(&state), answer.clone()).await, Ok(Said::No), "{answer}");
    }
}

#[tokio::test]
async fn answer_without_a_question_is_refused() {
    let approvals = asking(Duration::from_secs(60));
    let state = asked(&approvals, "approve a").await;
    let other = asking(Duration::from_secs(60));
    let foreign = asked(&other, "approve a").await;
    let mut forged = state.clone().into_bytes();
    let last = forged.len() - 1;
    forged[last] = if forged[last] == b'A' { b'B' } else { b'A' };
    let forged = String::from_utf8(forged).unwrap();
    for (exactly, state, answer) in [
        ("approve b", Some(state.as_str()), yes()),
        ("approve a", Some(foreign.as_str()), yes()),
        ("approve a", Some(forged.as_str()), yes()),
        ("approve a", Some("rs1.AAAA.AAAA"), yes()),
        ("approve a", None, yes()),
    ] {
        let refused = answered(&approvals, exactly, state, answer).await;
        assert!(refused.is_err(), "{exactly} {state:?}: {refused:?}");
    }
    // None of these used the question up.
    assert_eq!(answered(&approvals, "approve a", Some(&state), yes()).await, Ok(Said::Yes));
}

#[tokio::test]
async fn question_that_is_too_old_is_not_answered_any_more() {
    let short = asking(Duration::ZERO);
    let state = asked(&short, "approve a").await;
    tokio::time::sleep(Duration::from_millis(5)).await;
    assert!(answered(&short, "approve a", Some(&state), yes()).await.is_err());
}

#[tokio::test]
async fn replica_under_the_same_key_takes_the_answer_of_this_very_client_and_call_once() {
    let keys = || Keys::shared([b"a key that two replicas share, both".as_slice()]).unwrap();
    let (one, other) = (under(&keys(), Duration::from_secs(60)), under(&keys(), Duration::from_secs(60)));
    let state = asked(&one, "approve a").await;
    assert!(answered(&other, "approve b", Some(&state), yes()).await.is_err(), "another call");
    let again = Again { responses: Some([(KEY.to_owned(), yes())].into_iter().collect()), state: Some(state.clone()) };
    let theirs = Call { owner: "somebody else".into(), ..call(again, Person::AskedByAnswer) };
    assert!(other.ask("approve a", "keep it?", &theirs).await.is_err(), "another client");
    assert_eq!(answered(&other, "approve a", Some(&state), yes()).await, Ok(Said::Yes));
    assert!(answered(&other, "approve a", Some(&state), yes()).await.unwrap_err().message.contains("before"));
    let strange =
        under(&Keys::shared([b"a key that no replica of them has.".as_slice()]).unwrap(), Duration::from_secs(60));
    let refused = answered(&strange, "approve a", Some(&state), yes()).await.unwrap_err();
    assert!(refused.message.contains("unknown key"), "{refused:?}");
}

#[tokio::test]
async fn client_that_answers_very_much_has_to_wait_and_others_need_not() {
    let approvals = asking(Duration::from_secs(60));
    let clients: [Arc<str>; 2] = ["somebody".into(), "another".into()];
    for count in 0..MOST_ANSWERS {
        approvals.use_up(count.to_be_bytes().into(), &clients[0]).unwrap();
    }
    assert!(approvals.use_up(b"one more".to_vec(), &clients[0]).is_err());
    assert!(approvals.use_up(b"one more".to_vec(), &clients[1]).is_ok());
}

#[tokio::test]
async fn questions_of_other_clients_leave_a_question_as_it_is() {
    let approvals = asking(Duration::from_secs(60));
    let state = asked(&approvals, "approve a").await;
    for _ in 0..5 {
        let mut other = call(Again::default(), Person::AskedByAnswer);
        other.owner = "another".into();
        assert!(matches!(approvals.ask("approve a", "keep it?", &other).await, Ok(Asked::Ask(_))));
    }
    assert_eq!(answered(&approvals, "approve a", Some(&state), yes()).await, Ok(Said::Yes));
}

#[tokio::test]
async fn client_that_cannot_ask_is_refused_even_with_an_answer() {
    let approvals = asking(Duration::from_secs(60));
    let state = asked(&approvals, "approve a").await;
    let again = Again { responses: Some([(KEY.to_owned(), yes())].into_iter().collect()), state: Some(state) };
    assert!(approvals.ask("approve a", "keep it?", &call(again, Person::OutOfReach)).await.is_err());
}

#[tokio::test]
async fn question_to_one_client_is_answered_by_no_other() {
    let approvals = asking(Duration::from_secs(60));
    let state = asked(&approvals, "this call").await;
    let again = Again { responses: Some([(KEY.to_owned(), yes())].into_iter().collect()), state: Some(state.clone()) };
    let theirs = Call { owner: "somebody else".into(), ..call(again, Person::AskedByAnswer) };
    assert!(approvals.ask("this call", "keep it?", &theirs).await.is_err());
    // It waits still for whom it was put to.
    assert_eq!(answered(&approvals, "this call", Some(&state), yes()).await.unwrap(), Said::Yes);
}
