//! Saying that this replica is there, for as long as it is, and taking over what a dead process of the same state directory
//! left at work.

use super::records::Record;
use super::whole::Said;
use super::{Announcement, Claim, Replicas, now, unreachable};
use crate::failure::Failure;
use crate::host_context::HostContext;
use crate::tools::Shared;
use bailiwick_runs::{RunId, Store, StoreError};
use std::sync::Arc;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// Keeps the lease of this replica until `ended`, and then gives it back. Enters its runs, now and where the registry lost
/// entries.
pub(crate) async fn keep(replicas: Replicas, shared: Arc<Shared>, ended: CancellationToken) {
    let mut entering = JoinSet::new();
    entering.spawn(replicas.clone().enter(shared.clone()));
    loop {
        if let Ok(announced) = replicas.announce().await {
            if announced == Announced::AfterLoss {
                tracing::warn!("the registry of replicas lost entries; those of this replica are made again");
                entering.abort_all();
                entering.spawn(replicas.clone().enter(shared.clone()));
            }
            replicas.take_over(&shared.host).await;
        }
        tokio::select! {
            () = tokio::time::sleep(replicas.limits().every) => {}
            () = ended.cancelled() => break,
        }
    }
    let _ = replicas.0.entries.remove(Announcement::SHELF, replicas.name()).await;
}

/// What was found where this replica said that it is there.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Announced {
    /// Nothing of this replica, which says so for the first time.
    First,
    /// Its entry, as it last made it.
    AsBefore,
    /// Another one or none: the registry lost entries, and those of this replica have to be made again.
    AfterLoss,
}

impl Replicas {
    /// Says that this replica is there, for the first time.
    ///
    /// # Errors
    /// The registry cannot be reached.
    pub(crate) async fn join(&self) -> Result<(), Failure> {
        self.announce().await?;
        // Entries may have been lost before, which no replica that is there now has to have noticed yet.
        self.lost();
        Ok(())
    }

    /// Says that this replica is there.
    ///
    /// # Errors
    /// The registry cannot be reached.
    pub(crate) async fn announce(&self) -> Result<Announced, Failure> {
        self.announce_at(now()).await
    }

    /// The same at some time.
    ///
    /// # Errors
    /// As for [`Replicas::announce`].
    pub(crate) async fn announce_at(&self, at: u64) -> Result<Announced, Failure> {
        let inner = &self.0;
        let (replica, store) = (inner.name.clone(), inner.store.clone());
        let said = Announcement { replica, store, address: inner.address, at };
        let sealed = said.sealed(&inner.name, &inner.keys)?;
        let (shelf, name) = (Announcement::SHELF, inner.name.as_str());
        let announced = match inner.whole.said() {
            // What is lost at any time since then is noticed now: the registry compares and replaces in one step.
            Some(last) => match inner.entries.replace(shelf, name, &last.sealed, &sealed).await {
                Ok(true) => Announced::AsBefore,
                Ok(false) => Announced::AfterLoss,
                Err(error) => return Err(unreachable(&error)),
            },
            None => Announced::First,
        };
        if announced == Announced::AfterLoss {
            self.lost();
        }
        if announced != Announced::AsBefore {
            inner.entries.put(shelf, name, &sealed).await.map_err(|error| unreachable(&error))?;
        }
        inner.whole.say(Said { at, sealed });
        Ok(announced)
    }

    /// Puts back what processes of the same state directory left at work that are gone. Those of other directories are left
    /// to the next process there: their before-images are on its machine.
    async fn take_over(&self, host: &Arc<dyn HostContext>) {
        let lease = self.limits().lease.as_secs();
        let is_dead = |one: &Announcement| one.store == self.0.store && one.is_stale(now(), lease);
        let mut dead = self.others().await.unwrap_or_default();
        dead.retain(is_dead);
        if dead.is_empty() {
            return;
        }
        // Opening the store does it. A process that lives holds its runs, whatever the registry says.
        let host = host.clone();
        let Ok(Ok(store)) = tokio::task::spawn_blocking(move || host.store()).await else { return };
        let names: Vec<_> = dead.into_iter().map(|one| one.replica).collect();
        self.tidy(&store, &names).await;
        for name in names {
            let _ = self.0.entries.remove(Announcement::SHELF, &name).await;
        }
    }

    /// Takes out the names that work of dead replicas had before its run began: no run goes by them.
    async fn tidy(&self, store: &Store, dead: &[String]) {
        for name in self.0.entries.names(Claim::SHELF).await.unwrap_or_default() {
            let Ok(id) = name.parse::<RunId>() else { continue };
            let Ok(Some(claim)) = self.read::<Claim>(&name).await else { continue };
            let unknown = || matches!(store.record(&id), Err(StoreError::UnknownRun(_)));
            if claim.store == self.0.store && dead.contains(&claim.replica) && unknown() {
                let _ = self.0.entries.remove(Claim::SHELF, &name).await;
            }
        }
    }
}
