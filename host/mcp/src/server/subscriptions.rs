//! Who is told when a resource or the list of tools changes.
//!
//! Up to 2025-11-25 a connection subscribes to one resource after the other; from 2026-07-28 on a request that stays open
//! names all of them.

use crate::failure::Failure;
use crate::resources::Library;
use crate::watch::{Gone, Listener, Seen, watch as watched};
use rmcp::model::{ResourceUpdatedNotificationParam, SubscriptionFilter};
use rmcp::service::SubscriptionSink;
use rmcp::{Peer, RoleServer};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::AbortHandle;

/// The subscriptions of one connection up to 2025-11-25; they end with it.
#[derive(Default)]
pub(super) struct Subscriptions {
    resources: Mutex<BTreeMap<String, AbortHandle>>,
    /// Who tells of the list of tools.
    list: OnceLock<AbortHandle>,
}

impl Subscriptions {
    /// Tells `peer` of changes of this resource since it was `seen`. Once more is once.
    pub(super) fn add(
        &self,
        libraries: Vec<Arc<dyn Library>>,
        (uri, seen): (String, Seen),
        every: Duration,
        most: usize,
        peer: Peer<RoleServer>,
    ) -> Result<(), Failure> {
        let mut open = self.open();
        if open.contains_key(&uri) {
            return Ok(());
        }
        if open.len() >= most {
            return Err(Failure::new(format!("{most} resources are watched, and no more are"))
                .hint("unsubscribe from one of them"));
        }
        let seen = [(uri.clone(), seen)].into_iter().collect();
        open.insert(uri, tokio::spawn(watched(libraries, seen, every, peer)).abort_handle());
        Ok(())
    }

    /// Tells no more of this resource, if it was told of.
    pub(super) fn remove(&self, uri: &str) {
        if let Some(watching) = self.open().remove(uri) {
            watching.abort();
        }
    }

    /// Tells `peer` whenever the tools were loaded again.
    pub(super) fn add_list(&self, reloads: watch::Receiver<u64>, peer: Peer<RoleServer>) {
        self.list.get_or_init(|| tokio::spawn(told(reloads, peer)).abort_handle());
    }

    fn open(&self) -> MutexGuard<'_, BTreeMap<String, AbortHandle>> {
        self.resources.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Subscriptions {
    fn drop(&mut self) {
        for watching in self.open().values().chain(self.list.get()) {
            watching.abort();
        }
    }
}

/// What of this can be listened to: the first `most` resources, and the list of tools if it `reloads`. The other lists are
/// looked at when they are wanted.
pub(super) fn accepted(requested: &SubscriptionFilter, most: usize, reloads: bool) -> SubscriptionFilter {
    let mut filter = SubscriptionFilter::builder();
    if let Some(uris) = &requested.resource_subscriptions {
        filter = filter.resource_subscriptions(uris.iter().take(most).cloned());
    }
    if reloads && requested.tools_list_changed == Some(true) {
        filter = filter.tools_list_changed();
    }
    filter.build()
}

/// Reports each reload until there are no listeners.
pub(super) async fn told(mut reloads: watch::Receiver<u64>, listener: impl ListListener) {
    while reloads.changed().await.is_ok() {
        if listener.tools_changed().await.is_err() {
            return;
        }
    }
}

/// Who is told of the list of tools.
pub(super) trait ListListener {
    /// Reports it; `Err` when there are no listeners.
    fn tools_changed(&self) -> impl Future<Output = Result<(), Gone>> + Send;
}

impl ListListener for Peer<RoleServer> {
    async fn tools_changed(&self) -> Result<(), Gone> {
        self.notify_tool_list_changed().await.map_err(|_| Gone)
    }
}

impl ListListener for SubscriptionSink {
    async fn tools_changed(&self) -> Result<(), Gone> {
        self.notify_tool_list_changed().await.map_err(|_| Gone)
    }
}

impl Listener for Peer<RoleServer> {
    async fn changed(&self, uri: &str) -> Result<(), Gone> {
        self.notify_resource_updated(ResourceUpdatedNotificationParam::new(uri)).await.map_err(|_| Gone)
    }
}

impl Listener for SubscriptionSink {
    async fn changed(&self, uri: &str) -> Result<(), Gone> {
        self.notify_resource_updated(uri).await.map_err(|_| Gone)
    }
}
