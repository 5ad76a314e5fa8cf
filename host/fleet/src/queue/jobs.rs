//! The directory as a queue among others.

use async_trait::async_trait;

use super::{Lease, Queue, Taken};
use crate::error::FleetError;
use crate::evidence::Left;
use crate::jobs::{Finished, Held, Jobs, Listed, Next, State};
use crate::manifest::{Job, Key, Manifest};

#[async_trait]
impl Jobs for Queue {
    fn is_of_this_machine(&self) -> bool {
        true
    }

    /// The manifest lies in the directory, so everything in it is offered.
    async fn offer(&self, manifest: &Manifest, _: &[Key]) -> Result<(), FleetError> {
        if manifest.fleet == self.manifest().fleet {
            Ok(())
        } else {
            Err(FleetError::AnotherFleet { directory: self.directory().to_owned() })
        }
    }

    async fn take(&self) -> Result<Next, FleetError> {
        Ok(match Self::take(self)? {
            Taken::Job(lease) => Next::Job(lease),
            Taken::Wait => Next::Wait,
            Taken::Done => Next::Done,
        })
    }

    async fn cancel(&self, _: &Manifest, job: Option<&Key>) -> Result<(), FleetError> {
        Self::cancel(self, job)?;
        self.settle_cancelled()
    }

    async fn list(&self, manifest: &Manifest) -> Result<Vec<Listed>, FleetError> {
        manifest.jobs.iter().map(|job| Ok(Listed { key: job.key.clone(), state: self.state(&job.key)? })).collect()
    }
}

#[async_trait]
impl Held for Lease {
    fn job(&self) -> &Job {
        Self::job(self)
    }

    fn attempt(&self) -> u32 {
        Self::attempt(self)
    }

    fn is_cancelled(&self) -> bool {
        self.queue().is_cancelled(&Self::job(self).key)
    }

    async fn keep_artifact(&self, name: &str, content: &[u8]) -> Result<(), FleetError> {
        self.queue().keep_artifact(&Self::job(self).key, name, content)
    }

    async fn finish(self: Box<Self>, left: Left) -> Result<Finished, FleetError> {
        Self::finish(&self, left.result).map(|()| Finished::Kept)
    }

    async fn give_back(self: Box<Self>) -> Result<(), FleetError> {
        Self::give_back(*self)
    }
}

impl Queue {
    pub(super) fn state(&self, key: &Key) -> Result<State, FleetError> {
        if self.has_result(key) {
            return Ok(State::Done);
        }
        if self.lease(key)?.is_some() {
            return Ok(State::Waiting);
        }
        let begun = std::fs::read_to_string(self.directory().join("jobs").join(key.as_str()));
        Ok(State::AtWork(begun.map_or(0, |text| u32::try_from(text.lines().count()).unwrap_or(u32::MAX))))
    }
}

#[cfg(test)]
mod tests;
