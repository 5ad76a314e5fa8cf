//! Draining: requests that came before a client closed its end are still answered, as long as the client reads.
//!
//! rmcp gives all of that five seconds, however much there is to read, and then ends in the middle of a line.

use super::output::Output;
use rmcp::model::{ClientJsonRpcMessage, ClientNotification, JsonRpcMessage, RequestId, ServerJsonRpcMessage};
use std::collections::HashSet;
use std::time::Duration;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// A client that takes nothing for so long does not read any more.
pub(super) const DRAIN_TIMEOUT: Duration = Duration::from_secs(6);
/// So often it is looked whether all is said.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// What is still to be said.
#[derive(Default)]
pub(super) struct Drain {
    /// Requests that have no answer yet.
    open: HashSet<RequestId>,
    /// When something was last taken, and how much by then. Kept here because waiting may be given up and begun again.
    moved: Option<(Instant, u64)>,
}

impl Drain {
    pub(super) fn asked(&mut self, message: &ClientJsonRpcMessage) {
        match message {
            JsonRpcMessage::Request(request) => {
                self.open.insert(request.id.clone());
            }
            // It is not answered any more.
            JsonRpcMessage::Notification(notification) => {
                if let ClientNotification::CancelledNotification(cancelled) = &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    self.open.remove(id);
                }
            }
            _ => {}
        }
    }

    pub(super) fn answered(&mut self, message: &ServerJsonRpcMessage) {
        match message {
            JsonRpcMessage::Response(response) => {
                self.open.remove(&response.id);
            }
            JsonRpcMessage::Error(error) => {
                if let Some(id) = &error.id {
                    self.open.remove(id);
                }
            }
            _ => {}
        }
    }

    /// Waits until all answers are written or there are no listeners. Returns how many requests have no answer then.
    pub(super) async fn said(&mut self, output: &Output, gone: &CancellationToken) -> usize {
        loop {
            if gone.is_cancelled() || (self.open.is_empty() && !output.is_behind()) {
                return 0;
            }
            let (now, taken) = (Instant::now(), output.taken());
            match self.moved {
                Some((since, before)) if before == taken => {
                    if now.duration_since(since) >= DRAIN_TIMEOUT {
                        return self.open.len().max(1);
                    }
                }
                _ => self.moved = Some((now, taken)),
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }
}
