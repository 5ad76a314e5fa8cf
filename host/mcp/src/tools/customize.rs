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
use bailiwick_customize::directives::{
    AskedAction, AskedDirective, Decorator, DirectiveError, Language, Scope as Languages,
};
use bailiwick_customize::driver;
use bailiwick_customize::driver::{Request, SpecificationRequest};
use bailiwick_customize::machine::{EditScope, Keep};

use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Arguments {
    /// Absolute path of the package directory, which holds `tsp-location.yaml`. Without it, and with `editScope`
    /// `SpecInputs`, `typespecProjectPath` and `scope`, the specification alone is customized: nothing is generated or built.
    #[serde(default)]
    #[schemars(with = "PathBuf")]
    package_path: Option<PathBuf>,
    /// What to do: a sentence such as `hide operation deleteWidget from the Python SDK`, a build log, or review comments.
    /// Required unless there are `directives`.
    #[serde(default)]
    #[schemars(with = "String", length(min = 1))]
    customization_request: Option<String>,
    /// What to do without words in between, in place of `customizationRequest`: what a dry run answers as `actions`.
    #[serde(default)]
    #[schemars(with = "Vec<DirectiveArgument>")]
    directives: Vec<Value>,
    /// The languages whose clients may change: `python,csharp`, `!java` or `all`. The package's language alone without it.
    #[serde(default)]
    #[schemars(with = "String")]
    scope: Option<String>,
    /// Absolute path of the TypeSpec project. Without it the project is found through `tsp-location.yaml` and a local
    /// clone of the specifications.
    #[serde(default)]
    #[schemars(with = "PathBuf")]
    typespec_project_path: Option<PathBuf>,
    /// What may be edited: `All`, `SpecInputs` (no customization code) or `CustomCode` (no TypeSpec). `All` without it.
    #[serde(default)]
    #[schemars(with = "Scope")]
    edit_scope: Option<String>,
    /// Only say what would be done: what was understood, what was read as background, what needs a person, and the change
    /// of `client.tsp`. Nothing is regenerated, built or written, and no run is left.
    #[serde(default)]
    dry_run: bool,
    /// Keep a changed specification with which the package does not build. Without it both repositories are put back then.
    #[serde(default)]
    keep_partial: bool,
}

/// One directive. Its target is a TypeSpec name, whole or in part, or the name in the package's language.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "the schema of what `AskedDirective` reads for itself")]
pub(super) struct DirectiveArgument {
    /// What is done.
    action: AskedAction,
    /// What is changed.
    #[serde(default)]
    #[schemars(with = "String")]
    target: Option<String>,
    /// The new name, or the name of a client.
    #[serde(default)]
    #[schemars(with = "String")]
    name: Option<String>,
    /// Where an operation goes: an interface, the client, or the name of a new group.
    #[serde(default)]
    #[schemars(with = "String")]
    to: Option<String>,
    /// The decorator that is written or taken away, for `decorate` and `undecorate`.
    #[serde(default)]
    #[schemars(with = "Decorator")]
    decorator: Option<Decorator>,
    /// Its arguments: `true`, `["input", "json"]`, `"Contoso.Models"`; left out for a decorator that has none.
    #[serde(default)]
    #[schemars(schema_with = "bailiwick_customize::plan::decorator_value")]
    value: Option<Value>,
    /// The operations of a client.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    operations: Option<Vec<String>>,
    /// The files that a repair begins with.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    files: Option<Vec<String>>,
    /// The languages, which `scope` beside the directives has to allow: `python, csharp`. The package's language alone
    /// without it.
    #[serde(default)]
    #[schemars(with = "String")]
    scope: Option<String>,
    /// Taken and not read.
    #[serde(default)]
    #[schemars(with = "String")]
    kind: Option<String>,
    /// Taken and not read.
    #[serde(default)]
    #[schemars(with = "String")]
    basis: Option<String>,
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
                A finished run waits for a person: `azsdk_run_approve` or `azsdk_run_revert`. With `dryRun` nothing is done: \
                the answer is the plan. Without `packagePath` the specification alone is edited: the answer has `built: \
                false` and an outcome of its own, and never a `success`."
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
        absolute("packagePath", given.package_path.as_deref())?;
        absolute("typespecProjectPath", given.typespec_project_path.as_deref())?;
        let (text, directives) = asked(("customizationRequest", given.customization_request), given.directives)?;
        let paths = [given.package_path.as_deref(), given.typespec_project_path.as_deref()];
        let conceal = PathRedaction::new(paths.into_iter().flatten(), &self.shared.host.private_places());
        let scope: EditScope = match given.edit_scope.as_deref() {
            Some(scope) => scope.parse().map_err(|error| Failure::new(format!("{error}")))?,
            None => EditScope::All,
        };
        let packages = self.shared.packages(&call.directories).await?;
        let languages = given.scope.as_deref().map(Languages::parse).transpose();
        let languages = languages.map_err(|error| refused(&error))?.map_or_else(Vec::new, |scope| scope.languages());
        let Some(package) = &given.package_path else {
            let project = alone(scope, given.typespec_project_path.as_deref(), &languages, given.keep_partial)?;
            let project = packages.project(project)?;
            let request = SpecificationRequest { project, text, directives, classified: None, languages }.with_scopes();
            // What cannot be used starts nothing.
            request.validate().map_err(|error| Failure::from(&error))?;
            let wanted = match given.dry_run {
                true => JobRequest::SpecificationPlan(request),
                false => JobRequest::Specification(request),
            };
            return self.wait(wanted, call, &conceal).await;
        };
        let Places { package, project } = packages.places(package, given.typespec_project_path.as_deref())?;
        let request = Request {
            package,
            text,
            directives,
            classified: None,
            languages,
            project: Some(project),
            scope,
            keep: if given.keep_partial { Keep::Partial } else { Keep::WhatBuilds },
        };
        // What cannot be used starts nothing.
        let prepare = if given.dry_run { driver::prepare_plan } else { driver::prepare };
        let _ = prepare(&request).map_err(|error| Failure::from(&error))?;
        let wanted = if given.dry_run { JobRequest::Plan(request) } else { JobRequest::Customization(request) };
        self.wait(wanted, call, &conceal).await
    }
}

impl Customize {
    async fn wait(&self, wanted: JobRequest, call: &Call, conceal: &PathRedaction) -> Result<Answer, Failure> {
        self.shared.model_in_reach(call)?;
        let job = self.shared.runs.begin(&call.owner, &call.caller, wanted).await?;
        answer::wait(&self.shared, &job, self.shared.limits.answer_within, Role::Began, call, conceal).await
    }
}

/// The project of a request without a package, where the rest of the request does without one.
fn alone<'a>(
    scope: EditScope,
    project: Option<&'a Path>,
    languages: &[Language],
    keep_partial: bool,
) -> Result<&'a Path, Failure> {
    let give_it = "give `packagePath`, or `editScope` `SpecInputs` with `typespecProjectPath` and `scope`";
    let missing = |what: &str| Err(Failure::new(format!("there is no `packagePath`, and {what}")).hint(give_it));
    match (scope, project) {
        (EditScope::SpecInputs, Some(_)) if languages.is_empty() => missing("`scope` names no language"),
        (EditScope::SpecInputs, Some(_)) if keep_partial => missing("`keepPartial` is about a package"),
        (EditScope::SpecInputs, Some(project)) => Ok(project),
        (EditScope::SpecInputs, None) => missing("no `typespecProjectPath` either"),
        (other, _) => missing(&format!("the edit scope `{other}` needs a package")),
    }
}

/// The words of the request, which are given under a name, or its directives with words for the record.
pub(super) fn asked(
    (name, request): (&str, Option<String>),
    directives: Vec<Value>,
) -> Result<(String, Vec<AskedDirective>), Failure> {
    let one_of = format!("give `{name}` in words, or `directives`");
    match (request, directives.is_empty()) {
        (Some(_), false) => {
            Err(Failure::new("the arguments do not fit: there are directives beside a request in words").hint(one_of))
        }
        (None, true) => Err(Failure::new("the arguments do not fit: nothing is asked for").hint(one_of)),
        (Some(request), true) => Ok((request, Vec::new())),
        (None, false) => {
            let asked = AskedDirective::from_value(Value::Array(directives)).map_err(|error| refused(&error))?;
            let written: Vec<&str> = asked.iter().map(|one| one.written.as_str()).collect();
            Ok((written.join("\n"), asked))
        }
    }
}

fn refused(error: &DirectiveError) -> Failure {
    let failure = Failure::new(error.to_string());
    match error.hint() {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}
