//! Who has a run, and what of the registry counts.

use super::*;
use bailiwick_base::files;

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
    entries: Arc<Directory>,
}

impl World {
    fn new() -> Self {
        let base = tempfile::tempdir().unwrap();
        let entries = Arc::new(Directory::open(&base.path().join("registry")).unwrap());
        Self { base, entries }
    }

    fn replica_with(&self, state: &str, keys: Keys) -> Replicas {
        let second = Duration::from_secs(1);
        let limits = ReplicaLimits {
            every: second,
            lease: second * 20,
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
    let world = World::new();
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

#[tokio::test]
async fn to_another_subject_the_run_of_another_replica_is_an_unknown_name() {
    let world = World::new();
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

#[tokio::test]
async fn run_of_a_process_that_is_gone_is_at_the_next_one_of_its_state_directory() {
    let world = World::new();
    let (one, other) = (world.replica("one").await, world.replica("other").await);
    one.claim("run-1", &anna()).await.unwrap();
    let next = world.replica("one").await;
    // The process that had it is asked first, as long as nobody knows that it is gone.
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

#[tokio::test]
async fn entry_that_was_planted_or_put_in_another_place_counts_as_nothing() {
    let world = World::new();
    let (one, other) = (world.replica("one").await, world.replica("other").await);
    one.claim("run-1", &anna()).await.unwrap();
    let runs = world.base.path().join("registry/runs");
    // The entry of one run under the name of another, as a person with access to the directory could put it.
    std::fs::copy(runs.join("run-1"), runs.join("run-2")).unwrap();
    assert_eq!(there(&other, "run-2", &caller("anna")).await, ["here"]);
    // An entry under a key of theirs.
    let strange =
        world.replica_with("strange", Keys::shared([b"a key of others that is long enough.".as_slice()]).unwrap());
    strange.claim("run-3", &anna()).await.unwrap();
    strange.announce().await.unwrap();
    assert_eq!(there(&other, "run-3", &caller("anna")).await, ["here"]);
    assert_eq!(other.others().await.unwrap().len(), 1, "only the replica with the key");
    // The address of a replica under the name of another one.
    let replicas = world.base.path().join("registry/replicas");
    std::fs::copy(replicas.join(other.name()), replicas.join(one.name())).unwrap();
    assert!(there(&other, "run-1", &caller("anna")).await.is_empty());
    for text in [&b""[..], b"{}", &[0; 100]] {
        let file = rustix::fs::open(&runs, rustix::fs::OFlags::DIRECTORY, rustix::fs::Mode::empty()).unwrap();
        files::Replace::PRIVATE.write_in(&file, std::ffi::OsStr::new("run-1"), &[text]).unwrap();
        assert_eq!(there(&other, "run-1", &caller("anna")).await, ["here"]);
    }
    // It could be hers under a key that was left out, so the next caller does not become its owner.
    for replica in [&one, &other] {
        let refused = replica.claim("run-1", &caller("bob").owner).await.unwrap_err();
        assert!(refused.message.contains("is not sealed under a key of this server"), "{}", refused.message);
    }
}
