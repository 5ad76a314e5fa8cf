//! Worker threads. A guest call runs on one of them from start to end, so that a file operation costs no hop and a
//! blocked one costs one thread, which is given up and replaced.

use crate::call::{self, Reply, Request};
use crate::cost::Cost;
use crate::error::{HostFailure, panic_text};
use crate::grant::Grants;
use crate::limits::{Limits, TICK};
use crate::pool_state::{PoolState, Returned};
use crate::prepared::PreparedComponent;
use crate::queue::{self, ParkedWorker, Receiver, Sender};
use crate::reply_to::ReplyTo;
use crate::tool::Loaded;
use crate::wasi::Cancellation;
use crate::watchdog::Waker;
use rustix::thread::Pid;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::{Duration, Instant};
use wasmtime::Engine;

/// One call on its way to a worker.
pub(crate) struct Job {
    pub(crate) prepared: PreparedComponent,
    pub(crate) request: Request,
    pub(crate) grants: Grants,
    pub(crate) limits: Limits,
    /// The tool whose schema the answer is held against, if it is.
    pub(crate) checks: Option<Arc<Loaded>>,
    pub(crate) reply: ReplyTo,
}

/// What a worker is busy with, seen by the watchdog and by the guest's epoch check.
#[derive(Default)]
pub(crate) struct Slot {
    running: Mutex<Option<Running>>,
    /// The worker's thread, once it has started.
    thread: OnceLock<Pid>,
}

impl Slot {
    /// Takes what is running out if it is beyond hope.
    fn abandon(&self, now: Instant) -> Option<Running> {
        let mut running = lock(&self.running);
        let late = now.checked_duration_since(running.as_ref()?.abandon_at?)?;
        // A thread that wants to run is not blocked: the machine is busy, and it will come to its own end.
        if late < STARVED && self.thread.get().is_some_and(|thread| runnable(*thread)) { None } else { running.take() }
    }
}

impl Cancellation for Slot {
    /// The caller has gone, or the watchdog has answered already.
    fn is_cancelled(&self) -> bool {
        lock(&self.running).as_ref().is_none_or(|running| running.reply.is_closed())
    }
}

struct Running {
    /// When a guest would long have been interrupted, so that only a blocked host call explains the silence. `None`
    /// for a deadline beyond all time.
    abandon_at: Option<Instant>,
    deadline: Duration,
    reply: ReplyTo,
}

/// The workers that have not been abandoned, and the counts of all.
struct Members {
    slots: Vec<Arc<Slot>>,
    state: PoolState,
}

/// All workers of one sandbox.
pub(crate) struct WorkerPool {
    engine: Engine,
    jobs: Receiver<Job>,
    members: Mutex<Members>,
    running: AtomicUsize,
    /// The number of threads that hang, changed under the lock of `members` and read without it by every call.
    stuck: AtomicUsize,
    most_stuck: usize,
    waker: OnceLock<Arc<Waker>>,
}

// Past the deadline a guest in wasm is stopped by the next tick, and one in the host at its next call.
const GRACE: Duration = TICK.saturating_mul(3);

// And past that, on a machine that is too busy to let it.
const STARVED: Duration = Duration::from_secs(1);

impl WorkerPool {
    /// Starts `workers` threads that take jobs from the returned sender until it is dropped. At most `waiting` jobs
    /// stand in the queue.
    pub(crate) fn start(
        engine: Engine,
        workers: usize,
        waiting: usize,
        most_stuck: usize,
    ) -> std::io::Result<(Arc<Self>, Sender<Job>)> {
        // A queue of no places would hand over only to a worker that waits at that very moment.
        let (sender, jobs) = queue::bounded(waiting.max(1), spared());
        let pool = Arc::new(Self {
            engine: engine.clone(),
            jobs,
            members: Mutex::new(Members { slots: Vec::new(), state: PoolState::new(workers, most_stuck) }),
            running: AtomicUsize::new(0),
            stuck: AtomicUsize::new(0),
            most_stuck,
            waker: OnceLock::new(),
        });
        let waker = crate::watchdog::start(engine, Arc::downgrade(&pool))?;
        let _ = pool.waker.set(waker);
        pool.fill()?;
        Ok((pool, sender))
    }

    /// How many threads hang in a host call that does not return.
    pub(crate) fn stuck(&self) -> usize {
        self.stuck.load(Ordering::SeqCst)
    }

    /// Whether so many hang that no further call is taken.
    pub(crate) fn saturated(&self) -> bool {
        self.stuck() >= self.most_stuck
    }

    pub(crate) fn saturation(&self) -> HostFailure {
        HostFailure::Saturated { stuck: self.stuck() }
    }

    pub(crate) fn busy(&self) -> bool {
        self.running.load(Ordering::SeqCst) > 0 || !self.jobs.is_empty()
    }

    pub(crate) fn wake_clock(&self) {
        if let Some(waker) = self.waker.get() {
            waker.wake();
        }
    }

    /// Starts a thread for every free place.
    fn fill(self: &Arc<Self>) -> std::io::Result<()> {
        loop {
            let slot = Arc::new(Slot::default());
            {
                let mut members = lock(&self.members);
                if !members.state.needs_thread() {
                    return Ok(());
                }
                members.state.spawned();
                members.slots.push(slot.clone());
            }
            let (jobs, pool, engine) = (self.jobs.clone(), Arc::downgrade(self), self.engine.clone());
            let own = slot.clone();
            let started = std::thread::Builder::new()
                .name("bailiwick-tool".into())
                .spawn(move || work(&jobs, &pool, &engine, &own));
            if let Err(error) = started {
                let mut members = lock(&self.members);
                members.state.spawn_failed();
                members.slots.retain(|other| !Arc::ptr_eq(other, &slot));
                return Err(error);
            }
        }
    }

    /// Answers for every worker that is beyond hope and replaces it, and calls another for jobs that were left to one that
    /// stays away. Returns whether there is anything to look after.
    pub(crate) fn look_for_stuck(self: &Arc<Self>) -> bool {
        let now = Instant::now();
        let mut abandoned = Vec::new();
        let (short, is_empty) = {
            let mut members = lock(&self.members);
            members.slots.retain(|slot| match slot.abandon(now) {
                Some(running) => {
                    abandoned.push(running);
                    false
                }
                None => true,
            });
            for _ in &abandoned {
                members.state.abandoned();
            }
            self.stuck.store(members.state.stuck(), Ordering::SeqCst);
            (members.state.needs_thread(), members.state.is_empty())
        };
        self.running.fetch_sub(abandoned.len(), Ordering::SeqCst);
        self.jobs.rescue();
        if short {
            // A thread that cannot be started now is tried again at the next tick.
            let _ = self.fill();
        }
        for running in abandoned {
            let failure = HostFailure::Abandoned(running.deadline);
            let cost = Cost { wall: running.deadline, ..Cost::default() };
            reply_on_own_thread(running.reply, Reply::failed(failure, cost));
        }
        if is_empty && self.saturated() {
            // Every thread hangs: who waits in the queue would wait for a dead disk.
            while let Some(job) = self.jobs.try_recv() {
                reply_on_own_thread(job.reply, Reply::failed(self.saturation(), Cost::default()));
            }
        }
        short || is_empty || self.busy()
    }

    /// A thread that was given up is back. It leaves, or takes up the place that could not be filled.
    fn take_back(&self, slot: &Arc<Slot>) -> Returned {
        let mut members = lock(&self.members);
        let returned = members.state.returned();
        self.stuck.store(members.state.stuck(), Ordering::SeqCst);
        if returned == Returned::Resumes {
            members.slots.push(slot.clone());
        }
        returned
    }
}

impl Drop for WorkerPool {
    fn drop(&mut self) {
        // The clock may be asleep, and would hold its thread and the engine for ever.
        if let Some(waker) = self.waker.get() {
            waker.end();
        }
    }
}

/// How many jobs one worker may be left with while it is quick. Where there are more than two processors another worker
/// has one of its own.
fn spared() -> usize {
    match std::thread::available_parallelism().map_or(1, usize::from) {
        ..=2 => 16,
        _ => 0,
    }
}

fn work(jobs: &Receiver<Job>, pool: &Weak<WorkerPool>, engine: &Engine, slot: &Arc<Slot>) {
    let _ = slot.thread.set(rustix::thread::gettid());
    let cancellation: Arc<dyn Cancellation> = slot.clone();
    let worker = ParkedWorker::current();
    while let Some(Job { prepared, request, grants, limits, checks, reply }) = jobs.recv(&worker) {
        let Some(pool_now) = pool.upgrade() else { return };
        if reply.is_closed() {
            continue;
        }
        // Asked again here: what was queued before the last thread hung would make the next one hang.
        if pool_now.saturated() {
            reply.send(Reply::failed(pool_now.saturation(), Cost::default()));
            continue;
        }
        if let Err(failure) = reply.check() {
            reply.send(Reply::failed(failure, Cost::default()));
            continue;
        }
        pool_now.running.fetch_add(1, Ordering::SeqCst);
        let deadline = limits.deadline;
        let abandon_at = deadline.checked_add(GRACE).and_then(|time| Instant::now().checked_add(time));
        *lock(&slot.running) = Some(Running { abandon_at, deadline, reply });
        pool_now.wake_clock();
        drop(pool_now);
        // A panic in the host's own code is that call's failure and not the end of the thread. What the job holds is
        // dropped inside as well, while the watchdog still looks: closing a file can block, too.
        let whole = AssertUnwindSafe(|| {
            let mut reply = call::run(engine, &prepared, &request, &grants, &limits, &cancellation);
            drop((prepared, request, grants, limits));
            if let Some(tool) = checks {
                reply.check(&tool);
            }
            reply
        });
        let answer = catch_unwind(whole)
            .unwrap_or_else(|panic| Reply::failed(HostFailure::Panicked(panic_text(panic.as_ref())), Cost::default()));
        let running = lock(&slot.running).take();
        let pool = pool.upgrade();
        match (running, &pool) {
            (Some(running), Some(pool)) => {
                pool.running.fetch_sub(1, Ordering::SeqCst);
                running.reply.send(answer);
            }
            // The sandbox is gone. The call was made, so it goes on record.
            (Some(running), None) => running.reply.send(answer),
            // Given up while it hung.
            (None, Some(pool)) => {
                if pool.take_back(slot) == Returned::Exits {
                    return;
                }
            }
            (None, None) => {}
        }
        if pool.is_none() {
            return;
        }
    }
}

/// Replies without keeping the clock waiting for the audit log, or for the process that holds it.
fn reply_on_own_thread(reply_to: ReplyTo, reply: Reply) {
    let place = Arc::new(Mutex::new(Some((reply_to, reply))));
    let theirs = place.clone();
    let hand_over = move || {
        if let Some((reply_to, reply)) = lock(&theirs).take() {
            reply_to.send(reply);
        }
    };
    let started = std::thread::Builder::new().name("bailiwick-record".into()).spawn(hand_over);
    if started.is_err()
        && let Some((reply_to, reply)) = lock(&place).take()
    {
        reply_to.send(reply);
    }
}

/// Whether a thread runs or waits for nothing but a processor, see `proc_pid_stat(5)`.
fn runnable(thread: Pid) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/self/task/{}/stat", thread.as_raw_nonzero())).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, rest)| rest.trim_start().starts_with('R'))
}

/// The data behind these locks is replaced whole, so a panic elsewhere leaves nothing half done.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
