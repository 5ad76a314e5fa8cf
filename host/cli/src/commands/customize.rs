//! `bailiwick package customize`, the main job, and `bailiwick package fix`, its second half.

use super::package::Target;
use super::{package, text};
use crate::configuration::amount;
use crate::conversation::Conversation;
use crate::exit::{Code, Error, Result};
use crate::model::Preflight;
use crate::{model, output, runtime};
use bailiwick_customize::driver::{CustomizeError, OnFailure, Request, prepare};
use bailiwick_customize::machine::{Aim, EditScope, Outcome};
use bailiwick_customize::response::Response;
use bailiwick_models::Origin;
use bailiwick_runs::{Status, Store};
use clap::Args;
use std::path::PathBuf;

/// Which agents work, at which cost, and what stays of their work.
#[derive(Debug, Args)]
pub(crate) struct Agents {
    /// The model that classifies and edits: `mechanic` is built in, offline, without a key; `openai:NAME`,
    /// `openai-responses:NAME`, `azure:DEPLOYMENT`, `anthropic:NAME`, `gemini:NAME`, `ollama:NAME` and
    /// `openai-compatible:NAME@URL` are providers, whose keys come from the environment or `BAILIWICK_KEY_FILE`.
    /// `BAILIWICK_MODEL` is used if this is left out, then `model` of `bailiwick.toml`, else `mechanic`.
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,
    /// The most that one agent may cost, such as `2.50`, at the prices of `bailiwick.toml`. A customization has up to
    /// three kinds of agents, each of which may be asked more than once.
    #[arg(long, value_name = "AMOUNT", value_parser = amount, conflicts_with = "replay")]
    pub(crate) max_cost: Option<u64>,
    /// Keep the conversation with the model in a new file, which only you can read. Secrets are taken out as far as
    /// they are known: the values of environment variables named like keys.
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Answer from a recorded conversation instead of a model, without a network, and fail if anything else is sent.
    #[arg(long, value_name = "FILE", conflicts_with = "model")]
    pub(crate) replay: Option<PathBuf>,
    /// Keep what was changed when the run fails, instead of reverting it.
    #[arg(long)]
    pub(crate) keep_on_failure: bool,
    /// Let a model other than `mechanic` work although `CI` is set. A person should look at what it changes.
    #[arg(long)]
    pub(crate) allow_model_in_ci: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Customize {
    #[command(flatten)]
    pub(crate) target: Target,
    /// What to do: a sentence, a build log or review comments; @FILE reads a file, - reads stdin.
    #[arg(long, value_name = "TEXT|@FILE|-", allow_hyphen_values = true)]
    pub(crate) customization_request: String,
    /// What may be edited: `All`, `SpecInputs` (no customization code) or `CustomCode` (no TypeSpec).
    #[arg(long, default_value = "All", value_name = "SCOPE")]
    pub(crate) edit_scope: String,
    #[command(flatten)]
    pub(crate) agents: Agents,
}

const FIX_EXAMPLES: &str = "Examples:
  bailiwick package fix --package-path sdk/widget/azure-widget
  bailiwick package fix --package-path sdk/widget/azure-widget --errors @build.log --json";

/// The same package and builds as for `package customize`; the specification is never edited.
#[derive(Debug, Args)]
#[command(after_help = FIX_EXAMPLES)]
pub(crate) struct Fix {
    #[command(flatten)]
    pub(crate) target: Target,
    /// What you saw, for the record: text, @FILE, or - for stdin. What is repaired is what the build says now.
    #[arg(long, value_name = "TEXT|@FILE|-", allow_hyphen_values = true)]
    pub(crate) errors: Option<String>,
    #[command(flatten)]
    pub(crate) agents: Agents,
}

pub(crate) fn execute(customize: &Customize, as_json: bool) -> Result<Code> {
    let scope = customize
        .edit_scope
        .parse()
        .map_err(|error| Error::usage(format!("{error}")).hint("leave `--edit-scope` out to allow both phases"))?;
    let text = text::read("customization request", &customize.customization_request)?;
    let work = Work { target: &customize.target, agents: &customize.agents, aim: Aim::Request };
    work.perform(text, scope, as_json)
}

/// `bailiwick package fix`: Phase B alone.
pub(crate) fn fix(fix: &Fix, as_json: bool) -> Result<Code> {
    let text = match &fix.errors {
        Some(errors) => text::read("customization request", errors)?,
        None => "repair the customization code".to_owned(),
    };
    let work = Work { target: &fix.target, agents: &fix.agents, aim: Aim::Repair };
    work.perform(text, EditScope::CustomCode, as_json)
}

/// What both commands work with.
struct Work<'a> {
    target: &'a Target,
    agents: &'a Agents,
    aim: Aim,
}

impl Work<'_> {
    fn perform(&self, text: String, scope: EditScope, as_json: bool) -> Result<Code> {
        let Self { target, agents, .. } = self;
        let request = Request {
            package: target.package_path.clone(),
            text,
            project: target.typespec_project_path.clone(),
            scope,
            on_failure: if agents.keep_on_failure { OnFailure::Keep } else { OnFailure::Revert },
        };
        // Before a state directory, a toolchain or a process: input that cannot be used starts nothing.
        let prepared = prepare(&request).map_err(|error| package::failure(&error))?;
        if agents.replay.is_none() && !agents.allow_model_in_ci {
            model::refuse_in_ci(agents.model.as_deref())?;
        }
        let project = &prepared.project;
        let conversation = Conversation::open(
            || model::backend(agents.model.as_deref().map(|name| (name, Origin::Flag)), Preflight::Asked),
            agents.record.as_deref(),
            agents.replay.as_deref(),
            &[
                ("package", &project.package),
                ("sdk", &project.sdk_root),
                ("project", &project.directory),
                ("specs", &project.spec_root),
            ],
        )?;
        // A replay costs nothing, whatever its conversation did.
        let money = match agents.replay {
            Some(_) => None,
            None => model::money(agents.max_cost, conversation.backend().as_ref())?,
        };
        let response = runtime::block_on(self.run(&request, &conversation, money))??;
        if as_json {
            output::json(&response);
        } else {
            output::line(&response.format());
        }
        Ok(if response.outcome == Outcome::Success { Code::Done } else { Code::NoSuccess })
    }

    /// Runs to the end, or puts everything back when a person interrupts.
    async fn run(&self, request: &Request, conversation: &Conversation, money: Option<u64>) -> Result<Response> {
        let customizer = package::customizer(self.target, conversation.backend(), money).await?;
        let outcome = match self.aim {
            Aim::Request => customizer.customize_until(request, runtime::interrupted()).await,
            Aim::Repair => customizer.fix_until(request, runtime::interrupted()).await,
        };
        let conversed = conversation.finish();
        match outcome {
            Ok(response) => match conversed {
                Ok(()) => Ok(response),
                Err(error) => {
                    undo(&customizer.store, &response, request.on_failure)?;
                    Err(error)
                }
            },
            Err(CustomizeError::Cancelled) => Err(Error::interrupted("interrupted; both repositories are as before")),
            Err(error) => {
                // What failed halfway is put back now and not at the next start, once nothing of it can write any more.
                customizer.supervisor.settled().await;
                package::recover(&customizer.store)?;
                Err(package::failure(&error))
            }
        }
    }
}

/// A success that rests on another conversation than the one that was to be replayed does not stay.
fn undo(store: &Store, response: &Response, on_failure: OnFailure) -> Result<()> {
    let Ok(id) = response.run_id.parse() else { return Ok(()) };
    let pending = store.list().map_err(|error| package::store_failure(&error))?;
    let pending = pending.iter().any(|run| run.id == id && run.status == Status::Pending);
    if pending && on_failure == OnFailure::Revert {
        output::progress("putting both repositories back");
        store.revert(&id).map_err(|error| package::store_failure(&error))?;
    }
    Ok(())
}
