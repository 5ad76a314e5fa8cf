//! What the server works with. The command line makes it, when it is first needed: a client asks for the list of tools
//! long before it customizes anything, and waits for it.

use crate::component::Added;
use crate::failure::Failure;
use crate::packages::PackageDirectories;
use crate::requests::Requests;
use crate::roots::ClientRoots;
use crate::sampling::{ModelOf, Sampling};
use async_trait::async_trait;
use bailiwick_agent::KnownSecrets;
use bailiwick_customize::driver::{Customizer, Planner, Progress};
use bailiwick_runs::Store;
use bailiwick_sandbox::{Grants, Limits, Sandbox, Tool};
use std::path::PathBuf;
use std::sync::Arc;

/// By which names and inputs files are worked on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileTools {
    /// Those of the reference file server: `read_text_file`, `edit_file`, …
    Reference,
    /// Those that agents have: `ReadFile`, `CodePatch`, …
    Native,
}

/// The sandboxed tools and what they may touch.
#[derive(Clone)]
pub struct Toolbox {
    /// Runs them.
    pub sandbox: Arc<Sandbox>,
    /// Whose they are.
    pub names: FileTools,
    /// All that there are.
    pub tools: Vec<Tool>,
    /// The operator's grants.
    pub grants: Grants,
    /// What one call may spend.
    pub limits: Limits,
}

/// Makes what the server works with.
#[async_trait]
pub trait HostContext: Send + Sync + 'static {
    /// Whether the operator granted any directory; without one there are no file tools.
    fn has_grants(&self) -> bool;

    /// Whether the roots of clients narrow the operator's grants.
    fn client_roots(&self) -> ClientRoots;

    /// The sandboxed tools over the operator's grants.
    ///
    /// # Errors
    /// The sandbox or a tool cannot be had.
    async fn toolbox(&self) -> Result<Toolbox, Failure>;

    /// Whether the operator offers added components; without any, nothing is logged for clients.
    fn offers_added(&self) -> bool {
        false
    }

    /// Whether what the operator offers may be loaded again while clients are served; see
    /// [`Server::reload`](crate::Server::reload).
    fn reloads(&self) -> bool {
        false
    }

    /// The components that a person added and the operator offers, each with its grants.
    ///
    /// # Errors
    /// One of them cannot be had, or is not the one that was added.
    async fn added(&self) -> Result<Vec<Added>, Failure> {
        Ok(Vec::new())
    }

    /// Where clients' wishes for tools are put before a person; `None` where they may not wish.
    fn requests(&self) -> Option<Arc<dyn Requests>> {
        None
    }

    /// Whose model classifies and edits.
    fn model(&self) -> ModelOf;

    /// Everything one customization works with, telling `progress` what it does. `sampling` reaches the client's model.
    ///
    /// # Errors
    /// Something of it cannot be had, such as confinement.
    async fn customizer(&self, progress: Progress, sampling: Sampling) -> Result<Customizer, Failure>;

    /// What a dry run works with, telling `progress` what it does. `sampling` reaches the client's model.
    ///
    /// # Errors
    /// Something of it cannot be had.
    fn planner(&self, progress: Progress, sampling: Sampling) -> Result<Planner, Failure>;

    /// The directories in which packages may be worked on, as a person named them.
    fn packages(&self) -> PackageDirectories;

    /// Everybody's runs. Opening them undoes what died. Tools have those of their caller: `Shared::store`.
    ///
    /// # Errors
    /// The store cannot be opened.
    fn store(&self) -> Result<Store, Failure>;

    /// Where commits of specifications are checked out for as long as a run works with them.
    fn checkouts(&self) -> PathBuf;

    /// What stands in no report.
    fn secrets(&self) -> KnownSecrets;

    /// Directories of this machine that no client learns of, each with the name it is called by instead.
    fn private_places(&self) -> Vec<(PathBuf, &'static str)>;
}
