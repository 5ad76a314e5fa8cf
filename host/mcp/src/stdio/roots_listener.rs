//! A transport that handles `notifications/roots/list_changed` before the messages that follow it.
//!
//! The protocol's loop starts a task for every message, and two tasks may run in either order. A call that comes
//! after "my roots have changed" must not be answered with the roots before.

use crate::roots::Roots;
use rmcp::RoleServer;
use rmcp::model::{ClientNotification, JsonRpcMessage};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use std::sync::Arc;

/// Another transport, whose messages are listened to.
pub(super) struct RootsListener<T> {
    transport: T,
    roots: Arc<Roots>,
}

impl<T> RootsListener<T> {
    pub(super) fn new(transport: T, roots: Arc<Roots>) -> Self {
        Self { transport, roots }
    }
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for RootsListener<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.transport.send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        let message = self.transport.receive().await;
        if let Some(JsonRpcMessage::Notification(notification)) = &message
            && let ClientNotification::RootsListChangedNotification(_) = &notification.notification
        {
            self.roots.changed();
        }
        message
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.transport.close().await
    }
}
