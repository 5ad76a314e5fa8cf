//! `bailiwick fleet`: the same work on many packages, each of which ends with one verdict.

mod collect;
mod files;
mod job;
mod listing;
mod made;
mod patches;
mod plan;
#[cfg(feature = "nats")]
mod remote;
mod report;
mod room;
mod run;
mod server;
mod skip;
mod step;

use crate::exit::{Code, Error, Result};
use crate::output;
use bailiwick_customize::driver::with_sources;
use bailiwick_fleet::{Action, FleetError, Job, Manifest, Verdict};
use clap::{Args, Subcommand};
use std::path::PathBuf;

pub(super) use files::{Clones, fleets, names, queue};
pub(super) use job::{Bounds, Ending, perform};
pub(super) use room::{Room, ran_out};
pub(super) use server::Server;

#[derive(Debug, Subcommand)]
pub(crate) enum Fleet {
    /// Find the packages and write down what is to be done with each, at which commits.
    #[command(after_help = PLAN_EXAMPLES)]
    Plan(Box<plan::Plan>),
    /// Do what a manifest says, on this machine.
    #[command(after_help = "Example:\n  bailiwick fleet run fleet.json --workers 4")]
    Run(run::Run),
    /// Show how far a fleet is; all fleets without a name.
    Status {
        /// Its name, or an unambiguous beginning of it.
        fleet: Option<String>,
    },
    /// Go on with a fleet that was stopped. Packages whose patch conflicts are made again on the commit that it conflicts with.
    Resume(run::Resume),
    /// Take back what has no verdict yet.
    Cancel {
        /// Its name, or an unambiguous beginning of it.
        fleet: String,
        /// One package alone, with its repository in front.
        package: Option<String>,
    },
    /// Write what a fleet came to: each package with its verdict, grouped by cause. Ends with 1 unless every package is done.
    Report(report::Report),
    /// Apply the patches of a fleet to new branches. Shows what it would do and asks; it never pushes.
    #[command(after_help = "Example:\n  bailiwick fleet collect 20261124-13 --branch regenerate/ --onto main")]
    Collect(collect::Collect),
    /// Write the step of a pipeline that repairs the packages of a pull request when a person labels it.
    #[command(after_help = "Example:\n  bailiwick fleet step github --output pipelines/repair")]
    Step(step::Step),
}

const PLAN_EXAMPLES: &str = "Examples:
  bailiwick fleet plan --sdk azure-sdk-for-python --do fix > fleet.json
  bailiwick fleet plan --sdk azure-sdk-for-python --do generate --only 'sdk/storage/*' --newer-spec head > fleet.json
  bailiwick fleet plan --sdk azure-sdk-for-java --do fix --matrix github --jobs 10 --output pipelines/fleet";

impl Fleet {
    /// The command's name, for logs and traces.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Plan(_) => "fleet plan",
            Self::Run(_) => "fleet run",
            Self::Status { .. } => "fleet status",
            Self::Resume(_) => "fleet resume",
            Self::Cancel { .. } => "fleet cancel",
            Self::Report(_) => "fleet report",
            Self::Collect(_) => "fleet collect",
            Self::Step(_) => "fleet step",
        }
    }
}

/// What a job may spend.
#[derive(Debug, Clone, Args)]
pub(crate) struct Working {
    /// Seconds that one package may take.
    #[arg(long, value_name = "SECONDS", default_value_t = 1800, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub(crate) deadline: u64,
    /// MiB of memory that one package may take, with everything that it starts.
    #[arg(long, value_name = "MIB", default_value_t = 4096, value_parser = clap::value_parser!(u64).range(64..))]
    pub(crate) memory: u64,
    /// Run builds without confinement where this platform cannot confine them.
    #[arg(long)]
    pub(crate) unconfined_builds: bool,
    /// A model, as the manifest names it, that jobs may use with a key of this machine. Without this it is `mechanic` alone.
    #[arg(long = "allow-model", value_name = "MODEL")]
    pub(crate) models: Vec<String>,
}

impl Working {
    /// The model of a job, where the person at this machine did not allow it. The author of a manifest chooses where a
    /// model's requests go, and with them the key.
    pub(crate) fn foreign_model<'j>(&self, job: &'j Job) -> Option<&'j str> {
        let uses = matches!(job.action, Action::Fix | Action::Customize);
        let is_allowed = job.model == MECHANIC || self.models.contains(&job.model);
        (uses && !is_allowed).then_some(job.model.as_str())
    }

    /// Refuses a manifest with such a job.
    pub(crate) fn check(&self, manifest: &Manifest) -> Result<()> {
        match manifest.jobs.iter().find_map(|job| self.foreign_model(job)) {
            None => Ok(()),
            Some(model) => {
                Err(Error::refused(format!("the manifest names the model `{model}`, which was not allowed here"))
                    .hint(format!("`--allow-model {model}` lets its jobs use it, with your key")))
            }
        }
    }
}

/// The model that needs no key.
const MECHANIC: &str = "mechanic";

pub(crate) fn execute(command: &Fleet, as_json: bool) -> Result<Code> {
    match command {
        Fleet::Plan(plan) => plan::execute(plan),
        Fleet::Run(run) => run::execute(run, as_json),
        Fleet::Resume(resume) => run::resume(resume, as_json),
        Fleet::Status { fleet } => status(fleet.as_deref(), as_json),
        Fleet::Cancel { fleet, package } => cancel(fleet, package.as_deref()),
        Fleet::Report(report) => report::execute(report, as_json),
        Fleet::Collect(collect) => collect::execute(collect, as_json),
        Fleet::Step(step) => step::execute(step),
    }
}

/// An error of a fleet's files with its exit code.
pub(super) fn failure(error: &FleetError) -> Error {
    let code = match error {
        FleetError::Io { .. }
        | FleetError::WrongSum { .. }
        | FleetError::BadResult { .. }
        | FleetError::Server { .. }
        | FleetError::Certificate { .. }
        | FleetError::Flooded => Code::NoSuccess,
        _ => Code::Usage,
    };
    Error { message: with_sources(error), hint: error.hint().map(str::to_owned), code }
}

/// A manifest that a person names.
pub(super) fn manifest(path: &PathBuf) -> Result<Manifest> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| Error::usage(format!("the manifest `{}` cannot be read: {error}", path.display())))?;
    Manifest::parse(&text).map_err(|error| failure(&error))
}

fn status(fleet: Option<&str>, as_json: bool) -> Result<Code> {
    let Some(fleet) = fleet else { return all(as_json) };
    let queue = queue(fleet)?;
    let standing = queue.standing().map_err(|error| failure(&error))?;
    if as_json {
        output::json(&standing);
        return Ok(Code::Done);
    }
    output::line(&format!("{}: {} packages", queue.manifest().fleet, standing.packages));
    for verdict in Verdict::ALL {
        if let Some(count) = standing.verdicts.get(&verdict) {
            output::line(&format!("{count:>6} {verdict}"));
        }
    }
    output::line(&format!("{:>6} waiting", standing.waiting));
    for (package, attempt) in &standing.at_work {
        output::line(&format!("at work: {package}, attempt {attempt}"));
    }
    Ok(Code::Done)
}

fn all(as_json: bool) -> Result<Code> {
    let names = names()?;
    if as_json {
        output::json(&names);
    } else if names.is_empty() {
        output::progress("there are no fleets yet");
    } else {
        names.iter().for_each(|name| output::line(name));
    }
    Ok(Code::Done)
}

fn cancel(fleet: &str, package: Option<&str>) -> Result<Code> {
    let queue = queue(fleet)?;
    let key = match package {
        None => None,
        Some(name) => {
            let job = queue.manifest().jobs.iter().find(|job| job.name() == name || job.package == name);
            let unknown = || Error::usage(format!("the fleet has no package `{name}` to work on"));
            Some(job.ok_or_else(unknown)?.key.clone())
        }
    };
    queue.cancel(key.as_ref()).map_err(|error| failure(&error))?;
    queue.settle_cancelled().map_err(|error| failure(&error))?;
    output::progress("cancelled; what is at work ends soon, and every package keeps its verdict");
    Ok(Code::Done)
}
