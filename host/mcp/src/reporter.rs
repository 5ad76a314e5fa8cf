//! Progress notifications of one call.

use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::{Peer, RoleServer};
use std::sync::atomic::{AtomicU64, Ordering};

/// Tells the caller what is being done, if it asked to be told.
pub struct Reporter {
    listener: Option<(Peer<RoleServer>, ProgressToken)>,
    said: AtomicU64,
}

impl Reporter {
    /// Tells whoever gave `token`; nobody without one.
    #[must_use]
    pub fn new(peer: &Peer<RoleServer>, token: Option<ProgressToken>) -> Self {
        Self { listener: token.map(|token| (peer.clone(), token)), said: AtomicU64::new(0) }
    }

    /// Nobody listens.
    #[must_use]
    pub fn silent() -> Self {
        Self { listener: None, said: AtomicU64::new(0) }
    }

    /// Says how far a tool is that counts for itself. `done` is finite and grows.
    pub async fn progress(&self, done: f64, total: Option<f64>, message: Option<String>) {
        let Some((peer, token)) = &self.listener else { return };
        let mut param = ProgressNotificationParam::new(token.clone(), done);
        param.total = total;
        param.message = message;
        let _ = peer.notify_progress(param).await;
    }

    /// Says one thing. A caller that is gone is no error: whoever works finds out by the call itself.
    pub async fn say(&self, message: &str) {
        let Some((peer, token)) = &self.listener else { return };
        let count = self.said.fetch_add(1, Ordering::Relaxed) + 1;
        // A count of steps: how many there will be is not known.
        #[expect(clippy::cast_precision_loss, reason = "a run has a few dozen steps")]
        let param = ProgressNotificationParam::new(token.clone(), count as f64).with_message(message);
        let _ = peer.notify_progress(param).await;
    }
}
