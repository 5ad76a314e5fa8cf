//! `azsdk_package_customize_code`: the two-phase workflow.

use super::answer;
use super::{Shared, absolute, arguments, schema};
use crate::call::Call;
use crate::failure::Failure;
use crate::packages::Places;
use crate::path_redaction::PathRedaction;
use crate::runs::JobRequest;
use crate::tool::{Answer, Definition, Effect, Reach, Tasks, Tool};
use crate::work::Role;
use async_trait::async_trait;
use bailiwick_customize::driver::{OnFailure, Request};
use bailiwick_customize::machine::EditScope;
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::Deserialize;
use std::path::PathBuf;
use std::sync::Arc;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Arguments {
    /// Absolute path of the package directory, which holds `tsp-location.yaml`.
    package_path: PathBuf,
    /// What to do: a sentence such as `hide operation deleteWidget from the Python SDK`, a build log, or review comments.
    #[schemars(length(min = 1))]
    customization_request: String,
    /// Absolute path of the TypeSpec project. Without it the project is found through `tsp-location.yaml` and a local
    /// clone of the specifications.
    #[serde(default)]
    #[schemars(with = "PathBuf")]
    typespec_project_path: Option<PathBuf>,
    /// What may be edited: `All`, `SpecInputs` (no customization code) or `CustomCode` (no TypeSpec). `All` without it.
    #[serde(default)]
    #[schemars(with = "Scope")]
    edit_scope: Option<String>,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "the schema of a text that the workflow reads for itself")]
enum Scope {
    All,
    SpecInputs,
    CustomCode,
}

pub(super) struct Customize {
    definition: Definition,
    shared: Arc<Shared>,
}

impl Customize {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        let definition = Definition {
            name: "azsdk_package_customize_code".into(),
            title: "Customize an SDK package".into(),
            description: "Customizes an Azure SDK client library that is generated from TypeSpec: edits `client.tsp`, \
                regenerates and builds, then repairs hand-written customization code if the build asks for it. Success \
                means that the last regeneration and the last build passed after the last edit. A failed run puts both \
                repositories back; nothing is committed. Long work answers `running` with a `runId` for `azsdk_run_wait`. \
                A finished run waits for a person: `azsdk_run_approve` or `azsdk_run_revert`."
                .into(),
            input_schema: schema::of::<Arguments>(),
            output_schema: Some(answer::schema()),
            effect: Effect::Destructive { idempotent: false },
            reach: Reach::World,
        };
        Self { definition, shared }
    }
}

#[async_trait]
impl Tool for Customize {
    fn definition(&self) -> &Definition {
        &self.definition
    }

    fn tasks(&self) -> Tasks {
        Tasks::WhenLong
    }

    async fn call(&self, given: JsonObject, call: &Call) -> Result<Answer, Failure> {
        let given: Arguments = arguments(given)?;
        absolute("packagePath", Some(&given.package_path))?;
        absolute("typespecProjectPath", given.typespec_project_path.as_deref())?;
        let paths = [Some(given.package_path.as_path()), given.typespec_project_path.as_deref()];
        let conceal = PathRedaction::new(paths.into_iter().flatten(), &self.shared.host.private_places());
        let scope: EditScope = match given.edit_scope.as_deref() {
            Some(scope) => scope.parse().map_err(|error| Failure::new(format!("{error}")))?,
            None => EditScope::All,
        };
        let packages = self.shared.host.packages();
        let Places { package, project } =
            packages.places(&given.package_path, given.typespec_project_path.as_deref())?;
        let request = Request {
            package,
            text: given.customization_request,
            project: Some(project),
            scope,
            on_failure: OnFailure::Revert,
        };
        // What cannot be used starts nothing.
        bailiwick_customize::driver::prepare(&request).map_err(|error| Failure::from(&error))?;
        let job = self.shared.runs.begin(&call.owner, &call.caller, JobRequest::Customization(request))?;
        answer::wait(&self.shared, &job, self.shared.limits.answer_within, Role::Began, call, &conceal).await
    }
}
