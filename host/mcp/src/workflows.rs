//! Steps of workflows at work: reading a specification, checking what a caller edited, repairing customization code.
//!
//! A workflow itself is kept in the directory of its run and survives this server. A step is here while it is done, and
//! afterwards until somebody was told what it came to.

use crate::caller::Caller;
use crate::failure::Failure;
use crate::host_context::HostContext;
use crate::limits::ServerLimits;
use crate::replicas::Link;
use crate::runs::on_behalf_of;
use crate::sampling::Sampling;
use crate::visible::Sight;
use crate::work::{Ended, Work};
use bailiwick_customize::coordinator::Answer;
use bailiwick_customize::driver::{CoordinateError, CustomizeError, Progress, Stepped, WorkflowStep};
use bailiwick_runs::{Owner, RunId};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

/// One step at work.
pub struct Step {
    /// What it does, and what it comes to.
    pub(crate) work: Work<Stepped>,
    /// What a caller is told who does not wait for it.
    pub(crate) meanwhile: Answer,
    /// Package and project, of which the caller knows.
    pub(crate) places: [PathBuf; 2],
    /// What it asks the client's model.
    pub(crate) sampling: Sampling,
    /// Who goes on with the workflow: its owner or an operator.
    caller: Caller,
    /// Whose the workflow and its run are.
    owner: Owner,
    /// The run that keeps the workflow, once it has one.
    run: OnceLock<RunId>,
}

impl Step {
    fn is_in(&self, sight: &Sight) -> bool {
        sight.reaches(&self.caller.owner, self.places.iter().map(PathBuf::as_path))
    }

    /// It works in this run: other replicas are told of it.
    pub(crate) fn began(&self, run: &RunId, link: &Link) {
        let _ = self.run.set(run.clone());
        let (run, owner, link) = (run.clone(), self.owner.clone(), link.clone());
        tokio::spawn(async move {
            link.claim_late(run.as_str(), &owner).await;
        });
    }
}

/// The steps of one server, one at most of each workflow.
pub struct Workflows {
    host: Arc<dyn HostContext>,
    limits: ServerLimits,
    steps: Mutex<BTreeMap<String, Arc<Step>>>,
    closing: CancellationToken,
    link: Link,
}

impl Workflows {
    /// None yet. `closing` is cancelled when no step is begun any more.
    #[must_use]
    pub(crate) fn new(
        host: Arc<dyn HostContext>,
        limits: ServerLimits,
        closing: CancellationToken,
        link: Link,
    ) -> Self {
        Self { host, limits, steps: Mutex::new(BTreeMap::new()), closing, link }
    }

    /// The step of this workflow that is in progress or whose result was not reported yet, if it is in sight.
    pub(crate) fn find(&self, id: &str, sight: &Sight) -> Option<Arc<Step>> {
        let step = self.steps().get(id).cloned()?;
        step.is_in(sight).then_some(step)
    }

    /// The step at work in this run, if it is in sight.
    pub(crate) fn at_work(&self, run: &RunId, sight: &Sight) -> Option<Arc<Step>> {
        let is_its = |step: &Arc<Step>| step.run.get() == Some(run) && step.work.ended().is_none();
        let step = self.steps().values().find(|step| is_its(step)).cloned()?;
        step.is_in(sight).then_some(step)
    }

    /// Whether this process works on a step of the workflow or of the run of this name or has a result to report, and it
    /// is in sight.
    pub(crate) fn has(&self, name: &str, sight: &Sight) -> bool {
        let of_run = |step: &Arc<Step>| step.run.get().is_some_and(|run| run.as_str() == name);
        let steps = self.steps();
        let mut its = steps.iter().filter(|(id, step)| *id == name || of_run(step));
        its.any(|(_, step)| step.is_in(sight))
    }

    /// The names of the workflows and runs that have a step here, and whose they are.
    pub(crate) fn names(&self) -> Vec<(String, Owner)> {
        let steps = self.steps();
        let of = |(id, step): (&String, &Arc<Step>)| {
            let names = [Some(id.clone()), step.run.get().map(RunId::to_string)];
            names.map(|name| name.map(|name| (name, step.owner.clone())))
        };
        steps.iter().flat_map(of).flatten().collect()
    }

    /// The result of this step was reported.
    pub fn told(&self, step: &Arc<Step>) {
        self.steps().retain(|_, other| !Arc::ptr_eq(other, step));
    }

    /// Begins a step of a workflow of this owner.
    ///
    /// # Errors
    /// The server is ending, the workflow has a step at work, as many are at work as may be, or other replicas cannot be told.
    pub async fn begin(
        &self,
        (caller, owner): (&Caller, &Owner),
        step: WorkflowStep,
        meanwhile: Answer,
        places: [PathBuf; 2],
    ) -> Result<Arc<Step>, Failure> {
        let id = meanwhile.workflow_id.clone();
        let begun = {
            let mut steps = self.steps();
            if self.closing.is_cancelled() {
                return Err(Failure::new("the server is ending"));
            }
            let at_work = |step: &Step| step.work.ended().is_none();
            if steps.get(&id).is_some_and(|step| at_work(step)) {
                return Err(busy(&id));
            }
            let count = steps.values().filter(|step| at_work(step)).count();
            if count >= self.limits.runs {
                return Err(Failure::new(format!("{count} workflows are at work, and no more steps are begun"))
                    .hint("wait until one of them answers"));
            }
            // Results that were not asked for by now are dropped.
            while steps.len() > count + self.limits.ended_runs {
                let Some(ended) = steps.iter().find(|(_, step)| !at_work(step)).map(|(id, _)| id.clone()) else {
                    break;
                };
                steps.remove(&ended);
            }
            let work = Work::new(self.closing.child_token());
            let sampling = Sampling::new(caller.owner.clone(), &self.limits);
            let (caller, owner, run) = (caller.clone(), owner.clone(), OnceLock::new());
            let begun = Arc::new(Step { work, meanwhile, places, sampling, caller, owner, run });
            steps.insert(id.clone(), begun.clone());
            begun
        };
        // Other replicas know the name before a client does. A step that was refused changes nothing in the registry.
        if let Err(failure) = self.link.claim(&id, owner).await {
            begun.work.close(Ended::Failed(failure.clone()));
            self.told(&begun);
            return Err(failure);
        }
        self.drive(step, begun.clone());
        Ok(begun)
    }

    /// Takes back every step at work and waits until each workflow is as before it.
    pub async fn close(&self) {
        let steps: Vec<_> = {
            let steps = self.steps();
            self.closing.cancel();
            steps.values().cloned().collect()
        };
        for step in steps {
            step.work.end().await;
        }
    }

    /// On a thread of its own, as it reads and writes files on the way.
    fn drive(&self, step: WorkflowStep, begun: Arc<Step>) {
        let (host, runtime, for_thread) = (self.host.clone(), Handle::current(), begun.clone());
        let link = self.link.clone();
        let thread = tokio::task::spawn_blocking(move || runtime.block_on(work(host, &step, &for_thread, &link)));
        tokio::spawn(async move {
            let ended = thread.await.unwrap_or_else(|error| {
                // The run is like one whose process died: the next start puts it back.
                Ended::Failed(Failure::new(format!("the step stopped unexpectedly: {error}")))
            });
            begun.work.close(ended);
        });
    }

    fn steps(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Step>>> {
        self.steps.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The answer to a report that arrives while another report is checked.
pub(crate) fn busy(id: &str) -> Failure {
    Failure::new(format!("the last step of workflow `{id}` is still at work"))
        .hint("call again with `workflowId` alone, a little later")
}

async fn work(host: Arc<dyn HostContext>, step: &WorkflowStep, begun: &Arc<Step>, link: &Link) -> Ended<Stepped> {
    let (says, begins, link) = (begun.clone(), begun.clone(), link.clone());
    let progress = Progress::to(move |line| says.work.say(line)).naming_runs(move |run| begins.began(run, &link));
    let customizer = tokio::select! {
        customizer = host.customizer(progress, begun.sampling.clone()) => match customizer {
            Ok(customizer) => on_behalf_of(&begun.caller, host.as_ref(), customizer),
            Err(failure) => return Ended::Failed(failure),
        },
        () = begun.work.cancel.cancelled() => return Ended::Cancelled,
    };
    match customizer.step_workflow(step, begun.work.cancel.cancelled()).await {
        Ok(stepped) => Ended::Finished(stepped),
        Err(CoordinateError::Customize(CustomizeError::Cancelled)) => Ended::Cancelled,
        Err(error) => Ended::Failed(Failure::from(&error)),
    }
}
