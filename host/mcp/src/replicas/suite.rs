//! What every engine of the registry does.

use super::entries::{Entries, LARGEST, Shelf};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Holds an engine that is empty.
pub(super) async fn holds(entries: Arc<dyn Entries>) {
    for shelf in [Shelf::Replicas, Shelf::Runs] {
        assert_eq!(entries.get(shelf, "a").await.unwrap(), None);
        assert!(entries.names(shelf).await.unwrap().is_empty());
        entries.remove(shelf, "a").await.unwrap();
    }
    // Of many at once, one makes an entry, and it is whole.
    let makers = (0..16_u8).map(|maker| {
        let entries = entries.clone();
        tokio::spawn(async move { (maker, entries.create(Shelf::Runs, "a", &[maker; 1000]).await.unwrap()) })
    });
    let made = futures_util::future::join_all(makers).await;
    let made: Vec<u8> =
        made.into_iter().map(Result::unwrap).filter(|(_, made)| *made).map(|(maker, _)| maker).collect();
    assert_eq!(made.len(), 1, "{made:?}");
    assert_eq!(entries.get(Shelf::Runs, "a").await.unwrap(), Some(vec![made[0]; 1000]));
    assert_eq!(entries.get(Shelf::Replicas, "a").await.unwrap(), None, "the shelves are apart");
    // Readers of one that is replaced see the old content or the new one.
    let (writes, reads) = (entries.clone(), entries.clone());
    let writing = tokio::spawn(async move {
        for byte in 0..100_u8 {
            writes.put(Shelf::Runs, "a", &vec![byte; 1000 + usize::from(byte)]).await.unwrap();
        }
    });
    while !writing.is_finished() {
        let found = reads.get(Shelf::Runs, "a").await.unwrap().expect("it is there");
        assert!(found.len() >= 1000 && found.iter().all(|byte| *byte == found[0]), "{} bytes", found.len());
    }
    writing.await.unwrap();
    assert!(!entries.create(Shelf::Runs, "a", b"other").await.unwrap());
    entries.put(Shelf::Runs, "b-2", b"two").await.unwrap();
    let names: BTreeSet<_> = entries.names(Shelf::Runs).await.unwrap().into_iter().collect();
    assert_eq!(names, BTreeSet::from(["a".into(), "b-2".into()]));
    // Of many that go on with one, one does.
    entries.put(Shelf::Runs, "a", b"old").await.unwrap();
    let takers = (0..16_u8).map(|taker| {
        let entries = entries.clone();
        tokio::spawn(async move { (taker, entries.replace(Shelf::Runs, "a", b"old", &[taker]).await.unwrap()) })
    });
    let took = futures_util::future::join_all(takers).await;
    let took: Vec<u8> =
        took.into_iter().map(Result::unwrap).filter(|(_, took)| *took).map(|(taker, _)| taker).collect();
    assert_eq!(took.len(), 1, "{took:?}");
    assert_eq!(entries.get(Shelf::Runs, "a").await.unwrap(), Some(took));
    assert!(!entries.replace(Shelf::Runs, "a", b"old", b"late").await.unwrap());
    assert!(!entries.replace(Shelf::Runs, "absent", b"", b"late").await.unwrap());
    assert_eq!(entries.get(Shelf::Runs, "absent").await.unwrap(), None);
    entries.remove(Shelf::Runs, "a").await.unwrap();
    assert_eq!(entries.get(Shelf::Runs, "a").await.unwrap(), None);
    assert!(!entries.replace(Shelf::Runs, "a", b"old", b"late").await.unwrap());
    assert!(entries.create(Shelf::Runs, "a", b"again").await.unwrap());
    // One that is too large is not one of ours.
    entries.put(Shelf::Runs, "b-2", &[0; LARGEST + 1]).await.unwrap();
    assert_eq!(entries.get(Shelf::Runs, "b-2").await.unwrap(), None);
    for name in ["", ".", "..", "../a", "a/b", "A", ".a.tmp", &"a".repeat(65)] {
        assert!(entries.put(Shelf::Runs, name, b"").await.is_err(), "{name:?}");
        assert!(entries.get(Shelf::Runs, name).await.is_err(), "{name:?}");
    }
}
