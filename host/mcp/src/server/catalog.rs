//! The tools that a server offers now, and the subscribers that are told of changes: a tool that is being developed is
//! rebuilt every few minutes.

use super::Offered;
use crate::failure::Failure;
use std::sync::{Arc, PoisonError, RwLock};
use tokio::sync::{Mutex, watch};

/// Offered things, made when they are first needed and replaced as a whole.
pub(super) struct Catalog {
    now: RwLock<Option<Arc<Offered>>>,
    /// The lock is held while the descriptions are made, so that they are made once.
    making: Mutex<()>,
    changes: watch::Sender<u64>,
}

impl Catalog {
    pub(super) fn new() -> Self {
        Self { now: RwLock::default(), making: Mutex::default(), changes: watch::Sender::new(0) }
    }

    /// What there is, if it was made.
    pub(super) fn loaded(&self) -> Option<Arc<Offered>> {
        self.now.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What there is, made by the first who asks.
    pub(super) async fn get(
        &self,
        make: impl Future<Output = Result<Offered, Failure>>,
    ) -> Result<Arc<Offered>, Failure> {
        if let Some(offered) = self.loaded() {
            return Ok(offered);
        }
        let _alone = self.making.lock().await;
        match self.loaded() {
            Some(offered) => Ok(offered),
            None => Ok(self.put(make.await?)),
        }
    }

    /// Replaces it, and tells of it. What cannot be made leaves everything as it was.
    pub(super) async fn renew(&self, make: impl Future<Output = Result<Offered, Failure>>) -> Result<(), Failure> {
        let _alone = self.making.lock().await;
        self.put(make.await?);
        self.changes.send_modify(|count| *count += 1);
        Ok(())
    }

    /// Counts how often it was replaced.
    pub(super) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    fn put(&self, offered: Offered) -> Arc<Offered> {
        let offered = Arc::new(offered);
        *self.now.write().unwrap_or_else(PoisonError::into_inner) = Some(offered.clone());
        offered
    }
}
