//! The tools of a run: what reads the specification from its beginning, what builds the package when it is needed.

use std::path::Path;

use bailiwick_agent::templates::RenderError;
use bailiwick_base::timeline::{By, Timeline};
use bailiwick_sandbox::{Access, Grant};
use bailiwick_sdk::tasks::Language;
use bailiwick_toolchains::{Children, Tools};

use super::Session;
use crate::driver::roots::SDK;
use crate::driver::{CustomizeError, Customizer, Prepared};
use crate::language::Requirements;
use crate::typespec::Project;

impl Session<'_> {
    /// Gets what builds the package, once.
    pub(super) async fn equip(&mut self) -> Result<(), CustomizeError> {
        let Some(requirements) = &self.unbuilt else { return Ok(()) };
        let _span = self.step_called("toolchains");
        let (language, package) = (self.language.language(), &self.project.package);
        self.tools = completed(self.customizer, &self.tools, language, package, requirements).await?;
        self.unbuilt = None;
        Ok(())
    }
}

/// What a session works with beside its run. Nothing is begun before this is there.
pub(super) struct Surroundings {
    pub(super) tools: Tools,
    pub(super) unbuilt: Option<Requirements>,
    pub(super) children: Children,
}

impl Surroundings {
    /// What reads the specification; what builds the package is not asked for.
    pub(super) async fn of(
        customizer: &Customizer,
        project: &Project,
        requirements: Requirements,
        timeline: Timeline,
    ) -> Result<Self, CustomizeError> {
        let span = timeline.span("toolchains", By::Host);
        for side in [&project.package, &project.directory] {
            // Before anything is started: a package that holds the record of its own runs cannot be put back.
            Grant::open(SDK, side, Access::ReadOnly, &customizer.reserved)?;
        }
        crate::prompts::check().map_err(RenderError::from)?;
        let toolchains = customizer.toolchains()?;
        let tools = toolchains.generating(&project.emitter, &mut customizer.progress.toolchain()).await?;
        drop(span);
        let children = Children::new(customizer.supervisor.clone(), customizer.isolation);
        Ok(Self { tools, unbuilt: Some(requirements), children: children.timed_by(timeline) })
    }

    pub(super) async fn complete(
        &mut self,
        customizer: &Customizer,
        prepared: &Prepared,
    ) -> Result<(), CustomizeError> {
        let Some(requirements) = &self.unbuilt else { return Ok(()) };
        let _span = self.children.timeline().span("toolchains", By::Host);
        let (language, package) = (prepared.language.language(), &prepared.project.package);
        self.tools = completed(customizer, &self.tools, language, package, requirements).await?;
        self.unbuilt = None;
        Ok(())
    }
}

/// `tools` with what builds a package and what that asks for.
async fn completed(
    customizer: &Customizer,
    tools: &Tools,
    language: Language,
    package: &Path,
    requirements: &Requirements,
) -> Result<Tools, CustomizeError> {
    let toolchains = customizer.toolchains()?;
    let on_progress = &mut customizer.progress.toolchain();
    let mut tools = toolchains.completed(tools.clone(), language, package, on_progress).await?;
    for passed_over in &requirements.passed_over {
        customizer.progress.say(passed_over);
    }
    tools.build.python = toolchains.python_with(&tools.build.python, &requirements.asked, on_progress).await?;
    if language == Language::Python {
        tools.build.python = toolchains.with_seed(tools.build.python, on_progress).await;
    }
    Ok(tools)
}
