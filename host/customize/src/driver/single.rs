//! Regeneration, build and tests on their own, with the same runs, confinement and diagnostics as inside a customization.

use std::path::Path;

use bailiwick_sdk::tasks::Diagnostic;
use tracing::Instrument as _;

use crate::machine::{Checked, Event, Regeneration};
use crate::testing::{self, Runner};

use super::baseline::Compared;
use super::session::{Goal, Session};
use super::{CustomizeError, Customizer, Step, TestCounts, observe};

/// One step of the work on a package.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Single {
    /// Regenerates it from its TypeSpec project.
    Generate,
    /// Builds it the way a customization validates it. Changes nothing in it.
    Build,
    /// Runs its tests on a copy of it, confined and without a network. Changes nothing in it.
    Test,
}

impl Single {
    /// What its runs are called in the store.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Generate => "generate",
            Self::Build => "build",
            Self::Test => "test",
        }
    }
}

/// What a step came to, before its run is closed.
struct Done {
    passed: bool,
    diagnostics: Vec<Diagnostic>,
    counts: Option<TestCounts>,
}

impl Customizer {
    /// Does one step. What failed is put back.
    ///
    /// # Errors
    /// As for [`Self::single_unless`].
    pub async fn single(&self, single: Single, package: &Path, project: Option<&Path>) -> Result<Step, CustomizeError> {
        self.single_unless(single, package, project, std::future::pending()).await
    }

    /// The same, taken back when `cancelled` ends before it does: children are killed, and the package is put back, all
    /// of it under the run's locks.
    ///
    /// # Errors
    /// See [`CustomizeError`]; [`testing::TestError::NoTests`] where a package without tests is to be tested, and
    /// [`CustomizeError::Cancelled`]. Where it failed halfway, [`Store::recover`](bailiwick_runs::Store::recover) puts
    /// the package back.
    pub async fn single_unless(
        &self,
        single: Single,
        package: &Path,
        project: Option<&Path>,
        cancelled: impl Future<Output = ()>,
    ) -> Result<Step, CustomizeError> {
        let prepared = self.prepared(package, project)?;
        // What cannot be tested begins no run.
        let runner = match single {
            Single::Test => Some(testing::runner(prepared.language.as_ref(), &prepared.project.package)?),
            Single::Generate | Single::Build => None,
        };
        tokio::pin!(cancelled);
        let mut session = tokio::select! {
            session = Session::begin(self, Goal::plain(single.name(), ""), prepared) => session?,
            () = &mut cancelled => {
                // Nothing but installations was at work: a run begins in one go.
                self.supervisor.settled().await;
                return Err(CustomizeError::Cancelled);
            }
        };
        let done = tokio::select! {
            biased;
            done = session.single(single, runner.as_ref()) => Some(done),
            () = &mut cancelled => None,
        };
        match done {
            Some(done) => {
                let Done { passed, diagnostics, counts } = done?;
                session.step(single.name(), passed, diagnostics, counts)
            }
            None => {
                session.take_back().await?;
                Err(CustomizeError::Cancelled)
            }
        }
    }
}

impl Session<'_> {
    async fn single(&mut self, single: Single, runner: Option<&Runner>) -> Result<Done, CustomizeError> {
        let (passed, diagnostics) = match (single, runner) {
            (Single::Generate, _) => match self.regenerate().instrument(observe::regenerate()).await? {
                Event::Regenerated { regeneration: Regeneration::Succeeded { diagnostics, .. } } => (true, diagnostics),
                Event::Regenerated { regeneration: Regeneration::Failed { diagnostics, .. } } => (false, diagnostics),
                other => unreachable!("regeneration answers with its own event, not {other:?}"),
            },
            (Single::Test, Some(runner)) => {
                let tested = self.test(runner).await?;
                return Ok(Done { passed: tested.passed, diagnostics: tested.diagnostics, counts: tested.counts });
            }
            (Single::Build | Single::Test, _) => {
                match self.build(Compared::default()).instrument(observe::build()).await? {
                    Event::Built { build: Checked::Passed { diagnostics }, .. } => (true, diagnostics),
                    Event::Built { build: Checked::Failed { diagnostics }, .. } => (false, diagnostics),
                    other => unreachable!("a build answers with its own event, not {other:?}"),
                }
            }
        };
        Ok(Done { passed, diagnostics, counts: None })
    }
}
