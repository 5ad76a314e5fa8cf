//! `bailiwick mcp`: what the others do, for an MCP client.

mod cli_host;
mod follow;
mod http;
mod install;
mod offered;
mod requests;
mod token;

use super::package::Model;
use crate::arguments::{Mcp, McpCommand};
use crate::exit::{Code, Error, Result};
use crate::grant_argument::GrantArgument;
use crate::model::{self, Preflight};
use crate::{output, runtime, trim_memory};
use bailiwick_mcp::stdio::{self, Private, StdioLimits};
use bailiwick_mcp::{Failure, Server, ServerLimits, TaskLimits};
use bailiwick_models::Origin;
use bailiwick_sandbox::HardLinks;
use cli_host::CliHost;
use offered::Wanted;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

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
    cli_host::apart(&grants)?;
    let grants = cli_host::called(&grants, &mcp.grants)?;
    let wanted = Wanted { tools: mcp.tools.clone(), developed: mcp.develop.clone() };
    let offered = wanted.found(&grants)?;
    let backend = model::backend(mcp.model.as_deref().map(|name| (name, Origin::Flag)), Preflight::Skipped)?;
    let money = model::money(mcp.max_cost, backend.as_ref())?;
    let packages = cli_host::packages(&grants, &mcp.packages)?;
    let bench = CliHost::new(mcp, grants, packages, granted(mcp)?, Model { backend, money })?;
    let bench = Arc::new(bench.offering(wanted, offered));
    let server = Server::new(bench.clone(), limits(mcp)).map_err(error)?;
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

/// The directories of `NAME=PATH[:ro|:rw]`, which are grants already, and those that are named for packages.
fn granted(mcp: &Mcp) -> Result<Vec<PathBuf>> {
    let paths = GrantArgument::all(&mcp.grants)?.into_iter().map(|grant| grant.path).chain(mcp.packages.clone());
    Ok(paths.filter_map(|path| std::path::absolute(path).ok()).collect())
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
