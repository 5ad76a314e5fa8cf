//! Worker threads. A guest call runs on one of them from start to end, so that a file operation costs no hop and a
//! blocked one costs one thread, which is given up and replaced.

use crate::bindings::ToolComponentPre;
use crate::call::{self, Reply, Request};
use crate::cost::Cost;
use crate::error::HostFailure;
use crate::grant::Grants;
use crate::limits::Limits;
use crate::state::State;
use crate::watchdog::{TICK, Waker};
use crossbeam_channel::{Receiver, Sender};
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;
use wasmtime::Engine;

/// One call on its way to a worker.
pub(crate) struct Job {
    pub(crate) pre: ToolComponentPre<State>,
    pub(crate) request: Request,
    pub(crate) grants: Grants,
    pub(crate) limits: Limits,
    pub(crate) reply: oneshot::Sender<Reply>,
}

/// What a worker is busy with, seen by the watchdog.
#[derive(Default)]
struct Slot(Mutex<Option<Running>>);

struct Running {
    /// When a guest would long have been interrupted, so that only a blocked host call explains the silence.
    hopeless_at: Instant,
    deadline: Duration,
    reply: oneshot::Sender<Reply>,
}

/// All workers of one sandbox.
pub(crate) struct Crew {
    engine: Engine,
    jobs: Receiver<Job>,
    slots: Mutex<Vec<Arc<Slot>>>,
    running: AtomicUsize,
    stuck: AtomicUsize,
    most_stuck: usize,
    waker: OnceLock<Arc<Waker>>,
}

// Past the deadline a guest in wasm is stopped by the next tick, and one in the host at its next call.
const GRACE: Duration = TICK.saturating_mul(3);

impl Crew {
    /// Starts `workers` threads that take jobs from the returned sender until it is dropped.
    pub(crate) fn start(
        engine: Engine,
        workers: usize,
        most_stuck: usize,
    ) -> std::io::Result<(Arc<Self>, Sender<Job>)> {
        let (sender, jobs) = crossbeam_channel::unbounded();
        let crew = Arc::new(Self {
            engine: engine.clone(),
            jobs,
            slots: Mutex::default(),
            running: AtomicUsize::new(0),
            stuck: AtomicUsize::new(0),
            most_stuck,
            waker: OnceLock::new(),
        });
        let waker = crate::watchdog::start(engine, Arc::downgrade(&crew))?;
        let _ = crew.waker.set(waker);
        for _ in 0..workers {
            crew.hire()?;
        }
        Ok((crew, sender))
    }

    /// How many threads hang in a host call that does not return.
    pub(crate) fn stuck(&self) -> usize {
        self.stuck.load(Ordering::SeqCst)
    }

    /// Whether so many hang that no further call is taken.
    pub(crate) fn saturated(&self) -> bool {
        self.stuck() >= self.most_stuck
    }

    pub(crate) fn busy(&self) -> bool {
        self.running.load(Ordering::SeqCst) > 0 || !self.jobs.is_empty()
    }

    fn hire(self: &Arc<Self>) -> std::io::Result<()> {
        let slot = Arc::new(Slot::default());
        lock(&self.slots).push(slot.clone());
        let (jobs, crew, engine) = (self.jobs.clone(), Arc::downgrade(self), self.engine.clone());
        std::thread::Builder::new().name("bailiwick-tool".into()).spawn(move || work(&jobs, &crew, &engine, &slot))?;
        Ok(())
    }

    /// Answers for every worker that is beyond hope and replaces it. Returns whether any worker is busy.
    pub(crate) fn look_for_stuck(self: &Arc<Self>) -> bool {
        if !self.busy() {
            return false;
        }
        let now = Instant::now();
        let mut given_up = Vec::new();
        lock(&self.slots).retain(|slot| {
            let mut running = lock(&slot.0);
            if running.as_ref().is_some_and(|running| now > running.hopeless_at) {
                given_up.extend(running.take());
                return false;
            }
            true
        });
        for running in given_up {
            self.stuck.fetch_add(1, Ordering::SeqCst);
            self.running.fetch_sub(1, Ordering::SeqCst);
            let failure = if self.hire().is_ok() {
                HostFailure::Abandoned(running.deadline)
            } else {
                HostFailure::Saturated { stuck: self.stuck() }
            };
            let cost = Cost { wall: running.deadline, ..Cost::default() };
            let _ = running.reply.send(Reply::failed(failure, cost));
        }
        true
    }
}

fn work(jobs: &Receiver<Job>, crew: &Weak<Crew>, engine: &Engine, slot: &Slot) {
    while let Ok(job) = jobs.recv() {
        let Some(crew_now) = crew.upgrade() else { return };
        if job.reply.is_closed() {
            continue;
        }
        crew_now.running.fetch_add(1, Ordering::SeqCst);
        *lock(&slot.0) = Some(Running {
            hopeless_at: Instant::now() + job.limits.deadline + GRACE,
            deadline: job.limits.deadline,
            reply: job.reply,
        });
        if let Some(waker) = crew_now.waker.get() {
            waker.wake();
        }
        drop(crew_now);
        let run = || call::run(engine, &job.pre, &job.request, &job.grants, &job.limits);
        // A mistake of the host costs the call it happens in. Without this the thread would be gone, and counted as
        // stuck for ever, and a guest that knows of such a mistake could use up all of them.
        let reply = std::panic::catch_unwind(AssertUnwindSafe(run))
            .unwrap_or_else(|_| Reply::failed(HostFailure::Trap("the host panicked".into()), Cost::default()));
        let running = lock(&slot.0).take();
        let Some(crew) = crew.upgrade() else { return };
        match running {
            Some(running) => {
                crew.running.fetch_sub(1, Ordering::SeqCst);
                let _ = running.reply.send(reply);
            }
            None => {
                // Given up while it hung; somebody else has this one's place.
                crew.stuck.fetch_sub(1, Ordering::SeqCst);
                return;
            }
        }
    }
}

/// The data behind these locks is replaced whole, so a panic elsewhere leaves nothing half done.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
