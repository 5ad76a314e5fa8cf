//! Performs what the pure state machine ([`crate::machine`]) asks for: agents, gate, regeneration, build, runs.
//!
//! ```text
//! Customizer::customize
//!   prepare   input checked before anything is started
//!   Session   locks, before-images, toolchains, the index of the specification
//!   loop      effect -> perform -> event -> step, until Finish
//!   ending    claims, proof, response; a failed run is restored
//! ```
//!
//! An agent never holds a write grant on a repository: it edits a stage, and only what the gate accepts is applied.

mod abandoned;
mod agents;
mod attempt;
mod baseline;
mod building;
mod classify;
mod convert;
mod coordinate;
mod draft;
mod editor;
mod error;
mod finish;
mod init;
mod instructions;
mod kept_index;
mod languages;
mod leftovers;
mod observe;
mod overview;
mod package;
mod package_run;
mod patch;
mod planner;
mod prepare;
mod progress;
mod proof;
mod reference;
mod renames;
mod roots;
mod run_kind;
mod seen;
mod session;
mod single;
mod specification;
mod staged;
mod stamps;
mod steps;
mod typespec;
mod update;
mod validate;
mod work;

use std::path::PathBuf;
use std::sync::Arc;

use bailiwick_agent::{Backend, KnownSecrets};
use bailiwick_process::Supervisor;
use bailiwick_runs::Store;
use bailiwick_sandbox::{Limits, Reserved, Sandbox, Tool};
use bailiwick_sdk::tasks::{AskedDirective, Classification, Language};
use tracing::Instrument as _;

use crate::machine::{Aim, EditScope, Effect, Ending, Input, Keep, Outcome, State, step};
use crate::response::Response;
use crate::typespec::Residents;
use bailiwick_toolchains::{Consent, Isolation};

pub use convert::{Convert, ConvertError, Fidelity, ResourceManager};
pub use coordinate::{
    CoordinateError, Expired, Fix, Standing, Start, Stepped, WorkflowStep, expire_abandoned, fresh_id, standing,
};
pub use editor::{Editor, ResolveDirectives};
pub use error::{Blame, CustomizeError, with_sources};
pub use init::{Init, InitError};
pub use overview::{Overview, overview};
pub use package::Package;
pub use planner::{Planner, Reviewed};
pub use prepare::{Prepared, prepare, prepare_plan};
pub use progress::Progress;
use run_kind::RunKind;
use session::{Builders, Goal, Session};
pub use single::Single;
pub use specification::SpecificationRequest;
pub use steps::{EmitterOf, Step, TestCounts, install, install_tool_builders};
pub use update::Update;

/// What a customization works with, the same for every request.
pub struct Customizer {
    /// Runs the tools.
    pub sandbox: Arc<Sandbox>,
    /// The tools that agents may be given; each agent gets those it needs.
    pub tools: Vec<Tool>,
    /// What one tool call may spend.
    pub call_limits: Limits,
    /// Classifies and edits.
    pub backend: Arc<dyn Backend>,
    /// Carries out directives.
    pub editor: Editor,
    /// The most that one agent may cost, in millionths of one unit of money. The backend has to have prices then.
    pub money: Option<u64>,
    /// Starts children.
    pub supervisor: Supervisor,
    /// Whether children are confined.
    pub isolation: Isolation,
    /// Who decides about an emitter that was never approved.
    pub consent: Consent,
    /// Keeps runs.
    pub store: Store,
    /// Where toolchains are installed.
    pub cache: PathBuf,
    /// What may not be customized: the directories of the host's own.
    pub reserved: Reserved,
    /// What no transcript may hold.
    pub secrets: KnownSecrets,
    /// Compilers that stay between two looks at a specification.
    pub residents: Residents,
    /// Told what is being done.
    pub progress: Progress,
}

/// One customization.
#[derive(Debug, Clone)]
pub struct Request {
    /// The package directory.
    pub package: PathBuf,
    /// What to do, in a person's words or as a log. Where there are directives, it only stands in the record.
    pub text: String,
    /// What to do, without words in between: no classifier is asked then.
    pub directives: Vec<AskedDirective>,
    /// What was understood before, in place of a classifier's first answer: see [`Planner::review`] and
    /// [`Planner::understand`].
    pub classified: Option<Classification>,
    /// The languages beside the package's whose clients may change.
    pub languages: Vec<Language>,
    /// The TypeSpec project, if not found through `tsp-location.yaml`.
    pub project: Option<PathBuf>,
    /// What may be edited.
    pub scope: EditScope,
    /// What stays of a run that does not succeed. All else is put back.
    pub keep: Keep,
}

impl Customizer {
    /// Carries out one request from the checked input to the response.
    ///
    /// Dropping the future leaves the run as if the process had died: the caller then calls [`Store::recover`], which
    /// puts both repositories back. [`Self::customize_until`] does that for itself.
    ///
    /// # Errors
    /// See [`CustomizeError`]: the input cannot be used, or something failed outside the workflow's outcomes. The
    /// repositories are then as before. A request that could not be carried out is not an error but a [`Response`].
    pub async fn customize(&self, request: &Request) -> Result<Response, CustomizeError> {
        self.customize_until(request, std::future::pending()).await
    }

    /// The same, taken back when `cancelled` ends before it does: children are killed, and when nothing of them can write
    /// any more both repositories are put back, all of it under the run's locks.
    ///
    /// # Errors
    /// As for [`Self::customize`], and [`CustomizeError::Cancelled`].
    pub async fn customize_until(
        &self,
        request: &Request,
        cancelled: impl Future<Output = ()>,
    ) -> Result<Response, CustomizeError> {
        self.run(request, Aim::Request, cancelled).instrument(observe::customization()).await
    }

    /// Phase B alone: regenerates and builds the package as its specification stands, and repairs its customization code
    /// where that fails. The text of the request is what a person saw; what is repaired is what the validation says.
    ///
    /// # Errors
    /// As for [`Self::customize_until`].
    pub async fn fix_until(
        &self,
        request: &Request,
        cancelled: impl Future<Output = ()>,
    ) -> Result<Response, CustomizeError> {
        self.run(request, Aim::Repair, cancelled).instrument(observe::customization()).await
    }

    async fn run(
        &self,
        request: &Request,
        aim: Aim,
        cancelled: impl Future<Output = ()>,
    ) -> Result<Response, CustomizeError> {
        let prepared = prepare(request)?;
        if prepared.project.detached && aim == Aim::Request {
            return Err(CustomizeError::Detached);
        }
        tokio::pin!(cancelled);
        let directed = self.directed(request, &prepared, &mut cancelled).await?;
        let kind = if aim == Aim::Repair { RunKind::Fix } else { RunKind::Customize };
        // A repair builds whatever it reads; a request may come to nothing that needs a build.
        let builders = if aim == Aim::Repair { Builders::AtOnce } else { Builders::WhenNeeded };
        let goal = Goal::plain(kind, &request.text);
        let mut session = tokio::select! {
            session = Session::begin(self, goal, prepared, builders) => session?,
            () = &mut cancelled => {
                // Nothing but installations was at work: a run begins in one go.
                self.supervisor.settled().await;
                return Err(CustomizeError::Cancelled);
            }
        };
        session.directed = directed;
        session.languages.clone_from(&request.languages);
        observe::begun(session.run.id().as_str(), session.language.language().scope_token());
        let driven = tokio::select! {
            biased;
            driven = drive(&mut session, request, aim) => Some(driven),
            () = &mut cancelled => None,
        };
        match driven {
            Some(driven) => {
                let (state, ending) = match driven {
                    Ok(ended) => ended,
                    Err(error) if session.is_unequipped() => {
                        session.leave()?;
                        return Err(error);
                    }
                    Err(error) => return Err(error),
                };
                session.end(&state, &ending, request.keep)
            }
            None => {
                session.take_back().await?;
                Err(CustomizeError::Cancelled)
            }
        }
    }
}

impl Customizer {
    /// What the directives of a request name; `None` where it has none. Nothing is begun for directives that cannot be
    /// carried out.
    async fn directed(
        &self,
        request: &Request,
        prepared: &Prepared,
        cancelled: &mut (impl Future<Output = ()> + Unpin),
    ) -> Result<Option<Classification>, CustomizeError> {
        if request.directives.is_empty() {
            let kept = |one| languages::kept_to(one, prepared.language.language(), &request.languages);
            return Ok(request.classified.clone().map(kept));
        }
        let planner = self.planner();
        tokio::select! {
            found = planner.directed(request, prepared) => found.map(Some),
            () = cancelled => {
                self.supervisor.settled().await;
                Err(CustomizeError::Cancelled)
            }
        }
    }

    /// The part of this that only reads.
    #[must_use]
    pub fn planner(&self) -> Planner {
        Planner {
            backend: self.backend.clone(),
            editor: self.editor.clone(),
            money: self.money,
            supervisor: self.supervisor.clone(),
            isolation: self.isolation,
            consent: self.consent.clone(),
            cache: self.cache.clone(),
            residents: self.residents.clone(),
            progress: self.progress.clone(),
        }
    }
}

/// Performs what the machine asks for until it is finished.
async fn drive(session: &mut Session<'_>, request: &Request, aim: Aim) -> Result<(State, Ending), CustomizeError> {
    session.read_specification().await?;
    session.read_reference();
    let (mut state, mut effect) = match aim {
        Aim::Request => {
            State::begin(&Input { request: request.text.clone(), scope: request.scope, keep: request.keep })
        }
        Aim::Repair => State::begin_repair(&request.text),
    };
    if !state.scope().edits_specification() {
        // Only the present specification is known, not when it was changed.
        state.knows_renames(session.pending_renames()?);
    }
    loop {
        session.record("effect", &effect)?;
        if let Effect::Finish { ending } = effect {
            let since = if ending.outcome == Outcome::Success { session.changed_since()? } else { None };
            let state = match since {
                Some(message) => state.changed_since(message),
                None => state,
            };
            let ending = state.ending().cloned().unwrap_or(ending);
            observe::finished(&ending);
            return Ok((state, ending));
        }
        let span = observe::step(&effect);
        let event = session.perform(&state, effect).instrument(span).await?;
        observe::ended(&event);
        session.record("event", &event)?;
        (state, effect) = step(state, event);
    }
}
