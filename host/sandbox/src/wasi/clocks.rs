//! `wasi:clocks`. Without a grant the clocks stand still, so that a guest learns nothing of the machine and the same
//! call comes to the same end. Waiting takes its time all the same and moves them by what was waited for, or a guest that
//! waits in a loop until a clock shows a certain time would never come to an end.

use super::View;
use crate::capabilities::Clocks;
use crate::fs::Files;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::Poll;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use wasmtime::component::Resource;
use wasmtime_wasi::p2::bindings::clocks::{monotonic_clock, wall_clock};
use wasmtime_wasi::p2::{DynPollable, Pollable, subscribe};

/// What a wall clock that stands still shows: the first second of the year 2000. Formats such as ZIP know no time
/// before 1980.
const STILL: Duration = Duration::from_secs(946_684_800);

/// How finely the clocks are told, in nanoseconds.
const RESOLUTION: u32 = 1000;

/// A time that is waited for.
struct Timer {
    /// `None` for one that lies beyond all time.
    due: Option<Instant>,
    /// What clocks that stand still show by then, and the clocks.
    moves: Option<(u64, Arc<AtomicU64>)>,
}

#[wasmtime_wasi_io::async_trait]
impl Pollable for Timer {
    async fn ready(&mut self) {
        // Nothing wakes for it: the waiting code looks again.
        std::future::poll_fn(|_| match self.due {
            Some(due) if Instant::now() >= due => Poll::Ready(()),
            _ => Poll::Pending,
        })
        .await;
        if let Some((shows, clock)) = &self.moves {
            clock.fetch_max(*shows, Ordering::Relaxed);
        }
    }
}

impl View<'_> {
    /// Nanoseconds since the call began.
    fn passed(&self) -> u64 {
        match self.world.capabilities.clocks {
            Clocks::Still => self.world.waited.load(Ordering::Relaxed),
            Clocks::System => {
                let passed = self.world.started.elapsed().as_nanos() / u128::from(RESOLUTION);
                u64::try_from(passed).unwrap_or(u64::MAX).saturating_mul(u64::from(RESOLUTION))
            }
        }
    }

    fn timer(
        files: &mut Files,
        wait: u64,
        moves: Option<(u64, Arc<AtomicU64>)>,
    ) -> wasmtime::Result<Resource<DynPollable>> {
        let timer = Timer { due: Instant::now().checked_add(Duration::from_nanos(wait)), moves };
        let timer = files.table.push(timer)?;
        subscribe(&mut files.table, timer)
    }
}

impl wall_clock::Host for View<'_> {
    fn now(&mut self) -> wasmtime::Result<wall_clock::Datetime> {
        let now = match self.world.capabilities.clocks {
            Clocks::Still => STILL.saturating_add(Duration::from_nanos(self.passed())),
            Clocks::System => SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default(),
        };
        Ok(wall_clock::Datetime { seconds: now.as_secs(), nanoseconds: now.subsec_nanos() / RESOLUTION * RESOLUTION })
    }

    fn resolution(&mut self) -> wasmtime::Result<wall_clock::Datetime> {
        Ok(wall_clock::Datetime { seconds: 0, nanoseconds: RESOLUTION })
    }
}

impl monotonic_clock::Host for View<'_> {
    fn now(&mut self) -> wasmtime::Result<u64> {
        Ok(self.passed())
    }

    fn resolution(&mut self) -> wasmtime::Result<u64> {
        Ok(u64::from(RESOLUTION))
    }

    fn subscribe_instant(&mut self, when: u64) -> wasmtime::Result<Resource<DynPollable>> {
        let wait = when.saturating_sub(self.passed());
        monotonic_clock::Host::subscribe_duration(self, wait)
    }

    fn subscribe_duration(&mut self, wait: u64) -> wasmtime::Result<Resource<DynPollable>> {
        self.files.count("subscribe-duration")?;
        let moves = match self.world.capabilities.clocks {
            Clocks::Still => Some((self.passed().saturating_add(wait), self.world.waited.clone())),
            Clocks::System => None,
        };
        Self::timer(self.files, wait, moves)
    }
}
