//! What the server loses is offered again, and what comes too late is not kept.

use super::*;
use crate::jobs::{Finished, Held};
use crate::suite::{left, taken};

async fn finish(held: Box<dyn Held>) -> Finished {
    let left = left(&*held, Verdict::Failed);
    held.finish(left).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn stream_that_is_deleted_in_the_middle_is_made_again_and_the_rest_is_done() {
    let Some(remote) = remote(3).await else { return };
    assert_eq!(finish(taken(&remote.nats).await).await, Finished::Kept);
    let at_work = taken(&remote.nats).await;
    remote.nats.jetstream.delete_stream(STREAM).await.unwrap();
    assert!(matches!(remote.nats.take().await.unwrap(), crate::jobs::Next::Done), "there is no queue");
    remote.offer().await;
    // Its entry is there, so its result counts; its message is given out again and turns out to be done.
    let left = left(&*at_work, Verdict::Failed);
    let _ = at_work.finish(left).await;
    assert_eq!(finish(taken(&remote.nats).await).await, Finished::Kept);
    for job in &remote.manifest.jobs {
        assert_eq!(remote.verdict(job).await, Some(Verdict::Failed));
    }
    assert!(matches!(remote.nats.take().await.unwrap(), crate::jobs::Next::Done));
}

#[tokio::test(flavor = "multi_thread")]
async fn server_that_comes_back_without_its_disk_has_everything_offered_again() {
    let Some(mut remote) = remote(2).await else { return };
    let at_work = taken(&remote.nats).await;
    remote.server.kill();
    remote.server.lose_disk();
    remote.server.again();
    for _ in 0..100 {
        if remote.nats.jetstream.query_account().await.is_ok() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    remote.offer().await;
    // The entry that it was taken by is gone.
    let late = left(&*at_work, Verdict::Failed);
    assert_eq!(at_work.finish(late).await.unwrap(), Finished::Late);
    for _ in 0..2 {
        let held = taken(&remote.nats).await;
        assert_eq!(held.attempt(), 1);
        assert_eq!(finish(held).await, Finished::Kept);
    }
    for job in &remote.manifest.jobs {
        assert_eq!(remote.verdict(job).await, Some(Verdict::Failed));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn server_that_is_killed_and_comes_back_has_lost_nothing_that_it_acknowledged() {
    let Some(mut remote) = remote(2).await else { return };
    assert_eq!(finish(taken(&remote.nats).await).await, Finished::Kept);
    remote.server.kill();
    remote.server.again();
    let held = taken(&connected(&remote.server.connection()).await).await;
    assert_eq!(finish(held).await, Finished::Kept);
    let nats = connected(&remote.server.connection()).await;
    for job in &remote.manifest.jobs {
        assert!(matches!(nats.fetch(&remote.manifest, job).await.unwrap(), Fetched::Left(..)));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn worker_whose_lease_was_over_comes_too_late_while_the_other_one_is_at_work() {
    let Some(remote) = remote(1).await else { return };
    let held = taken(&remote.nats).await;
    let job = held.job().clone();
    // Another worker got the same message: delivered twice, or after this one was silent.
    let entries = remote.nats.entries().await.unwrap();
    let at = job_entry(remote.manifest.fleet.as_str(), &job.key);
    let other = record::Entry::AtWork { attempt: 2, worker: "other".to_owned() };
    entries.put(&at, serde_json::to_vec(&other).unwrap().into()).await.unwrap();
    assert_eq!(finish(held).await, Finished::Late);
    assert_eq!(remote.verdict(&job).await, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn worker_that_is_at_work_for_longer_than_a_lease_keeps_its_job() {
    let Some(remote) = remote(1).await else { return };
    let held = taken(&remote.nats).await;
    // The subject is the deadline of a lease, which is a second.
    tokio::time::sleep(Duration::from_secs(4)).await;
    assert!(matches!(remote.nats.take().await.unwrap(), crate::jobs::Next::Wait));
    assert_eq!(finish(held).await, Finished::Kept);
}
