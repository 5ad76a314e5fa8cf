//! Adaptive spinning of worker threads: spin for up to 200 µs before parking, but only if the previous wait was that short.
//!
//! Parking a thread and waking it takes longer than most calls of a tool. Only threads that do nothing but wait for work spin:
//! a thread of the async runtime has other tasks and is never held up.

use std::hint::spin_loop;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::yield_now;
use std::time::{Duration, Instant};

/// The longest time that a thread spins: a few times what a call takes with all that its client does in between.
const LONGEST_SPIN: Duration = Duration::from_micros(200);
/// How often the condition is checked before other threads may run.
const CHECKS_PER_YIELD: usize = 8;
/// How often the processor pauses between two checks; the other thread may share it.
const PAUSES_PER_CHECK: usize = 8;

/// Whether the next wait spins, as learnt from the previous one.
#[derive(Debug, Default)]
pub(crate) struct SpinPolicy(AtomicBool);

impl SpinPolicy {
    /// Checks until there is a value, for [`LONGEST_SPIN`] at most; checks once where spinning did not pay before.
    pub(crate) fn wait<T>(&self, mut check: impl FnMut() -> Option<T>) -> Option<T> {
        if !self.0.load(Ordering::Relaxed) {
            return check();
        }
        let started = Instant::now();
        while started.elapsed() < LONGEST_SPIN {
            for _ in 0..CHECKS_PER_YIELD {
                if let Some(value) = check() {
                    return Some(value);
                }
                (0..PAUSES_PER_CHECK).for_each(|_| spin_loop());
            }
            yield_now();
        }
        self.record(LONGEST_SPIN);
        check()
    }

    /// Records how long a wait took.
    pub(crate) fn record(&self, waited: Duration) {
        self.0.store(waited < LONGEST_SPIN, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_short_wait_before_nothing_spins() {
        let policy = SpinPolicy::default();
        let mut checks = 0;
        let mut never = || {
            checks += 1;
            None::<()>
        };
        assert_eq!(policy.wait(&mut never), None);
        policy.record(LONGEST_SPIN);
        assert_eq!(policy.wait(&mut never), None);
        assert_eq!(checks, 2);
    }

    #[test]
    fn spinning_in_vain_is_not_repeated() {
        let policy = SpinPolicy::default();
        policy.record(Duration::ZERO);
        let started = Instant::now();
        assert_eq!(policy.wait(|| None::<()>), None);
        assert!(started.elapsed() >= LONGEST_SPIN);
        let mut checks = 0;
        let found = policy.wait(|| {
            checks += 1;
            None::<()>
        });
        assert_eq!((found, checks), (None, 1));
    }

    #[test]
    fn value_that_comes_while_spinning_is_found() {
        let policy = SpinPolicy::default();
        policy.record(Duration::ZERO);
        let mut checks = 0;
        let found = policy.wait(|| {
            checks += 1;
            (checks == 2).then_some(checks)
        });
        assert_eq!(found, Some(2));
    }
}
