//! What the `package` commands share, and those that do one step alone.

use super::convert::Convert;
use super::customize::{Customize, Fix};
use super::init::Init;
use super::show::Show;
use super::spec_commit::{self, AtCommit};
use super::update::Update;
use super::workflow::Workflow;
use crate::configuration::Configuration;
use crate::exit::{Code, Error, Result};
use crate::{output, places, runtime, secrets, waiting};
use bailiwick_agent::Backend;
use bailiwick_customize::driver::{
    self, Blame, CustomizeError, Customizer, Editor, Expired, Planner, Progress, Single, Step, expire_abandoned,
    overview, with_sources,
};
use bailiwick_customize::typespec::{Residents, Stay};
use bailiwick_mechanic::Mechanic;
use bailiwick_process::Supervisor;
use bailiwick_runs::{Recovery, Status, Store, StoreError};
use bailiwick_sandbox::{Sandbox, Tool};
use bailiwick_toolchains::{Consent, Isolation, Proposal};
use clap::{Args, Subcommand};
use std::io::{BufRead as _, IsTerminal as _, Read as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

#[derive(Debug, Subcommand)]
pub(crate) enum Package {
    /// Customize a package: TypeSpec first, then its customization code if the build asks for it.
    Customize(Box<Customize>),
    /// Have your own agent classify and edit, step by step: this checks each edit, regenerates, builds and says what is
    /// next.
    Workflow(Box<Workflow>),
    /// Regenerate a package from its TypeSpec project.
    #[command(
        after_help = "Examples:\n  bailiwick package generate --package-path sdk/widget/azure-widget\n  bailiwick package generate --package-path sdk/widget/azure-widget --spec-commit pinned"
    )]
    Generate(Generate),
    /// Build a package the way a customization validates it: by the repository's own build script if it configures one
    /// in `eng/swagger_to_sdk_config.json`, else by the language's default.
    #[command(after_help = "Example:\n  bailiwick package build --package-path sdk/widget/azure-widget --json")]
    Build(Target),
    /// Run the tests of a package, on a copy of it and without a network.
    #[command(after_help = "Example:\n  bailiwick package test --package-path sdk/widget/azure-widget")]
    Test(Target),
    /// Repair customization code for which the package no longer builds, and nothing else.
    Fix(Fix),
    /// Show what a package is generated from and how it is built, and start nothing.
    Show(Show),
    /// Make a new package from a TypeSpec project.
    Init(Init),
    /// Make a TypeSpec project from an OpenAPI description.
    Convert(Convert),
    /// Run one of the update scripts that the SDK repository configures.
    #[command(subcommand)]
    Update(Update),
}

impl Package {
    /// The command's name, for logs and traces.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Customize(_) => "package customize",
            Self::Workflow(_) => "package workflow",
            Self::Generate(_) => "package generate",
            Self::Build(_) => "package build",
            Self::Test(_) => "package test",
            Self::Fix(_) => "package fix",
            Self::Show(_) => "package show",
            Self::Convert(_) => "package convert",
            Self::Init(_) => "package init",
            Self::Update(Update::Changelog(_)) => "package update changelog",
            Self::Update(Update::Version(_)) => "package update version",
            Self::Update(Update::Metadata(_)) => "package update metadata",
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct Generate {
    #[command(flatten)]
    target: Target,
    #[command(flatten)]
    at: AtCommit,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct Target {
    /// The package directory. What is generated again holds `tsp-location.yaml`.
    #[arg(long, value_name = "DIR")]
    pub(crate) package_path: PathBuf,
    /// The TypeSpec project; found through `tsp-location.yaml` and a local clone of the specifications if left out. `build`,
    /// `test` and `update` do without.
    #[arg(long, value_name = "DIR")]
    pub(crate) typespec_project_path: Option<PathBuf>,
    /// Run builds without confinement where this platform cannot confine them.
    #[arg(long)]
    pub(crate) unconfined_builds: bool,
}

/// Everything a customization works with. Regenerating and building ask no model.
pub(crate) async fn customizer(
    unconfined_builds: bool,
    backend: Arc<dyn Backend>,
    money: Option<u64>,
) -> Result<Customizer> {
    let sandbox = runtime::sandbox(runtime::audit()?)?;
    let tools = runtime::builtin_tools(&sandbox).await?;
    let model = Model { backend, money };
    let progress = steps();
    Ok(at_terminal(equipped(sandbox, tools, model, unconfined_builds, progress)?))
}

/// What a person sees of the work: a line for each step, and at a terminal how far it has come.
pub(crate) fn steps() -> Progress {
    Progress::to(output::step).measuring(waiting::come)
}

/// What a dry run works with: no sandbox, no store of its own, and no process before one is needed.
pub(crate) fn planner(unconfined_builds: bool, backend: Arc<dyn Backend>, money: Option<u64>) -> Result<Planner> {
    recover_what_died()?;
    // A platform that cannot confine the compiler says so if it has to be started.
    let isolation = if unconfined_builds { Isolation::Waived } else { Isolation::Enforced };
    Ok(Planner { consent: consent(), ..reading(Model { backend, money }, isolation, steps())? })
}

/// Carries out directives, whatever model is chosen.
fn editor() -> Editor {
    Editor { backend: Arc::new(Mechanic), resolve: bailiwick_mechanic::directives::resolve }
}

/// The same for servers, whose clients are not asked about emitters.
pub(crate) fn reading(model: Model, isolation: Isolation, progress: Progress) -> Result<Planner> {
    Ok(Planner {
        backend: model.backend,
        editor: editor(),
        money: model.money,
        supervisor: supervisor()?,
        isolation,
        consent: Consent::Refused,
        cache: places::cache()?,
        residents: Residents::new(Stay::Never),
        progress,
    })
}

/// Lets a command ask the person who started it about an emitter that was never approved, where there is a terminal.
/// Servers do not: their clients are not the person whose machine this is.
pub(crate) fn at_terminal(customizer: Customizer) -> Customizer {
    Customizer { consent: consent(), ..customizer }
}

fn consent() -> Consent {
    match std::io::stdin().is_terminal() && std::io::stderr().is_terminal() {
        true => Consent::Asked(Arc::new(answered)),
        false => Consent::Refused,
    }
}

/// Shows what would be installed.
pub(crate) fn shown(proposal: &Proposal) {
    proposal.lines().iter().for_each(|line| output::progress(line));
}

/// Shows an emitter, and asks.
fn answered(proposal: &Proposal) -> bool {
    output::progress("this emitter was never installed here; it runs on this machine whenever code is generated:");
    shown(proposal);
    output::progress("install it? type `y` to approve it:");
    said_yes()
}

/// Reads one line of the person who was asked. Everything but `y` and `yes` is no.
pub(crate) fn said_yes() -> bool {
    let mut answer = String::new();
    let read = std::io::stdin().lock().take(100).read_line(&mut answer);
    read.is_ok() && matches!(answer.trim(), "y" | "yes")
}

/// What classifies and edits, and what it may cost in all.
#[derive(Clone)]
pub(crate) struct Model {
    pub(crate) backend: Arc<dyn Backend>,
    pub(crate) money: Option<u64>,
}

/// The same over a sandbox that there is already. It refuses an emitter that was not approved: see [`at_terminal`].
pub(crate) fn equipped(
    sandbox: Arc<Sandbox>,
    tools: Vec<Tool>,
    model: Model,
    unconfined_builds: bool,
    progress: Progress,
) -> Result<Customizer> {
    let supervisor = supervisor()?;
    let isolation = isolation(&supervisor, unconfined_builds)?;
    Ok(Customizer {
        consent: Consent::Refused,
        sandbox,
        tools,
        call_limits: runtime::call_limits(),
        backend: model.backend,
        editor: editor(),
        money: model.money,
        supervisor,
        isolation,
        store: store()?,
        cache: places::cache()?,
        reserved: places::reserved()?,
        secrets: secrets::known(),
        residents: Residents::new(Stay::Never),
        progress,
    })
}

/// Opens the run store, which also undoes what died, and says so.
pub(crate) fn store() -> Result<Store> {
    let store = Store::open(&places::state()?).map_err(|error| store_failure(&error))?;
    say_recovered(store.recovered());
    expire(&store);
    spec_commit::tidy();
    Ok(store)
}

/// A workflow that was not continued for so many hours expires, unless the configuration says another number.
const WORKFLOW_HOURS: u64 = 168;

/// Ends abandoned workflows, which hold their packages.
fn expire(store: &Store) {
    // What is wrong with the configuration, the commands say that need it.
    let Ok(configuration) = Configuration::read() else { return };
    let hours = configuration.workflow_hours.unwrap_or(WORKFLOW_HOURS);
    let after = Duration::from_secs(hours * 3600);
    match expire_abandoned(store, after, SystemTime::now()) {
        Ok(expired) => expired.iter().for_each(say_expired),
        Err(error) => {
            output::progress(&format!("warning: abandoned workflows were not ended: {}", with_sources(&error)));
        }
    }
}

fn say_expired(expired: &Expired) {
    let id = &expired.workflow;
    match &expired.outcome {
        Ok(aside) => {
            output::progress(&format!("the abandoned workflow `{id}` expired; both repositories are as before it"));
            if let Some(aside) = aside {
                output::progress(&format!("what stood there is kept in `{}`", aside.display()));
            }
        }
        Err(error) => output::progress(&format!(
            "warning: the abandoned workflow `{id}` expired, and its run `{}` was not reverted: {}",
            expired.run,
            with_sources(error)
        )),
    }
}

/// What rests on another conversation than the one that was to be replayed does not stay.
pub(crate) fn undo(store: &Store, run: &str) -> Result<()> {
    let Ok(id) = run.parse() else { return Ok(()) };
    let pending = store.list().map_err(|error| store_failure(&error))?;
    if pending.iter().any(|run| run.id == id && run.status == Status::Pending) {
        output::progress("putting both repositories back");
        store.revert(&id).map_err(|error| store_failure(&error))?;
    }
    Ok(())
}

/// Undoes whatever a run of ours left behind.
pub(crate) fn recover(store: &Store) -> Result<()> {
    let recovered = store.recover().map_err(|error| store_failure(&error))?;
    say_recovered(&recovered);
    Ok(())
}

/// Undoes runs whose process died, as every command does that opens the store: a plan must not be made from a specification
/// that was left half edited. Where there is no store, nothing has died, and none is made.
fn recover_what_died() -> Result<()> {
    let state = places::state()?;
    if !state.join("runs").is_dir() {
        return Ok(());
    }
    let store = Store::open(&state).map_err(|error| store_failure(&error))?;
    say_recovered(store.recovered());
    Ok(())
}

fn say_recovered(recovered: &[bailiwick_runs::Recovered]) {
    for run in recovered {
        match &run.outcome {
            Recovery::Reverted(reverted) => {
                output::progress(&format!("the interrupted run `{}` was reverted", run.id));
                if let Some(aside) = &reverted.set_aside {
                    output::progress(&format!("what stood in the repositories is kept in `{}`", aside.display()));
                }
            }
            Recovery::Suspended(reverted) => {
                output::progress(&format!("the interrupted run `{}` waits again, as it was left", run.id));
                if let Some(aside) = &reverted.set_aside {
                    output::progress(&format!("what stood in the repositories is kept in `{}`", aside.display()));
                }
            }
            Recovery::Blocked { reason } | Recovery::LeftAsIs { reason } => {
                output::progress(&format!("warning: the interrupted run `{}` was not reverted: {reason}", run.id));
            }
        }
    }
}

/// The supervisor that re-executes this binary as its helper.
pub(crate) fn supervisor() -> Result<Supervisor> {
    let own = std::env::current_exe().map_err(|error| Error::failed(format!("cannot find this program: {error}")))?;
    Ok(Supervisor::new(own))
}

/// Builds run code that an agent may have edited, so a platform that cannot confine them stops here.
pub(crate) fn isolation(supervisor: &Supervisor, unconfined: bool) -> Result<Isolation> {
    if unconfined {
        output::progress("warning: builds run without confinement: they can read and write whatever you can");
        return Ok(Isolation::Waived);
    }
    match supervisor.support().confines() {
        Ok(()) => Ok(Isolation::Enforced),
        Err(reason) => Err(Error::refused(format!("this system cannot confine a build: {reason}"))
            .hint("`bailiwick doctor` shows what is missing; `--unconfined-builds` runs without it at your own risk")),
    }
}

/// An error of the driver with its exit code.
pub(crate) fn failure(error: &CustomizeError) -> Error {
    let code = match error.blame() {
        Blame::Input => Code::Usage,
        Blame::Policy => Code::Refused,
        Blame::Accident => Code::NoSuccess,
    };
    Error { message: with_sources(error), hint: error.hint(), code }
}

/// An error of the run store with its exit code.
pub(crate) fn store_failure(error: &StoreError) -> Error {
    let code = match error {
        StoreError::UnknownRun(_) | StoreError::BadRunId(_) | StoreError::WrongStatus { .. } => Code::Usage,
        StoreError::Edited { .. }
        | StoreError::LaterRun { .. }
        | StoreError::Busy { .. }
        | StoreError::Suspended { .. }
        | StoreError::StateDirectory { .. }
        | StoreError::StateInsideRoot { .. } => Code::Refused,
        _ => Code::NoSuccess,
    };
    Error { message: with_sources(error), hint: error.hint(), code }
}

pub(crate) fn generate(generate: &Generate, as_json: bool) -> Result<Code> {
    let (target, _copy) = generate.at.read(&generate.target)?;
    // Before a state directory, a toolchain or a process: input that cannot be used starts nothing.
    overview(&target.package_path, target.typespec_project_path.as_deref()).map_err(|error| failure(&error))?;
    single(Single::Generate, &target, as_json)
}

pub(crate) fn build(target: &Target, as_json: bool) -> Result<Code> {
    check(Single::Build, target, as_json)
}

pub(crate) fn test(target: &Target, as_json: bool) -> Result<Code> {
    check(Single::Test, target, as_json)
}

fn check(single: Single, target: &Target, as_json: bool) -> Result<Code> {
    driver::Package::discover(&target.package_path).map_err(|error| failure(&error))?;
    self::single(single, target, as_json)
}

fn single(single: Single, target: &Target, as_json: bool) -> Result<Code> {
    alone(target.unconfined_builds, as_json, async |customizer| {
        customizer.single(single, &target.package_path, target.typespec_project_path.as_deref()).await
    })
}

/// Does one step and shows what came of it. One that fails halfway, or that a person interrupts, is put back now and not
/// at the next start.
pub(crate) fn alone(
    unconfined_builds: bool,
    as_json: bool,
    work: impl AsyncFnOnce(&Customizer) -> std::result::Result<Step, CustomizeError>,
) -> Result<Code> {
    let step = runtime::block_on(async {
        let sandbox = runtime::sandbox(runtime::audit()?)?;
        let tools = runtime::builtin_tools(&sandbox).await?;
        let model = Model { backend: Arc::new(Mechanic), money: None };
        let progress = steps();
        let customizer = at_terminal(equipped(sandbox, tools, model, unconfined_builds, progress)?);
        let outcome = tokio::select! {
            outcome = work(&customizer) => outcome.map_err(|error| failure(&error)),
            () = runtime::interrupted() => Err(Error::interrupted("interrupted; the package is as before")),
        };
        if outcome.is_err() {
            customizer.supervisor.settled().await;
            recover(&customizer.store)?;
        }
        outcome
    })??;
    if as_json {
        output::json(&step);
    } else {
        output::line(&step.format());
    }
    Ok(if step.succeeded { Code::Done } else { Code::NoSuccess })
}
