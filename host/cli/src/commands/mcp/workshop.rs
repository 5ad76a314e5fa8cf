//! What the server works with, made when it is first needed.

use crate::arguments::{Mcp, McpClientRoots, McpFileTools};
use crate::commands::package::{self, Model};
use crate::commands::tool;
use crate::exit::{Error, Result};
use crate::{places, runtime};
use async_trait::async_trait;
use bailiwick_agent::Backend;
use bailiwick_customize::driver::{Customizer, Progress};
use bailiwick_mcp::{ClientRoots, Failure, FileTools, Toolbox, Workshop};
use bailiwick_runs::Store;
use bailiwick_sandbox::{Grants, Sandbox, Tool};
use std::path::{Component, PathBuf};
use std::sync::Arc;
use tokio::sync::OnceCell;

/// One sandbox for file tools and customizations.
pub(super) struct Bench {
    grants: Grants,
    backend: Arc<dyn Backend>,
    money: Option<u64>,
    unconfined_builds: bool,
    state: PathBuf,
    cache: PathBuf,
    names: FileTools,
    roots: ClientRoots,
    sandbox: OnceCell<Arc<Sandbox>>,
    /// The tools of agents.
    tools: OnceCell<Vec<Tool>>,
}

impl Bench {
    pub(super) fn new(mcp: &Mcp, grants: Grants, model: Model) -> Result<Self> {
        let (state, cache) = (places::state()?, places::cache()?);
        let Model { backend, money } = model;
        let names = match mcp.file_tools {
            McpFileTools::Reference => FileTools::Reference,
            McpFileTools::Native => FileTools::Native,
        };
        let roots = match mcp.client_roots {
            McpClientRoots::Narrow => ClientRoots::Narrow,
            McpClientRoots::Ignore => ClientRoots::Ignored,
        };
        let (sandbox, tools) = (OnceCell::new(), OnceCell::new());
        let unconfined_builds = mcp.unconfined_builds;
        Ok(Self { grants, backend, money, unconfined_builds, state, cache, names, roots, sandbox, tools })
    }

    /// Undoes what died.
    pub(super) fn recovered(&self) -> Result<()> {
        package::store().map(|_| ())
    }

    async fn sandbox(&self) -> std::result::Result<Arc<Sandbox>, Failure> {
        let made = self.sandbox.get_or_try_init(async || runtime::sandbox(runtime::audit()?));
        made.await.cloned().map_err(failure)
    }

    /// The tools of agents, and with `--file-tools native` of clients.
    async fn tools(&self, sandbox: &Sandbox) -> std::result::Result<Vec<Tool>, Failure> {
        self.tools.get_or_try_init(async || runtime::builtin_tools(sandbox).await).await.cloned().map_err(failure)
    }
}

#[async_trait]
impl Workshop for Bench {
    fn has_grants(&self) -> bool {
        self.grants.iter().next().is_some()
    }

    fn client_roots(&self) -> ClientRoots {
        self.roots
    }

    async fn toolbox(&self) -> std::result::Result<Toolbox, Failure> {
        let sandbox = self.sandbox().await?;
        let tools = match self.names {
            FileTools::Reference => runtime::file_server_tools(&sandbox).await.map_err(failure)?,
            FileTools::Native => self.tools(&sandbox).await?,
        };
        let (names, grants) = (self.names, self.grants.clone());
        Ok(Toolbox { sandbox, names, tools, grants, limits: runtime::call_limits() })
    }

    async fn customizer(&self, progress: Progress) -> std::result::Result<Customizer, Failure> {
        let sandbox = self.sandbox().await?;
        let tools = self.tools(&sandbox).await?;
        let model = Model { backend: self.backend.clone(), money: self.money };
        package::equipped(sandbox, tools, model, self.unconfined_builds, progress).map_err(failure)
    }

    fn store(&self) -> std::result::Result<Store, Failure> {
        package::store().map_err(failure)
    }

    fn private_places(&self) -> Vec<(PathBuf, &'static str)> {
        let mut places = vec![(self.state.clone(), "state"), (self.cache.clone(), "cache")];
        places.extend(std::env::var_os("HOME").map(|home| (PathBuf::from(home), "home")));
        places.push((std::env::temp_dir(), "temp"));
        places
    }
}

/// The grants of the command line, each called by the path that the person gave and by where it really lies.
pub(super) fn called(grants: &Grants, texts: &[String]) -> Result<Grants> {
    let called = grants.iter().zip(texts).map(|(grant, text)| {
        let (_, path, _) = tool::parts(text)?;
        let given =
            std::path::absolute(path).ok().filter(|path| !path.components().any(|part| part == Component::ParentDir));
        let forms = given.into_iter().chain(grant.place());
        Ok(forms
            .filter_map(|path| path.to_str().map(str::to_owned))
            .fold(grant.clone(), |grant, path| grant.called(&path)))
    });
    Grants::new(called.collect::<Result<Vec<_>>>()?).map_err(|error| Error::usage(error.to_string()))
}

fn failure(error: Error) -> Failure {
    Failure { message: error.message, hint: error.hint }
}
