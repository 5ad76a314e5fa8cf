//! `bailiwick package customize`, the main job, and `bailiwick package fix`, its second half.

use super::directives::{self, Directives};
use super::ending::{self, code_of_plan, kept, planned, settled, show};
use super::package::Target;
use super::residence::Residence;
use super::spec_commit::AtCommit;
use super::specification::{self, Asked};
use super::{comments, package, text};
use crate::configuration::amount;
use crate::conversation::Conversation;
use crate::exit::{Code, Error, Result};
use crate::model::Preflight;
use crate::{model, output, runtime};
use bailiwick_customize::directives::AskedDirective;
use bailiwick_customize::driver::{Planner, Request, prepare, prepare_plan};
use bailiwick_customize::machine::{Aim, EditScope, Keep, Outcome};
use bailiwick_customize::plan::{Plan, PlannedAction, confirmed};
use bailiwick_customize::response::Response;
use bailiwick_customize::typespec::Stay;
use bailiwick_models::Origin;
use clap::Args;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

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
    #[command(flatten)]
    pub(crate) residence: Residence,
}

#[derive(Debug, Args)]
pub(crate) struct Customize {
    /// The package directory, which holds `tsp-location.yaml`. With `--edit-scope SpecInputs`, `--typespec-project-path`
    /// and `--scope` it may be left out: the specification alone is customized then, and nothing is generated or built.
    #[arg(long, value_name = "DIR", required_unless_present = "typespec_project_path")]
    pub(crate) package_path: Option<PathBuf>,
    /// The TypeSpec project; found through `tsp-location.yaml` and a local clone of the specifications if left out.
    #[arg(long, value_name = "DIR")]
    pub(crate) typespec_project_path: Option<PathBuf>,
    /// Run builds without confinement where this platform cannot confine them.
    #[arg(long)]
    pub(crate) unconfined_builds: bool,
    /// What to do: a sentence, a build log or review comments; @FILE reads a file, - reads stdin.
    #[arg(
        long,
        value_name = "TEXT|@FILE|-",
        allow_hyphen_values = true,
        conflicts_with_all = directives::OPTIONS
    )]
    pub(crate) customization_request: Option<String>,
    /// An exported review: the JSON that GitHub gives for the review comments of a pull request, or APIView for its
    /// comments; as text, @FILE, or - for stdin. Each comment is read for itself and has a row in the answer.
    #[arg(
        long,
        value_name = "JSON|@FILE|-",
        conflicts_with = "customization_request",
        conflicts_with_all = directives::OPTIONS
    )]
    pub(crate) comments: Option<String>,
    #[command(flatten)]
    pub(crate) at: AtCommit,
    #[command(flatten)]
    pub(crate) directives: Directives,
    /// What may be edited: `All`, `SpecInputs` (no customization code) or `CustomCode` (no TypeSpec).
    #[arg(long, default_value = "All", value_name = "SCOPE")]
    pub(crate) edit_scope: String,
    /// Show what would be done and do nothing: what was understood, on which words that rests, what was read as
    /// background, what needs a person, and the change of `client.tsp`. Nothing is regenerated or built.
    #[arg(long, conflicts_with = "keep_on_failure")]
    pub(crate) dry_run: bool,
    /// Keep a changed specification with which the package does not build, and finish by hand. Without it both
    /// repositories are put back then, and a patch of the change is kept with the run.
    #[arg(long)]
    pub(crate) keep_partial: bool,
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
    pub(crate) at: AtCommit,
    #[command(flatten)]
    pub(crate) agents: Agents,
}

/// How far a request is carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// What would be done is shown.
    Plan,
    /// It is done.
    Run,
}

pub(crate) fn execute(customize: &Customize, as_json: bool) -> Result<Code> {
    let scope = customize
        .edit_scope
        .parse()
        .map_err(|error| Error::usage(format!("{error}")).hint("leave `--edit-scope` out to allow both phases"))?;
    let (directives, languages) = customize.directives.read()?;
    let Some(package_path) = customize.package_path.clone() else {
        let asked = Asked { scope, directives, languages };
        return specification::execute(customize, asked, as_json);
    };
    let target = Target {
        package_path,
        typespec_project_path: customize.typespec_project_path.clone(),
        unconfined_builds: customize.unconfined_builds,
    };
    customize.at.edit(&target)?;
    let work = Work { target: &target, agents: &customize.agents, aim: Aim::Request };
    if let Some(argument) = &customize.comments {
        let review = comments::review(argument)?;
        let text = format!("the {} comments of a review", review.comments.len());
        let request = Request { languages, keep: customize.keep(), ..work.request(text, scope) };
        let extent = if customize.dry_run { Extent::Plan } else { Extent::Run };
        return work.answer(request, &review, extent, as_json);
    }
    let text = customize.words(&directives)?;
    let request = Request { directives, languages, keep: customize.keep(), ..work.request(text, scope) };
    if customize.dry_run { work.plan(&request, as_json) } else { work.perform(&request, as_json) }
}

impl Customize {
    /// The request in words, or its directives as they were written.
    pub(super) fn words(&self, directives: &[AskedDirective]) -> Result<String> {
        match &self.customization_request {
            Some(request) => text::read("customization request", request),
            None if directives.is_empty() => Err(Error::usage("nothing is asked for").hint(
                "say it with `--customization-request`, or with a directive such as `--rename Widget.displayName=title`",
            )),
            None => Ok(directives.iter().map(|one| one.written.as_str()).collect::<Vec<_>>().join("\n")),
        }
    }

    fn keep(&self) -> Keep {
        if self.keep_partial && !self.agents.keep_on_failure { Keep::Partial } else { self.agents.keep() }
    }
}

impl Agents {
    fn keep(&self) -> Keep {
        if self.keep_on_failure { Keep::Failed } else { Keep::WhatBuilds }
    }

    /// What answers, and what it may cost. Directories are called by these names in recordings.
    pub(super) fn conversation(&self, places: &[(&str, &Path)]) -> Result<(Conversation, Option<u64>)> {
        if self.replay.is_none() && !self.allow_model_in_ci {
            model::refuse_in_ci(self.model.as_deref())?;
        }
        let conversation = Conversation::open(
            || model::backend(self.model.as_deref().map(|name| (name, Origin::Flag)), Preflight::Asked),
            self.record.as_deref(),
            self.replay.as_deref(),
            places,
        )?;
        // A replay costs nothing, whatever its conversation did.
        let money = match self.replay {
            Some(_) => None,
            None => model::money(self.max_cost, conversation.backend().as_ref())?,
        };
        Ok((conversation, money))
    }
}

/// `bailiwick package fix`: Phase B alone.
pub(crate) fn fix(fix: &Fix, as_json: bool) -> Result<Code> {
    let text = match &fix.errors {
        Some(errors) => text::read("customization request", errors)?,
        None => "repair the customization code".to_owned(),
    };
    let (target, _copy) = fix.at.read(&fix.target)?;
    let work = Work { target: &target, agents: &fix.agents, aim: Aim::Repair };
    work.perform(&work.request(text, EditScope::CustomCode), as_json)
}

/// How many candidates a person is asked about, one by one. The plan shows all.
const MOST_QUESTIONS: usize = 5;

/// Asks the person at the terminal about one thing that the request may ask for.
fn is_meant(candidate: &PlannedAction) -> bool {
    output::progress(&format!("the request does not say this for certain: {}", candidate.words()));
    output::progress(&format!("  because of: {}", candidate.basis.split_whitespace().collect::<Vec<_>>().join(" ")));
    output::progress("is it meant? type `y` to have it done, too:");
    package::said_yes()
}

/// What both commands work with.
pub(super) struct Work<'a> {
    pub(super) target: &'a Target,
    agents: &'a Agents,
    aim: Aim,
}

impl Work<'_> {
    fn perform(&self, request: &Request, as_json: bool) -> Result<Code> {
        let (conversation, money) = self.conversation(request, Extent::Run)?;
        let request = if as_json { request.clone() } else { self.confirmed(request, &conversation)? };
        let response = runtime::block_on(self.run(&request, &conversation, money))??;
        show(&response, Response::format, as_json);
        Ok(if response.outcome == Outcome::Success { Code::Done } else { Code::NoSuccess })
    }

    /// The request with what the person at the terminal confirms of what it may ask for, where there is a person.
    fn confirmed(&self, request: &Request, conversation: &Conversation) -> Result<Request> {
        let asks = matches!(self.aim, Aim::Request)
            && request.directives.is_empty()
            && conversation.is_built_in()
            && std::io::stdin().is_terminal()
            && std::io::stderr().is_terminal();
        if !asks {
            return Ok(request.clone());
        }
        let planner = self.planner(conversation, None)?;
        let (classification, plan) = planned(planner.understand(request))??;
        // What changes other languages has to be allowed by an option.
        let offered = plan.candidates.iter().enumerate().filter(|(_, one)| one.scope.is_none());
        let meant: Vec<usize> =
            offered.take(MOST_QUESTIONS).filter(|(_, one)| is_meant(one)).map(|(at, _)| at).collect();
        let classified = (!meant.is_empty()).then(|| confirmed(&classification, &meant));
        Ok(Request { classified, ..request.clone() })
    }

    /// `--dry-run`: neither a run nor a sandbox is begun.
    fn plan(&self, request: &Request, as_json: bool) -> Result<Code> {
        let (conversation, money) = self.conversation(request, Extent::Plan)?;
        let planner = self.planner(&conversation, money)?;
        let plan = kept(&conversation, planned(planner.plan(request))?)?;
        show(&plan, Plan::format, as_json);
        Ok(code_of_plan(&plan))
    }

    /// What plans, with the compilers that stay.
    pub(super) fn planner(&self, conversation: &Conversation, money: Option<u64>) -> Result<Planner> {
        let planner = package::planner(self.target.unconfined_builds, conversation.backend(), money)?;
        Ok(Planner { residents: self.agents.residence.residents(Stay::Never), ..planner })
    }

    fn request(&self, text: String, scope: EditScope) -> Request {
        let Self { target, agents, .. } = self;
        Request {
            package: target.package_path.clone(),
            text,
            project: target.typespec_project_path.clone(),
            scope,
            directives: Vec::new(),
            classified: None,
            languages: Vec::new(),
            keep: agents.keep(),
        }
    }

    /// What answers, and what it may cost.
    pub(super) fn conversation(&self, request: &Request, extent: Extent) -> Result<(Conversation, Option<u64>)> {
        // Before a state directory, a toolchain or a process: input that cannot be used starts nothing.
        let prepared = match extent {
            Extent::Plan => prepare_plan(request),
            Extent::Run => prepare(request),
        };
        let prepared = prepared.map_err(|error| package::failure(&error))?;
        let project = &prepared.project;
        self.agents.conversation(&[
            ("package", &project.package),
            ("sdk", &project.sdk_root),
            ("project", &project.directory),
            ("specs", &project.spec_root),
        ])
    }

    /// Runs to the end, or puts everything back when a person interrupts.
    pub(super) async fn run(
        &self,
        request: &Request,
        conversation: &Conversation,
        money: Option<u64>,
    ) -> Result<Response> {
        let mut customizer = ending::customizer(self.target.unconfined_builds, conversation, money).await?;
        // Where the specification is read first, or an edit does not land at once, the next look at it is the second.
        customizer.residents = self.agents.residence.residents(Stay::UntilEnded);
        let outcome = match self.aim {
            Aim::Request => customizer.customize_until(request, runtime::interrupted()).await,
            Aim::Repair => customizer.fix_until(request, runtime::interrupted()).await,
        };
        customizer.residents.end().await;
        let undone = request.keep != Keep::Failed;
        let as_before = "both repositories are as before";
        settled(&customizer, conversation, outcome, |one| undone.then_some(one.run_id.as_str()), as_before).await
    }
}
