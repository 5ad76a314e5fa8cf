//! Tells a client when a resource that it asked about has changed.
//!
//! Runs change by the hands of other processes too, so the store is looked at every now and then; see
//! [`ServerLimits::look_every`](crate::ServerLimits::look_every).

use crate::resources::Library;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{MissedTickBehavior, interval};

/// Who is told.
pub(crate) trait Listener {
    /// Reports a change of one resource; `Err` when there are no listeners.
    fn changed(&self, uri: &str) -> impl Future<Output = Result<(), Gone>> + Send;
}

/// There are no listeners.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Gone;

/// What was seen of a resource; `None` if there is none.
pub(crate) type Seen = Option<String>;

/// How these resources are now. What cannot be looked at counts as not there.
pub(crate) async fn seen(libraries: &[Arc<dyn Library>], uris: Vec<String>) -> BTreeMap<String, Seen> {
    let mut seen = BTreeMap::new();
    for uri in uris {
        let state = look(libraries, &uri).await.unwrap_or_default();
        seen.insert(uri, state);
    }
    seen
}

/// Watches these resources and reports each change since they were `seen`, until there are no listeners.
pub(crate) async fn watch(
    libraries: Vec<Arc<dyn Library>>,
    mut seen: BTreeMap<String, Seen>,
    every: Duration,
    listener: impl Listener,
) {
    let mut ticks = interval(every);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        for (uri, state) in &mut seen {
            // What cannot be looked at now is looked at the next time.
            let Some(now) = look(&libraries, uri).await else { continue };
            if now == *state {
                continue;
            }
            *state = now;
            if listener.changed(uri).await.is_err() {
                return;
            }
        }
    }
}

/// Its state, or that there is no such resource; `None` if it cannot be told.
async fn look(libraries: &[Arc<dyn Library>], uri: &str) -> Option<Seen> {
    for library in libraries {
        match library.state(uri).await {
            Ok(None) => {}
            Ok(state) => return Some(state),
            Err(_) => return None,
        }
    }
    Some(None)
}
