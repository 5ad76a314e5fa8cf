//! Performs what the coordinator ([`crate::coordinator`]) asks for. Between two calls its run is suspended: the calling
//! agent edits both repositories itself, and what it may edit is checked when it reports.
//!
//! ```text
//! begin   before-images of the package and of the whole TypeSpec project -> answer, suspended
//! report  resume -> receive -> (edits judged -> regenerate -> build -> drift) -> answer, suspended or finished
//! ```
//!
//! Edits are judged before anything is prepared for the check: what a tool would read of them, install or start for them
//! comes after the gate. The emitter is the one that the workflow began with, or the step is refused.
//!
//! A report is kept before its check begins and settled after it. A process that dies in between leaves the run as the
//! caller left it, and the workflow as it was before the report.

mod check;
mod direct;
mod edits;
mod error;
mod expire;
mod fix;
mod persist;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use bailiwick_runs::{Owner, Run, RunId, Status as RunStatus, Store, StoreError};
use bailiwick_sdk::tasks::AskedDirective;
use serde_json::{Value, json};

use crate::coordinator::{Answer, Begin, Checked, EntryType, FixType, Next, Phase, Rejected, Report, Workflow};
use crate::knowledge::Origin;
use crate::language::service_for;
use crate::machine::{EditScope, Keep};

use super::prepare::discover;
use super::run_kind::RunKind;
use super::session::{Builders, Coverages, Goal, Session};
use super::{Customizer, Prepared, Request, prepare};
use edits::{Edits, Look};
pub use error::CoordinateError;
pub use expire::{Expired, expire_abandoned};
pub use fix::Fix;
pub use persist::fresh_id;
use persist::{Before, Kept, Pinned};

/// What a workflow is started with.
#[derive(Debug, Clone)]
pub struct Start {
    /// Names it in every later call: [`fresh_id`].
    pub id: String,
    /// The package directory.
    pub package: PathBuf,
    /// The TypeSpec project, if not found through `tsp-location.yaml`.
    pub project: Option<PathBuf>,
    /// The output of a build, or a wish. Where there are directives, it only stands in the record.
    pub request: String,
    /// What to do, without words in between: the host edits the specification then.
    pub directives: Vec<AskedDirective>,
    /// Which of the two.
    pub entry: EntryType,
    /// How many times a failed build is classified anew.
    pub max_iterations: u8,
}

/// One step of a workflow.
#[derive(Debug, Clone)]
pub enum WorkflowStep {
    /// Its beginning.
    Start(Start),
    /// What the caller reports; nothing asks for the last answer again.
    Report {
        /// The workflow.
        id: String,
        /// The report.
        result: Option<Value>,
    },
    /// Directives, by which the host edits the specification in the caller's place.
    Direct {
        /// The workflow.
        id: String,
        /// What to do.
        directives: Vec<AskedDirective>,
    },
    /// The repair of customization code.
    Fix {
        /// The workflow.
        id: String,
    },
}

/// What a step came to.
#[derive(Debug, Clone)]
pub enum Stepped {
    /// What is next.
    Answer(Box<Answer>),
    /// What the repair did.
    Fix(Fix),
}

/// A workflow as it stands between two steps.
#[derive(Debug, Clone)]
pub struct Standing {
    /// What its caller is told.
    pub answer: Answer,
    /// The package directory.
    pub package: PathBuf,
    /// The TypeSpec project.
    pub project: PathBuf,
    /// Whose it is.
    pub owner: Owner,
}

/// How a workflow stands. Asking changes nothing.
///
/// # Errors
/// There is none of this name, or what is kept of it cannot be read.
pub fn standing(store: &Store, id: &str) -> Result<Standing, CoordinateError> {
    let (record, kept) = persist::find(store, id)?;
    let (package, project) = kept.workflow.places();
    let (package, project) = (package.into(), project.into());
    Ok(Standing { answer: kept.workflow.answer(), package, project, owner: record.owner })
}

impl Start {
    /// The first answer as far as it is known before anything was read, for a caller who does not wait for that.
    ///
    /// # Errors
    /// As [`Customizer::start_workflow`]: what is wrong with the input.
    pub fn meanwhile(&self) -> Result<Answer, CoordinateError> {
        Ok(self.prepared()?.1.answer().meanwhile("The specification is being read."))
    }

    fn prepared(&self) -> Result<(Prepared, Workflow), CoordinateError> {
        // The workflow may go on from another directory.
        let whole = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let (package, project) = (whole(&self.package), self.project.as_deref().map(whole));
        let begin = |project: String| Begin {
            id: self.id.clone(),
            request: self.request.clone(),
            entry: self.entry,
            max_iterations: self.max_iterations,
            package: package.display().to_string(),
            project,
        };
        // Before anything is looked for: what is wrong with the input itself.
        Workflow::begin(begin(String::new()))?;
        let prepared = prepare(&self.request(package.clone(), project))?;
        let workflow = Workflow::begin(begin(prepared.project.directory.display().to_string()))?;
        Ok((prepared, workflow))
    }
}

impl Start {
    /// The start as a request of the same words and directives.
    fn request(&self, package: PathBuf, project: Option<PathBuf>) -> Request {
        Request {
            package,
            text: self.request.clone(),
            project,
            scope: EditScope::All,
            directives: self.directives.clone(),
            classified: None,
            languages: Vec::new(),
            keep: Keep::Failed,
        }
    }
}

impl Customizer {
    /// Starts a workflow and asks its first question.
    ///
    /// # Errors
    /// See [`CoordinateError`]; nothing was started then.
    pub async fn start_workflow(&self, start: &Start) -> Result<Answer, CoordinateError> {
        let begun = self.begin_workflow(start).await?;
        if start.directives.is_empty() {
            return Ok(begun);
        }
        match self.direct(&start.id, &start.directives).await {
            Ok(answer) => Ok(answer),
            Err(error) => {
                // Nobody was told of it yet, and nothing was changed.
                self.abandon_workflow(&start.id, "its directives cannot be carried out").await?;
                Err(error)
            }
        }
    }

    async fn begin_workflow(&self, start: &Start) -> Result<Answer, CoordinateError> {
        let (prepared, workflow) = start.prepared()?;
        if !start.directives.is_empty() {
            // Nothing is begun for directives that cannot be carried out.
            let request = start.request(start.package.clone(), start.project.clone());
            self.planner().directed(&request, &prepared).await?;
        }
        let goal = Goal {
            kind: RunKind::Workflow,
            request: &start.request,
            coverages: Coverages::WholeProject,
            details: json!({ "workflowId": start.id }),
        };
        let pinned = Pinned::of(&prepared.project);
        let mut session = Session::begin(self, goal, prepared, Builders::AtOnce).await?;
        session.read_specification().await?;
        session.read_reference();
        let page = match &session.reference.origin {
            Origin::Repository(owner) => Some(*owner),
            Origin::Embedded | Origin::PassedOver { .. } => None,
        };
        let workflow = workflow.in_run(session.run.id().as_str(), page);
        let kept = Kept::new(workflow, session.index_before.clone(), pinned);
        kept.save(session.run.directory())?;
        session.suspend()?;
        Ok(kept.workflow.answer())
    }

    /// Takes what the caller reports, checks it, and says what is next. Without a report it says that again.
    ///
    /// # Errors
    /// See [`CoordinateError`]. The workflow and both repositories are then as before the call.
    pub async fn report(&self, id: &str, report: Option<&Value>) -> Result<Answer, CoordinateError> {
        self.unless(self.take_report(id, report), std::future::pending()).await
    }

    /// One step of a workflow, taken back when `cancelled` ends before it does: the workflow and both repositories are
    /// then as before it.
    ///
    /// # Errors
    /// Those of the step, and [`CustomizeError::Cancelled`](super::CustomizeError::Cancelled).
    pub async fn step_workflow(
        &self,
        step: &WorkflowStep,
        cancelled: impl Future<Output = ()>,
    ) -> Result<Stepped, CoordinateError> {
        let work = async {
            Ok(match step {
                WorkflowStep::Start(start) => Stepped::Answer(Box::new(self.start_workflow(start).await?)),
                WorkflowStep::Report { id, result } => {
                    Stepped::Answer(Box::new(self.take_report(id, result.as_ref()).await?))
                }
                WorkflowStep::Direct { id, directives } => {
                    Stepped::Answer(Box::new(self.take_directives(id, directives).await?))
                }
                WorkflowStep::Fix { id } => Stepped::Fix(self.fix_for_workflow(id).await?),
            })
        };
        self.unless(work, cancelled).await
    }

    /// Work that breaks off leaves its run as if the process had died: what it did is taken back, once nothing of it can
    /// write any more.
    async fn unless<T>(
        &self,
        work: impl Future<Output = Result<T, CoordinateError>>,
        cancelled: impl Future<Output = ()>,
    ) -> Result<T, CoordinateError> {
        let done = {
            tokio::pin!(work, cancelled);
            tokio::select! {
                biased;
                done = &mut work => done,
                () = &mut cancelled => Err(super::CustomizeError::Cancelled.into()),
            }
        };
        if done.is_err() {
            self.supervisor.settled().await;
            self.store.recover().map_err(super::CustomizeError::from)?;
        }
        done
    }

    async fn take_report(&self, id: &str, report: Option<&Value>) -> Result<Answer, CoordinateError> {
        let (record, kept) = persist::find(&self.store, id)?;
        let Some(report) = report else { return Ok(kept.workflow.answer()) };
        // A malformed or late report changes nothing and resumes nothing.
        let report = Report::read(report)?;
        kept.settled().clone().receive(&report)?;
        let run = self.resumed(&record.id, id)?;
        // Another call may have come first; the saved state counts, now that no other process can continue it.
        let mut kept = Kept::resumed(&run)?;
        kept.settle_interrupted();
        let before = kept.before_step(&run);
        self.progress.began(run.id());
        kept.hold();
        let check = match kept.workflow.receive(&report) {
            Err(rejected) => {
                run.suspend().map_err(super::CustomizeError::from)?;
                return Err(rejected.into());
            }
            Ok(Next::Answer) => return settled(run, kept, before),
            Ok(Next::Check(check)) => check,
        };
        if let Edits::Refused(violations) = self.judged(&run, &kept, check.after)? {
            kept.workflow.checked(&Checked::EditsRefused { violations });
            return settled(run, kept, before);
        }
        let prepared = self.prepared_again(&kept)?;
        let mut session = Session::resume(self, run, prepared, kept.index_before.clone()).await?;
        kept.save(session.run.directory())?;
        let checked = session.check(&mut kept, check.after).await?;
        session.settled(kept, before, &checked)
    }

    /// The run of a workflow, at work again.
    fn resumed(&self, run: &RunId, id: &str) -> Result<Run, CoordinateError> {
        match self.store.resume(run) {
            Ok(run) => Ok(run),
            Err(StoreError::Busy { .. }) => Err(Rejected::Checking { id: id.to_owned() }.into()),
            Err(StoreError::WrongStatus { status, .. }) => Err(CoordinateError::Closed { id: id.into(), status }),
            Err(error) => Err(super::CustomizeError::from(error).into()),
        }
    }

    /// What the gate says of the edits as far as their text tells, with nothing prepared, started or installed for it.
    fn judged(&self, run: &Run, kept: &Kept, after: FixType) -> Result<Edits, CoordinateError> {
        let pinned = kept.pinned.as_ref().ok_or_else(|| CoordinateError::NotPinned(kept.workflow.id().to_owned()))?;
        let (package, project) = kept.workflow.places();
        let canonical =
            |path: &str| Path::new(path).canonicalize().map_err(super::CustomizeError::io(Path::new(path), "read"));
        let (package, project) = (canonical(package)?, canonical(project)?);
        let language = service_for(&pinned.emitter).map_err(super::CustomizeError::from)?;
        let language = language.for_package(&package).unwrap_or(language);
        let look = Look {
            run,
            package: &package,
            project: &project,
            language: language.as_ref(),
            index_before: &kept.index_before,
            carried: &BTreeMap::new(),
        };
        Ok(look.judge(kept, after)?)
    }

    /// Gives a workflow up. What was edited stays until a person reverts or approves the run.
    ///
    /// # Errors
    /// See [`CoordinateError`].
    pub async fn abandon_workflow(&self, id: &str, why: &str) -> Result<Answer, CoordinateError> {
        let (record, _) = persist::find(&self.store, id)?;
        let run = self.store.resume(&record.id).map_err(super::CustomizeError::from)?;
        let mut kept = Kept::resumed(&run)?;
        kept.settle_interrupted();
        let before = kept.before_step(&run);
        kept.workflow.abandon(why);
        settled(run, kept, before)
    }

    /// The surroundings of a workflow as they are now, with the emitter that it began with.
    fn prepared_again(&self, kept: &Kept) -> Result<Prepared, CoordinateError> {
        let (package, project) = kept.workflow.places();
        let id = kept.workflow.id();
        let pinned = kept.pinned.as_ref().ok_or_else(|| CoordinateError::NotPinned(id.to_owned()))?;
        let prepared = discover(package.as_ref(), Some(project.as_ref()))?;
        if *pinned == Pinned::of(&prepared.project) {
            Ok(prepared)
        } else {
            Err(CoordinateError::EmitterChanged { id: id.to_owned(), path: prepared.project.emitter.path })
        }
    }
}

impl Session<'_> {
    /// Leaves the run for the next call.
    fn suspend(self) -> Result<(), CoordinateError> {
        let _ = std::fs::remove_dir_all(&self.work);
        self.run.suspend().map_err(super::CustomizeError::from)?;
        Ok(())
    }

    /// Keeps what a check came to, and leaves the run.
    fn settled(self, mut kept: Kept, before: Before, checked: &Checked) -> Result<Answer, CoordinateError> {
        kept.workflow.checked(checked);
        kept.settle(before);
        let answer = kept.workflow.answer();
        kept.save(self.run.directory())?;
        self.close_or_suspend(&kept.workflow)?;
        Ok(answer)
    }

    fn close_or_suspend(self, workflow: &Workflow) -> Result<(), CoordinateError> {
        let unchanged = self.run.changed().map_err(super::CustomizeError::from)?.is_empty();
        if workflow.phase() == Phase::Success && !unchanged {
            self.keep_proof()?;
        }
        let _ = std::fs::remove_dir_all(&self.work);
        close(self.run, workflow)
    }
}

/// Keeps what a step came to that needed no tool, and leaves the run.
fn settled(run: Run, mut kept: Kept, before: Before) -> Result<Answer, CoordinateError> {
    kept.settle(before);
    let answer = kept.workflow.answer();
    kept.save(run.directory())?;
    close(run, &kept.workflow)?;
    Ok(answer)
}

/// Ends the run of a workflow that is over, and leaves any other for the next call.
fn close(run: Run, workflow: &Workflow) -> Result<(), CoordinateError> {
    let unchanged = run.changed().map_err(super::CustomizeError::from)?.is_empty();
    let status = match (workflow.phase(), unchanged) {
        (Phase::Success | Phase::Failure, true) => RunStatus::Unchanged,
        (Phase::Success, false) => RunStatus::Pending,
        // What the caller edited is the caller's: a person decides about it.
        (Phase::Failure, false) => RunStatus::Failed { kept: true },
        _ => {
            run.suspend().map_err(super::CustomizeError::from)?;
            return Ok(());
        }
    };
    let response = serde_json::to_value(workflow.answer()).map_err(super::CustomizeError::from)?;
    run.finish(status, &response).map_err(super::CustomizeError::from)?;
    Ok(())
}
