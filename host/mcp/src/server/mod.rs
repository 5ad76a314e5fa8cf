//! The protocol's requests.
//!
//! [`Server`] is one for all connections; a [`Connection`] answers the requests of one of them. (A stateless HTTP request
//! is a connection of its own.) A [`Client`] is the owner of connections, with what it may use over all of them.
//!
//! | module | requests |
//! |---|---|
//! | `connection` | all of them, each passed on to one of the others |
//! | `call` | `tools/call`, and how a call becomes a task |
//! | `elsewhere` | calls about a run that another replica has |
//! | `asking` | what a tool asks while its call is a task |
//! | `client` | what one client may use |
//! | `offered` | tools, resources and prompts of this server and of those that were added to it |
//! | `catalog` | which of them there are now |
//! | `subscriptions` | who is told when a resource or the list of tools changes |
//!
//! Every capability that is not declared answers "method not found": rmcp's own answer would be an empty result, from
//! which a client cannot tell a server without prompts from one with none.

mod asking;
mod call;
mod catalog;
mod client;
mod connection;
mod elsewhere;
mod offered;
mod subscriptions;

pub use client::Client;
pub use connection::Connection;
pub use offered::Offered;

use crate::approval::Approvals;
use crate::caller::Caller;
use crate::failure::Failure;
use crate::host_context::HostContext;
use crate::keys::Keys;
use crate::limits::ServerLimits;
use crate::registry::Registry;
use crate::replicas::{Link, ReplicaOptions, Replicas, keep};
use crate::roots::Directories;
use crate::runs::Runs;
use crate::sampling::Sampler;
use crate::tools::{self, Shared};
use crate::workflows::Workflows;
use crate::{component, prompts, resources};
use catalog::Catalog;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// How a connection tells that a call is taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transport {
    /// By a notification, and by its end.
    Stdio,
    /// By a notification alone: a connection is lost for many reasons.
    Http,
}

/// The server. Cheap to clone.
#[derive(Clone)]
pub struct Server(Arc<Inner>);

struct Inner {
    shared: Arc<Shared>,
    offered: Catalog,
}

impl Server {
    /// A server over this host, which seals what clients carry under these keys. Nothing is loaded yet.
    ///
    /// # Errors
    /// See [`Approvals::new`].
    pub fn new(host: Arc<dyn HostContext>, limits: ServerLimits, keys: Keys) -> Result<Self, Failure> {
        let link = Link::default();
        let runs = Runs::new(host.clone(), limits.clone(), link.clone());
        let approvals = Approvals::new(&limits, &keys)?;
        let workflows = Workflows::new(host.clone(), limits.clone(), runs.closing().clone(), link.clone());
        let sampler = Sampler::new(&limits, &keys, link.clone())?;
        let shared = Arc::new(Shared { host, limits, keys, link, runs, workflows, approvals, sampler });
        Ok(Self(Arc::new(Inner { shared, offered: Catalog::new() })))
    }

    /// Its bounds.
    #[must_use]
    pub fn limits(&self) -> &ServerLimits {
        &self.0.shared.limits
    }

    /// What it offers, loaded when it is first asked for.
    ///
    /// # Errors
    /// The sandbox or one of its tools cannot be had.
    pub async fn offered(&self) -> Result<Arc<Offered>, Failure> {
        self.0.offered.get(self.made()).await
    }

    /// Loads all of it again, with the added components as they are now, and tells clients that the list of tools changed.
    ///
    /// # Errors
    /// One of them cannot be had; everything stays as it was.
    pub async fn reload(&self) -> Result<(), Failure> {
        self.0.offered.renew(self.made()).await
    }

    async fn made(&self) -> Result<Offered, Failure> {
        let shared = &self.0.shared;
        let mut registry = Registry::default();
        tools::add_runs(&mut registry, shared)?;
        if shared.host.has_grants() {
            tools::add_files(&mut registry, &shared.host.toolbox().await?)?;
        }
        let mut offered = Offered {
            registry,
            libraries: vec![Arc::new(resources::Own::new(shared.clone(), Caller::unknown(), Directories::unasked()))],
            prompters: vec![Arc::new(prompts::Own::new(shared.clone()))],
        };
        component::offer(&shared.host.added().await?, (&shared.limits, &shared.keys), &mut offered)?;
        Ok(offered)
    }

    /// What it offers, if it is loaded.
    fn loaded(&self) -> Option<Arc<Offered>> {
        self.0.offered.loaded()
    }

    /// Counts how often what it offers was loaded again.
    fn reloads(&self) -> watch::Receiver<u64> {
        self.0.offered.changes()
    }

    /// A client that has used nothing yet. Its calls count with those of `beside`, another program of the same person. What it is asked is bound to its name, so no two have the same.
    #[must_use]
    pub fn client(&self, name: &str, caller: Caller, beside: Option<&Client>) -> Arc<Client> {
        Arc::new(Client::new(name, caller, beside, self.limits()))
    }

    /// The handler of one connection of a client.
    #[must_use]
    pub fn connection(&self, transport: Transport, client: Arc<Client>) -> Connection {
        Connection::new(self.clone(), transport, client)
    }

    /// Ends every customization and every step of a workflow; both repositories of each are then as before it.
    pub async fn close(&self) {
        self.0.shared.runs.close().await;
        self.0.shared.workflows.close().await;
    }

    /// Cancelled when nothing is begun any more.
    pub(crate) fn closing(&self) -> &CancellationToken {
        self.0.shared.runs.closing()
    }

    /// Makes this server one of several, which is reached at this address.
    ///
    /// # Errors
    /// The runs cannot be opened, or the registry of replicas cannot be reached.
    pub(crate) async fn join(&self, options: &ReplicaOptions, listening: SocketAddr) -> Result<Replicas, Failure> {
        let shared = self.shared();
        let host = shared.host.clone();
        // Opening it puts back what a process before this one left at work.
        let opened = tokio::task::spawn_blocking(move || host.store()).await;
        let store = opened.map_err(|_| Failure::new("the runs could not be opened"))??;
        let replicas = Replicas::new(options, store.directory(), listening, shared.keys.clone())?;
        replicas.join().await?;
        shared.link.set(replicas.clone());
        Ok(replicas)
    }

    /// What keeps it one of several until `ended`.
    pub(crate) fn stay(&self, replicas: Replicas, ended: CancellationToken) -> impl Future<Output = ()> + use<> {
        keep(replicas, self.shared().clone(), ended)
    }

    fn shared(&self) -> &Arc<Shared> {
        &self.0.shared
    }
}
