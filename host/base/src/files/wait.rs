//! How often and how long a thread waited for the disk.

use std::cell::Cell;
use std::ops::{Add, Sub};
use std::time::{Duration, Instant};

/// Waits for the disk.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Waits {
    /// How many.
    pub count: u32,
    /// How long all of them took.
    pub time: Duration,
}

impl Add for Waits {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { count: self.count.saturating_add(other.count), time: self.time.saturating_add(other.time) }
    }
}

impl Sub for Waits {
    type Output = Self;

    /// What was added since `earlier`.
    fn sub(self, earlier: Self) -> Self {
        Self { count: self.count.saturating_sub(earlier.count), time: self.time.saturating_sub(earlier.time) }
    }
}

thread_local! {
    static WAITS: Cell<Waits> = const { Cell::new(Waits { count: 0, time: Duration::ZERO }) };
}

/// What `work` returns, and how this thread waited for the disk meanwhile.
pub fn waits_of<T>(work: impl FnOnce() -> T) -> (T, Waits) {
    let before = WAITS.get();
    let result = work();
    (result, WAITS.get() - before)
}

/// One wait.
pub(super) fn counted<T>(wait: impl FnOnce() -> T) -> T {
    let started = Instant::now();
    let result = wait();
    let Waits { count, time } = WAITS.get();
    WAITS.set(Waits { count: count.saturating_add(1), time: time + started.elapsed() });
    result
}
