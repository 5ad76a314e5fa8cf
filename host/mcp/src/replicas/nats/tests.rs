//! A server as the registry, and what becomes of it.

#[path = "../../../../nats/src/tests/server.rs"]
pub(crate) mod server;
#[path = "../../../../nats/src/tests/stranger.rs"]
mod stranger;
#[path = "../../../../nats/src/tests/tls.rs"]
mod tls;

use super::*;
use crate::replicas::suite;
use bailiwick_nats::Login;
use server::Server;
use std::sync::Arc;
use std::time::Duration;

async fn opened() -> Option<(Server, Nats)> {
    let server = Server::start()?;
    let entries = Nats::open(server.connection()).await.unwrap();
    Some((server, entries))
}

#[tokio::test(flavor = "multi_thread")]
async fn server_holds_the_suite() {
    let Some((_server, entries)) = opened().await else { return };
    let entries = Arc::new(entries);
    suite::holds(entries.clone()).await;
    let kept = entries.stream().await.unwrap().get_info().await.unwrap().state.messages;
    assert_eq!(kept, 2, "nothing is left of what was removed or replaced");
}

#[tokio::test(flavor = "multi_thread")]
async fn stream_that_is_deleted_is_a_registry_without_entries_and_is_made_again() {
    let Some((server, entries)) = opened().await else { return };
    let other = Nats::open(server.connection()).await.unwrap();
    for again in [true, false] {
        assert!(entries.create(Shelf::Runs, "a", b"one").await.unwrap());
        entries.jetstream().await.unwrap().delete_stream(STREAM).await.unwrap();
        for entries in [&entries, &other] {
            assert_eq!(entries.get(Shelf::Runs, "a").await.unwrap(), None);
            assert!(entries.names(Shelf::Runs).await.unwrap().is_empty());
            assert!(!entries.replace(Shelf::Runs, "a", b"one", b"two").await.unwrap());
            entries.remove(Shelf::Runs, "a").await.unwrap();
        }
        match again {
            true => assert!(other.create(Shelf::Runs, "a", b"two").await.unwrap()),
            false => other.put(Shelf::Runs, "a", b"two").await.unwrap(),
        }
        assert_eq!(entries.get(Shelf::Runs, "a").await.unwrap(), Some(b"two".to_vec()));
        entries.remove(Shelf::Runs, "a").await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn server_that_is_killed_is_an_error_and_has_afterwards_what_it_acknowledged() {
    let Some((mut server, entries)) = opened().await else { return };
    assert!(entries.create(Shelf::Runs, "a", b"one").await.unwrap());
    for (loses_disk, left) in [(false, Some(b"one".to_vec())), (true, None)] {
        server.kill();
        if loses_disk {
            server.lose_disk();
        }
        assert!(entries.get(Shelf::Runs, "a").await.is_err());
        assert!(entries.create(Shelf::Runs, "a", b"two").await.is_err());
        assert!(entries.names(Shelf::Runs).await.is_err());
        server.again();
        let back = async {
            loop {
                match entries.get(Shelf::Runs, "a").await {
                    Ok(found) => break found,
                    Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
                }
            }
        };
        let found = tokio::time::timeout(Duration::from_secs(60), back).await;
        assert_eq!(found.unwrap_or_else(|_| panic!("{}", server.said())), left);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn entry_that_is_too_large_or_has_another_name_is_none() {
    let Some((_server, entries)) = opened().await else { return };
    let jetstream = entries.jetstream().await.unwrap();
    // As another user of the account would make the stream.
    jetstream.delete_stream(STREAM).await.unwrap();
    let config = Config { name: STREAM.into(), subjects: vec!["replicas.>".into()], ..Config::default() };
    jetstream.create_stream(config).await.unwrap();
    for subject in ["replicas.runs.large", "replicas.runs.A", "replicas.runs.a.b", "replicas.replicas.x"] {
        jetstream.publish(subject, vec![0; LARGEST + 1].into()).await.unwrap().await.unwrap();
    }
    assert_eq!(entries.get(Shelf::Runs, "large").await.unwrap(), None);
    assert_eq!(entries.names(Shelf::Runs).await.unwrap(), ["large"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn stream_that_would_lose_entries_is_refused() {
    type Spoil = fn(&mut Config);
    let Some((server, entries)) = opened().await else { return };
    let jetstream = entries.jetstream().await.unwrap();
    let spoilt: [(Spoil, &str); 6] = [
        (|config| config.subjects = vec!["replicas.>".into()], "subjects"),
        (|config| config.max_age = Duration::from_secs(3600), "max_age"),
        (|config| config.max_messages = 1000, "max_msgs"),
        (|config| config.max_bytes = 1 << 20, "max_bytes"),
        (|config| config.max_messages_per_subject = 2, "max_msgs_per_subject"),
        (|config| config.discard = DiscardPolicy::Old, "discard"),
    ];
    for (spoil, expected) in spoilt {
        jetstream.delete_stream(STREAM).await.unwrap();
        let mut spoilt = config();
        spoil(&mut spoilt);
        jetstream.create_stream(spoilt).await.unwrap();
        let refused = Nats::open(server.connection()).await.err().expect(expected).to_string();
        assert!(refused.contains(expected) && refused.contains("cannot be used"), "{refused}");
    }
    jetstream.delete_stream(STREAM).await.unwrap();
    // Replicas that make it at once.
    let opened = (0..8).map(|_| Nats::open(server.connection()));
    for opened in futures_util::future::join_all(opened).await {
        opened.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn stream_that_is_made_again_uses_no_revision_again() {
    let Some((_server, entries)) = opened().await else { return };
    let mut revisions = Vec::new();
    for _ in 0..2 {
        assert!(entries.create(Shelf::Runs, "a", b"one").await.unwrap());
        revisions.push(entries.message(Shelf::Runs, "a").await.unwrap().unwrap().sequence);
        entries.jetstream().await.unwrap().delete_stream(STREAM).await.unwrap();
    }
    assert!(revisions[0] < revisions[1], "{revisions:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn server_that_sends_without_end_is_given_up_and_connected_again() {
    let flooding = stranger::stranger(stranger::floods);
    let connected = flooding.connect(MOST).await.unwrap();
    let given_up = async {
        while connected.flooded.check().is_ok() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), given_up).await.expect("it is given up");
    assert!(Nats::open(flooding).await.is_err());
    let Some(server) = Server::start() else { return };
    let entries = Nats { connection: server.connection(), connected: Mutex::new(connected) };
    assert!(entries.create(Shelf::Runs, "a", b"one").await.unwrap());
}

/// The server as the page sets it up.
const CONFIGURATION: &str = include_str!("../../../../../docs/reference/mcp-server/nats-server.conf");

#[tokio::test(flavor = "multi_thread")]
async fn replica_has_the_rights_that_it_needs_and_no_others() {
    let Some(server) = tls::secured(CONFIGURATION) else { return };
    let entries = Nats::open(tls::signed_in(&server, "replica", "r-password")).await;
    let entries = Arc::new(entries.unwrap_or_else(|error| panic!("{error}: {}", server.said())));
    suite::holds(entries.clone()).await;
    let jetstream = entries.jetstream().await.unwrap();
    // A refused request has no answer: what the server writes about it is waited for.
    for request in ["STREAM.DELETE.BAILIWICK_REPLICAS", "STREAM.CREATE.OTHER", "CONSUMER.CREATE.BAILIWICK_REPLICAS"] {
        let subject = format!("$JS.API.{request}");
        jetstream.client().publish(subject.clone(), "{}".into()).await.unwrap();
        let refusal = format!("Publish Violation - Subject \"{subject}\"");
        let refused = async {
            while !server.said().contains(&refusal) {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        let refused = tokio::time::timeout(Duration::from_secs(60), refused).await;
        assert!(refused.is_ok(), "{subject}: {}", server.said());
    }
    assert!(!entries.names(Shelf::Runs).await.unwrap().is_empty(), "the stream is there");
    assert!(Nats::open(server.connection()).await.is_err(), "the server takes no client without TLS and a login");
}
