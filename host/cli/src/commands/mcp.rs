//! `bailiwick mcp`: what the others do, for an MCP client.

mod cli_host;
mod client_model;
mod follow;
mod http;
pub(crate) mod install;
mod offered;
mod private_file;
mod replicas;
mod requests;
mod state_key;
mod token;

use super::package::Model;

use self::install::McpInstall;
use crate::configuration::amount;
use crate::exit::{Code, Error, Result};
use crate::model::{self, Preflight};
use crate::visible::Visible;
use crate::{output, runtime, trim_memory};
use bailiwick_mcp::stdio::{self, Private, StdioLimits};
use bailiwick_mcp::{Failure, Server, ServerLimits, TaskLimits};
use bailiwick_models::Origin;
use bailiwick_sandbox::HardLinks;
use clap::{Args, Subcommand};
use cli_host::CliHost;
use offered::Wanted;
use replicas::Replicated;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Mcp {
    #[command(subcommand)]
    pub(crate) command: Option<McpCommand>,
    /// A directory that the file tools may use; read-only unless it says `rw`. Without one there are no file tools.
    #[arg(long = "grant", value_name = "NAME=PATH[:ro|:rw]")]
    pub(crate) grants: Vec<String>,
    /// A directory whose packages may be customized, regenerated, built, tested and repaired: the clone of an SDK
    /// repository, and of the specifications. Those of writable grants may be, too; without any no package is touched.
    #[arg(long, value_name = "DIRECTORY")]
    pub(crate) packages: Vec<PathBuf>,
    /// Whose names and inputs the file tools have: the reference file server's (`read_text_file`, `edit_file`, …) or those
    /// of agents (`ReadFile`, `CodePatch`, …).
    #[arg(long, value_name = "NAMES", value_enum, default_value_t = McpFileTools::Reference)]
    pub(crate) file_tools: McpFileTools,
    /// Whether the directories that a client says it is at work in narrow the grants for it. They never widen them.
    #[arg(long, value_name = "HOW", value_enum, default_value_t = McpClientRoots::Narrow)]
    pub(crate) client_roots: McpClientRoots,
    /// Let the file tools write a sensitive place in a writable grant: a name such as `.git`, or one file such as
    /// `.vscode/cspell.json`.
    #[arg(long, value_name = "PLACE")]
    pub(crate) allow_sensitive: Vec<String>,
    /// Let the file tools write in place to files that have other names, which may lie outside the grant.
    #[arg(long)]
    pub(crate) allow_hard_links: bool,
    #[command(flatten)]
    pub(crate) visible: Visible,
    /// Offer a component that was added with `bailiwick tool add`, with those of the granted directories that are named
    /// here, and with none if none is.
    #[arg(long = "tool", value_name = "NAME[=GRANT,…]")]
    pub(crate) tools: Vec<String>,
    /// Offer the tool that lies in this directory, as it is after each `bailiwick tool build`, for the author of the tool. It
    /// is not approved, so it has the granted directories that are named here and nothing else.
    #[arg(long, value_name = "DIRECTORY[=GRANT,…]")]
    pub(crate) develop: Vec<String>,
    /// Let clients ask for further tools. Asking installs and approves nothing: `bailiwick tool requests` shows you what
    /// was asked for, and you decide.
    #[arg(long)]
    pub(crate) tool_requests: bool,
    /// The model that classifies and edits, as for `package customize`; or `client`, the model of the client that asks, if
    /// it offers one (sampling).
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,
    /// The most that one agent of a customization may cost, such as `2.50`, at the prices of `bailiwick.toml`.
    #[arg(long, value_name = "AMOUNT", value_parser = amount)]
    pub(crate) max_cost: Option<u64>,
    /// Run builds without confinement where this platform cannot confine them.
    #[arg(long)]
    pub(crate) unconfined_builds: bool,
    /// Start a TypeSpec compiler for every look at a specification, and keep none between calls.
    #[arg(long)]
    pub(crate) no_resident: bool,
    /// How long a call waits for a customization, in seconds, before it answers that it is running.
    #[arg(long, value_name = "SECONDS", default_value_t = 40, value_parser = clap::value_parser!(u64).range(0..=3600))]
    pub(crate) answer_within: u64,
    /// Serve over HTTP instead of stdin and stdout, on a free port of this machine unless an address is given.
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, default_missing_value = "127.0.0.1:0")]
    pub(crate) http: Option<std::net::SocketAddr>,
    /// Serve over HTTP on an address that other machines can reach.
    #[arg(long, requires = "http")]
    pub(crate) allow_remote: bool,
    /// A host name that HTTP requests may name besides `localhost`.
    #[arg(long = "http-host", value_name = "HOST", requires = "http")]
    pub(crate) http_hosts: Vec<String>,
    /// A file with a key that seals what clients carry between two calls, so that replicas of this server with the same key
    /// take it, too. Further ones only open what was sealed before a key was replaced.
    #[arg(long = "state-key", value_name = "FILE", requires = "http")]
    pub(crate) state_keys: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) replicas: Replicated,
    #[command(flatten)]
    pub(crate) oauth: OAuth,
}

impl Mcp {
    /// The command's name, for logs and traces.
    pub(crate) fn name(&self) -> &'static str {
        match self.command {
            Some(McpCommand::Install(_)) => "mcp install",
            _ => "mcp",
        }
    }
}

/// Access tokens of an issuer in place of a fixed token.
#[derive(Debug, Args)]
pub(crate) struct OAuth {
    /// Accept access tokens of this issuer over HTTP, instead of one fixed token.
    #[arg(long, value_name = "URL", requires = "http")]
    pub(crate) oauth_issuer: Option<String>,
    /// The URL of this server that such tokens are for, if it is not the address that it listens on.
    #[arg(long, value_name = "URL", requires = "oauth_issuer")]
    pub(crate) oauth_audience: Option<String>,
    /// A scope that such a token has to have.
    #[arg(long = "oauth-scope", value_name = "SCOPE", requires = "oauth_issuer")]
    pub(crate) oauth_scopes: Vec<String>,
    /// A subject of the issuer who sees and decides everybody's runs. Others have their own.
    #[arg(long = "oauth-operator", value_name = "SUBJECT", requires = "oauth_issuer")]
    pub(crate) oauth_operators: Vec<String>,
}

/// Whose names and inputs the file tools have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum McpFileTools {
    /// The reference file server's.
    Reference,
    /// Those of agents.
    Native,
}

/// What becomes of a client's roots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum McpClientRoots {
    /// They narrow the grants.
    Narrow,
    /// They are not asked for.
    Ignore,
}

#[derive(Debug, Subcommand)]
pub(crate) enum McpCommand {
    /// Enter this server into the configuration of an MCP client, and keep everything else there.
    Install(McpInstall),
}

/// How long threads that wait for a terminal may keep this process after the end.
const LAST_THREADS: Duration = Duration::from_millis(200);

/// How long a call may take before it goes on as a task, for clients that know tasks.
const TASK_AFTER: Duration = Duration::from_millis(250);

pub(crate) fn execute(mcp: &Mcp, as_json: bool) -> Result<Code> {
    if let Some(McpCommand::Install(install)) = &mcp.command {
        return install::execute(install, as_json);
    }
    // Before anything could print: stdout is the protocol's alone.
    let private = match mcp.http {
        Some(_) => None,
        None => Some(
            Private::take()
                .map_err(|error| Error::failed(format!("stdin and stdout cannot be used for the protocol: {error}")))?,
        ),
    };
    if let Some(address) = mcp.http.filter(|address| !address.ip().is_loopback() && !mcp.allow_remote) {
        return Err(Error::refused(format!("other machines can reach `{address}`"))
            .hint("serve on 127.0.0.1, or add `--allow-remote` if that is meant"));
    }
    let links = if mcp.allow_hard_links { HardLinks::Allowed } else { HardLinks::Refused };
    let grants = super::tool::grants(&mcp.grants, &mcp.allow_sensitive, links, &mcp.visible)?;
    let grants = cli_host::called(&grants, &mcp.grants)?;
    let wanted = Wanted { tools: mcp.tools.clone(), developed: mcp.develop.clone() };
    let offered = wanted.found(&grants)?;
    let keys = state_key::keys(&mcp.state_keys)?;
    let model = model_source(mcp)?;
    let packages = cli_host::packages(&grants, &mcp.packages)?;
    let bench = CliHost::new(mcp, grants, packages, model)?;
    let bench = Arc::new(bench.offering(wanted, offered));
    let server = Server::new(bench.clone(), limits(mcp), keys).map_err(error)?;
    let runtime = if private.is_some() { runtime::start_alone()? } else { runtime::start()? };
    let served = runtime.block_on(async {
        tokio::spawn(follow::follow(server.clone(), bench.clone()));
        tokio::spawn(warm(server.clone(), bench));
        match (private, mcp.http) {
            (Some(private), _) => over_stdio(&server, private).await,
            (None, Some(address)) => http::serve(&server, address, mcp).await,
            (None, None) => Ok(()),
        }
    });
    runtime.shutdown_timeout(LAST_THREADS);
    served.map(|()| Code::Done)
}

/// Which model classifies and edits.
pub(crate) enum ModelSource {
    /// A model of this server, with what it may cost.
    Host(Model),
    /// The model of the client that calls. The person who started the server allowed it, and the client asks its own user.
    Client,
}

fn model_source(mcp: &Mcp) -> Result<ModelSource> {
    if mcp.model.as_deref() == Some(client_model::NAME) {
        if mcp.max_cost.is_some() {
            return Err(Error::usage("`--max-cost` limits the cost, and the client does not say what its model costs")
                .hint("leave out `--max-cost`, or choose the model of a provider"));
        }
        output::progress("model: that of the client (`--model`)");
        return Ok(ModelSource::Client);
    }
    let backend = model::backend(mcp.model.as_deref().map(|name| (name, Origin::Flag)), Preflight::Skipped)?;
    let money = model::money(mcp.max_cost, backend.as_ref())?;
    Ok(ModelSource::Host(Model { backend, money }))
}

fn limits(mcp: &Mcp) -> ServerLimits {
    ServerLimits {
        answer_within: Duration::from_secs(mcp.answer_within),
        longest_wait: Duration::from_secs(mcp.answer_within.max(1)),
        runs: 4,
        all_runs: 8,
        ended_runs: 64,
        calls: 64,
        message_bytes: 16 << 20,
        answer: Duration::from_secs(600),
        questions: 64,
        roots: Duration::from_secs(5),
        tasks: TaskLimits {
            after: TASK_AFTER,
            longest: Duration::from_secs(4 * 3600),
            kept: Duration::from_secs(600),
            most: 256,
            poll: Duration::from_secs(1),
        },
        subscriptions: 64,
        look_every: Duration::from_secs(1),
    }
}

/// What would otherwise be done when the first client waits for it.
async fn warm(server: Server, bench: Arc<CliHost>) {
    if let Err(failure) = server.offered().await {
        output::progress(&format!("error: {}", failure.text()));
    }
    // What died is undone at the next start, which is this one.
    let undone = bench.clone();
    let recovered = tokio::task::spawn_blocking(move || undone.recovered());
    if let Ok(Err(error)) = recovered.await {
        output::progress(&format!("warning: {}", error.message));
    }
    trim_memory::run(move || bench.give_back(trim_memory::UNUSED)).await;
}

async fn over_stdio(server: &Server, private: Private) -> Result<()> {
    let notice = Arc::new(|text: &str| output::progress(&format!("warning: {text}")));
    let limits = StdioLimits { unread: 256, unread_for: Duration::from_secs(60) };
    stdio::serve(server, private, limits, notice, runtime::interrupted())
        .await
        .map_err(|error| Error::failed(format!("the client cannot be served: {error}")))
}

fn error(failure: Failure) -> Error {
    Error { message: failure.message, hint: failure.hint, code: Code::NoSuccess }
}
