//! Customizations, repairs and single steps at work. They outlive the call that began them, are bounded, and end with the
//! server.
//!
//! A run is a thread of its own that drives its future: it reads and writes files as it goes, which must not hold up the
//! protocol. How it is taken back is the affair of the [`Customizer`](bailiwick_customize::driver::Customizer).

mod drive;
mod job;
mod job_request;

pub(crate) use drive::on_behalf_of;
pub use job::Job;
pub use job_request::{JobOutcome, JobRequest};

use crate::caller::Caller;
use crate::failure::Failure;
use crate::host_context::HostContext;
use crate::limits::ServerLimits;
use crate::replicas::Link;
use crate::visible::Sight;
use crate::work::Ended;
use bailiwick_runs::{Owner, RunId};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio_util::sync::CancellationToken;

/// The runs of one server.
pub struct Runs {
    host: Arc<dyn HostContext>,
    limits: ServerLimits,
    jobs: Mutex<Vec<Arc<Job>>>,
    closing: CancellationToken,
    link: Link,
}

impl Runs {
    /// None yet.
    #[must_use]
    pub(crate) fn new(host: Arc<dyn HostContext>, limits: ServerLimits, link: Link) -> Self {
        Self { host, limits, jobs: Mutex::new(Vec::new()), closing: CancellationToken::new(), link }
    }

    /// Begins a run for a client.
    ///
    /// # Errors
    /// The server is ending, as many are at work as one client may have, or all together, or other replicas cannot be told.
    pub async fn begin(&self, owner: &Arc<str>, caller: &Caller, wanted: JobRequest) -> Result<Arc<Job>, Failure> {
        let job = {
            let mut jobs = self.jobs();
            if self.closing.is_cancelled() {
                return Err(Failure::new("the server is ending"));
            }
            let own = jobs.iter().filter(|job| job.is_at_work_for(owner)).count();
            let at_work = jobs.iter().filter(|job| job.work.ended().is_none()).count();
            self.limits.admit(own, at_work)?;
            let cancel = self.closing.child_token();
            let job = Arc::new(Job::new((owner.clone(), caller.clone()), wanted.places(), &self.limits, cancel)?);
            let surplus = jobs.len().saturating_sub(at_work + self.limits.ended_runs);
            let mut forgotten = Vec::new();
            jobs.retain(|job| {
                let forget = forgotten.len() < surplus && job.work.ended().is_some();
                if forget {
                    forgotten.push(job.provisional().to_string());
                }
                !forget
            });
            self.link.forget(forgotten);
            jobs.push(job.clone());
            job
        };
        // Other replicas know the name before a client does.
        if let Err(failure) = self.link.claim(job.provisional().as_str(), &caller.owner).await {
            job.work.close(Ended::Failed(failure.clone()));
            return Err(failure);
        }
        drive::start(self.host.clone(), wanted, job.clone(), self.link.clone());
        Ok(job)
    }

    /// The run that goes by this name, if it is in sight: the run's, or the one it had before the run began.
    pub(crate) fn find(&self, id: &RunId, sight: &Sight) -> Option<Arc<Job>> {
        let job = self.jobs().iter().find(|job| job.is_called(id)).cloned()?;
        let places = job.places.iter().map(PathBuf::as_path);
        sight.reaches(&job.caller.owner, places).then_some(job)
    }

    /// Whether this process works on the run of this name or did lately, and it is in sight.
    pub(crate) fn has(&self, name: &str, sight: &Sight) -> bool {
        name.parse().is_ok_and(|id| self.find(&id, sight).is_some())
    }

    /// The names that clients know of those that this process works on or did lately, and whose they are.
    pub(crate) fn names(&self) -> Vec<(String, Owner)> {
        let names = |job: &Arc<Job>| {
            [Some(job.provisional().clone()), job.run().cloned()].map(|id| (id, job.caller.owner.clone()))
        };
        let jobs = self.jobs();
        jobs.iter().flat_map(names).filter_map(|(id, owner)| Some((id?.to_string(), owner))).collect()
    }

    /// Cancelled when no run is begun any more.
    #[must_use]
    pub fn closing(&self) -> &CancellationToken {
        &self.closing
    }

    /// Cancels all that are at work and waits until both repositories of each are as before.
    pub async fn close(&self) {
        let jobs = {
            let jobs = self.jobs();
            self.closing.cancel();
            jobs.clone()
        };
        for job in jobs {
            job.work.end().await;
            if let Some(replicas) = self.link.get() {
                replicas.forget(job.provisional().as_str()).await;
            }
        }
    }

    fn jobs(&self) -> MutexGuard<'_, Vec<Arc<Job>>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
