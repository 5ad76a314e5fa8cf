//! Driving one run on a thread of its own, and what happens when it is taken back.

use super::job::Job;
use super::job_request::{JobOutcome, JobRequest};
use crate::caller::Caller;
use crate::failure::Failure;
use crate::host_context::HostContext;
use crate::replicas::Link;
use crate::work::Ended;
use bailiwick_customize::checkout::{Edits, SpecCopy, specification_at};
use bailiwick_customize::driver::{CustomizeError, Customizer, Progress, Single};
use bailiwick_runs::{Recovery, Store};
use std::sync::Arc;
use tokio::runtime::Handle;

/// Starts the work; `job` says how it goes and how it ended.
pub(super) fn start(host: Arc<dyn HostContext>, wanted: JobRequest, job: Arc<Job>, link: Link) {
    let runtime = Handle::current();
    let for_thread = job.clone();
    let thread = tokio::task::spawn_blocking(move || runtime.block_on(work(host, wanted, &for_thread, &link)));
    tokio::spawn(async move {
        let ended = thread.await.unwrap_or_else(|error| {
            // The run is like one whose process died: the next start puts it back.
            Ended::Failed(Failure::new(format!("the run stopped unexpectedly: {error}")))
        });
        job.work.close(ended);
    });
}

async fn work(host: Arc<dyn HostContext>, wanted: JobRequest, job: &Arc<Job>, link: &Link) -> Ended<JobOutcome> {
    let (says, begins, link) = (job.clone(), job.clone(), link.clone());
    let progress = Progress::to(move |line| says.work.say(line)).naming_runs(move |run| begins.began(run, &link));
    if let JobRequest::Plan(_) | JobRequest::SpecificationPlan(_) = &wanted {
        return plan(host.as_ref(), &wanted, progress, job).await;
    }
    // Removed when the work is done.
    let (wanted, _copy) = match detached(host.as_ref(), wanted) {
        Ok(detached) => detached,
        Err(failure) => return Ended::Failed(failure),
    };
    let customizer = tokio::select! {
        customizer = host.customizer(progress, job.sampling.clone()) => match customizer {
            Ok(customizer) => on_behalf_of(&job.caller, host.as_ref(), customizer),
            Err(failure) => return Ended::Failed(failure),
        },
        () = job.work.cancel.cancelled() => return Ended::Cancelled,
    };
    match carry_out(&customizer, &wanted, job).await {
        Ok(came) => Ended::Finished(came),
        Err(CustomizeError::Cancelled) => Ended::Cancelled,
        Err(error) => {
            // What failed halfway is put back now and not at the next start, once nothing of it can write any more.
            customizer.supervisor.settled().await;
            Ended::Failed(recover(&customizer.store, job).err().unwrap_or_else(|| Failure::from(&error)))
        }
    }
}

/// What is wanted, with the specification at the commit that was asked for.
fn detached(host: &dyn HostContext, mut wanted: JobRequest) -> Result<(JobRequest, Option<SpecCopy>), Failure> {
    let (package, project, commit) = match &mut wanted {
        JobRequest::Step { single: Single::Generate, package, project, commit: Some(commit) } => {
            (package, project, commit)
        }
        JobRequest::Repair { request, commit: Some(commit) } => (&mut request.package, &mut request.project, commit),
        _ => return Ok((wanted, None)),
    };
    let copy = specification_at(package, project.as_deref(), commit, Edits::Never, &host.checkouts())
        .map_err(|error| Failure::from(&error))?;
    *project = Some(copy.project());
    Ok((wanted, Some(copy)))
}

/// A dry run: without a sandbox and without a store.
async fn plan(host: &dyn HostContext, wanted: &JobRequest, progress: Progress, job: &Job) -> Ended<JobOutcome> {
    let planner = match host.planner(progress, job.sampling.clone()) {
        Ok(planner) => planner,
        Err(failure) => return Ended::Failed(failure),
    };
    let planned = async {
        match wanted {
            JobRequest::Plan(request) => planner.plan(request).await,
            JobRequest::SpecificationPlan(request) => planner.plan_specification(request).await,
            _ => unreachable!("only dry runs are planned"),
        }
    };
    tokio::select! {
        plan = planned => match plan {
            Ok(plan) => Ended::Finished(JobOutcome::Plan(Box::new(plan))),
            Err(error) => Ended::Failed(Failure::from(&error)),
        },
        () = job.work.cancel.cancelled() => {
            planner.supervisor.settled().await;
            Ended::Cancelled
        }
    }
}

/// A customizer whose runs are the caller's, and begin only where a person let packages be worked on.
pub(crate) fn on_behalf_of(caller: &Caller, host: &dyn HostContext, mut customizer: Customizer) -> Customizer {
    customizer.store = customizer.store.on_behalf_of(caller.authority(host.packages().identities()));
    customizer
}

async fn carry_out(customizer: &Customizer, wanted: &JobRequest, job: &Job) -> Result<JobOutcome, CustomizeError> {
    let cancelled = job.work.cancel.cancelled();
    Ok(match wanted {
        JobRequest::Customization(request) => {
            JobOutcome::Response(Box::new(customizer.customize_until(request, cancelled).await?))
        }
        JobRequest::Specification(request) => {
            JobOutcome::Specification(Box::new(customizer.customize_specification_until(request, cancelled).await?))
        }
        JobRequest::Plan(_) | JobRequest::SpecificationPlan(_) => unreachable!("a dry run has no customizer"),
        JobRequest::Repair { request, .. } => {
            JobOutcome::Response(Box::new(customizer.fix_until(request, cancelled).await?))
        }
        JobRequest::Step { single, package, project, .. } => {
            let step = customizer.single_unless(*single, package, project.as_deref(), cancelled).await?;
            JobOutcome::Step(Box::new(step))
        }
    })
}

fn recover(store: &Store, job: &Job) -> Result<(), Failure> {
    let recovered = store.recover()?;
    for other in recovered {
        if Some(&other.id) != job.run() {
            continue;
        }
        match other.outcome {
            Recovery::Reverted(reverted) => {
                if reverted.set_aside.is_some() {
                    job.work.say("what stood in the repositories is kept in the directory of the run");
                }
            }
            // Runs of this kind are never suspended.
            Recovery::Suspended(_) => {}
            Recovery::Blocked { reason } | Recovery::LeftAsIs { reason } => {
                return Err(Failure::new(format!("the run `{}` could not be put back: {reason}", other.id))
                    .hint("`bailiwick run revert` tries again"));
            }
        }
    }
    Ok(())
}
