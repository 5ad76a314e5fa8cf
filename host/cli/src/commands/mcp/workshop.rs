//! What the server works with, made when it is first needed.

use super::offered::{self, Offered};
use crate::commands::package::{self, Model};
use crate::exit::{Error, Result};
use crate::{places, runtime, secrets};
use async_trait::async_trait;
use bailiwick_agent::{Backend, KnownSecrets};
use bailiwick_customize::driver::{Customizer, Progress};
use bailiwick_mcp::component::Added;
use bailiwick_mcp::{Failure, Toolbox, Workshop};
use bailiwick_runs::Store;
use bailiwick_sandbox::{Grants, Sandbox, Tool};
use std::path::PathBuf;
use std::sync::Arc;
use tokio::sync::OnceCell;

/// One sandbox for file tools and customizations.
pub(super) struct Bench {
    grants: Grants,
    granted: Vec<PathBuf>,
    backend: Arc<dyn Backend>,
    money: Option<u64>,
    unconfined_builds: bool,
    state: PathBuf,
    cache: PathBuf,
    sandbox: OnceCell<(Arc<Sandbox>, Vec<Tool>)>,
    offered: Vec<Offered>,
}

impl Bench {
    /// `granted` are the directories of the grants, for completion alone.
    pub(super) fn new(grants: Grants, granted: Vec<PathBuf>, model: Model, unconfined_builds: bool) -> Result<Self> {
        let (state, cache) = (places::state()?, places::cache()?);
        let Model { backend, money } = model;
        Ok(Self {
            grants,
            granted,
            backend,
            money,
            unconfined_builds,
            state,
            cache,
            sandbox: OnceCell::new(),
            offered: Vec::new(),
        })
    }

    /// With these added components.
    pub(super) fn offering(self, offered: Vec<Offered>) -> Self {
        Self { offered, ..self }
    }

    /// Undoes what died.
    pub(super) fn recovered(&self) -> Result<()> {
        package::store().map(|_| ())
    }

    /// Makes the tools ready that were only listed, so that no caller waits for it. What fails here fails again, and is
    /// told, when it is called.
    pub(super) async fn prepared(&self) {
        let Some((sandbox, tools)) = self.sandbox.get() else { return };
        for tool in tools {
            let _ = sandbox.prepare(tool).await;
        }
    }

    async fn sandbox(&self) -> std::result::Result<(Arc<Sandbox>, Vec<Tool>), Failure> {
        let made = self.sandbox.get_or_try_init(async || {
            let sandbox = runtime::sandbox(runtime::audit()?)?;
            let tools = runtime::builtin_tools(&sandbox).await?;
            Ok((sandbox, tools))
        });
        made.await.cloned().map_err(failure)
    }
}

#[async_trait]
impl Workshop for Bench {
    fn has_grants(&self) -> bool {
        self.grants.iter().next().is_some()
    }

    async fn toolbox(&self) -> std::result::Result<Toolbox, Failure> {
        let (sandbox, tools) = self.sandbox().await?;
        Ok(Toolbox { sandbox, tools, grants: self.grants.clone(), limits: runtime::call_limits() })
    }

    fn offers_added(&self) -> bool {
        !self.offered.is_empty()
    }

    async fn added(&self) -> std::result::Result<Vec<Added>, Failure> {
        if self.offered.is_empty() {
            return Ok(Vec::new());
        }
        let (sandbox, _) = self.sandbox().await?;
        offered::loaded(&self.offered, &sandbox).await.map_err(failure)
    }

    async fn customizer(&self, progress: Progress) -> std::result::Result<Customizer, Failure> {
        let (sandbox, tools) = self.sandbox().await?;
        let model = Model { backend: self.backend.clone(), money: self.money };
        package::equipped(sandbox, tools, model, self.unconfined_builds, progress).map_err(failure)
    }

    fn store(&self) -> std::result::Result<Store, Failure> {
        package::store().map_err(failure)
    }

    fn granted(&self) -> Vec<PathBuf> {
        self.granted.clone()
    }

    fn secrets(&self) -> KnownSecrets {
        secrets::known()
    }

    fn private_places(&self) -> Vec<(PathBuf, &'static str)> {
        let mut places = vec![(self.state.clone(), "state"), (self.cache.clone(), "cache")];
        places.extend(std::env::var_os("HOME").map(|home| (PathBuf::from(home), "home")));
        places.push((std::env::temp_dir(), "temp"));
        places
    }
}

fn failure(error: Error) -> Failure {
    Failure { message: error.message, hint: error.hint }
}
