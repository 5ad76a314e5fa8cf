//! What may come back with a call that was answered with a guest's questions.

use super::super::reach::Reach;
use super::*;
use crate::call;

fn asking(valid: Duration) -> Asking {
    Asking { codec: Keys::of_this_process().unwrap().states(KeyKind::AddedTool).unwrap(), valid }
}

fn asked_by_answer(can: Abilities, responses: Option<Value>, state: Option<String>) -> Call {
    let responses = responses.map(|value| serde_json::from_value(value).unwrap());
    let reach = Reach { can, way: Way::ByAnswer };
    Call { reach, again: call::Again { responses, state }, ..Call::for_tests() }
}

fn asker<'a>(exactly: &'a str, call: &'a Call) -> Asker<'a> {
    Asker { name: "WordCount", exactly, call }
}

fn form() -> Asks {
    let schema = json!({ "type": "object", "properties": { "n": { "type": "integer" } }, "required": ["n"] });
    let form = Form { message: "How many?".into(), schema: schema.to_string() };
    Asks { questions: vec![("n".into(), Question::Form(form))], state: Some("mine".into()) }
}

fn everything() -> Abilities {
    Abilities::FORMS | Abilities::COMPLETIONS | Abilities::ROOTS
}

/// The state of the first question.
async fn sealed(asking: &Asking, exactly: &str) -> String {
    let call = asked_by_answer(everything(), None, None);
    let asker = asker(exactly, &call);
    let Ok(round) = asking.begin(&asker) else { panic!("a first call") };
    match asking.next(form(), &round, &asker).await {
        Ok(Next::Ask(ask)) => ask.request_state.clone().unwrap(),
        _ => panic!("it asks"),
    }
}

fn accepted(n: &Value) -> Value {
    json!({ "n": { "action": "accept", "content": { "n": n } } })
}

/// What a call made again comes to.
fn again(asking: &Asking, exactly: &str, responses: Value, state: Option<String>) -> Result<Option<Again>, String> {
    let call = asked_by_answer(everything(), Some(responses), state);
    match asking.begin(&asker(exactly, &call)) {
        Ok(round) => Ok(round.again),
        Err(Refused::Protocol(error)) => Err(error.message.to_string()),
        Err(Refused::Failure(failure)) => panic!("{failure:?}"),
    }
}

#[tokio::test]
async fn answer_comes_back_with_what_the_guest_remembers() {
    let asking = asking(Duration::from_secs(60));
    let state = sealed(&asking, "this call").await;
    let again = again(&asking, "this call", accepted(&json!(3)), Some(state)).unwrap().unwrap();
    assert_eq!(again.state.as_deref(), Some("mine"));
    assert_eq!(again.answers.len(), 1);
    assert!(again.answers[0].1.contains("\"n\":3"), "{:?}", again.answers);
}

#[tokio::test]
async fn seal_holds_for_this_call_alone_and_for_a_while() {
    let asking = asking(Duration::from_secs(60));
    let state = sealed(&asking, "this call").await;
    for (exactly, state) in [
        ("another call", state.clone()),
        ("this call", format!("{state}x")),
        ("this call", "made up".to_owned()),
        ("this call", sealed(&self::asking(Duration::from_secs(60)), "this call").await),
        ("this call", sealed(&self::asking(Duration::ZERO), "this call").await),
    ] {
        let refused = again(&asking, exactly, accepted(&json!(3)), Some(state)).unwrap_err();
        assert!(refused.contains("does not answer a question of this server"), "{refused}");
    }
}

#[tokio::test]
async fn answers_off_their_form_are_refused_and_others_dropped() {
    let asking = asking(Duration::from_secs(60));
    let state = sealed(&asking, "this call").await;
    for wrong in
        [json!({ "n": 12345 }), accepted(&json!("three")), json!({ "n": { "action": "accept", "content": {} } })]
    {
        again(&asking, "this call", wrong, Some(state.clone())).unwrap_err();
    }
    let declined = again(&asking, "this call", json!({ "n": { "action": "decline" } }), Some(state.clone()));
    assert_eq!(declined.unwrap().unwrap().answers.len(), 1);
    let more = json!({ "n": accepted(&json!(1))["n"], "other": accepted(&json!(2))["n"] });
    assert_eq!(again(&asking, "this call", more, Some(state.clone())).unwrap().unwrap().answers.len(), 1);
    assert!(again(&asking, "this call", json!({}), Some(state)).unwrap().unwrap().answers.is_empty());
}

#[tokio::test]
async fn without_a_seal_there_is_no_state_and_no_answer_is_accepted() {
    let asking = asking(Duration::from_secs(60));
    let again = again(&asking, "this call", json!({ "n": 12345, "m": { "action": "decline" } }), None);
    let again = again.unwrap().unwrap();
    assert_eq!((again.state, again.answers.len()), (None, 1));
}

#[tokio::test]
async fn guest_that_never_comes_to_an_answer_is_stopped() {
    let asking = asking(Duration::from_secs(60));
    let mut state = sealed(&asking, "this call").await;
    let mut rounds = 1;
    loop {
        let call = asked_by_answer(everything(), Some(accepted(&json!(1))), Some(state));
        let asker = asker("this call", &call);
        let Ok(round) = asking.begin(&asker) else { panic!("it was sealed") };
        match asking.next(form(), &round, &asker).await {
            Ok(Next::Ask(ask)) => state = ask.request_state.clone().unwrap(),
            Err(Refused::Failure(failure)) => {
                assert!(failure.message.contains("asked 10 times"), "{failure:?}");
                break;
            }
            _ => panic!("it asks or is stopped"),
        }
        rounds += 1;
    }
    assert_eq!(rounds, 10);
}

#[tokio::test]
async fn client_is_asked_only_for_what_it_says_it_can() {
    let asking = asking(Duration::from_secs(60));
    let call = asked_by_answer(Abilities::COMPLETIONS, None, None);
    let asker = asker("this call", &call);
    let Ok(round) = asking.begin(&asker) else { panic!("a first call") };
    match asking.next(form(), &round, &asker).await {
        Err(Refused::Protocol(error)) => {
            assert_eq!(error.code.0, -32021);
            let data = error.data.clone().unwrap();
            assert!(data["requiredCapabilities"]["elicitation"].is_object(), "{data}");
            assert!(data["requiredCapabilities"]["sampling"].is_null(), "{data}");
        }
        _ => panic!("it is refused"),
    }
    let unreachable = Call { reach: Reach::none(), ..asked_by_answer(everything(), None, None) };
    let asker = Asker { name: "WordCount", exactly: "this call", call: &unreachable };
    match asking.next(form(), &round, &asker).await {
        Err(Refused::Failure(failure)) => assert!(failure.message.contains("elicitation"), "{failure:?}"),
        _ => panic!("it is refused"),
    }
}

#[tokio::test]
async fn person_reads_which_tool_asks() {
    let asking = asking(Duration::from_secs(60));
    let call = asked_by_answer(everything(), None, None);
    let asker = asker("this call", &call);
    let Ok(round) = asking.begin(&asker) else { panic!("a first call") };
    let Ok(Next::Ask(ask)) = asking.next(form(), &round, &asker).await else { panic!("it asks") };
    let text = json!(ask).to_string();
    assert!(text.contains("`WordCount` asks: How many?"), "{text}");
}

#[tokio::test]
async fn what_one_client_was_asked_is_answered_by_no_other() {
    let asking = asking(Duration::from_secs(60));
    let state = sealed(&asking, "this call").await;
    let theirs = Call {
        owner: "somebody else".into(),
        ..asked_by_answer(everything(), Some(accepted(&json!(3))), Some(state.clone()))
    };
    assert!(matches!(asking.begin(&asker("this call", &theirs)), Err(Refused::Protocol(_))));
    assert!(again(&asking, "this call", accepted(&json!(3)), Some(state)).is_ok());
}
