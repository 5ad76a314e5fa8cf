//! One run as those see it who wait for it.

use super::job_request::JobOutcome;
use crate::caller::Caller;
use crate::failure::Failure;
use crate::limits::ServerLimits;
use crate::replicas::Link;
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
    /// The same, once other replicas know it.
    known: OnceLock<RunId>,
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
        Ok(Self {
            owner,
            caller,
            places,
            provisional,
            run: OnceLock::new(),
            known: OnceLock::new(),
            work: Work::new(cancel),
            sampling,
        })
    }

    /// Whether it is this client's and at work.
    pub(super) fn is_at_work_for(&self, owner: &str) -> bool {
        *self.owner == *owner && self.work.ended().is_none()
    }

    /// The run's name, or the provisional one before the run has begun, while toolchains are installed, and before other
    /// replicas know the name.
    #[must_use]
    pub fn id(&self) -> &RunId {
        self.known.get().unwrap_or(&self.provisional)
    }

    pub(super) fn is_called(&self, id: &RunId) -> bool {
        self.run.get() == Some(id) || self.provisional == *id
    }

    pub(super) fn provisional(&self) -> &RunId {
        &self.provisional
    }

    /// The run has begun. Its name is told to clients when other replicas know it.
    pub(crate) fn began(self: &Arc<Self>, run: &RunId, link: &Link) {
        let _ = self.run.set(run.clone());
        if link.get().is_none() {
            let _ = self.known.set(run.clone());
            return;
        }
        let (job, run, link) = (self.clone(), run.clone(), link.clone());
        tokio::spawn(async move {
            if link.claim_late(run.as_str(), &job.caller.owner).await {
                let _ = job.known.set(run);
            }
        });
    }

    /// The name of its run in the store, once the run has begun.
    pub(crate) fn run(&self) -> Option<&RunId> {
        self.run.get()
    }
}
