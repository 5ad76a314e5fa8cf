//! What one client may use, over all its connections.

use crate::caller::Caller;
use crate::limits::ServerLimits;
use crate::tasks::Tasks;
use axum::http::request::Parts;
use rmcp::model::Extensions;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// One client: of stdio the one there is, of HTTP whoever has one token, or is one subject of an issuer.
pub struct Client {
    /// Who it is, and nobody else is.
    pub(crate) name: Arc<str>,
    /// Whose runs it begins and sees.
    pub(crate) caller: Caller,
    /// Calls of tools that may be open, tasks at work included.
    pub(crate) calls: Arc<Semaphore>,
    /// Its tasks; nobody else's can be asked about.
    pub(crate) tasks: Tasks,
}

impl Client {
    pub(super) fn new(name: &str, caller: Caller, limits: &ServerLimits) -> Self {
        Self {
            name: name.into(),
            caller,
            calls: Arc::new(Semaphore::new(limits.calls)),
            tasks: Tasks::new(limits.tasks.clone()),
        }
    }
    /// Whose a request over HTTP is, as was found out before it came here.
    pub(super) fn of(extensions: &Extensions) -> Option<&Arc<Self>> {
        extensions.get::<Parts>()?.extensions.get()
    }

    /// Whether a call of it is open.
    pub(crate) fn is_at_work(&self, limits: &ServerLimits) -> bool {
        self.calls.available_permits() < limits.calls
    }
}
