//! Regeneration, build and tests on their own, with the same runs, confinement and diagnostics as inside a customization.

use std::path::Path;

use bailiwick_sdk::tasks::Diagnostic;
use tracing::Instrument as _;

use crate::language::{Needs, Verdict};
use crate::machine::{Event, Regeneration};
use crate::testing::{self, Runner};

use bailiwick_toolchains::Isolation;

use super::building::{WHILE_BUILT, WHILE_TESTED, changed};
use super::package::Package;
use super::package_run::PackageRun;
use super::run_kind::RunKind;
use super::session::{Builders, Goal, Session};
use super::stamps::{self, Index, REPEATED, Stamps};
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
    /// What its runs are called.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.kind().name()
    }

    fn kind(self) -> RunKind {
        match self {
            Self::Generate => RunKind::Generate,
            Self::Build => RunKind::Build,
            Self::Test => RunKind::Test,
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
    /// Does one step. What failed is put back. A build and the tests need the package alone; `project` is for generation.
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
        match single {
            Single::Generate => self.generate_unless(package, project, cancelled).await,
            Single::Build | Single::Test => self.check_unless(single, package, cancelled).await,
        }
    }

    async fn generate_unless(
        &self,
        package: &Path,
        project: Option<&Path>,
        cancelled: impl Future<Output = ()>,
    ) -> Result<Step, CustomizeError> {
        let single = Single::Generate;
        let prepared = self.prepared(package, project)?;
        tokio::pin!(cancelled);
        let begin = Session::begin(self, Goal::plain(single.kind(), ""), prepared, Builders::AtOnce);
        let mut session = self.begun(begin, &mut cancelled).await?;
        let done = tokio::select! {
            biased;
            done = session.regenerated() => Some(done),
            () = &mut cancelled => None,
        };
        match done {
            Some(done) => session.step(done?),
            None => {
                session.take_back().await?;
                Err(CustomizeError::Cancelled)
            }
        }
    }

    /// A build or the tests, which need the package alone.
    async fn check_unless(
        &self,
        single: Single,
        package: &Path,
        cancelled: impl Future<Output = ()>,
    ) -> Result<Step, CustomizeError> {
        let package = Package::discover(package)?;
        // What cannot be tested begins no run.
        let (runner, needs) = match single {
            Single::Test => (Some(testing::runner(package.language.as_ref(), &package.directory)?), Needs::Tests),
            Single::Build | Single::Generate => (None, Needs::Build),
        };
        tokio::pin!(cancelled);
        let begin = PackageRun::begin(self, single.kind(), needs, package);
        let mut run = self.begun(begin, &mut cancelled).await?;
        // A confined build writes a copy, so that what changes in the package is a person's.
        if self.isolation == Isolation::Enforced {
            run.run.only_looks()?;
        }
        let done = tokio::select! {
            biased;
            done = check(&run, runner.as_ref()) => Some(done),
            () = &mut cancelled => None,
        };
        match done {
            Some(done) => {
                let Done { passed, diagnostics, counts } = done?;
                run.close(single.kind(), passed, diagnostics, counts)
            }
            None => {
                run.take_back().await?;
                Err(CustomizeError::Cancelled)
            }
        }
    }

    /// What `begin` gives, unless it is cancelled before.
    pub(super) async fn begun<T>(
        &self,
        begin: impl Future<Output = Result<T, CustomizeError>>,
        cancelled: &mut (impl Future<Output = ()> + Unpin),
    ) -> Result<T, CustomizeError> {
        tokio::select! {
            begun = begin => begun,
            () = cancelled => {
                // Nothing but installations was at work: a run begins in one go.
                self.supervisor.settled().await;
                Err(CustomizeError::Cancelled)
            }
        }
    }
}

impl Session<'_> {
    async fn regenerated(&mut self) -> Result<Step, CustomizeError> {
        let (passed, diagnostics) = match self.regenerate().instrument(observe::regenerate()).await? {
            Event::Regenerated { regeneration: Regeneration::Succeeded { diagnostics, .. } } => (true, diagnostics),
            Event::Regenerated { regeneration: Regeneration::Failed { diagnostics, .. } } => (false, diagnostics),
            Event::Disturbed { message } => (false, vec![changed(message)]),
            other => unreachable!("regeneration answers with its own event, not {other:?}"),
        };
        let mut step = Step::of(RunKind::Generate, passed, diagnostics, None);
        if passed {
            // What the compiler said of the specification the last time tells causes apart; it is not asked for them.
            self.know_present_index()?;
            step.public_surface = self.present_surface()?;
            step.look_at = self.abandoned_modules()?;
        }
        Ok(step)
    }
}

/// Builds the package, or tests it, until it stays the same from the beginning to the end.
async fn check(run: &PackageRun<'_>, runner: Option<&Runner>) -> Result<Done, CustomizeError> {
    let package = &run.package.directory;
    let what = if runner.is_some() { WHILE_TESTED } else { WHILE_BUILT };
    let mut begins = Stamps::of(package)?;
    // Whether the check before passed, and no file of the package changed meanwhile.
    let mut passed = false;
    let mut message = String::new();
    for _ in 0..=REPEATED {
        let index = Index::of(&run.package.repository);
        let done = check_once(run, runner).await?;
        let ends = Stamps::of(package)?;
        let moved = begins.moved(&ends);
        // Git may have exchanged what lies beside the package and brought it back. Two checks that agree were not disturbed.
        let quiet = Index::of(&run.package.repository) == index;
        // What failed is no false success, and says more than that it was disturbed.
        if moved.is_empty() && (quiet || passed) || !done.passed {
            return Ok(done);
        }
        passed = moved.is_empty();
        begins = ends;
        message = stamps::disturbed(what, &moved);
        run.customizer.progress.say(&message);
    }
    Ok(Done { passed: false, diagnostics: vec![changed(message)], counts: None })
}

async fn check_once(run: &PackageRun<'_>, runner: Option<&Runner>) -> Result<Done, CustomizeError> {
    let building = run.building();
    Ok(match runner {
        Some(runner) => {
            let tested = building.test(runner, &run.beside).await?;
            Done { passed: tested.passed, diagnostics: tested.diagnostics, counts: tested.counts }
        }
        None => {
            let built = building.build("").instrument(observe::build()).await?;
            Done { passed: built.verdict == Verdict::Passed, diagnostics: built.diagnostics, counts: None }
        }
    })
}
