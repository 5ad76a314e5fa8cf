//! Many machines: a queue on a NATS server with JetStream.
//!
//! ```text
//! stream BAILIWICK_FLEET    fleet.FLEET.LANGUAGE.KEY    a manifest with one job; one message a job, gone when it is done
//!   consumer LANGUAGE       one a language, so that a machine without a JDK never takes a job for Java
//! bucket bailiwick-fleet    FLEET.job.KEY               who has it in which attempt, or where its result is
//!                           FLEET.cancel.KEY, .all      a person's word, which the worker of the job listens for
//! objects bailiwick-fleet   FLEET.KEY.RANDOM.NAME       artifacts and results; a name comes with its digest
//! ```
//!
//! A message that is not acknowledged in time is given to another worker; a worker says all the while that it is at work.
//! A result counts where its worker could change the entry of the job from the very revision at which it took the job, so
//! that a worker whose lease was over comes too late.
//!
//! A worker hears a person's word as it is written: it subscribes to the subjects of such entries, and reads the entry
//! then and whenever it says that it is at work. It does not watch the bucket: that needs the right to make consumers, and a
//! user with that right can have the server write entries of its choice into the stream of jobs.
//!
//! The server and its users are not trusted with a verdict: the coordinator takes a result
//! over into its directory only after [`crate::contradiction`] found none. What the server loses is offered again. It may
//! make work fail or never end; the time limit of a fleet is for that.

mod fetch;
mod objects;
mod offer;
mod record;
mod server;
mod take;

use std::time::Duration;

use async_nats::jetstream::object_store::ObjectStore;
use async_nats::jetstream::{self, kv};
use bailiwick_nats::{ANSWER, Connected, Connection, Flooded, Most, NatsError};

use crate::error::FleetError;
use crate::manifest::Key;

pub use fetch::Fetched;
pub use server::Setting;

const STREAM: &str = "BAILIWICK_FLEET";
const BUCKET: &str = "bailiwick-fleet";
/// A worker that is silent for so long is taken for dead.
const LEASE: Duration = Duration::from_secs(60);
/// An object that is not there by then is not waited for.
const TRANSFER: Duration = Duration::from_secs(300);

/// Messages are smaller than a MiB, and the artifacts of a job are in memory while they are taken over.
const MOST: Most = Most { between: 8 << 20, grown: 3 * record::ARTIFACTS_BYTES as u64 };

/// A connection to the server of a queue.
#[derive(Clone)]
pub struct Nats {
    jetstream: jetstream::Context,
    languages: Vec<String>,
    lease: Duration,
    worker: String,
    flooded: Flooded,
}

impl std::fmt::Debug for Nats {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Nats").field("languages", &self.languages).finish_non_exhaustive()
    }
}

impl Nats {
    /// Connects, for jobs of these languages: `python`. None where no jobs are taken.
    ///
    /// # Errors
    /// [`FleetError::BadQueue`], [`FleetError::Io`], [`FleetError::Certificate`], [`FleetError::Server`], [`FleetError::Flooded`].
    pub async fn connect(connection: &Connection, languages: Vec<String>) -> Result<Self, FleetError> {
        let Connected { jetstream, name, flooded } = connection.connect(MOST).await?;
        Ok(Self { jetstream, languages, lease: LEASE, worker: name, flooded })
    }

    /// The same, whose workers are taken for dead after another time. The coordinator, which makes the consumers, decides.
    #[must_use]
    pub fn with_lease(mut self, lease: Duration) -> Self {
        self.lease = lease;
        self
    }

    async fn entries(&self) -> Result<kv::Store, FleetError> {
        self.flooded.check()?;
        self.jetstream.get_key_value(BUCKET).await.map_err(failed("read"))
    }

    async fn objects(&self) -> Result<ObjectStore, FleetError> {
        self.jetstream.get_object_store(BUCKET).await.map_err(failed("read"))
    }
}

/// For `map_err` at whatever the client says.
fn failed<E: std::fmt::Display>(action: &'static str) -> impl FnOnce(E) -> FleetError {
    move |error| FleetError::Server { action, reason: bailiwick_nats::plain(error) }
}

/// Waits for so long and no longer.
async fn within<T>(
    time: Duration,
    action: &'static str,
    work: impl Future<Output = Result<T, FleetError>>,
) -> Result<T, FleetError> {
    let late = || FleetError::Server { action, reason: format!("nothing came within {} seconds", time.as_secs()) };
    tokio::time::timeout(time, work).await.unwrap_or_else(|_| Err(late()))
}

/// How often, and after how long a rest, something is tried again that a worker leaves: a server that is started again is
/// there by then, and the coordinator has made again what it lost.
const TRIES: u32 = 40;
const BETWEEN: Duration = Duration::from_secs(3);

/// Tries until the server has done it.
async fn patiently<T, W: Future<Output = Result<T, FleetError>>>(work: impl Fn() -> W) -> Result<T, FleetError> {
    for _ in 1..TRIES {
        match work().await {
            Err(FleetError::Server { .. }) => tokio::time::sleep(BETWEEN).await,
            done => return done,
        }
    }
    work().await
}

impl From<NatsError> for FleetError {
    fn from(error: NatsError) -> Self {
        match error {
            NatsError::Address { server, reason } => Self::BadQueue { queue: server, reason },
            NatsError::Certificate { reason } => Self::Certificate { reason },
            NatsError::Unreachable { reason } => Self::Server { action: "reached", reason },
            NatsError::Stream { reason, .. } => Self::Server { action: "used", reason },
            NatsError::Flooded => Self::Flooded,
            NatsError::Io(error) => Self::Io(error),
        }
    }
}

fn job_entry(fleet: &str, key: &Key) -> String {
    format!("{fleet}.job.{key}")
}

/// Reads a text as everything that comes from a server, for the fuzzer: what is kept has plain names.
#[cfg(test)]
pub(crate) fn read_all(text: &str) {
    let _ = record::Entry::read(text.as_bytes());
    let _ = record::job("fleet.a.python.b", text.as_bytes());
    let _ = Setting::read(&format!("HTTP/1.0 200 OK\r\n\r\n{text}"));
    if let Ok(envelope) = record::Envelope::read(text.as_bytes()) {
        assert!(envelope.artifacts.iter().all(|one| !one.name.contains('/') && one.name != ".."));
    }
}

#[cfg(test)]
mod tests;
