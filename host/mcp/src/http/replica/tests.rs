//! Calls about a run of another replica: whom it answers, what of a call counts, and what is said when it is gone.

mod failing;
mod hostile;
mod lost;
mod taken_back;
mod world;

use crate::call::Call;
use crate::replicas::Shelf;
use crate::replicas::wire::Frame;
use crate::reporter::Reporter;
use crate::sampling::{Completion, Prompt, Speaker};
use serde_json::json;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use world::{World, again, asked, call};

const UNKNOWN: &str = "is not at work in this server";

#[tokio::test(flavor = "multi_thread")]
async fn work_of_one_replica_is_waited_for_and_cancelled_at_another() {
    let world = World::new();
    let (one, other) = (world.replica("one").await, world.replica("other").await);
    let job = one.at_work("anna").await;
    let id = job.id().to_string();
    job.work.say("building it");
    // Progress comes through.
    let (frames, mut said) = tokio::sync::mpsc::channel(8);
    let listening =
        Call { reporter: Reporter::to_replica(frames), cancelled: CancellationToken::new(), ..call("anna") };
    let ends = listening.cancelled.clone();
    let waiting = async {
        let told = said.recv().await;
        ends.cancel();
        told
    };
    let (answer, told) = tokio::join!(other.ask("azsdk_run_wait", &id, listening), waiting);
    assert!(matches!(told, Some(Frame::Said { line, .. }) if line == "building it"));
    assert!(answer.contains("taken back"), "{answer}");
    assert!(job.work.ended().is_none(), "who only waits ends nothing");
    assert_eq!(other.ask("azsdk_run_cancel", &id, call("anna")).await, "cancelled");
    assert!(job.work.ended().is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn replica_that_only_waits_is_not_taken_for_one_that_is_gone() {
    let mut world = World::new();
    world.silence = Duration::from_secs(2);
    let (one, other) = (world.replica("one").await, world.replica("other").await);
    let job = one.at_work("anna").await;
    let id = job.id().to_string();
    let ending = async {
        tokio::time::sleep(world.silence * 2).await;
        job.work.end().await
    };
    let (answer, _) = tokio::join!(other.ask("azsdk_run_wait", &id, call("anna")), ending);
    assert!(answer.contains("was cancelled"), "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn run_of_another_subject_is_an_unknown_name_at_every_replica() {
    for world in World::each() {
        let (one, other) = (world.replica("one").await, world.replica("other").await);
        let job = one.at_work("anna").await;
        let at_work = job.id().to_string();
        let decided = one.pending("anna").await.to_string();
        let nowhere = "20261120-130405-678-k3m9x2qa";
        for replica in [&one, &other] {
            for tool in
                ["azsdk_run_wait", "azsdk_run_show", "azsdk_run_revert", "azsdk_run_approve", "azsdk_run_cancel"]
            {
                let unknown = replica.ask(tool, nowhere, call("bob")).await;
                for id in [&at_work, &decided] {
                    let said = replica.ask(tool, id, call("bob")).await;
                    assert_eq!(said.replace(id.as_str(), nowhere), unknown, "{tool}");
                }
            }
        }
        assert!(other.ask("azsdk_run_cancel", &at_work, call("bob")).await.contains(UNKNOWN));
        assert!(job.work.ended().is_none());
        assert_eq!(world.file(), "after");
        assert_eq!(other.ask("azsdk_run_show", &decided, call("anna")).await, "pending");
        assert_eq!(other.ask("azsdk_run_show", &decided, call("olga")).await, "pending", "an operator");
        assert_eq!(other.ask("azsdk_run_revert", &decided, call("anna")).await, "reverted");
        assert_eq!(world.file(), "before");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn person_is_asked_through_one_replica_and_answers_through_another() {
    let world = World::new();
    let (one, other, third) = (world.replica("one").await, world.replica("other").await, world.replica("third").await);
    let id = one.pending("anna").await.to_string();
    let state = asked(&other, "azsdk_run_approve", &id, call("anna")).await;
    let yes = || json!({ "action": "accept", "content": { "approve": true } });
    for replica in [&one, &other, &third] {
        let said = replica.ask("azsdk_run_approve", &id, again("bob", &state, "approve", yes())).await;
        assert!(said.contains("there is no run"), "{said}");
        // An operator sees the run, and the question was not theirs.
        let said = replica.ask("azsdk_run_approve", &id, again("olga", &state, "approve", yes())).await;
        assert!(said.contains("does not answer a question"), "{said}");
    }
    assert_eq!(third.ask("azsdk_run_approve", &id, again("anna", &state, "approve", yes())).await, "approved");
    let said = other.ask("azsdk_run_approve", &id, again("anna", &state, "approve", yes())).await;
    assert!(said.contains("approved"), "{said}");
    assert_eq!(one.ask("azsdk_run_show", &id, call("anna")).await, "approved");
}

#[tokio::test(flavor = "multi_thread")]
async fn model_of_a_client_is_asked_and_answers_through_any_replica() {
    let world = World::new();
    let (one, other, third) = (world.replica("one").await, world.replica("other").await, world.replica("third").await);
    let job = one.at_work("anna").await;
    let sampling = job.sampling.clone();
    let completed = tokio::spawn(async move {
        let prompt = Prompt {
            system: "Answer.".into(),
            messages: vec![(Speaker::User, "What is it called?".into())],
            output_limit: 10,
        };
        sampling.complete(prompt).await
    });
    let id = job.id().to_string();
    let state = asked(&other, "azsdk_run_wait", &id, call("anna")).await;
    let content = json!({ "type": "text", "text": "Widget" });
    let answer = json!({ "role": "assistant", "model": "test", "content": content });
    let theirs = again("bob", &state, "model", answer.clone());
    assert!(third.ask("azsdk_run_wait", &id, theirs).await.contains("there is no run"));
    assert!(!completed.is_finished());
    // Also the tool that began the run is called again with it.
    let answered = again("anna", &state, "model", answer.clone());
    assert_eq!(third.ask("azsdk_package_build_code", &id, answered).await, "running");
    assert_eq!(completed.await.unwrap(), Ok(Completion { text: "Widget".into(), is_cut: false }));
    let said = other.ask("azsdk_run_wait", &id, again("anna", &state, "model", answer)).await;
    assert!(said.contains("answered before"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn run_of_a_dead_replica_is_put_back_by_the_next_one_on_its_machine_and_others_say_so() {
    for world in World::each() {
        let (mut one, other) = (world.replica("one").await, world.replica("other").await);
        let run = one.run("anna").await;
        let id = run.id().to_string();
        one.kill().await;
        // What a process held is released with it.
        drop(run);
        let said = other.ask("azsdk_run_show", &id, call("anna")).await;
        assert!(said.contains("on another replica of this server, which does not answer"), "{said}");
        assert!(said.contains("hint: ") && said.contains("the next one on its machine puts back"), "{said}");
        let said = other.ask("azsdk_run_show", &id, call("bob")).await;
        assert!(said.contains("there is no run"), "to others it is unknown still: {said}");
        assert_eq!(world.file(), "after", "the other one has none of its before-images");
        let next = world.replica("one").await;
        assert_eq!(world.file(), "before");
        assert_eq!(next.ask("azsdk_run_show", &id, call("anna")).await, "reverted");
        assert_eq!(other.ask("azsdk_run_show", &id, call("anna")).await, "reverted");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn replica_beside_a_dead_one_puts_its_run_back_without_being_asked() {
    for world in World::each() {
        let (mut one, beside, other) =
            (world.replica("one").await, world.replica("one").await, world.replica("other").await);
        let (run, alive) = (one.run("anna").await, CancellationToken::new());
        // Work whose run had not begun: its name is that of no run.
        let only_begun = one.at_work("anna").await.id().to_string();
        let staying = tokio::spawn(beside.server.stay(beside.replicas.clone(), alive.clone()));
        let elsewhere = tokio::spawn(other.server.stay(other.replicas.clone(), alive.clone()));
        tokio::time::sleep(Duration::from_millis(200)).await;
        assert_eq!(world.file(), "after", "its process is there");
        let id = run.id().to_string();
        one.kill().await;
        drop(run);
        // Its lease runs out.
        one.replicas.announce_at(0).await.unwrap();
        let gone = async {
            while world.names(Shelf::Replicas).await.contains(&one.replicas.name().to_owned()) {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(60), gone).await.expect("its place is taken over");
        assert_eq!(world.file(), "before");
        let runs = world.names(Shelf::Runs).await;
        assert!(!runs.contains(&only_begun) && runs.contains(&id), "{runs:?}");
        alive.cancel();
        staying.await.unwrap();
        elsewhere.await.unwrap();
        assert!(world.names(Shelf::Replicas).await.is_empty(), "one that ends gives its lease back");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn replica_that_dies_in_the_middle_of_a_wait_is_named_as_the_reason() {
    let world = World::new();
    let (mut one, other) = (world.replica("one").await, world.replica("other").await);
    let job = one.at_work("anna").await;
    job.work.say("building it");
    let (frames, mut said) = tokio::sync::mpsc::channel(8);
    let listening = Call { reporter: Reporter::to_replica(frames), ..call("anna") };
    let id = job.id().to_string();
    let dying = async {
        said.recv().await.expect("it waits there");
        one.kill().await;
    };
    let (answer, ()) = tokio::join!(other.ask("azsdk_run_wait", &id, listening), dying);
    assert!(answer.contains("stopped answering in the middle of this call"), "{answer}");
    assert!(answer.contains("may have been carried out"), "{answer}");
    let answer = other.ask("azsdk_run_wait", &id, call("anna")).await;
    assert!(answer.contains("does not answer"), "{answer}");
}
