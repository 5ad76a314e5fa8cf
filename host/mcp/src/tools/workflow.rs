//! `azsdk_sdk_customization_workflow`: the coordinator, in which the calling agent edits and the host checks.

use super::answer::without_places;
use super::customize::{DirectiveArgument, asked};
use super::{Shared, absolute, arguments, schema};
use crate::call::Call;
use crate::failure::Failure;
use crate::packages::Places;
use crate::path_redaction::PathRedaction;
use crate::tool::{Answer, Definition, Effect, Reach, Tasks, Tool};
use crate::work::{Ended, Role};
use crate::workflows::{Step, busy};
use async_trait::async_trait;
use bailiwick_customize::coordinator::{self, USUAL_ITERATIONS};
use bailiwick_customize::driver::{self, Start, Stepped, WorkflowStep};
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Arguments {
    /// To start: build errors, or what a user asked for.
    #[serde(default)]
    #[schemars(with = "String")]
    request: Option<String>,
    /// To start in place of `request`, or to go on where a classification or an edit of `client.tsp` is expected, in place
    /// of `result`: what the specification is to say. This tool makes the edit then, for the package's language.
    #[serde(default)]
    #[schemars(with = "Vec<DirectiveArgument>")]
    directives: Vec<Value>,
    /// To start: `build_error` or `user_request`. `build_error` without it.
    #[serde(default)]
    #[schemars(with = "Entry")]
    request_type: Option<String>,
    /// To start: absolute path of the package directory, which holds `tsp-location.yaml`.
    #[serde(default)]
    #[schemars(with = "PathBuf")]
    package_path: Option<PathBuf>,
    /// To start: absolute path of the TypeSpec project. Without it the project is found through `tsp-location.yaml` and
    /// a local clone of the specifications.
    #[serde(default)]
    #[schemars(with = "PathBuf")]
    type_spec_path: Option<PathBuf>,
    /// To start: how many failed builds end the workflow, from 1 to 10. 3 without it.
    #[serde(default)]
    #[schemars(with = "u8", range(min = 1, max = 10))]
    max_iterations: Option<u8>,
    /// To go on: `workflow_id` of the last answer.
    #[serde(default)]
    #[schemars(with = "String")]
    workflow_id: Option<String>,
    /// To go on: what `expected_result` of the last answer describes, as an object or as its JSON text. Without it the
    /// last answer is given again, or what has come of the last result meanwhile.
    #[serde(default)]
    #[schemars(with = "Result")]
    result: Option<Value>,
}

#[derive(JsonSchema)]
#[schemars(rename_all = "snake_case")]
#[expect(dead_code, reason = "the schema of a text that the workflow reads for itself")]
enum Entry {
    BuildError,
    UserRequest,
}

#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "the schema of a value that the workflow reads for itself")]
enum Result {
    Object(JsonObject),
    Text(String),
}

pub(super) struct Workflow {
    definition: Definition,
    shared: Arc<Shared>,
}

impl Workflow {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        let definition = Definition {
            name: "azsdk_sdk_customization_workflow".into(),
            title: "Coordinate the customization of an SDK package".into(),
            description: "Leads you through the customization of an Azure SDK package that is generated from TypeSpec: \
                you classify the errors and edit `client.tsp`, this tool keeps the state, checks what you edited, \
                regenerates and builds. Start with `request`, `requestType` and `packagePath`; then do what each answer \
                says and call again with `workflowId` and `result` until `is_complete` is true. The state survives a \
                restart of this server. Nothing is committed; a person approves or reverts the run in the end."
                .into(),
            input_schema: schema::of::<Arguments>(),
            output_schema: Some(schema::answer::<coordinator::Answer>()),
            effect: Effect::Destructive { idempotent: false },
            reach: Reach::World,
        };
        Self { definition, shared }
    }

    async fn begin(&self, given: Arguments, call: &Call) -> std::result::Result<Arc<Step>, Failure> {
        let wanted = |name: &str| {
            Failure::new(format!("`{name}` is missing"))
                .hint("start with `request`, `requestType` and `packagePath`, or go on with `workflowId` and `result`")
        };
        if given.result.is_some() {
            return Err(wanted("workflowId"));
        }
        if given.request.is_none() && given.directives.is_empty() {
            return Err(wanted("request"));
        }
        let (request, directives) = asked(("request", given.request), given.directives)?;
        let entry = match directives.is_empty() {
            true => given.request_type.as_deref().unwrap_or("build_error"),
            false => "user_request",
        };
        let mut start = Start {
            id: driver::fresh_id()?,
            request,
            directives,
            entry: entry.parse().map_err(|error| Failure::new(format!("`requestType`: {error}")))?,
            package: given.package_path.ok_or_else(|| wanted("packagePath"))?,
            project: given.type_spec_path,
            max_iterations: given.max_iterations.unwrap_or(USUAL_ITERATIONS),
        };
        absolute("packagePath", Some(&start.package))?;
        absolute("typeSpecPath", start.project.as_deref())?;
        let Places { package, project } =
            self.shared.packages(&call.directories).await?.places(&start.package, start.project.as_deref())?;
        let places = [package.clone(), project.clone()];
        start.package = package;
        start.project = Some(project);
        let meanwhile = start.meanwhile()?;
        let who = (&call.caller, &call.caller.owner);
        self.shared.workflows.begin(who, WorkflowStep::Start(start), meanwhile, places).await
    }

    /// What is known of a step that ended, which is over with this: the rest is in the run's directory.
    fn ended(&self, step: &Arc<Step>, ended: &Ended<Stepped>) -> std::result::Result<Option<Answer>, Failure> {
        self.shared.workflows.told(step);
        match ended {
            Ended::Finished(Stepped::Answer(answer)) => shown(answer, &self.conceal(&step.places)).map(Some),
            Ended::Finished(Stepped::Fix(_)) => Ok(None),
            Ended::Cancelled => Ok(Some(Answer::TakenBack(format!(
                "the step was taken back; the workflow `{}` and both repositories are as before it",
                step.meanwhile.workflow_id
            )))),
            Ended::Failed(failure) => Err(failure.clone()),
        }
    }

    fn conceal(&self, places: &[PathBuf]) -> PathRedaction {
        PathRedaction::new(places.iter().map(PathBuf::as_path), &self.shared.host.private_places())
    }

    async fn wait(&self, step: &Arc<Step>, role: Role, call: &Call) -> std::result::Result<Option<Answer>, Failure> {
        let conceal = self.conceal(&step.places);
        let within = call.patience.or(self.shared.limits.answer_within);
        match step.work.wait(within, role, call, &conceal).await {
            Some(ended) => self.ended(step, &ended),
            None => shown(&step.meanwhile, &conceal).map(Some),
        }
    }
}

#[async_trait]
impl Tool for Workflow {
    fn definition(&self) -> &Definition {
        &self.definition
    }

    fn tasks(&self) -> Tasks {
        Tasks::WhenLong
    }

    fn about(&self) -> Option<&'static str> {
        Some("workflowId")
    }

    async fn call(&self, given: JsonObject, call: &Call) -> std::result::Result<Answer, Failure> {
        let given: Arguments = arguments(given)?;
        let Some(id) = given.workflow_id else {
            let step = self.begin(given, call).await?;
            let told = self.wait(&step, Role::Began, call).await?;
            return told.ok_or_else(|| Failure::new("the workflow began and gave no answer"));
        };
        if given.request.is_some() || given.package_path.is_some() {
            return Err(Failure::new(
                "`workflowId` goes on with a workflow, and `request` and `packagePath` start one",
            )
            .hint("leave out one or the other"));
        }
        let sight = self.shared.sight(&call.caller, &call.directories).await?;
        if let Some(step) = self.shared.workflows.find(&id, &sight) {
            match (step.work.ended(), given.result.is_some() || !given.directives.is_empty()) {
                (None, true) => return Err(busy(&id)),
                (None, false) => {
                    if let Some(answer) = self.wait(&step, Role::Waits, call).await? {
                        return Ok(answer);
                    }
                }
                (Some(ended), false) => {
                    if let Some(answer) = self.ended(&step, &ended)? {
                        return Ok(answer);
                    }
                }
                // Who reports has understood the last answer.
                (Some(_), true) => self.shared.workflows.told(&step),
            }
        }
        let standing = self.shared.store(&call.caller, &call.directories).await?.standing(&id)?;
        let places = [standing.package, standing.project];
        let next = match (given.result, given.directives.is_empty()) {
            (Some(_), false) => {
                return Err(Failure::new("there are `directives` beside a `result`").hint("leave out one or the other"));
            }
            (None, true) => return shown(&standing.answer, &self.conceal(&places)),
            (Some(result), true) => WorkflowStep::Report { id, result: Some(result) },
            (None, false) => {
                let (_, directives) = asked(("result", None), given.directives)?;
                WorkflowStep::Direct { id, directives }
            }
        };
        let meanwhile = standing.answer.meanwhile("What was reported is being checked.");
        let step = self.shared.workflows.begin((&call.caller, &standing.owner), next, meanwhile, places).await?;
        let told = self.wait(&step, Role::Began, call).await?;
        told.ok_or_else(|| Failure::new("the report was taken and gave no answer"))
    }
}

/// An answer of the coordinator as this protocol has it.
fn shown(answer: &coordinator::Answer, conceal: &PathRedaction) -> std::result::Result<Answer, Failure> {
    let value =
        serde_json::to_value(answer).map_err(|error| Failure::new(format!("the answer cannot be written: {error}")))?;
    Ok(Answer::Structured { value: without_places(value, conceal), text: conceal.places(&text(answer)) })
}

/// For models that are shown the text alone: everything they have to know to go on.
fn text(answer: &coordinator::Answer) -> String {
    let mut parts = vec![format!("{}: {}", answer.phase, answer.message)];
    parts.extend(answer.instruction.clone());
    parts.extend(
        answer.use_subagent.as_ref().map(|subagent| {
            format!("Start a subagent for `{}`, or do it yourself:\n{}", subagent.kind, subagent.prompt)
        }),
    );
    parts.extend(answer.run_tool.as_ref().map(|tool| format!("Call `{}` with\n{:#}", tool.name, tool.arguments)));
    parts.extend(answer.expected_result.as_ref().map(|schema| format!("`result` is to fit\n{schema}")));
    parts.extend(answer.continuation_instruction.clone());
    parts.extend(answer.summary.clone());
    parts.join("\n\n")
}

/// Whether two names are one directory.
pub(super) fn same_place(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}
