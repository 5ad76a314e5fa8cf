//! One run as those see it who wait for it.

use super::job_request::JobOutcome;
use crate::caller::Caller;
use crate::failure::Failure;
use crate::limits::ServerLimits;
use crate::sampling::Sampling;
use crate::work::Work;
use bailiwick_runs::RunId;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use tokio_util::sync::CancellationToken;

/// One run.
pub struct Job {
    /// The client that began it.
    owner: Arc<str>,
    /// Whose it is.
    pub(super) caller: Caller,
    /// The directories that it was begun on.
    pub(super) places: Vec<PathBuf>,
    /// What it is called until its run has begun, and afterwards too.
    provisional: RunId,
    run: OnceLock<RunId>,
    /// What it does, and what it comes to.
    pub(crate) work: Work<JobOutcome>,
    /// What it asks the client's model.
    pub(crate) sampling: Sampling,
}

impl Job {
    pub(super) fn new(
        (owner, caller): (Arc<str>, Caller),
        places: Vec<PathBuf>,
        limits: &ServerLimits,
        cancel: CancellationToken,
    ) -> Result<Self, Failure> {
        let provisional =
            RunId::unrecorded().map_err(|error| Failure::new(format!("the system has no random bytes: {error}")))?;
        let sampling = Sampling::new(caller.owner.clone(), limits);
        Ok(Self { owner, caller, places, provisional, run: OnceLock::new(), work: Work::new(cancel), sampling })
    }

    /// Whether it is this client's and at work.
    pub(super) fn is_at_work_for(&self, owner: &str) -> bool {
        *self.owner == *owner && self.work.ended().is_none()
    }

    /// The run's name, or the provisional one before the run has begun: while toolchains are installed.
    #[must_use]
    pub fn id(&self) -> &RunId {
        self.run.get().unwrap_or(&self.provisional)
    }

    pub(super) fn is_called(&self, id: &RunId) -> bool {
        self.run.get() == Some(id) || self.provisional == *id
    }

    pub(super) fn began(&self, run: &RunId) {
        let _ = self.run.set(run.clone());
    }

    pub(super) fn run(&self) -> Option<&RunId> {
        self.run.get()
    }
}
