//! What a server may send: the client library reads into memory whatever comes, so this watches how much that is.
//!
//! The connection has a thread and a runtime of its own. Where the server has sent too much, that runtime is dropped, and
//! with it the connection and all that it holds. Nothing else ends a task that always has something to read.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_nats::{Client, ConnectOptions, ServerAddr, Statistics};
use tokio::sync::oneshot;

use crate::certificates;
use crate::error::NatsError;

/// How often it is looked how much has come.
const LOOK: Duration = Duration::from_millis(20);

/// Bytes of memory that this program takes more until it is connected: nothing else is done meanwhile.
const CONNECTING: u64 = 64 << 20;

/// How much a server may send.
#[derive(Debug, Clone, Copy)]
pub struct Most {
    /// Bytes from one message to the next.
    pub between: u64,
    /// Bytes of memory that this program takes more than when it connected.
    pub grown: u64,
}

/// Whether the server sent too much and is not used any more.
#[derive(Debug, Clone, Default)]
pub struct Flooded(Arc<AtomicBool>);

impl Flooded {
    /// Whether it did.
    ///
    /// # Errors
    /// [`NatsError::Flooded`].
    pub fn check(&self) -> Result<(), NatsError> {
        if self.0.load(Ordering::Relaxed) { Err(NatsError::Flooded) } else { Ok(()) }
    }
}

/// Connects, and gives the connection up where more comes than this.
pub(super) async fn connect(
    options: ConnectOptions,
    address: ServerAddr,
    most: Most,
) -> Result<(Client, Flooded), NatsError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        // After each turn of the connection's task it is looked whether this has gone on for too long.
        .event_interval(1)
        .build()
        .map_err(NatsError::unreachable)?;
    let (answer, connected) = oneshot::channel();
    let flooded = Flooded::default();
    let told = flooded.clone();
    let thread = std::thread::Builder::new().name("nats".to_owned());
    let watched = move || {
        runtime.block_on(watched(options, address, most, answer, &told));
        runtime.shutdown_background();
    };
    drop(thread.spawn(watched).map_err(NatsError::unreachable)?);
    let client = connected.await.map_err(|_| flooded.check().err().unwrap_or(NatsError::Flooded))??;
    Ok((client, flooded))
}

/// Ends where the client is not used any more, or where the server has sent too much.
async fn watched(
    options: ConnectOptions,
    address: ServerAddr,
    most: Most,
    answer: oneshot::Sender<Result<Client, NatsError>>,
    flooded: &Flooded,
) {
    let before = resident();
    let has_grown = |most: u64| before.zip(resident()).is_some_and(|(before, now)| now.saturating_sub(before) > most);
    let connecting = options.connect(address);
    tokio::pin!(connecting);
    let connected = loop {
        tokio::select! {
            connected = &mut connecting => break connected.map_err(certificates::refusal),
            () = tokio::time::sleep(LOOK) => if has_grown(CONNECTING.min(most.grown)) {
                break Err(NatsError::Flooded);
            },
        }
    };
    let statistics = connected.as_ref().ok().map(Client::statistics);
    let _ = answer.send(connected);
    let Some(statistics) = statistics else { return };
    let mut since = counted(&statistics);
    // Its tasks end with the last handle of the client.
    while tokio::runtime::Handle::current().metrics().num_alive_tasks() > 0 {
        tokio::time::sleep(LOOK).await;
        let now = counted(&statistics);
        if now.0 != since.0 {
            since = now;
        }
        if now.1.saturating_sub(since.1) > most.between || has_grown(most.grown) {
            flooded.0.store(true, Ordering::Relaxed);
            return;
        }
    }
}

/// How many messages have come, and how many bytes.
fn counted(statistics: &Statistics) -> (u64, u64) {
    (statistics.in_messages.load(Ordering::Relaxed), statistics.in_bytes.load(Ordering::Relaxed))
}

/// The memory that this program takes, in bytes, where the system says it.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok()?.checked_mul(1024)
}
