//! Progress notifications of one call.

use crate::replicas::wire::Frame;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::task_manager::TaskContext;
use rmcp::{Peer, RoleServer};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use tokio::sync::mpsc;

/// Where a call that has become a task says what it does.
#[derive(Clone, Default)]
pub(crate) struct Promotion(Arc<Promoted>);

#[derive(Default)]
struct Promoted {
    task: OnceLock<TaskContext>,
    /// What was said last before there was a task.
    said: Mutex<Option<String>>,
}

impl Promotion {
    /// From now on it is said in the state of this task, beginning with what was said last.
    pub(crate) fn to(&self, task: TaskContext) {
        let _ = self.0.task.set(task);
        let said = self.0.said.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let (Some(task), Some(said)) = (self.task(), said) {
            task.set_status_message(said);
        }
    }

    /// The task it has become, if it has.
    pub(crate) fn task(&self) -> Option<&TaskContext> {
        self.0.task.get()
    }

    /// Keeps a message for a task to come.
    fn keep(&self, message: &str) {
        *self.0.said.lock().unwrap_or_else(PoisonError::into_inner) = Some(message.to_owned());
    }
}

/// Who is told.
enum Listener {
    /// The client of the call.
    Client(Peer<RoleServer>, ProgressToken),
    /// The replica that passed the call on.
    Replica(mpsc::Sender<Frame>),
}

/// Tells the caller what is being done, if it asked to be told.
pub struct Reporter {
    listener: Option<Listener>,
    said: AtomicU64,
    task: Promotion,
}

impl Reporter {
    /// Reports to the client that gave `token`; without a token it reports nothing.
    #[must_use]
    pub fn new(peer: &Peer<RoleServer>, token: Option<ProgressToken>) -> Self {
        let listener = token.map(|token| Listener::Client(peer.clone(), token));
        Self { listener, said: AtomicU64::new(0), task: Promotion::default() }
    }

    /// The same for a call that may become a task.
    #[must_use]
    pub(crate) fn or_task(self, task: Promotion) -> Self {
        Self { task, ..self }
    }

    /// Reports to another replica, which tells its client.
    pub(crate) fn to_replica(frames: mpsc::Sender<Frame>) -> Self {
        Self { listener: Some(Listener::Replica(frames)), said: AtomicU64::new(0), task: Promotion::default() }
    }

    /// There are no listeners.
    #[must_use]
    pub fn silent() -> Self {
        Self { listener: None, said: AtomicU64::new(0), task: Promotion::default() }
    }

    /// Says how far a tool is that counts for itself. `done` is finite and grows.
    pub async fn progress(&self, done: f64, total: Option<f64>, message: Option<String>) {
        if let Some(task) = self.task.task() {
            let of = total.map(|total| format!(" of {total}")).unwrap_or_default();
            task.set_status_message(message.unwrap_or_else(|| format!("{done}{of}")));
            return;
        }
        let Some(Listener::Client(peer, token)) = &self.listener else { return };
        let mut param = ProgressNotificationParam::new(token.clone(), done);
        param.total = total;
        param.message = message;
        let _ = peer.notify_progress(param).await;
    }

    /// Reports one message. A caller that is gone is not an error: the work notices it by the call itself.
    pub async fn say(&self, message: &str) {
        self.say_as(0, message).await;
    }

    /// Says the `count`-th thing of work that began before this call, or the next thing where that is more: what a caller
    /// is told never goes backwards.
    pub async fn say_as(&self, count: usize, message: &str) {
        if let Some(task) = self.task.task() {
            task.set_status_message(message);
            return;
        }
        self.task.keep(message);
        let (peer, token) = match &self.listener {
            None => return,
            Some(Listener::Client(peer, token)) => (peer, token),
            Some(Listener::Replica(frames)) => {
                let _ = frames.send(Frame::Said { count, line: message.to_owned() }).await;
                return;
            }
        };
        let count = count as u64;
        let next = |said: u64| Some(count.max(said + 1));
        let said = self.said.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next).unwrap_or_else(|said| said);
        let count = count.max(said + 1);
        // A count of steps: how many there will be is not known.
        #[expect(clippy::cast_precision_loss, reason = "a run has a few dozen steps")]
        let param = ProgressNotificationParam::new(token.clone(), count as f64).with_message(message);
        let _ = peer.notify_progress(param).await;
    }
}

#[cfg(test)]
mod tests {
    use super::{Promotion, Reporter};
    use rmcp::task_manager::{TaskManager, TaskOptions};

    #[tokio::test]
    async fn task_begins_with_what_was_said_last_before_it_was_one() {
        let promotion = Promotion::default();
        let reporter = Reporter::silent().or_task(promotion.clone());
        reporter.say("regenerated").await;
        reporter.say("building").await;
        let manager = TaskManager::new();
        let task = manager.spawn(TaskOptions::new(), |task| {
            promotion.to(task);
            Box::pin(std::future::pending())
        });
        let said = || serde_json::to_value(manager.get_task(&task.task_id).unwrap()).unwrap()["statusMessage"].clone();
        assert_eq!(said(), "building");
        reporter.say("built").await;
        assert_eq!(said(), "built");
    }
}
