//! A program that is stopped while calls run: what it does when it goes on.

use bailiwick_agent::{Conversation, Effect, KnownSecrets, ResumeError, Scrub, Transcript, drive};
use serde_json::{Value, json};

use super::support::{Desk, Scripted, agent, call, exit, kinds, look, put, turn};

const SECRET: &str = "k3y-that-is-known";

fn secrets() -> KnownSecrets {
    KnownSecrets::new([SECRET.to_owned()])
}

/// The state as it is on disk when the program is killed at this call of the tool, which is under way then.
async fn killed_at(desk: &Desk, calls: Vec<bailiwick_agent::ToolCall>) -> Vec<Conversation> {
    let (mut states, model) = (Vec::new(), Scripted::new([turn(calls)]));
    let mut conversation = agent(20).define(desk).unwrap().begin();
    let mut keep = |state: &Conversation| {
        let kept = state.kept(&secrets()).unwrap();
        assert!(!kept.to_string().contains(SECRET), "{kept}");
        states.push(serde_json::from_value(kept).unwrap());
        Ok(())
    };
    let _ = drive(&agent(20), &mut conversation, desk, &model, &mut Transcript::discarded(), &mut keep).await;
    states
}

/// Goes on from a state and says which calls were run, and what the model was told of all calls of the first turn.
async fn gone_on(state: &Conversation) -> (Vec<String>, Vec<String>, Value) {
    let (desk, model) = (Desk::default(), Scripted::new([turn([exit("done")])]));
    let mut conversation = agent(20).define(&desk).unwrap().resume(state.clone(), &secrets()).unwrap();
    let mut page = Transcript::discarded();
    let completed = drive(&agent(20), &mut conversation, &desk, &model, &mut page, &mut |_| Ok(())).await.unwrap();
    assert_eq!(completed.result, "done");
    let results = model.last_results();
    (desk.log(), kinds(&results), serde_json::to_value(&results).unwrap())
}

fn waits(states: &[Conversation]) -> &Conversation {
    states.iter().find(|state| matches!(state.effect(), Effect::Await(_))).unwrap()
}

#[tokio::test]
async fn write_that_was_under_way_is_not_run_again_and_the_model_is_told() {
    let desk = Desk::default();
    let states = killed_at(&desk, vec![look("a"), put("b"), look("c")]).await;
    let (run, told, results) = gone_on(waits(&states)).await;
    assert_eq!(told, ["ok", "outcome-unknown", "ok"]);
    assert_eq!(run, ["+c", "-c"], "what was done before, or may have been, is not done again");
    assert!(results[1]["content"]["message"].as_str().unwrap().contains("look before you do it again"));
}

#[tokio::test]
async fn read_that_was_under_way_is_run_again() {
    let desk = Desk::default();
    let states = killed_at(&desk, vec![look("a"), look("b")]).await;
    let (run, told, _) = gone_on(&states[0]).await;
    assert_eq!((run.len(), told), (4, vec!["ok".to_owned(), "ok".to_owned()]));
}

#[tokio::test]
async fn exit_beside_a_lost_write_is_not_judged() {
    let desk = Desk::default();
    let states = killed_at(&desk, vec![put("b"), exit("early")]).await;
    assert_eq!(gone_on(waits(&states)).await.1, ["outcome-unknown", "unseen-failure"]);
}

#[tokio::test]
async fn call_whose_secret_was_not_kept_is_not_run_with_something_else() {
    let desk = Desk::default();
    let states = killed_at(&desk, vec![look("a"), call("Put", json!({ "id": SECRET })), look("c")]).await;
    let (run, told, _) = gone_on(&states[0]).await;
    assert_eq!(told, ["ok", "not-kept", "ok"]);
    assert!(run.iter().all(|line| !line.contains("redacted")), "{run:?}");
}

#[tokio::test]
async fn result_whose_secret_was_not_kept_is_not_handed_in() {
    let desk = Desk::default();
    let states = killed_at(&desk, vec![look("a"), exit(SECRET)]).await;
    assert_eq!(gone_on(&states[0]).await.1, ["ok", "not-kept"]);
}

#[test]
fn definition_that_holds_a_secret_fits_what_was_kept_of_it_and_no_other_does() {
    let desk = Desk::default();
    let secretive = |word: &str| {
        let mut agent = agent(20);
        (agent.instructions, agent.task) = (format!("Say {word}."), json!({ "kind": "test", "input": word }));
        agent.define(&desk).unwrap()
    };
    let (definition, begun) = (secretive(SECRET), secretive(SECRET).begin());
    let kept: Conversation = serde_json::from_value(begun.kept(&secrets()).unwrap()).unwrap();
    assert_ne!(kept, begun);
    assert_eq!(definition.resume(kept.clone(), &secrets()).unwrap(), begun);
    let changed = Err(ResumeError::Changed { part: "instructions" });
    assert_eq!(secretive("else").resume(kept.clone(), &secrets()), changed);
    let nothing_known: &dyn Scrub = &KnownSecrets::new([]);
    assert_eq!(definition.resume(kept, nothing_known), changed);
}
