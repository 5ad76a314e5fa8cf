//! A registry that loses what stood in it, or is away: no answer is wrong, and no run gets a second owner.

use super::world::{DAMAGED, Replica, World, call};
use crate::replicas::Shelf;
use std::time::Duration;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

const NOWHERE: &str = "20261120-130405-678-k3m9x2qa";

/// A way to lose everything.
#[derive(Debug, Clone, Copy)]
enum Loss {
    Entries,
    #[cfg(feature = "nats")]
    Stream,
    #[cfg(feature = "nats")]
    Disk,
}

impl Loss {
    /// Each of them, in a world of its own.
    fn each() -> Vec<(Self, World)> {
        let all = [(Self::Entries, World::new())];
        #[cfg(feature = "nats")]
        let on_servers = [Self::Stream, Self::Disk].into_iter().filter_map(|loss| Some((loss, World::on_server()?)));
        #[cfg(feature = "nats")]
        return all.into_iter().chain(on_servers).collect();
        #[cfg(not(feature = "nats"))]
        all.into()
    }

    async fn happens(self, world: &mut World) {
        match self {
            Self::Entries => {
                let entries = world.entries().await;
                for shelf in [Shelf::Replicas, Shelf::Runs] {
                    for name in entries.names(shelf).await.unwrap() {
                        entries.remove(shelf, &name).await.unwrap();
                    }
                }
            }
            #[cfg(feature = "nats")]
            Self::Stream => {
                let server = world.registry_server.as_ref().unwrap();
                let most = bailiwick_nats::Most { between: 1 << 20, grown: 1 << 30 };
                let connected = server.connection().connect(most).await.unwrap();
                connected.jetstream.delete_stream("BAILIWICK_REPLICAS").await.unwrap();
            }
            #[cfg(feature = "nats")]
            Self::Disk => {
                let server = world.registry_server.as_mut().unwrap();
                server.kill();
                server.lose_disk();
                server.again();
            }
        }
    }
}

/// Waits until a replica says this of a run to anna.
async fn until(replica: &Replica, tool: &str, id: &str, wanted: &str) {
    let told = async {
        while !replica.ask(tool, id, call("anna")).await.contains(wanted) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    if tokio::time::timeout(Duration::from_secs(60), told).await.is_err() {
        panic!("{wanted}: {}", replica.ask(tool, id, call("anna")).await);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn runs_are_known_again_after_the_registry_lost_all_and_meanwhile_nobody_is_told_that_there_are_none() {
    for (loss, mut world) in Loss::each() {
        world.settle = Duration::from_secs(3600);
        let (one, other) = (world.replica("one").await, world.replica("other").await);
        let (earlier, job) = (one.pending("anna").await.to_string(), one.at_work("anna").await);
        let at_work = job.id().to_string();
        assert!(!other.ask("azsdk_run_show", NOWHERE, call("anna")).await.contains("as far as"), "{loss:?}");
        loss.happens(&mut world).await;
        let uncertain = "there is no run `20261120-130405-678-k3m9x2qa`, as far as this replica knows";
        until(&other, "azsdk_run_show", NOWHERE, uncertain).await;
        let unknown = other.ask("azsdk_run_show", NOWHERE, call("bob")).await;
        for id in [&earlier, &at_work] {
            for subject in ["anna", "bob"] {
                let said = other.ask("azsdk_run_show", id, call(subject)).await;
                assert_eq!(said.replace(id.as_str(), NOWHERE), unknown, "{loss:?}");
            }
        }
        let (mut staying, alive) = (JoinSet::new(), CancellationToken::new());
        for replica in [&one, &other] {
            staying.spawn(replica.server.stay(replica.replicas.clone(), alive.clone()));
        }
        until(&other, "azsdk_run_show", &earlier, "pending").await;
        until(&other, "azsdk_run_cancel", &at_work, "cancelled").await;
        assert!(job.work.ended().is_some());
        for id in [&earlier, &at_work] {
            let said = other.ask("azsdk_run_show", id, call("bob")).await;
            assert!(said.contains("there is no run"), "they are hers still: {said}");
        }
        assert_eq!(world.file(), "after", "{loss:?}");
        alive.cancel();
        staying.join_all().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn run_that_an_earlier_process_left_is_entered_by_the_next_one_of_its_state_directory() {
    for (loss, mut world) in Loss::each() {
        let (mut one, other) = (world.replica("one").await, world.replica("other").await);
        let earlier = one.pending("anna").await.to_string();
        one.kill().await;
        loss.happens(&mut world).await;
        let (next, alive) = (world.replica("one").await, CancellationToken::new());
        let staying = tokio::spawn(next.server.stay(next.replicas.clone(), alive.clone()));
        until(&other, "azsdk_run_show", &earlier, "pending").await;
        assert!(other.ask("azsdk_run_show", &earlier, call("bob")).await.contains("there is no run"));
        alive.cancel();
        staying.await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn runs_of_a_state_directory_that_cannot_be_read_for_a_time_are_entered_when_it_can() {
    let mut world = World::new();
    let (one, other) = (world.replica("one").await, world.replica("other").await);
    let (earlier, job) = (one.pending("anna").await.to_string(), one.at_work("anna").await);
    std::fs::write(one.state.join(DAMAGED), "").unwrap();
    Loss::Entries.happens(&mut world).await;
    let alive = CancellationToken::new();
    let staying = tokio::spawn(one.server.stay(one.replicas.clone(), alive.clone()));
    // What this process works on needs no state directory.
    until(&other, "azsdk_run_cancel", job.id().as_str(), "cancelled").await;
    std::fs::remove_file(one.state.join(DAMAGED)).unwrap();
    until(&other, "azsdk_run_show", &earlier, "pending").await;
    alive.cancel();
    staying.await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn directory_that_was_removed_tells_no_replica_that_there_is_no_run_and_lets_none_begin() {
    let mut world = World::new();
    world.settle = Duration::from_secs(3600);
    let (one, other) = (world.replica("one").await, world.replica("other").await);
    let (decided, job) = (one.pending("anna").await.to_string(), one.at_work("anna").await);
    std::fs::remove_dir_all(world.directory()).unwrap();
    let said = other.ask("azsdk_run_show", &decided, call("anna")).await;
    assert!(said.contains("as far as this replica knows"), "{said}");
    assert!(other.begin("anna").await.is_err());
    assert_eq!(one.ask("azsdk_run_cancel", job.id().as_str(), call("anna")).await, "cancelled");
}

#[cfg(feature = "nats")]
#[tokio::test(flavor = "multi_thread")]
async fn replica_serves_its_own_work_alone_while_the_server_is_away_and_all_again_afterwards() {
    let Some(mut world) = World::on_server() else { return };
    let (one, other) = (world.replica("one").await, world.replica("other").await);
    let (decided, job) = (one.pending("anna").await.to_string(), one.at_work("anna").await);
    world.registry_server.as_mut().unwrap().kill();
    let away = "the registry of this server's replicas cannot be reached";
    for id in [decided.as_str(), NOWHERE] {
        let said = other.ask("azsdk_run_show", id, call("anna")).await;
        assert!(said.contains(away), "{said}");
    }
    let begun = one.begin("anna").await;
    assert!(
        begun.is_err_and(|failure| failure.message.contains(away)),
        "no run begins that others cannot be asked about"
    );
    assert_eq!(one.ask("azsdk_run_cancel", job.id().as_str(), call("anna")).await, "cancelled");
    world.registry_server.as_mut().unwrap().again();
    until(&other, "azsdk_run_show", &decided, "pending").await;
}
