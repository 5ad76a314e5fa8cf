//! The hold on one running helper, and how many of them there are.

use std::sync::Arc;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;
use tokio::process::Child;
use tokio::sync::watch;

use crate::supervisor::{DRAIN, KEEPER_GRACE};

/// How many helpers of one supervisor are alive.
#[derive(Debug, Clone)]
pub(crate) struct Alive(Arc<watch::Sender<usize>>);

impl Alive {
    pub(crate) fn none() -> Self {
        Self(Arc::new(watch::Sender::new(0)))
    }

    /// Waits until there is none.
    pub(crate) async fn gone(&self) {
        // The sender is in `self`, so this ends when the count is zero and not before.
        let _ = self.0.subscribe().wait_for(|count| *count == 0).await;
    }

    fn enter(&self) -> Entered {
        self.0.send_modify(|count| *count += 1);
        Entered(self.clone())
    }
}

/// Counts one helper until it is dropped.
#[derive(Debug)]
struct Entered(Alive);

impl Drop for Entered {
    fn drop(&mut self) {
        self.0.0.send_modify(|count| *count -= 1);
    }
}

/// A keeper and the socket whose end tells it to kill everything. One that is dropped before its end is followed to it.
#[derive(Debug)]
pub(crate) struct Held(Option<Parts>);

#[derive(Debug)]
struct Parts {
    keeper: Child,
    link: UnixStream,
    entered: Entered,
}

impl Held {
    pub(crate) fn new(keeper: Child, link: UnixStream, alive: &Alive) -> Self {
        Self(Some(Parts { keeper, link, entered: alive.enter() }))
    }

    /// The socket; `None` after [`Self::collect`].
    pub(crate) fn link(&mut self) -> Option<&mut UnixStream> {
        self.0.as_mut().map(|parts| &mut parts.link)
    }

    /// Takes at least the program away from a keeper that does not answer.
    pub(crate) fn kill(&mut self) {
        if let Some(parts) = &mut self.0 {
            let _ = parts.keeper.start_kill();
        }
    }

    /// Collects a keeper that has said its last word; if it does not end, the runtime collects it later.
    pub(crate) async fn collect(&mut self) {
        if let Some(mut parts) = self.0.take() {
            let _ = tokio::time::timeout(DRAIN, parts.keeper.wait()).await;
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let Some(parts) = self.0.take() else { return };
        // Without a runtime the socket closes here, and the keeper does the rest unwatched.
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        runtime.spawn(async move {
            let Parts { mut keeper, mut link, entered } = parts;
            let _ = link.shutdown().await;
            // It closes its end when everything is dead.
            let mut rest = Vec::new();
            if tokio::time::timeout(KEEPER_GRACE, link.read_to_end(&mut rest)).await.is_err() {
                let _ = keeper.start_kill();
            }
            let _ = tokio::time::timeout(DRAIN, keeper.wait()).await;
            drop(entered);
        });
    }
}
