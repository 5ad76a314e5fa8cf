//! Performs what the coordinator ([`crate::coordinator`]) asks for. Between two calls its run is suspended: the calling
//! agent edits both repositories itself, and what it may edit is checked when it reports.
//!
//! ```text
//! begin   before-images of the package and of the whole TypeSpec project -> answer, suspended
//! report  resume -> receive -> (edits judged -> regenerate -> build -> drift) -> answer, suspended or finished
//! ```
//!
//! A report is kept before its check begins and settled after it. A process that dies in between leaves the run as the
//! caller left it, and the workflow as it was before the report.

mod check;
mod edits;
mod error;
mod fix;
mod kept;

use std::path::PathBuf;

use bailiwick_runs::{Status as RunStatus, StoreError};
use serde_json::{Value, json};

use crate::coordinator::{Answer, Begin, EntryType, Next, Phase, Rejected, Report, Workflow};
use crate::machine::EditScope;

use super::prepare::discover;
use super::session::{Coverages, Goal, Session};
use super::{Customizer, OnFailure, Prepared, Request, prepare};
pub use error::CoordinateError;
pub use fix::Fix;
use kept::Kept;

/// What runs of the coordinator are called in the store.
const KIND: &str = "workflow";

/// What a workflow is started with.
#[derive(Debug, Clone)]
pub struct Start {
    /// The package directory.
    pub package: PathBuf,
    /// The TypeSpec project, if not found through `tsp-location.yaml`.
    pub project: Option<PathBuf>,
    /// The output of a build, or a wish.
    pub request: String,
    /// Which of the two.
    pub entry: EntryType,
    /// How many times a failed build is classified anew.
    pub max_iterations: u8,
}

impl Customizer {
    /// Starts a workflow and asks its first question.
    ///
    /// # Errors
    /// See [`CoordinateError`]; nothing was started then.
    pub async fn start_workflow(&self, start: &Start) -> Result<Answer, CoordinateError> {
        let id = kept::fresh_id()?;
        let begin = |project: String| Begin {
            id: id.clone(),
            request: start.request.clone(),
            entry: start.entry,
            max_iterations: start.max_iterations,
            package: start.package.display().to_string(),
            project,
        };
        // Before anything is looked for: what is wrong with the input itself.
        Workflow::begin(begin(String::new()))?;
        let prepared = prepare(&Request {
            package: start.package.clone(),
            text: start.request.clone(),
            project: start.project.clone(),
            scope: EditScope::All,
            on_failure: OnFailure::Keep,
        })?;
        let workflow = Workflow::begin(begin(prepared.project.directory.display().to_string()))?;
        let goal = Goal {
            kind: KIND,
            request: &start.request,
            coverages: Coverages::WholeProject,
            details: json!({ "workflowId": id }),
        };
        let mut session = Session::begin(self, goal, prepared).await?;
        session.read_specification().await?;
        let kept = Kept::new(workflow, session.index_before.clone());
        kept.save(session.run.directory())?;
        session.suspend()?;
        Ok(kept.workflow.answer())
    }

    /// Takes what the caller reports, checks it, and says what is next. Without a report it says that again.
    ///
    /// # Errors
    /// See [`CoordinateError`]. The workflow and both repositories are then as before the call.
    pub async fn report(&self, id: &str, report: Option<&Value>) -> Result<Answer, CoordinateError> {
        let answer = self.take_report(id, report).await;
        if answer.is_err() {
            // A check that broke off left its run as if the process had died.
            self.store.recover().map_err(super::CustomizeError::from)?;
        }
        answer
    }

    async fn take_report(&self, id: &str, report: Option<&Value>) -> Result<Answer, CoordinateError> {
        let (record, kept) = kept::find(&self.store, id)?;
        let Some(report) = report else { return Ok(kept.workflow.answer()) };
        // What is no report, or comes too late, changes nothing and resumes nothing.
        let report = Report::read(report)?;
        kept.settled().clone().receive(&report)?;
        let run = match self.store.resume(&record.id) {
            Ok(run) => run,
            Err(StoreError::Busy { .. }) => return Err(Rejected::Checking { id: id.to_owned() }.into()),
            Err(StoreError::WrongStatus { status, .. }) => {
                return Err(CoordinateError::Closed { id: id.into(), status });
            }
            Err(error) => return Err(super::CustomizeError::from(error).into()),
        };
        // Another call may have come first; what counts is what is kept now that nobody else can.
        let mut kept = Kept::load(run.directory())?;
        kept.settle_interrupted();
        let prepared = self.prepared_again(&kept)?;
        let mut session = Session::resume(self, run, prepared, kept.index_before.clone()).await?;
        kept.hold();
        match kept.workflow.receive(&report) {
            Err(rejected) => {
                session.suspend()?;
                return Err(rejected.into());
            }
            Ok(Next::Answer) => {}
            Ok(Next::Check(check)) => {
                kept.save(session.run.directory())?;
                let checked = session.check(&mut kept, check.after).await?;
                kept.workflow.checked(&checked);
            }
        }
        kept.settle();
        let answer = kept.workflow.answer();
        kept.save(session.run.directory())?;
        session.close_or_suspend(&kept.workflow)?;
        Ok(answer)
    }

    /// Gives a workflow up. What was edited stays until a person reverts or approves the run.
    ///
    /// # Errors
    /// See [`CoordinateError`].
    pub async fn abandon_workflow(&self, id: &str, why: &str) -> Result<Answer, CoordinateError> {
        let (record, _) = kept::find(&self.store, id)?;
        let run = self.store.resume(&record.id).map_err(super::CustomizeError::from)?;
        let mut kept = Kept::load(run.directory())?;
        kept.settle_interrupted();
        kept.workflow.abandon(why);
        kept.settle();
        kept.save(run.directory())?;
        let prepared = self.prepared_again(&kept)?;
        let session = Session::resume(self, run, prepared, kept.index_before.clone()).await?;
        session.close_or_suspend(&kept.workflow)?;
        Ok(kept.workflow.answer())
    }

    fn prepared_again(&self, kept: &Kept) -> Result<Prepared, CoordinateError> {
        let (package, project) = kept.workflow.places();
        Ok(discover(package.as_ref(), Some(project.as_ref()))?)
    }
}

impl Session<'_> {
    /// Leaves the run for the next call.
    fn suspend(self) -> Result<(), CoordinateError> {
        let _ = std::fs::remove_dir_all(&self.work);
        self.run.suspend().map_err(super::CustomizeError::from)?;
        Ok(())
    }

    fn close_or_suspend(self, workflow: &Workflow) -> Result<(), CoordinateError> {
        let unchanged = self.run.changed().map_err(super::CustomizeError::from)?.is_empty();
        let status = match (workflow.phase(), unchanged) {
            (Phase::Success | Phase::Failure, true) => RunStatus::Unchanged,
            (Phase::Success, false) => {
                self.keep_proof()?;
                RunStatus::Pending
            }
            // What the caller edited is the caller's: a person decides about it.
            (Phase::Failure, false) => RunStatus::Failed { kept: true },
            _ => return self.suspend(),
        };
        let _ = std::fs::remove_dir_all(&self.work);
        let response = serde_json::to_value(workflow.answer()).map_err(super::CustomizeError::from)?;
        self.run.finish(status, &response).map_err(super::CustomizeError::from)?;
        Ok(())
    }
}
