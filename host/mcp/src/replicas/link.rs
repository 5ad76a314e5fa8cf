//! What a server knows of its replicas: nothing until it listens, and nothing if it has none.

use super::Replicas;
use crate::failure::Failure;
use bailiwick_runs::Owner;
use std::sync::{Arc, OnceLock};

/// The replicas of a server, if it has any.
#[derive(Clone, Default)]
pub(crate) struct Link(Arc<OnceLock<Replicas>>);

impl Link {
    pub(crate) fn set(&self, replicas: Replicas) {
        let _ = self.0.set(replicas);
    }

    pub(crate) fn get(&self) -> Option<&Replicas> {
        self.0.get()
    }

    /// What this process is called among the replicas; nothing where there are none.
    pub(crate) fn name(&self) -> &str {
        self.get().map_or("", Replicas::name)
    }

    /// [`Replicas::claim`], if there are others.
    ///
    /// # Errors
    /// As there.
    pub(crate) async fn claim(&self, name: &str, owner: &Owner) -> Result<(), Failure> {
        match self.get() {
            Some(replicas) => replicas.claim(name, owner).await,
            None => Ok(()),
        }
    }

    /// [`Replicas::claim_late`], if there are others.
    pub(crate) async fn claim_late(&self, name: &str, owner: &Owner) -> bool {
        match self.get() {
            Some(replicas) => replicas.claim_late(name, owner).await,
            None => true,
        }
    }

    /// [`Replicas::forget`], if there are others, some time after this.
    pub(crate) fn forget(&self, names: Vec<String>) {
        let Some(replicas) = self.get().cloned().filter(|_| !names.is_empty()) else { return };
        tokio::spawn(async move {
            for name in names {
                replicas.forget(&name).await;
            }
        });
    }
}
