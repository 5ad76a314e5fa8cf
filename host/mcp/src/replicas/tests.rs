//! Who has a run, and what of the registry counts.

use super::lease::Announced;
use super::*;

mod races;

const KEY: &[u8] = b"a key of replicas that is long enough";

fn keys() -> Keys {
    Keys::shared([KEY]).unwrap()
}

fn anna() -> Owner {
    Caller::subject("https://issuer.example", "anna", false).owner
}

fn caller(name: &str) -> Caller {
    Caller::subject("https://issuer.example", name, false)
}

/// Replicas over one registry.
struct World {
    base: tempfile::TempDir,
    entries: Arc<dyn Entries>,
    #[cfg(feature = "nats")]
    _server: Option<server::Server>,
}

/// One for each engine that there is here.
async fn worlds() -> Vec<World> {
    let base = tempfile::tempdir().unwrap();
    let entries = Arc::new(Directory::open(&base.path().join("registry")).unwrap());
    let directory = World {
        base,
        entries,
        #[cfg(feature = "nats")]
        _server: None,
    };
    #[cfg(feature = "nats")]
    if let Some(server) = server::Server::start() {
        let entries = Arc::new(Nats::open(server.connection()).await.unwrap());
        let on_server = World { base: tempfile::tempdir().unwrap(), entries, _server: Some(server) };
        return vec![directory, on_server];
    }
    vec![directory]
}

impl World {
    /// Puts the entry of one name in the place of another, as a person who can write to the registry could.
    async fn copy(&self, shelf: Shelf, from: &str, to: &str) {
        let content = self.entries.get(shelf, from).await.unwrap().unwrap();
        self.entries.put(shelf, to, &content).await.unwrap();
    }

    /// As a disk that is lost.
    async fn lose_everything(&self) {
        for shelf in [Shelf::Replicas, Shelf::Runs] {
            for name in self.entries.names(shelf).await.unwrap() {
                self.entries.remove(shelf, &name).await.unwrap();
            }
        }
    }

    fn replica_with(&self, state: &str, keys: Keys) -> Replicas {
        let second = Duration::from_secs(1);
        let limits = ReplicaLimits {
            every: second,
            lease: second * 20,
            settle: second * 60,
            connect: second,
            silence: second,
            skew: second,
            answer: second,
        };
        let options = ReplicaOptions { entries: self.entries.clone(), address: None, limits };
        let state = self.base.path().join(state);
        std::fs::create_dir_all(&state).unwrap();
        Replicas::new(&options, &state, "127.0.0.1:9".parse().unwrap(), keys).unwrap()
    }

    /// A replica with this state directory, which said that it is there.
    async fn replica(&self, state: &str) -> Replicas {
        let replica = self.replica_with(state, keys());
        replica.announce().await.unwrap();
        replica
    }
}

async fn there(replica: &Replicas, name: &str, caller: &Caller) -> Vec<String> {
    match replica.place(name, caller).await.unwrap() {
        Place::Here => vec!["here".into()],
        Place::There { replicas, .. } => replicas.into_iter().map(|one| one.replica).collect(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn run_is_claimed_by_one_of_two_replicas_and_stays_with_it() {
    for world in worlds().await {
        let (one, other) = (world.replica("one").await, world.replica("other").await);
        for count in 0..20 {
            let name = format!("run-{count}");
            let owner = anna();
            let (first, second) = tokio::join!(one.claim(&name, &owner), other.claim(&name, &owner));
            assert!(first.is_ok() != second.is_ok(), "{first:?} {second:?}");
            let (has, asks) = if first.is_ok() { (&one, &other) } else { (&other, &one) };
            assert_eq!(there(has, &name, &caller("anna")).await, ["here"]);
            assert_eq!(there(asks, &name, &caller("anna")).await, [has.name()]);
            assert!(has.claim(&name, &owner).await.is_ok(), "it has it already");
            assert!(asks.claim(&name, &owner).await.unwrap_err().message.contains("another replica's"));
            asks.forget(&name).await;
            assert_eq!(there(asks, &name, &caller("anna")).await, [has.name()], "only its replica takes it out");
        }
    }
}

#[tokio::test]
async fn to_another_subject_the_run_of_another_replica_is_an_unknown_name() {
    for world in worlds().await {
        let (one, other) = (world.replica("one").await, world.replica("other").await);
        one.claim("run-1", &anna()).await.unwrap();
        assert_eq!(there(&other, "run-1", &caller("bob")).await, ["here"], "which does not know it");
        let elsewhere = Caller::subject("https://other.example", "anna", false);
        assert_eq!(there(&other, "run-1", &elsewhere).await, ["here"]);
        assert_eq!(there(&other, "run-1", &Caller::local()).await, ["here"]);
        let operator = Caller::subject("https://issuer.example", "olga", true);
        assert_eq!(there(&other, "run-1", &operator).await, [one.name()]);
        assert!(other.claim("run-1", &caller("bob").owner).await.is_err());
        let sibling = world.replica("one").await;
        sibling.claim("run-1", &operator.owner).await.unwrap();
        assert_eq!(there(&other, "run-1", &caller("anna")).await[0], sibling.name(), "it goes on with it");
        assert_eq!(there(&sibling, "run-1", &caller("anna")).await, ["here"]);
        assert_eq!(there(&other, "run-1", &caller("bob")).await, ["here"], "and it is hers still");
    }
}

#[tokio::test]
async fn run_of_a_process_that_is_gone_is_at_the_next_one_of_its_state_directory() {
    for world in worlds().await {
        let (one, other) = (world.replica("one").await, world.replica("other").await);
        one.claim("run-1", &anna()).await.unwrap();
        let next = world.replica("one").await;
        // The process that had it is asked first, until it is known to be gone.
        assert_eq!(there(&other, "run-1", &caller("anna")).await, [one.name(), next.name()]);
        assert_eq!(there(&next, "run-1", &caller("anna")).await, [one.name()]);
        assert!(matches!(next.place("run-1", &caller("anna")).await, Ok(Place::There { own_store: true, .. })));
        world.entries.remove(Shelf::Replicas, one.name()).await.unwrap();
        assert_eq!(there(&other, "run-1", &caller("anna")).await, [next.name()]);
        next.claim("run-1", &anna()).await.unwrap();
        assert_eq!(there(&next, "run-1", &caller("anna")).await, ["here"], "it goes on with it");
        world.entries.remove(Shelf::Replicas, next.name()).await.unwrap();
        assert!(there(&other, "run-1", &caller("anna")).await.is_empty(), "it is at none that is there");
    }
}

#[tokio::test]
async fn entry_that_was_planted_or_put_in_another_place_counts_as_nothing() {
    for world in worlds().await {
        let (one, other) = (world.replica("one").await, world.replica("other").await);
        one.claim("run-1", &anna()).await.unwrap();
        world.copy(Shelf::Runs, "run-1", "run-2").await;
        assert_eq!(there(&other, "run-2", &caller("anna")).await, ["here"]);
        // An entry under a key of theirs.
        let strange =
            world.replica_with("strange", Keys::shared([b"a key of others that is long enough.".as_slice()]).unwrap());
        strange.claim("run-3", &anna()).await.unwrap();
        strange.announce().await.unwrap();
        assert_eq!(there(&other, "run-3", &caller("anna")).await, ["here"]);
        assert_eq!(other.others().await.unwrap().len(), 1, "only the replica with the key");
        // The address of a replica under the name of another one.
        world.copy(Shelf::Replicas, other.name(), one.name()).await;
        assert!(there(&other, "run-1", &caller("anna")).await.is_empty());
        for text in [&b""[..], b"{}", &[0; 100]] {
            world.entries.put(Shelf::Runs, "run-1", text).await.unwrap();
            assert_eq!(there(&other, "run-1", &caller("anna")).await, ["here"]);
        }
        // It could be hers under a key that was left out, so the next caller does not become its owner.
        for replica in [&one, &other] {
            let refused = replica.claim("run-1", &caller("bob").owner).await.unwrap_err();
            assert!(refused.message.contains("is not sealed under a key of this server"), "{}", refused.message);
        }
    }
}

#[tokio::test]
async fn replica_sees_that_the_registry_lost_entries_or_has_older_ones() {
    for world in worlds().await {
        let (one, other) = (world.replica("one").await, world.replica("other").await);
        assert!(!one.may_lack().await && !other.may_lack().await);
        world.lose_everything().await;
        assert!(one.may_lack().await);
        one.announce().await.unwrap();
        assert!(one.may_lack().await, "others have not had the time to enter theirs");
        assert!(other.may_lack().await);
        let third = world.replica("third").await;
        let old = world.entries.get(Shelf::Replicas, third.name()).await.unwrap().unwrap();
        third.announce_at(now() + 1).await.unwrap();
        assert!(!third.may_lack().await);
        world.entries.put(Shelf::Replicas, third.name(), &old).await.unwrap();
        assert!(third.may_lack().await, "a copy of the registry was played back");
    }
}

#[tokio::test]
async fn loss_right_before_an_announcement_is_noticed_by_it() {
    for world in worlds().await {
        let one = world.replica("one").await;
        let old = world.entries.get(Shelf::Replicas, one.name()).await.unwrap().unwrap();
        assert_eq!(one.announce().await.unwrap(), Announced::AsBefore);
        assert!(!one.may_lack().await);
        world.lose_everything().await;
        assert_eq!(one.announce().await.unwrap(), Announced::AfterLoss);
        assert!(one.may_lack().await, "others have not had the time to enter theirs");
        assert_eq!(one.announce().await.unwrap(), Announced::AsBefore);
        // It may be of the same second.
        world.entries.put(Shelf::Replicas, one.name(), &old).await.unwrap();
        assert_eq!(one.announce().await.unwrap(), Announced::AfterLoss);
    }
}

#[tokio::test]
async fn replica_that_starts_does_not_take_what_it_finds_for_all_that_there_is() {
    for world in worlds().await {
        let (one, other) = (world.replica_with("one", keys()), world.replica_with("other", keys()));
        one.join().await.unwrap();
        assert!(one.may_lack().await);
        // The first one may not have entered its runs yet.
        other.join().await.unwrap();
        assert!(other.may_lack().await);
        other.settled();
        assert!(!other.may_lack().await);
    }
}
