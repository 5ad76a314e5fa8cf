//! Entries on a NATS server, for replicas on machines that share no directory: one message an entry, the last of its subject in
//! a stream.
//!
//! ```text
//! stream BAILIWICK_REPLICAS    replicas.replicas.NAME    a replica
//!                              replicas.runs.NAME        which replica has a run
//! ```
//!
//! What is made or replaced on a condition names the revision of the entry that it expects, and the server compares. Entries
//! are read from the leader of the stream, which knows what it acknowledged; no consumer is made.
//!
//! A stream that is not there is a registry without entries: a server that lost its disk answers so, too. It is made again where
//! something is to be entered.

use super::entries::{Entries, LARGEST, Shelf, is_name};
use async_nats::HeaderMap;
use async_nats::connection::State;
use async_nats::header::{NATS_EXPECTED_LAST_SUBJECT_SEQUENCE, NATS_EXPECTED_STREAM};
use async_nats::jetstream::context::{CreateStreamErrorKind, PublishErrorKind};
use async_nats::jetstream::message::StreamMessage;
use async_nats::jetstream::stream::{
    Config, DiscardPolicy, LastRawMessageErrorKind, PurgeErrorKind, RetentionPolicy, StorageType, Stream,
};
use async_nats::jetstream::{self, ErrorCode};
use async_trait::async_trait;
use bailiwick_nats::{ANSWER, Connected, Connection, Most, NatsError, plain};
use futures_util::{StreamExt as _, TryStreamExt as _};
use std::error::Error as _;
use std::io;
use std::time::{SystemTime, UNIX_EPOCH};
use tokio::sync::Mutex;

const STREAM: &str = "BAILIWICK_REPLICAS";
const SUBJECTS: &str = "replicas.*.*";
/// Headers count with an entry.
const MESSAGE: usize = LARGEST + 1024;
/// The list of the names of many runs is the longest message. Memory grows with what else this program does: a connection
/// that is given up without need is made again.
const MOST: Most = Most { between: 16 << 20, grown: 1 << 30 };
/// As many names of entries are read.
const NAMES: usize = 1_000_000;

/// Entries on a server.
pub struct Nats {
    connection: Connection,
    connected: Mutex<Connected>,
}

impl Nats {
    /// Connects, and makes the stream where it is missing.
    ///
    /// # Errors
    /// See [`NatsError`].
    pub async fn open(connection: Connection) -> Result<Self, NatsError> {
        let connected = connection.connect(MOST).await?;
        let prepared = within(made(&connected.jetstream)).await;
        prepared.map_err(|error| match error.kind() {
            io::ErrorKind::InvalidData => NatsError::Stream { stream: STREAM, reason: error.to_string() },
            _ => NatsError::Unreachable { reason: error.to_string() },
        })?;
        Ok(Self { connection, connected: Mutex::new(connected) })
    }

    /// What is asked of the server. While it is away nothing is: what is sent then would be carried out later.
    async fn jetstream(&self) -> io::Result<jetstream::Context> {
        let mut connected = self.connected.lock().await;
        if connected.flooded.check().is_err() {
            *connected = self.connection.connect(MOST).await.map_err(io::Error::other)?;
        }
        match connected.jetstream.client().connection_state() {
            State::Connected => Ok(connected.jetstream.clone()),
            State::Pending | State::Disconnected => Err(io::ErrorKind::NotConnected.into()),
        }
    }

    async fn stream(&self) -> io::Result<Stream<()>> {
        self.jetstream().await?.get_stream_no_info(STREAM).await.map_err(failed)
    }

    /// Enters this; `false` where the entry has another revision than the one that is expected. Revision 0 is that of no entry.
    async fn enter(&self, shelf: Shelf, name: &str, content: &[u8], expected: Option<u64>) -> io::Result<bool> {
        let subject = subject(shelf, name)?;
        let mut headers = HeaderMap::new();
        headers.insert(NATS_EXPECTED_STREAM, STREAM);
        if let Some(revision) = expected {
            headers.insert(NATS_EXPECTED_LAST_SUBJECT_SEQUENCE, revision.to_string());
        }
        let jetstream = self.jetstream().await?;
        let mut is_made = false;
        loop {
            let sent = jetstream.publish_with_headers(subject.clone(), headers.clone(), content.to_vec().into()).await;
            let error = match sent {
                Ok(sent) => match sent.await {
                    Ok(_) => return Ok(true),
                    Err(error) => error,
                },
                Err(error) => error,
            };
            match error.kind() {
                PublishErrorKind::WrongLastSequence => return Ok(false),
                // Nobody keeps messages of this subject.
                PublishErrorKind::StreamNotFound if !is_made => made(&jetstream).await?,
                _ => return Err(failed(error)),
            }
            is_made = true;
        }
    }

    async fn message(&self, shelf: Shelf, name: &str) -> io::Result<Option<StreamMessage>> {
        let found = self.stream().await?.get_last_raw_message_by_subject(&subject(shelf, name)?).await;
        match found {
            // It is not one of ours, and must not keep readers from the others.
            Ok(message) if message.payload.len() > LARGEST => Ok(None),
            Ok(message) => Ok(Some(message)),
            Err(error) => match error.kind() {
                LastRawMessageErrorKind::NoMessageFound => Ok(None),
                LastRawMessageErrorKind::JetStream(said) if is_missing(&said) => Ok(None),
                _ => Err(failed(error)),
            },
        }
    }

    async fn listed(&self, shelf: Shelf) -> io::Result<Vec<String>> {
        let every = subject(shelf, "x")?.replace(".x", ".*");
        let found = match self.stream().await?.info_with_subjects(&every).await {
            Ok(found) => found,
            Err(error) => match error.source().and_then(|said| said.downcast_ref()) {
                Some(said) if is_missing(said) => return Ok(Vec::new()),
                _ => return Err(failed(error)),
            },
        };
        let subjects: Vec<_> = found.take(NAMES).try_collect().await.map_err(failed)?;
        let before = every.trim_end_matches('*');
        let names = subjects.iter().filter_map(|(subject, _)| subject.strip_prefix(before));
        Ok(names.filter(|name| is_name(name)).map(str::to_owned).collect())
    }
}

#[async_trait]
impl Entries for Nats {
    async fn create(&self, shelf: Shelf, name: &str, content: &[u8]) -> io::Result<bool> {
        within(self.enter(shelf, name, content, Some(0))).await
    }

    async fn put(&self, shelf: Shelf, name: &str, content: &[u8]) -> io::Result<()> {
        within(self.enter(shelf, name, content, None)).await.map(drop)
    }

    async fn replace(&self, shelf: Shelf, name: &str, old: &[u8], new: &[u8]) -> io::Result<bool> {
        within(async {
            match self.message(shelf, name).await? {
                Some(found) if found.payload == old => self.enter(shelf, name, new, Some(found.sequence)).await,
                _ => Ok(false),
            }
        })
        .await
    }

    async fn get(&self, shelf: Shelf, name: &str) -> io::Result<Option<Vec<u8>>> {
        Ok(within(self.message(shelf, name)).await?.map(|message| message.payload.into()))
    }

    async fn remove(&self, shelf: Shelf, name: &str) -> io::Result<()> {
        within(async {
            // Nothing is left of it: a mark in its place would stay for ever.
            match self.stream().await?.purge().filter(subject(shelf, name)?).await {
                Ok(_) => Ok(()),
                Err(error) => match error.kind() {
                    PurgeErrorKind::JetStream(said) if is_missing(&said) => Ok(()),
                    _ => Err(failed(error)),
                },
            }
        })
        .await
    }

    async fn names(&self, shelf: Shelf) -> io::Result<Vec<String>> {
        within(self.listed(shelf)).await
    }
}

/// Makes the stream, if it is not there. One that its operator made stays as it is, if it keeps every entry.
async fn made(jetstream: &jetstream::Context) -> io::Result<()> {
    let stream = match jetstream.get_or_create_stream(config()).await {
        // Another replica made it meanwhile.
        Err(error) if matches!(error.kind(), CreateStreamErrorKind::JetStream(said) if said.error_code() == ErrorCode::STREAM_NAME_EXIST) => {
            jetstream.get_stream(STREAM).await.map_err(failed)?
        }
        made => made.map_err(failed)?,
    };
    match unsuitable(&stream.cached_info().config) {
        Some(reason) => Err(io::Error::new(io::ErrorKind::InvalidData, reason)),
        None => Ok(()),
    }
}

/// Why a stream is no registry; `None` where it keeps each entry until it is replaced or removed.
fn unsuitable(found: &Config) -> Option<&'static str> {
    let comes_from_elsewhere = found.mirror.is_some()
        || found.sources.as_ref().is_some_and(|sources| !sources.is_empty())
        || found.subject_transform.is_some();
    let is_bounded = [found.max_messages, found.max_bytes].into_iter().any(|bound| bound > 0);
    [
        (found.subjects != [SUBJECTS], "its subjects are not `replicas.*.*`"),
        (comes_from_elsewhere, "it has a mirror, sources or a transform"),
        (!found.max_age.is_zero(), "its messages end with their age (max_age)"),
        (is_bounded, "the number or the bytes of its messages are bounded (max_msgs, max_bytes)"),
        (found.max_messages_per_subject != 1, "it does not keep one message of a subject (max_msgs_per_subject)"),
        (found.discard != DiscardPolicy::New, "it discards old messages (discard)"),
        (found.retention != RetentionPolicy::Limits, "it keeps messages for consumers only (retention)"),
        (found.no_ack, "it acknowledges nothing (no_ack)"),
    ]
    .into_iter()
    .find_map(|(is_so, reason)| is_so.then_some(reason))
}

fn config() -> Config {
    Config {
        name: STREAM.to_owned(),
        subjects: vec![SUBJECTS.to_owned()],
        max_messages_per_subject: 1,
        max_message_size: i32::try_from(MESSAGE).unwrap_or(i32::MAX),
        storage: StorageType::File,
        // A stream without room refuses an entry, and forgets none.
        discard: DiscardPolicy::New,
        // A revision that was read before the stream was lost is not that of an entry of the next stream.
        first_sequence: SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .ok()
            .and_then(|since| u64::try_from(since.as_micros()).ok()),
        ..Config::default()
    }
}

fn subject(shelf: Shelf, name: &str) -> io::Result<String> {
    if !is_name(name) {
        return Err(io::Error::other("it is not the name of an entry"));
    }
    let shelf = match shelf {
        Shelf::Replicas => "replicas",
        Shelf::Runs => "runs",
    };
    Ok(format!("replicas.{shelf}.{name}"))
}

fn is_missing(error: &jetstream::Error) -> bool {
    error.error_code() == ErrorCode::STREAM_NOT_FOUND
}

fn failed(error: impl std::fmt::Display) -> io::Error {
    io::Error::other(plain(error))
}

async fn within<T>(work: impl Future<Output = io::Result<T>>) -> io::Result<T> {
    let late = |_| Err(io::Error::new(io::ErrorKind::TimedOut, "the server does not answer"));
    tokio::time::timeout(ANSWER, work).await.unwrap_or_else(late)
}

#[cfg(test)]
pub(super) mod tests;
