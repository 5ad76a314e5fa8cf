//! The server as the guide sets it up: TLS, and users with the rights that they need.

use super::tls::{secured, signed_in};
use super::*;
use crate::jobs::{Finished, Next};
use crate::suite::{left, taken};

const CONFIGURATION: &str = include_str!("../../../../../docs/guides/fleets/nats-server.conf");

/// The server of the guide, with its ports and files in a directory of this test.
fn server() -> Option<Server> {
    secured(CONFIGURATION)
}

#[tokio::test(flavor = "multi_thread")]
async fn worker_does_a_job_with_its_rights_alone_and_the_coordinator_gets_the_result() {
    let Some(server) = server() else { return };
    let coordinator = connected(&signed_in(&server, "coordinator", "c-password")).await;
    let manifest = testing::manifest(2);
    let keys: Vec<Key> = manifest.jobs.iter().map(|job| job.key.clone()).collect();
    coordinator.offer(&manifest, &keys).await.unwrap();
    let worker = connected(&signed_in(&server, "worker", "w-password")).await;
    let held = taken(&worker).await;
    let job = held.job().clone();
    held.keep_artifact("answer.json", &vec![b'x'; 300_000]).await.unwrap();
    let failed = left(&*held, Verdict::Failed);
    assert_eq!(held.finish(failed).await.unwrap(), Finished::Kept, "{}", server.said());
    let Fetched::Left(fetched, artifacts) = coordinator.fetch(&manifest, &job).await.unwrap() else { panic!() };
    assert_eq!((fetched.result.verdict, artifacts[0].1.len()), (Verdict::Failed, 300_000));
    // A person's word is heard: it would be read again only after a third of a lease, which is 20 seconds.
    let second = taken(&worker).await;
    coordinator.cancel(&manifest, None).await.unwrap();
    for _ in 0..200 {
        if second.is_cancelled() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(second.is_cancelled(), "{}", server.said());
    second.give_back().await.unwrap();
    assert_eq!(Setting::of(&format!("127.0.0.1:{}", monitor(&server))).await, Setting::Always);
}

fn monitor(server: &Server) -> String {
    std::fs::read_to_string(server.kept.path().join("monitor")).unwrap()
}

/// A server that was set up before workers listened: its user may not.
#[tokio::test(flavor = "multi_thread")]
async fn worker_that_may_not_listen_reads_a_persons_word_when_it_says_that_it_is_at_work() {
    let listens = ", \"$KV.bailiwick-fleet.*.cancel.*\"";
    assert!(CONFIGURATION.contains(listens));
    let Some(server) = secured(&CONFIGURATION.replace(listens, "")) else { return };
    let coordinator = connected(&signed_in(&server, "coordinator", "c-password")).await;
    let coordinator = coordinator.with_lease(Duration::from_secs(3));
    let manifest = testing::manifest(1);
    coordinator.offer(&manifest, &[manifest.jobs[0].key.clone()]).await.unwrap();
    let held = taken(&connected(&signed_in(&server, "worker", "w-password")).await).await;
    coordinator.cancel(&manifest, None).await.unwrap();
    for _ in 0..200 {
        if held.is_cancelled() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("it is not seen: {}", server.said());
}

/// As on a machine whose disk is nearly full: the server has less room than the store of artifacts may take.
#[tokio::test(flavor = "multi_thread")]
async fn server_with_little_room_has_a_smaller_store_and_one_without_room_is_refused() {
    for (room, is_enough) in [("3GB", true), ("500MB", false)] {
        let Some(server) = secured(&CONFIGURATION.replace("64GB", room)) else { return };
        let coordinator = connected(&signed_in(&server, "coordinator", "c-password")).await;
        let manifest = testing::manifest(1);
        let offered = coordinator.offer(&manifest, &[manifest.jobs[0].key.clone()]).await;
        assert_eq!(offered.is_ok(), is_enough, "{room}: {offered:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn worker_offers_nothing_cancels_nothing_and_removes_nothing() {
    let Some(server) = server() else { return };
    let coordinator = connected(&signed_in(&server, "coordinator", "c-password")).await;
    let manifest = testing::manifest(1);
    let keys = [manifest.jobs[0].key.clone()];
    coordinator.offer(&manifest, &keys).await.unwrap();
    let mut worker = connected(&signed_in(&server, "worker", "w-password")).await;
    // A refused request has no answer.
    worker.jetstream.set_timeout(Duration::from_millis(500));
    let other = testing::manifest(1);
    let sent = worker.jetstream.publish(record::subject(&other, &other.jobs[0]), "x".into()).await.unwrap();
    assert!(sent.await.is_err(), "a worker offers a job");
    assert!(worker.cancel(&manifest, None).await.is_err(), "a worker cancels a fleet");
    assert!(worker.jetstream.delete_stream(STREAM).await.is_err());
    assert!(worker.jetstream.delete_key_value(BUCKET).await.is_err());
    assert!(worker.jetstream.delete_object_store(BUCKET).await.is_err());
    let stream = worker.jetstream.get_stream_no_info(STREAM).await.unwrap();
    assert!(stream.purge().await.is_err());
    assert!(stream.delete_consumer("python").await.is_err());
    assert!(matches!(coordinator.take().await.unwrap(), Next::Job(_)), "the job is still there");
}

#[tokio::test(flavor = "multi_thread")]
async fn server_that_syncs_late_or_does_not_say_is_seen() {
    let kept = tempfile::tempdir().unwrap();
    let (port, monitor) = (free_port(), free_port());
    let text = format!(
        "listen: \"127.0.0.1:{port}\"\nhttp: \"127.0.0.1:{monitor}\"\njetstream {{ store_dir: \"{}\" }}\n",
        kept.path().join("store").display()
    );
    let Some(_server) = Server::with(kept, port, &text) else { return };
    assert_eq!(Setting::of(&format!("127.0.0.1:{monitor}")).await, Setting::Late(Duration::from_secs(120)));
    assert!(matches!(Setting::of(&format!("127.0.0.1:{}", free_port())).await, Setting::Unknown(_)));
}
