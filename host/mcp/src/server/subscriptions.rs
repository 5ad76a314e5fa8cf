//! Who is told when a resource changes.
//!
//! Up to 2025-11-25 a connection subscribes to one resource after the other; from 2026-07-28 on a request that stays open
//! names all of them.

use crate::failure::Failure;
use crate::resources::Library;
use crate::watch::{Gone, Listener, Seen, watch};
use rmcp::model::{ResourceUpdatedNotificationParam, SubscriptionFilter};
use rmcp::service::SubscriptionSink;
use rmcp::{Peer, RoleServer};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::task::AbortHandle;

/// The subscriptions of one connection up to 2025-11-25; they end with it.
#[derive(Default)]
pub(super) struct Subscriptions(Mutex<BTreeMap<String, AbortHandle>>);

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
        open.insert(uri, tokio::spawn(watch(libraries, seen, every, peer)).abort_handle());
        Ok(())
    }

    /// Tells no more of this resource, if it was told of.
    pub(super) fn remove(&self, uri: &str) {
        if let Some(watching) = self.open().remove(uri) {
            watching.abort();
        }
    }

    fn open(&self) -> MutexGuard<'_, BTreeMap<String, AbortHandle>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Subscriptions {
    fn drop(&mut self) {
        for watching in self.open().values() {
            watching.abort();
        }
    }
}

/// What of this can be listened to: the first `most` resources, and no lists, which are looked at when they are wanted.
pub(super) fn accepted(requested: &SubscriptionFilter, most: usize) -> SubscriptionFilter {
    match &requested.resource_subscriptions {
        Some(uris) => SubscriptionFilter::builder().resource_subscriptions(uris.iter().take(most).cloned()).build(),
        None => SubscriptionFilter::new(),
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
