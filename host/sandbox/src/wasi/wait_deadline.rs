//! Waiting for something on a worker's thread, no longer than the call lasts.

use crate::fs::Stop;
use crate::limits::TICK;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;
use std::time::{Duration, Instant};

/// Says whether the answer of a call is no longer wanted.
pub(crate) trait Cancellation: Send + Sync {
    fn is_cancelled(&self) -> bool;
}

/// How long a call may wait.
#[derive(Clone)]
pub(crate) struct WaitDeadline {
    ends: Instant,
    call: Arc<dyn Cancellation>,
}

struct Unparks(Thread);

impl Wake for Unparks {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

// What is waited for may be a time that nothing wakes for. Short sleeps are looked at soon, long ones by every tick.
const SHORTEST: Duration = Duration::from_micros(200);

impl WaitDeadline {
    pub(crate) fn new(ends: Instant, call: Arc<dyn Cancellation>) -> Self {
        Self { ends, call }
    }

    /// Polls a future until it is ready, the deadline has passed or the answer is no longer wanted. Needs no runtime:
    /// what wakes the future wakes this thread, and what nothing wakes is looked at again.
    pub(crate) fn wait<F: Future>(&self, future: F) -> Result<F::Output, Stop> {
        let waker = Waker::from(Arc::new(Unparks(std::thread::current())));
        let mut context = Context::from_waker(&waker);
        let mut future = pin!(future);
        let mut pause = SHORTEST;
        loop {
            if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
                return Ok(output);
            }
            let left = self.ends.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Stop::Deadline);
            }
            if self.call.is_cancelled() {
                return Err(Stop::Cancelled);
            }
            std::thread::park_timeout(pause.min(left));
            pause = (pause * 2).min(TICK);
        }
    }
}
