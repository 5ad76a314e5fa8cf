//! A run that is claimed while its entry changes.

use super::*;
use async_trait::async_trait;
use std::io;
use std::sync::Mutex;

/// What happens to the entry of a run in the registry before it is next read or replaced.
enum Meanwhile {
    Read(Change),
    Replaced(Change),
}

enum Change {
    Removed,
    Written(Vec<u8>),
}

/// A registry in which one thing happens at a bad time.
struct Racing {
    entries: Arc<dyn Entries>,
    meanwhile: Mutex<Option<Meanwhile>>,
}

impl Racing {
    async fn changes(&self, shelf: Shelf, name: &str, is_now: fn(&Meanwhile) -> bool) -> io::Result<()> {
        let now = self.meanwhile.lock().unwrap().take_if(|meanwhile| is_now(meanwhile));
        match now {
            Some(Meanwhile::Read(change) | Meanwhile::Replaced(change)) => match change {
                Change::Removed => self.entries.remove(shelf, name).await,
                Change::Written(content) => self.entries.put(shelf, name, &content).await,
            },
            None => Ok(()),
        }
    }
}

#[async_trait]
impl Entries for Racing {
    async fn create(&self, shelf: Shelf, name: &str, content: &[u8]) -> io::Result<bool> {
        self.entries.create(shelf, name, content).await
    }

    async fn put(&self, shelf: Shelf, name: &str, content: &[u8]) -> io::Result<()> {
        self.entries.put(shelf, name, content).await
    }

    async fn replace(&self, shelf: Shelf, name: &str, old: &[u8], new: &[u8]) -> io::Result<bool> {
        self.changes(shelf, name, |meanwhile| matches!(meanwhile, Meanwhile::Replaced(_))).await?;
        self.entries.replace(shelf, name, old, new).await
    }

    async fn get(&self, shelf: Shelf, name: &str) -> io::Result<Option<Vec<u8>>> {
        self.changes(shelf, name, |meanwhile| matches!(meanwhile, Meanwhile::Read(_))).await?;
        self.entries.get(shelf, name).await
    }

    async fn remove(&self, shelf: Shelf, name: &str) -> io::Result<()> {
        self.entries.remove(shelf, name).await
    }

    async fn names(&self, shelf: Shelf) -> io::Result<Vec<String>> {
        self.entries.names(shelf).await
    }
}

#[tokio::test]
async fn run_whose_entry_is_lost_or_written_again_meanwhile_is_claimed_and_one_that_a_sibling_takes_is_not() {
    let mut world = worlds().await.remove(0);
    let (one, sibling) = (world.replica("one").await, world.replica("one").await);
    let claim = |of: &Replicas| {
        let claim = Claim { replica: of.name().to_owned(), store: of.0.store.clone(), owner: anna() };
        claim.sealed("run-1", &keys()).unwrap()
    };
    let plain = world.entries.clone();
    for (meanwhile, is_claimed) in [
        (Meanwhile::Read(Change::Removed), true),
        (Meanwhile::Replaced(Change::Removed), true),
        (Meanwhile::Replaced(Change::Written(claim(&one))), true),
        (Meanwhile::Replaced(Change::Written(claim(&sibling))), false),
    ] {
        plain.put(Shelf::Runs, "run-1", &claim(&one)).await.unwrap();
        world.entries = Arc::new(Racing { entries: plain.clone(), meanwhile: Mutex::new(Some(meanwhile)) });
        let next = world.replica("one").await;
        assert_eq!(next.claim("run-1", &anna()).await.is_ok(), is_claimed);
    }
}
