//! What becomes of work when a call that another replica passed on is taken back, and when its connection is lost.

use super::world::{Replica, World, again, asked, call};
use crate::call::Call;
use crate::replicas::wire::Frame;
use crate::reporter::Reporter;
use crate::runs::Job;
use crate::sampling::{Prompt, Speaker};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

/// Two replicas, and work at the first one. A client takes it back when it takes back its call at the other one.
struct Waiting {
    one: Replica,
    other: Arc<Replica>,
    job: Arc<Job>,
    call: Call,
    said: mpsc::Receiver<Frame>,
}

impl Waiting {
    async fn begin(world: &World) -> Self {
        let (one, other) = (world.replica("one").await, Arc::new(world.replica("other").await));
        let job = one.at_work("anna").await;
        let sampling = job.sampling.clone();
        tokio::spawn(async move {
            let messages = vec![(Speaker::User, "What is it called?".into())];
            sampling.complete(Prompt { system: "Answer.".into(), messages, output_limit: 10 }).await
        });
        let state = asked(&other, "azsdk_run_wait", job.id().as_str(), call("anna")).await;
        let content = json!({ "type": "text", "text": "Widget" });
        let answer = json!({ "role": "assistant", "model": "test", "content": content });
        let (frames, said) = mpsc::channel(8);
        let call = Call { reporter: Reporter::to_replica(frames), ..again("anna", &state, "model", answer) };
        Self { one, other, job, call, said }
    }
}

async fn waits_there(job: &Job, said: &mut mpsc::Receiver<Frame>) {
    job.work.say("building it");
    assert!(matches!(said.recv().await, Some(Frame::Said { .. })));
}

fn world() -> World {
    let mut world = World::new();
    world.answer_within = Duration::from_secs(3600);
    world
}

#[tokio::test(flavor = "multi_thread")]
async fn work_ends_when_its_client_takes_the_call_back_at_another_replica() {
    let world = world();
    let Waiting { one: _one, other, job, mut call, mut said } = Waiting::begin(&world).await;
    let cancelled = CancellationToken::new();
    call.cancelled = cancelled.clone();
    let id = job.id().to_string();
    let taking_back = async {
        waits_there(&job, &mut said).await;
        cancelled.cancel();
    };
    let (answer, ()) = tokio::join!(other.ask("azsdk_package_build_code", &id, call), taking_back);
    assert!(answer.contains("taken back"), "{answer}");
    let over = async {
        while job.work.ended().is_none() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), over).await.expect("it ends");
}

#[tokio::test(flavor = "multi_thread")]
async fn work_goes_on_when_the_replica_that_passed_the_call_on_ends_or_loses_its_connection() {
    for ends in [true, false] {
        let world = world();
        let Waiting { one: _one, other, job, mut call, mut said } = Waiting::begin(&world).await;
        let closing = CancellationToken::new();
        call.closing = closing.clone();
        let (asks, id) = (other.clone(), job.id().to_string());
        let asking = tokio::spawn(async move { asks.ask("azsdk_package_build_code", &id, call).await });
        waits_there(&job, &mut said).await;
        if ends {
            closing.cancel();
            assert!(asking.await.unwrap().contains("the server is ending"));
        } else {
            asking.abort();
            assert!(asking.await.unwrap_err().is_cancelled());
        }
        // The first replica notices that the connection is gone.
        tokio::time::sleep(Duration::from_millis(200)).await;
        assert!(!job.work.cancel.is_cancelled() && job.work.ended().is_none());
        let told = other.ask("azsdk_run_cancel", job.id().as_str(), super::call("anna")).await;
        assert_eq!(told, "cancelled");
    }
}
