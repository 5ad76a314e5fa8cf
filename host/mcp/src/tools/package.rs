//! `azsdk_package_generate_code`, `azsdk_package_build_code` and `azsdk_package_run_tests`: the steps of a customization
//! on their own.

use super::answer;
use super::{Shared, absolute, arguments, schema};
use crate::call::Call;
use crate::failure::Failure;
use crate::packages::Places;
use crate::path_redaction::PathRedaction;
use crate::registry::Registry;
use crate::runs::JobRequest;
use crate::tool::{Answer, Definition, Effect, Reach, Tasks, Tool};
use crate::work::Role;
use async_trait::async_trait;
use bailiwick_customize::checkout::SpecCommit;
use bailiwick_customize::driver::{Package, Single, overview};
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::Deserialize;
use std::path::PathBuf;
use std::sync::Arc;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Arguments {
    /// Absolute path of the package directory. What is generated again holds `tsp-location.yaml`.
    package_path: PathBuf,
    /// Absolute path of the TypeSpec project. Without it the project is found through `tsp-location.yaml` and a local
    /// clone of the specifications. Builds and tests do without.
    #[serde(default)]
    #[schemars(with = "PathBuf")]
    typespec_project_path: Option<PathBuf>,
    /// The commit of the specification: `pinned` (the one that `tsp-location.yaml` names), `head` (the one that the clone
    /// stands at, without what is not committed) or a commit. Without it the clone is taken as it stands. Builds and
    /// tests do without.
    #[serde(default)]
    #[schemars(with = "String")]
    spec_commit: Option<SpecCommit>,
}

/// What the reference server calls two of them: accepted, not listed.
const ALIASES: [(&str, Single); 2] =
    [("azsdk_package_generate", Single::Generate), ("azsdk_package_build", Single::Build)];

/// Adds the three tools and their further names.
///
/// # Errors
/// See [`Registry::add`].
pub(super) fn add(registry: &mut Registry, shared: &Arc<Shared>) -> Result<(), Failure> {
    for single in [Single::Generate, Single::Build, Single::Test] {
        registry.add(Arc::new(PackageStep::new(single, shared.clone())))?;
    }
    ALIASES.into_iter().try_for_each(|(alias, single)| registry.alias(alias, name(single)))
}

fn name(single: Single) -> &'static str {
    match single {
        Single::Generate => "azsdk_package_generate_code",
        Single::Build => "azsdk_package_build_code",
        Single::Test => "azsdk_package_run_tests",
    }
}

struct PackageStep {
    single: Single,
    definition: Definition,
    shared: Arc<Shared>,
}

impl PackageStep {
    fn new(single: Single, shared: Arc<Shared>) -> Self {
        let (title, description, effect) = match single {
            Single::Generate => (
                "Regenerate an SDK package",
                "Regenerates an Azure SDK package from the local clone of its TypeSpec project. A failed generation puts \
                 the package back. What changed waits for a person: `azsdk_run_approve` or `azsdk_run_revert`.",
                Effect::Destructive { idempotent: false },
            ),
            Single::Build => (
                "Build an SDK package",
                "Builds an Azure SDK package as a customization validates it, confined and without a network, and changes \
                 nothing in it. Answers with its errors and warnings.",
                Effect::Additive { idempotent: false },
            ),
            Single::Test => (
                "Test an SDK package",
                "Runs the tests of an Azure SDK package on a copy of it, confined and without a network, and changes \
                 nothing in it. Answers with what failed, and with counts where the runner says them.",
                Effect::Additive { idempotent: false },
            ),
        };
        let definition = Definition {
            name: name(single).into(),
            title: title.into(),
            description: format!("{description} Long work answers `running` with a `runId` for `azsdk_run_wait`."),
            input_schema: schema::of::<Arguments>(),
            output_schema: Some(answer::step_schema()),
            effect,
            reach: Reach::World,
        };
        Self { single, definition, shared }
    }
}

#[async_trait]
impl Tool for PackageStep {
    fn definition(&self) -> &Definition {
        &self.definition
    }

    fn tasks(&self) -> Tasks {
        Tasks::WhenLong
    }

    async fn call(&self, given: JsonObject, call: &Call) -> Result<Answer, Failure> {
        let Arguments { package_path: package, typespec_project_path: project, spec_commit: commit } =
            arguments(given)?;
        absolute("packagePath", Some(&package))?;
        absolute("typespecProjectPath", project.as_deref())?;
        let paths = [Some(package.as_path()), project.as_deref()];
        let conceal = PathRedaction::new(paths.into_iter().flatten(), &self.shared.host.private_places());
        let (packages, unusable) = (self.shared.packages(&call.directories).await?, |error| Failure::from(&error));
        // What cannot be used starts nothing.
        let (package, project) = match self.single {
            Single::Generate => {
                let Places { package, project } = packages.places(&package, project.as_deref())?;
                overview(&package, Some(&project)).map_err(unusable)?;
                (package, Some(project))
            }
            Single::Build | Single::Test => {
                let package = match project.as_deref() {
                    // It is not used, and still told alike whatever lies there.
                    Some(given) => packages.places(&package, Some(given))?.package,
                    None => packages.package(&package)?,
                };
                Package::discover(&package).map_err(unusable)?;
                (package, None)
            }
        };
        let wanted = JobRequest::Step { single: self.single, package, project, commit };
        let job = self.shared.runs.begin(&call.owner, &call.caller, wanted).await?;
        answer::wait(&self.shared, &job, self.shared.limits.answer_within, Role::Began, call, &conceal).await
    }
}
