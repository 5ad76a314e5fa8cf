//! The clock of an engine: one thread that moves its epoch and looks for workers that hang in the host.

use crate::limits::TICK;
use crate::worker::WorkerPool;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use wasmtime::Engine;

// After this many ticks without a call the thread sleeps until there is one: an idle server should not wake a laptop.
const IDLE_TICKS: u32 = 50;

/// Lets a call wake the clock without a lock when it is awake already.
pub(crate) struct Waker {
    asleep: AtomicBool,
    thread: std::thread::Thread,
}

impl Waker {
    pub(crate) fn wake(&self) {
        if self.asleep.load(Ordering::SeqCst) {
            self.thread.unpark();
        }
    }

    /// Wakes the clock for the last time: the pool is gone.
    pub(crate) fn end(&self) {
        self.thread.unpark();
    }
}

/// Starts the thread; it ends when the pool is gone.
pub(crate) fn start(engine: Engine, pool: Weak<WorkerPool>) -> std::io::Result<Arc<Waker>> {
    let (hand_over, take) = std::sync::mpsc::channel::<Arc<Waker>>();
    let handle = std::thread::Builder::new().name("bailiwick-clock".into()).spawn(move || {
        let Ok(waker) = take.recv() else { return };
        tick(&engine, &pool, &waker);
    })?;
    let waker = Arc::new(Waker { asleep: AtomicBool::new(false), thread: handle.thread().clone() });
    // The thread waits for exactly this message, so it cannot have gone.
    let _ = hand_over.send(waker.clone());
    Ok(waker)
}

fn tick(engine: &Engine, pool: &Weak<WorkerPool>, waker: &Waker) {
    let mut idle = 0;
    loop {
        std::thread::sleep(TICK);
        engine.increment_epoch();
        let Some(pool) = pool.upgrade() else { return };
        idle = if pool.look_for_stuck() { 0 } else { idle + 1 };
        if idle >= IDLE_TICKS {
            waker.asleep.store(true, Ordering::SeqCst);
            // A call that started in between saw the clock awake, so it is looked for once more before sleeping.
            if !pool.busy() {
                drop(pool);
                std::thread::park();
            }
            waker.asleep.store(false, Ordering::SeqCst);
            idle = 0;
        }
    }
}
