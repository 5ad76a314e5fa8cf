//! What the server works with, made when it is first needed.

use super::client_model::ClientModel;
use super::follow::warn;
use super::offered::{Offered, Wanted};
use super::requests::Wishes;
use super::{Mcp, McpClientRoots, McpFileTools, ModelSource};
use crate::commands::package::{self, Model};
use crate::exit::{Error, Result};
use crate::grant_argument::GrantArgument;
use crate::{places, runtime, secrets};
use async_trait::async_trait;
use bailiwick_agent::KnownSecrets;
use bailiwick_customize::driver::{Customizer, Planner, Progress};
use bailiwick_customize::typespec::{Residents, Stay};
use bailiwick_mcp::component::Added;
use bailiwick_mcp::requests::Requests;
use bailiwick_mcp::{ClientRoots, Failure, FileTools, HostContext, ModelOf, PackageDirectories, Sampling, Toolbox};
use bailiwick_models::TextOnly;
use bailiwick_runs::Store;
use bailiwick_sandbox::{Access, Grant, Grants, Sandbox, Tool};
use bailiwick_toolchains::Isolation;
use bailiwick_tools::installed::free;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::OnceCell;

/// One sandbox for file tools and customizations.
pub(super) struct CliHost {
    grants: Grants,
    packages: PackageDirectories,
    model: ModelSource,
    unconfined_builds: bool,
    state: PathBuf,
    cache: PathBuf,
    names: FileTools,
    roots: ClientRoots,
    sandbox: OnceCell<Arc<Sandbox>>,
    /// The tools of agents.
    tools: OnceCell<Vec<Tool>>,
    /// Those of the file server.
    file_server: OnceCell<Vec<Tool>>,
    wanted: Wanted,
    offered: Mutex<Arc<[Offered]>>,
    requests: bool,
    /// Of all calls: each serves one package and one specification.
    residents: Residents,
}

impl CliHost {
    pub(super) fn new(mcp: &Mcp, grants: Grants, packages: PackageDirectories, model: ModelSource) -> Result<Self> {
        let (state, cache) = (places::state()?, places::cache()?);
        let names = match mcp.file_tools {
            McpFileTools::Reference => FileTools::Reference,
            McpFileTools::Native => FileTools::Native,
        };
        let roots = match mcp.client_roots {
            McpClientRoots::Narrow => ClientRoots::Narrow,
            McpClientRoots::Ignore => ClientRoots::Ignored,
        };
        let unconfined_builds = mcp.unconfined_builds;
        let (sandbox, tools, file_server) = (OnceCell::new(), OnceCell::new(), OnceCell::new());
        Ok(Self {
            grants,
            packages,
            model,
            unconfined_builds,
            state,
            cache,
            names,
            roots,
            sandbox,
            tools,
            file_server,
            wanted: Wanted::default(),
            offered: Mutex::new(Arc::new([])),
            requests: mcp.tool_requests,
            residents: Residents::new(if mcp.no_resident { Stay::Never } else { Stay::UntilEnded }),
        })
    }

    /// What classifies and edits in one run.
    fn model_for(&self, sampling: Sampling) -> Model {
        match &self.model {
            ModelSource::Host(model) => model.clone(),
            ModelSource::Client => Model { backend: Arc::new(TextOnly(ClientModel(sampling))), money: None },
        }
    }

    /// With these added components.
    pub(super) fn offering(self, wanted: Wanted, offered: Vec<Offered>) -> Self {
        Self { wanted, offered: Mutex::new(offered.into()), ..self }
    }

    /// What a person wants offered.
    pub(super) fn wanted(&self) -> &Wanted {
        &self.wanted
    }

    /// Offers what may be used of it by now, and nothing else; says what may not, and why.
    pub(super) async fn look_again(&self) -> Vec<Error> {
        let (found, mut left_out) = self.wanted.found_again(&self.grants);
        let mut sound = Vec::new();
        // Loading them is what tells whether they still say what they said; it is quick the second time.
        match self.loaded(&found).await {
            Ok((loaded, errors)) => {
                let named = |one: &Offered| loaded.iter().any(|added| added.name == one.name());
                sound.extend(found.into_iter().filter(named));
                left_out.extend(errors);
            }
            Err(failure) => left_out.push(Error::failed(failure.message)),
        }
        self.offer(sound);
        left_out
    }

    /// Those that can be loaded, and why the others cannot: none takes another one with it. A name that is taken is one
    /// more reason; what was added was held against the names when it was, what somebody works on was not.
    async fn loaded(&self, offered: &[Offered]) -> std::result::Result<(Vec<Added>, Vec<Error>), Failure> {
        let sandbox = self.sandbox().await?;
        let mut taken: Vec<String> = match self.wanted.developed.is_empty() {
            true => Vec::new(),
            false => self.tools(&sandbox).await?.iter().map(|tool| tool.descriptor().name.clone()).collect(),
        };
        let (mut all, mut left_out) = (Vec::with_capacity(offered.len()), Vec::new());
        for one in offered {
            let found = one.loaded(&sandbox).await.and_then(|added| {
                let names = added.program.names();
                names.iter().try_for_each(|name| free(name, &taken))?;
                Ok((added, names))
            });
            match found {
                Ok((added, names)) => {
                    all.push(added);
                    taken.extend(names);
                }
                Err(error) => {
                    let message = format!("`{}` is not offered: {}", one.name(), error.message);
                    left_out.push(Error { message, ..error });
                }
            }
        }
        Ok((all, left_out))
    }

    /// Offers no component any more.
    pub(super) fn offer_none(&self) {
        self.offer(Vec::new());
    }

    fn offer(&self, offered: Vec<Offered>) {
        *self.offered.lock().unwrap_or_else(PoisonError::into_inner) = offered.into();
    }

    fn offered(&self) -> Arc<[Offered]> {
        self.offered.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Undoes what died.
    pub(super) fn recovered(&self) -> Result<()> {
        package::store().map(|_| ())
    }

    /// Frees the code of added tools that were not called for so long; returns whether there was any.
    pub(super) fn give_back(&self, unused: Duration) -> bool {
        self.sandbox.get().is_some_and(|sandbox| sandbox.unload_unused(unused) > 0)
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
impl HostContext for CliHost {
    fn has_grants(&self) -> bool {
        self.grants.iter().next().is_some()
    }

    fn client_roots(&self) -> ClientRoots {
        self.roots
    }

    async fn toolbox(&self) -> std::result::Result<Toolbox, Failure> {
        let sandbox = self.sandbox().await?;
        let tools = match self.names {
            FileTools::Reference => {
                let made = self.file_server.get_or_try_init(async || runtime::file_server_tools(&sandbox).await);
                made.await.cloned().map_err(failure)?
            }
            FileTools::Native => self.tools(&sandbox).await?,
        };
        let (names, grants) = (self.names, self.grants.clone());
        Ok(Toolbox { sandbox, names, tools, grants, limits: runtime::call_limits() })
    }

    fn offers_added(&self) -> bool {
        !self.wanted.is_empty()
    }

    fn reloads(&self) -> bool {
        !self.wanted.is_empty()
    }

    async fn added(&self) -> std::result::Result<Vec<Added>, Failure> {
        let offered = self.offered();
        if offered.is_empty() {
            return Ok(Vec::new());
        }
        let (all, left_out) = self.loaded(&offered).await?;
        left_out.iter().for_each(|error| warn(&error.message));
        Ok(all)
    }

    fn requests(&self) -> Option<Arc<dyn Requests>> {
        self.requests.then(|| Arc::new(Wishes) as Arc<dyn Requests>)
    }

    fn model(&self) -> ModelOf {
        match self.model {
            ModelSource::Host(_) => ModelOf::Host,
            ModelSource::Client => ModelOf::Client,
        }
    }

    async fn customizer(&self, progress: Progress, sampling: Sampling) -> std::result::Result<Customizer, Failure> {
        let sandbox = self.sandbox().await?;
        let tools = self.tools(&sandbox).await?;
        let model = self.model_for(sampling);
        let equipped = package::equipped(sandbox, tools, model, self.unconfined_builds, progress).map_err(failure)?;
        Ok(Customizer { residents: self.residents.clone(), ..equipped })
    }

    fn planner(&self, progress: Progress, sampling: Sampling) -> std::result::Result<Planner, Failure> {
        let model = self.model_for(sampling);
        let isolation = if self.unconfined_builds { Isolation::Waived } else { Isolation::Enforced };
        let reading = package::reading(model, isolation, progress).map_err(failure)?;
        Ok(Planner { residents: self.residents.clone(), ..reading })
    }

    fn store(&self) -> std::result::Result<Store, Failure> {
        package::store().map_err(failure)
    }

    fn packages(&self) -> PackageDirectories {
        self.packages.clone()
    }

    fn secrets(&self) -> KnownSecrets {
        secrets::known()
    }

    fn checkouts(&self) -> PathBuf {
        places::checkouts_of(&self.state)
    }

    fn private_places(&self) -> Vec<(PathBuf, &'static str)> {
        let mut places =
            vec![(self.checkouts(), "checkouts"), (self.state.clone(), "state"), (self.cache.clone(), "cache")];
        places.extend(std::env::var_os("HOME").map(|home| (PathBuf::from(home), "home")));
        places.push((std::env::temp_dir(), "temp"));
        places
    }
}

/// The grants of the command line, each called by the path that the person gave and by where it really lies.
pub(super) fn called(grants: &Grants, texts: &[String]) -> Result<Grants> {
    let arguments = GrantArgument::all(texts)?;
    let called = grants.iter().zip(&arguments).map(|(grant, argument)| called_by(grant.clone(), &argument.path));
    Grants::new(called.collect()).map_err(|error| Error::usage(error.to_string()))
}

/// A grant that callers know by the path that the person gave and by where it really lies.
fn called_by(grant: Grant, path: &Path) -> Grant {
    let given =
        std::path::absolute(path).ok().filter(|path| !path.components().any(|part| part == Component::ParentDir));
    let forms: Vec<PathBuf> = given.into_iter().chain(grant.place()).collect();
    forms.iter().filter_map(|path| path.to_str()).fold(grant, Grant::called)
}

/// The directories in which packages may be worked on: the grants, and those that are named for nothing else. Each is
/// opened once.
pub(super) fn packages(grants: &Grants, directories: &[PathBuf]) -> Result<PackageDirectories> {
    let named = directories.iter().enumerate().map(|(place, directory)| {
        let name = format!("packages-{}", place + 1);
        let grant = Grant::open(&name, directory, Access::ReadWrite, &places::reserved()?);
        grant.map(|grant| called_by(grant, directory)).map_err(|error| Error::from(&error))
    });
    let named = named.collect::<Result<Vec<_>>>()?;
    Ok(PackageDirectories::new(grants.clone(), named))
}

fn failure(error: Error) -> Failure {
    Failure { message: error.message, hint: error.hint }
}
