//! Loading runs on threads of its own: hashing, the cache and the compiler keep no executor busy, and a compilation
//! that takes too long is given up like a call that hangs. It cannot be stopped, so it is counted until it ends.

mod worker;

pub use worker::{COMPILE_WORKER, CompileWorker, compile_worker};

use crate::cache::CompileCache;
use crate::code::Code;
use crate::error::{LoadError, SandboxError, panic_text};
use crate::limits::LoadLimits;
use crate::scan;
use bytes::Bytes;
use sha2::{Digest, Sha256};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;
use tokio::sync::{Semaphore, oneshot};
use wasmtime::Engine;
use wasmtime::component::Component;

/// A compiled component with the SHA-256 of its bytes in hexadecimal.
#[derive(Clone)]
pub(crate) struct Compiled {
    pub(crate) component: Component,
    pub(crate) digest: String,
}

/// The way into the compiler.
pub(crate) struct Compilers {
    engine: Engine,
    cache: CompileCache,
    limits: LoadLimits,
    places: Arc<Semaphore>,
    given_up: Arc<AtomicUsize>,
    worker: Option<Arc<CompileWorker>>,
}

impl Compilers {
    pub(crate) fn new(engine: Engine, cache: CompileCache, limits: LoadLimits) -> Self {
        let places = Arc::new(Semaphore::new(limits.at_once));
        Self { engine, cache, limits, places, given_up: Arc::default(), worker: None }
    }

    /// Has what is beyond the limits compiled by a worker.
    pub(crate) fn with_worker(&mut self, worker: CompileWorker) {
        self.worker = Some(Arc::new(worker));
    }

    /// Who compiles a component: a worker what is beyond the limits, and `None` for this process.
    fn compiler(&self, bytes: &[u8]) -> Result<Option<Arc<CompileWorker>>, LoadError> {
        match (scan::check(bytes, &self.limits), &self.worker) {
            (Ok(()), _) => Ok(None),
            (Err(LoadError::TooLarge { .. }), Some(worker)) => {
                scan::check(bytes, &worker.limits)?;
                Ok(Some(worker.clone()))
            }
            (Err(error), _) => Err(error),
        }
    }

    pub(crate) fn limits(&self) -> &LoadLimits {
        &self.limits
    }

    pub(crate) fn cache(&self) -> &CompileCache {
        &self.cache
    }

    /// Compilations that were given up and still run.
    pub(crate) fn stuck(&self) -> usize {
        self.given_up.load(Ordering::SeqCst)
    }

    /// Scans, hashes, and takes from the cache or compiles.
    pub(crate) async fn compile(&self, code: &Code) -> Result<Compiled, LoadError> {
        let bytes = had(code).await?;
        let worker = self.compiler(&bytes)?;
        let place = self.places.clone().acquire_owned().await;
        if self.stuck() >= self.limits.most_stuck {
            return Err(LoadError::Saturated { stuck: self.stuck() });
        }
        let (engine, cache, limits) = (self.engine.clone(), self.cache.clone(), self.limits.clone());
        let (code, given_up) = (code.clone(), self.given_up.clone());
        let (reply, answer) = oneshot::channel();
        spawn("bailiwick-load", move || {
            let deadline = worker.as_ref().map_or(limits.deadline, |worker| worker.patience());
            let _ = reply.send(within_deadline(&given_up, deadline, move || {
                let digest = bailiwick_base::text::hex(&Sha256::digest(&bytes));
                code.is(&digest)?;
                let length = bytes.len();
                let component = cache.component(&engine, length, &digest, || match worker {
                    Some(worker) => worker.compile(&engine, bytes),
                    None => component(&engine, &bytes, limits.threads),
                })?;
                Ok(Compiled { component, digest })
            }));
            drop(place);
        })?;
        answer.await.unwrap_or_else(|_| Err(LoadError::Invalid("loading it stopped".into())))
    }
}

/// The bytes of a component. Reading them keeps no executor busy.
async fn had(code: &Code) -> Result<Bytes, LoadError> {
    if !code.is_kept() {
        return code.bytes();
    }
    let (code, (reply, answer)) = (code.clone(), oneshot::channel());
    spawn("bailiwick-load", move || {
        let _ = reply.send(code.bytes());
    })?;
    answer.await.unwrap_or_else(|_| Err(LoadError::Unreadable("reading the component stopped".into())))
}

/// Runs `work` on a further thread and waits for it no longer than the deadline.
fn within_deadline<T: Send + 'static>(
    given_up: &Arc<AtomicUsize>,
    deadline: Duration,
    work: impl FnOnce() -> Result<T, LoadError> + Send + 'static,
) -> Result<T, LoadError> {
    let (sender, receiver) = std::sync::mpsc::sync_channel::<Result<T, LoadError>>(0);
    let left = given_up.clone();
    spawn("bailiwick-compile", move || {
        let result = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
            Err(LoadError::Invalid(format!("the compiler failed: {}", panic_text(panic.as_ref()))))
        });
        // Handed over from hand to hand: it arrives, or this one was given up and counted.
        if sender.send(result).is_err() {
            left.fetch_sub(1, Ordering::SeqCst);
        }
    })?;
    match receiver.recv_timeout(deadline) {
        Ok(result) => result,
        Err(RecvTimeoutError::Timeout) => {
            // Before the receiver is dropped, and with it the other side's send fails.
            given_up.fetch_add(1, Ordering::SeqCst);
            Err(LoadError::TooSlow(deadline))
        }
        Err(RecvTimeoutError::Disconnected) => Err(LoadError::Invalid("compiling it stopped".into())),
    }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> Result<(), LoadError> {
    match std::thread::Builder::new().name(name.into()).spawn(work) {
        Ok(_) => Ok(()),
        Err(error) => Err(LoadError::Cache(SandboxError::Thread(error))),
    }
}

/// Compiles on threads of this compilation alone. A pool that all share would be held by one that was given up.
fn component(engine: &Engine, bytes: &[u8], threads: usize) -> Result<Component, LoadError> {
    let invalid = |error: wasmtime::Error| LoadError::of_engine(format!("{error:#}"));
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|_| "bailiwick-compile".into())
        .build()
        .map_err(|error| LoadError::Cache(SandboxError::Thread(std::io::Error::other(error))))?;
    pool.install(|| Component::from_binary(engine, bytes)).map_err(invalid)
}

/// What of the engine's configuration decides what compiled code looks like. Where instances get their memory does not.
pub(crate) fn engine_config() -> wasmtime::Config {
    let mut engine = wasmtime::Config::new();
    engine.epoch_interruption(true);
    engine.wasm_memory64(false);
    engine
}
