//! A run of one step that needs the package alone: a build, its tests, a script of its repository.

use std::path::{Path, PathBuf};

use bailiwick_base::files::{Waits, waits_of};
use bailiwick_base::timeline::{By, Timeline};
use bailiwick_runs::{BeginRun, Coverage, RootSpec, Run, Status};
use bailiwick_sandbox::{Access, Grant};
use bailiwick_sdk::tasks::{Diagnostic, Language};
use bailiwick_toolchains::{BuildTools, Children};
use serde_json::json;

use super::building::Building;
use super::package::Package;
use super::roots::{SDK, plain_content};
use super::run_kind::RunKind;
use super::steps::{close, put_back};
use super::work::fresh_work;
use super::{CustomizeError, Customizer, Step, TestCounts};
use crate::language::{Around, Asking, Checks, Judged, Needs, Requirements};
use crate::recorded::Recorded;
use crate::timings;

/// A run at work on a package alone.
pub(super) struct PackageRun<'a> {
    pub(super) customizer: &'a Customizer,
    pub(super) package: Package,
    /// What the recorded commit says about the checks of the package.
    pub(super) checks: Checks,
    pub(super) tools: BuildTools,
    pub(super) children: Children,
    pub(super) run: Run,
    /// Inside the run's directory.
    pub(super) work: PathBuf,
    /// Directories of the repository that its tests import from.
    pub(super) beside: Vec<PathBuf>,
    /// How the host waited for the disk when the run began.
    waits: Waits,
}

impl<'a> PackageRun<'a> {
    /// Installs what is missing, locks the package and keeps its before-images.
    pub(super) async fn begin(
        customizer: &'a Customizer,
        kind: RunKind,
        needs: Needs,
        package: Package,
    ) -> Result<Self, CustomizeError> {
        let timeline = Timeline::begin();
        let installing = timeline.span("toolchains", By::Host);
        // Before anything is started: a package that holds the record of its own runs cannot be put back.
        Grant::open(SDK, &package.directory, Access::ReadOnly, &customizer.reserved)?;
        let recorded = Recorded::at_head(&package.repository, &package.directory);
        let checks = package.language.checks(&recorded);
        let (toolchains, on_progress) = (customizer.toolchains()?, &mut customizer.progress.toolchain());
        let language = package.language.language();
        let mut tools =
            toolchains.build_tools(language, package.emitter.as_ref(), &package.directory, on_progress).await?;
        let requirements = requirements(&package, needs);
        for passed_over in &requirements.passed_over {
            customizer.progress.say(passed_over);
        }
        tools.python = toolchains.python_with(&tools.python, &requirements.asked, on_progress).await?;
        if language == Language::Python {
            tools.python = toolchains.with_seed(tools.python, on_progress).await;
        }
        drop(installing);
        let keeping = timeline.span("before-images", By::Host);
        let begin = BeginRun {
            kind: kind.name().into(),
            request: String::new(),
            details: json!({ "language": language, "model": customizer.backend.name() }),
            roots: vec![RootSpec {
                name: SDK.into(),
                directory: package.directory.clone(),
                coverage: Coverage::Tree { skip: Vec::new(), skip_at_root: vec![".git".into()] },
            }],
        };
        let (run, waits) = waits_of(|| customizer.store.begin(begin));
        let run = run?;
        drop(keeping);
        customizer.progress.began(run.id());
        let work = fresh_work(&run)?;
        let children = Children::new(customizer.supervisor.clone(), customizer.isolation).timed_by(timeline);
        let beside = requirements.beside.iter().map(|one| package.repository.join(one)).collect();
        Ok(Self { customizer, package, checks, tools, children, run, work, beside, waits })
    }

    pub(super) fn building(&self) -> Building<'_> {
        Building {
            customizer: self.customizer,
            package: &self.package.directory,
            repository: &self.package.repository,
            language: self.package.language.as_ref(),
            checks: &self.checks,
            judged: Judged::AsItStands,
            configuration: &self.package.configuration,
            tools: &self.tools,
            children: &self.children,
            work: &self.work,
            run: self.run.directory(),
        }
    }

    /// Closes the run: what failed is put back, what changed waits for a person.
    pub(super) fn close(
        self,
        kind: RunKind,
        succeeded: bool,
        diagnostics: Vec<Diagnostic>,
        tests: Option<TestCounts>,
    ) -> Result<Step, CustomizeError> {
        let (timeline, run) = (self.children.timeline().clone(), self.run.directory().to_owned());
        let step = Step::of(kind, succeeded, diagnostics, tests);
        timings::ending(&timeline, self.waits, &run, || close(self.run, &self.work, step, &self.customizer.progress))
    }

    /// Ends the run at a person's word. The package is as before.
    pub(super) async fn take_back(mut self) -> Result<(), CustomizeError> {
        self.customizer.progress.say("cancelled; putting the package back");
        self.customizer.supervisor.settled().await;
        let _ = std::fs::remove_dir_all(&self.work);
        put_back(&mut self.run, &self.customizer.progress)?;
        Ok(self.run.finish(Status::Reverted, &json!(null))?)
    }
}

fn requirements(package: &Package, needs: Needs) -> Requirements {
    let text = |directory: &Path, name: &str| {
        let content = plain_content(directory, name).ok().flatten()?;
        Some(String::from_utf8_lossy(&content).into_owned())
    };
    let place = package.directory.strip_prefix(&package.repository).ok().and_then(Path::to_str);
    let around = |name: &str| text(&package.repository, name);
    let around = place.map(|place| Around { package: place, file: &around });
    package.language.requirements(Asking { file: &|name| text(&package.directory, name), around }, needs)
}
