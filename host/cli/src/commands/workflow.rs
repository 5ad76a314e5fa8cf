//! `bailiwick package workflow`: the coordinator, one step a call.

use super::directives::{self, Directives};
use super::residence::Residence;
use super::{package, text};

use crate::exit::{Code, Error, Result};
use crate::model::Preflight;
use crate::{model, output, runtime};
use bailiwick_customize::coordinator::{Answer, Status};
use bailiwick_customize::directives::AskedDirective;
use bailiwick_customize::driver::{Blame, CoordinateError, Customizer, Fix, Start, fresh_id};
use bailiwick_customize::typespec::Stay;
use bailiwick_mechanic::Mechanic;
use bailiwick_models::Origin;
use clap::{ArgGroup, Args};
use serde_json::Value;
use std::path::PathBuf;
use std::sync::Arc;

#[derive(Debug, Args)]
#[command(group(ArgGroup::new("which workflow").required(true).args(["package_path", "workflow_id"])))]
pub(crate) struct Workflow {
    /// What is to be mended, to start a workflow: the output of a build or a wish, as text, @FILE, or - for stdin.
    #[arg(long, value_name = "TEXT|@FILE|-", allow_hyphen_values = true, requires = "package_path")]
    pub(crate) request: Option<String>,
    /// What the request is.
    #[arg(long, value_name = "build_error|user_request", default_value = "build_error")]
    pub(crate) request_type: String,
    /// The package directory, which holds `tsp-location.yaml`, to start a workflow.
    #[arg(long, value_name = "DIR")]
    pub(crate) package_path: Option<PathBuf>,
    /// The TypeSpec project, if not the one that `tsp-location.yaml` leads to.
    #[arg(long, value_name = "DIR", requires = "package_path")]
    pub(crate) typespec_path: Option<PathBuf>,
    /// How many times a build may fail before the workflow does.
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(crate) max_iterations: u8,
    /// The workflow to go on with; alone it says again what is expected.
    #[arg(long, value_name = "ID")]
    pub(crate) workflow_id: Option<String>,
    /// What came of the last step, as JSON text, @FILE, or - for stdin.
    #[arg(
        long,
        value_name = "JSON|@FILE|-",
        requires = "workflow_id",
        allow_hyphen_values = true,
        conflicts_with_all = directives::OPTIONS
    )]
    pub(crate) result: Option<String>,
    /// What the specification is to say, in place of your own edit of `client.tsp`: at the start in place of `--request`,
    /// or where the workflow waits for a classification or that edit. The client of the package's language alone changes.
    #[command(flatten)]
    pub(crate) directives: Directives,
    /// Have the customization code repaired, where the workflow waits for it.
    #[arg(long, requires = "workflow_id", conflicts_with = "result", conflicts_with_all = directives::OPTIONS)]
    pub(crate) fix: bool,
    /// The model that repairs, as `package customize --model` takes it. In CI only `mechanic` works.
    #[arg(long, value_name = "MODEL", requires = "fix")]
    pub(crate) model: Option<String>,
    /// Give the workflow up; what was edited stays until its run is reverted or approved.
    #[arg(long, requires = "workflow_id", conflicts_with_all = ["result", "fix"])]
    pub(crate) abandon: bool,
    #[command(flatten)]
    pub(crate) residence: Residence,
    /// Run builds and emitters without confinement, where this system cannot confine them.
    #[arg(long)]
    pub(crate) unconfined_builds: bool,
}

pub(crate) fn execute(workflow: &Workflow, as_json: bool) -> Result<Code> {
    let step = Step::of(workflow)?;
    let model = repairing(workflow)?;
    runtime::block_on(async {
        let sandbox = runtime::sandbox(runtime::audit()?)?;
        let tools = runtime::builtin_tools(&sandbox).await?;
        let progress = package::steps();
        let customizer = package::equipped(sandbox, tools, model, workflow.unconfined_builds, progress)?;
        let residents = workflow.residence.residents(Stay::Never);
        let customizer = Customizer { residents, ..package::at_terminal(customizer) };
        perform(&customizer, &step, as_json).await
    })?
}

/// Repairs are the only thing that the host itself edits here: what no repair is asked for, no model is needed for.
fn repairing(workflow: &Workflow) -> Result<package::Model> {
    if !workflow.fix {
        return Ok(package::Model { backend: Arc::new(Mechanic), money: None });
    }
    model::refuse_in_ci(workflow.model.as_deref())?;
    let backend = model::backend(workflow.model.as_deref().map(|name| (name, Origin::Flag)), Preflight::Asked)?;
    let money = model::money(None, backend.as_ref())?;
    Ok(package::Model { backend, money })
}

/// What one call is for.
enum Step {
    Start(Start),
    Report { id: String, result: Option<Value> },
    Direct { id: String, directives: Vec<AskedDirective> },
    Fix { id: String },
    Abandon { id: String },
}

impl Step {
    fn of(workflow: &Workflow) -> Result<Self> {
        let (directives, languages) = workflow.directives.read()?;
        if !languages.is_empty() {
            return Err(Error::usage("a workflow changes the client of the package's language alone")
                .hint("leave `--scope` out, or use `bailiwick package customize --scope`"));
        }
        if let Some(package) = &workflow.package_path {
            let request = match (&workflow.request, directives.is_empty()) {
                (Some(request), true) => text::read("request", request)?,
                (None, false) => directives.iter().map(|one| one.written.as_str()).collect::<Vec<_>>().join("\n"),
                (Some(_), false) => {
                    return Err(Error::usage("there are directives beside a request in words").hint("leave one out"));
                }
                (None, true) => {
                    return Err(Error::usage("nothing is asked for").hint(
                        "say it with `--request`, or with a directive such as `--rename Widget.displayName=title`",
                    ));
                }
            };
            // Directives are what somebody wants, whatever the type says that words would have.
            let entry = if directives.is_empty() { workflow.request_type.as_str() } else { "user_request" };
            let entry = entry
                .parse()
                .map_err(|error| Error::usage(format!("{error}")).hint("leave it out for the output of a build"))?;
            return Ok(Self::Start(Start {
                id: fresh_id().map_err(|error| failure(&error))?,
                package: package.clone(),
                project: workflow.typespec_path.clone(),
                request,
                directives,
                entry,
                max_iterations: workflow.max_iterations,
            }));
        }
        let id = workflow.workflow_id.clone().unwrap_or_default();
        if workflow.fix {
            return Ok(Self::Fix { id });
        }
        if workflow.abandon {
            return Ok(Self::Abandon { id });
        }
        if !directives.is_empty() {
            return Ok(Self::Direct { id, directives });
        }
        let result = workflow.result.as_deref().map(|result| text::read("result", result)).transpose()?;
        Ok(Self::Report { id, result: result.map(Value::String) })
    }
}

async fn perform(customizer: &Customizer, step: &Step, as_json: bool) -> Result<Code> {
    let answer = match step {
        Step::Start(start) => customizer.start_workflow(start).await,
        Step::Report { id, result } => customizer.report(id, result.as_ref()).await,
        Step::Direct { id, directives } => customizer.direct(id, directives).await,
        Step::Abandon { id } => customizer.abandon_workflow(id, "a person gave it up").await,
        Step::Fix { id } => {
            let fix = customizer.fix_for_workflow(id).await.map_err(|error| failure(&error))?;
            return Ok(show_fix(id, &fix, as_json));
        }
    };
    let answer = answer.map_err(|error| failure(&error))?;
    if as_json {
        output::json(&answer);
    } else {
        output::line(&for_people(&answer));
    }
    Ok(if answer.status == Some(Status::Failure) { Code::NoSuccess } else { Code::Done })
}

fn for_people(answer: &Answer) -> String {
    let mut parts = vec![format!("{}: {}", answer.phase, answer.message)];
    parts.extend(answer.instruction.clone());
    parts.extend(answer.use_subagent.as_ref().map(|subagent| subagent.prompt.clone()));
    parts.extend(answer.run_tool.as_ref().map(|tool| {
        format!("run `bailiwick package workflow --workflow-id {} --fix` (tool `{}`)", answer.workflow_id, tool.name)
    }));
    if let Some(expected) = &answer.expected_result {
        parts.push(format!(
            "then `bailiwick package workflow --workflow-id {} --result JSON`, where JSON fits\n{expected}",
            answer.workflow_id
        ));
    }
    parts.extend(answer.summary.clone());
    parts.join("\n\n")
}

fn show_fix(id: &str, fix: &Fix, as_json: bool) -> Code {
    if as_json {
        output::json(fix);
    } else {
        output::line(&match fix {
            Fix::Applied { patches } => format!("applied:\n{}", patches.join("\n")),
            Fix::Failed { reason } => format!("nothing was changed: {reason}"),
        });
        let report = match fix {
            Fix::Applied { .. } => r#"{"type": "sdk_fix_applied", "description": "…"}"#,
            Fix::Failed { .. } => r#"{"type": "sdk_fix_failed", "reason": "…"}"#,
        };
        output::line(&format!("then `bailiwick package workflow --workflow-id {id} --result '{report}'`"));
    }
    match fix {
        Fix::Applied { .. } => Code::Done,
        Fix::Failed { .. } => Code::NoSuccess,
    }
}

fn failure(error: &CoordinateError) -> Error {
    let code = match error.blame() {
        Blame::Input => Code::Usage,
        Blame::Policy => Code::Refused,
        Blame::Accident => Code::NoSuccess,
    };
    Error { message: error.to_string(), hint: error.hint(), code }
}
