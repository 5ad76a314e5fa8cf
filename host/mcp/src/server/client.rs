//! What one client may use, over all its connections.

use crate::limits::ServerLimits;
use crate::tasks::Tasks;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// One client: of stdio the one there is, of HTTP whoever has one token.
pub struct Client {
    /// Calls of tools that may be open, tasks at work included.
    pub(crate) calls: Arc<Semaphore>,
    /// Its tasks; nobody else's can be asked about.
    pub(crate) tasks: Tasks,
}

impl Client {
    pub(super) fn new(limits: &ServerLimits) -> Self {
        Self { calls: Arc::new(Semaphore::new(limits.calls)), tasks: Tasks::new(limits.tasks.clone()) }
    }
}
