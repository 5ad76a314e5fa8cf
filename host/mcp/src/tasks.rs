//! Calls that go on as tasks (`io.modelcontextprotocol/tasks`), for clients that say they know them.
//!
//! Such a client need not wait for a long call and need not know `azsdk_run_wait`: a call that is not answered after
//! [`TaskLimits::after`] becomes a task, which the client asks about, and which it can cancel. Cancelling takes the work back
//! as taking back the call would. Others get `running` and wait with a tool.

use rmcp::model::{DetailedTask, ErrorData};
use rmcp::task_manager::{TaskManager, TaskOptions};
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Bounds of tasks.
#[derive(Debug, Clone)]
pub struct TaskLimits {
    /// How long a call may take before it becomes a task.
    pub after: Duration,
    /// How long the work of a task may take before it is taken back.
    pub longest: Duration,
    /// How long more than that a task is kept, for the work to be taken back and for the client to learn of it.
    pub kept: Duration,
    /// Tasks of one client that may be at work or be kept. Further calls are answered as without tasks.
    pub most: usize,
    /// How often clients are to ask.
    pub poll: Duration,
}

/// The tasks of one client.
pub struct Tasks {
    pub(crate) manager: TaskManager,
    limits: TaskLimits,
    places: Mutex<Places>,
}

#[derive(Default)]
struct Places {
    /// When each task began that may be kept still.
    begun: VecDeque<Instant>,
    /// How many calls may become tasks yet.
    reserved: usize,
}

/// A place for one task, given back unless it is taken.
pub(crate) struct Place<'a>(&'a Tasks);

impl Place<'_> {
    /// A task begins. Its place is freed only by time, because an ended task is kept for later requests.
    pub(crate) fn take(self) {
        self.0.places().begun.push_back(Instant::now());
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.places().reserved -= 1;
    }
}

impl Tasks {
    pub(crate) fn new(limits: TaskLimits) -> Self {
        Self { manager: TaskManager::new(), limits, places: Mutex::default() }
    }

    pub(crate) fn limits(&self) -> &TaskLimits {
        &self.limits
    }

    /// A place for one task; `None` when there are as many as may be.
    pub(crate) fn place(&self) -> Option<Place<'_>> {
        let mut places = self.known();
        if places.begun.len() + places.reserved >= self.limits.most {
            return None;
        }
        places.reserved += 1;
        drop(places);
        Some(Place(self))
    }

    /// Whether a task may be at work or be kept still.
    pub(crate) fn are_kept(&self) -> bool {
        let places = self.known();
        !places.begun.is_empty() || places.reserved > 0
    }

    /// The places without those of tasks that are forgotten.
    fn known(&self) -> MutexGuard<'_, Places> {
        let mut places = self.places();
        // The manager keeps a task for its time after its end, and its end is within that time.
        let keeps = self.time() * 2;
        while places.begun.front().is_some_and(|began| began.elapsed() >= keeps) {
            places.begun.pop_front();
        }
        places
    }

    fn places(&self) -> MutexGuard<'_, Places> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the manager is told of a task.
    pub(crate) fn options(&self) -> TaskOptions {
        TaskOptions::new().with_ttl_ms(milliseconds(self.time())).with_poll_interval_ms(milliseconds(self.limits.poll))
    }

    fn time(&self) -> Duration {
        self.limits.longest + self.limits.kept
    }

    pub(crate) fn get(&self, id: &str) -> Result<DetailedTask, ErrorData> {
        self.manager.get_task(id)
    }

    pub(crate) fn update(&self, id: &str, responses: BTreeMap<String, serde_json::Value>) -> Result<(), ErrorData> {
        self.manager.update_task(id, responses)
    }

    pub(crate) fn cancel(&self, id: &str) -> Result<(), ErrorData> {
        self.manager.cancel_task(id)
    }
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(longest: Duration) -> TaskLimits {
        TaskLimits { after: Duration::ZERO, longest, kept: Duration::ZERO, most: 2, poll: Duration::from_secs(1) }
    }

    #[test]
    fn places_are_bounded_and_come_back_when_unused_or_when_their_tasks_are_forgotten() {
        let tasks = Tasks::new(limits(Duration::from_secs(600)));
        assert!(!tasks.are_kept());
        let (first, second) = (tasks.place().unwrap(), tasks.place().unwrap());
        assert!(tasks.are_kept());
        assert!(tasks.place().is_none(), "both are reserved");
        drop(first);
        second.take();
        tasks.place().unwrap().take();
        assert!(tasks.place().is_none(), "both tasks are kept");
        let forgetful = Tasks::new(limits(Duration::ZERO));
        for _ in 0..3 {
            forgetful.place().unwrap().take();
        }
        assert!(!forgetful.are_kept());
    }
}
