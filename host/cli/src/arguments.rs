//! The command line: what is common to all commands. The arguments of each are in its file in `commands`.

use crate::commands::agent::Agent;
use crate::commands::audit::Audit;
use crate::commands::completions::Completions;
use crate::commands::demo::Demo;
use crate::commands::doctor::Doctor;
use crate::commands::fleet::Fleet;
use crate::commands::installed_by::Itself;
use crate::commands::mcp::Mcp;
use crate::commands::package::Package;
use crate::commands::review::Review;
use crate::commands::run::Run;
use crate::commands::setup::Setup;
use crate::commands::tool::Tool;
use crate::commands::worker::Worker;
use clap::{Parser, Subcommand};

/// Runs the tools of an AI agent as sandboxed components, and customizes Azure SDK packages from TypeSpec with them.
#[derive(Debug, Parser)]
#[command(name = "bailiwick", version, propagate_version = true, after_help = EXIT_CODES)]
pub(crate) struct Arguments {
    /// Print JSON on stdout.
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Log to stderr what is done: `error`, `warn`, `info`, `debug` or `trace`, or levels of parts such as
    /// `warn,agent=debug`. `BAILIWICK_LOG` is used if this is left out, else `warn`.
    #[arg(long, global = true, value_name = "LEVEL|FILTER")]
    pub(crate) log: Option<String>,
    /// How log lines look.
    #[arg(long, global = true, value_enum, default_value_t = LogFormat::Text, value_name = "FORMAT")]
    pub(crate) log_format: LogFormat,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// How log lines look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

const EXIT_CODES: &str =
    "Exit codes: 0 done, 1 ended without success, 2 unusable input, 3 refused by policy, 130 interrupted";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Check what this machine has and can enforce.
    Doctor(Doctor),
    /// Say which version this is and how it was installed.
    #[command(name = "self")]
    Itself(Itself),
    /// Print completions for a shell.
    Completions(Completions),
    /// Print the manual page, for `man`.
    Manual,
    /// Show the main job on a real TypeSpec project, in a temporary directory, without a key.
    Demo(Demo),
    /// Print what TypeSpec decorators can do for a client library, as agents read it.
    Knowledge,
    /// Install the locked toolchains that regeneration and builds need into the cache.
    Setup(Setup),
    /// List, describe and call the sandboxed tools, add others.
    #[command(subcommand)]
    Tool(Tool),
    /// Work on a client library package.
    #[command(subcommand)]
    Package(Package),
    /// Do the same with many packages, each of which ends with one verdict.
    #[command(subcommand)]
    Fleet(Fleet),
    /// Do the jobs of a fleet: a shard of a manifest on a machine of its own, or beside other workers of this machine.
    Worker(Box<Worker>),
    /// Look at runs, approve or revert them.
    #[command(subcommand)]
    Run(Run),
    /// Serve a page on this machine on which runs and fleets are looked at, approved and reverted.
    Review(Review),
    /// Check and show the log of every tool call.
    #[command(subcommand)]
    Audit(Audit),
    /// Run an agent that is written in a file.
    #[command(subcommand)]
    Agent(Agent),
    /// Serve customizations, runs and the sandboxed tools to an MCP client.
    Mcp(Box<Mcp>),
}

impl Command {
    /// The command's name, for logs and traces.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Doctor(_) => "doctor",
            Self::Itself(_) => "self",
            Self::Completions(_) => "completions",
            Self::Manual => "manual",
            Self::Demo(_) => "demo",
            Self::Knowledge => "knowledge",
            Self::Setup(_) => "setup",
            Self::Tool(tool) => tool.name(),
            Self::Package(package) => package.name(),
            Self::Fleet(fleet) => fleet.name(),
            Self::Worker(_) => "worker",
            Self::Run(run) => run.name(),
            Self::Review(_) => "review",
            Self::Audit(audit) => audit.name(),
            Self::Agent(agent) => agent.name(),
            Self::Mcp(mcp) => mcp.name(),
        }
    }
}
