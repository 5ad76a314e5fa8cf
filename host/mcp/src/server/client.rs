//! What one client may use, over all its connections.

use crate::caller::Caller;
use crate::limits::ServerLimits;
use crate::tasks::Tasks;
use axum::http::request::Parts;
use rmcp::model::Extensions;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// One client: over stdio the only one, over HTTP the holder of the token or one program of a subject of an issuer.
pub struct Client {
    /// Its identity, which is unique.
    pub(crate) name: Arc<str>,
    /// Whose runs it begins and sees.
    pub(crate) caller: Caller,
    /// Calls of tools that may be open, tasks at work included; the programs of one person share them.
    pub(crate) calls: Arc<Semaphore>,
    /// Its tasks; those of other clients are not visible.
    pub(crate) tasks: Tasks,
}

impl Client {
    pub(super) fn new(name: &str, caller: Caller, beside: Option<&Self>, limits: &ServerLimits) -> Self {
        let calls = beside.map_or_else(|| Arc::new(Semaphore::new(limits.calls)), |other| other.calls.clone());
        Self { name: name.into(), caller, calls, tasks: Tasks::new(limits.tasks.clone()) }
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
