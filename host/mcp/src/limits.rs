//! What one server may spend. There is no default: whoever starts it says it.

use crate::tasks::TaskLimits;
use std::time::Duration;

/// Bounds of a server.
#[derive(Debug, Clone)]
pub struct ServerLimits {
    /// How long a call waits for a customization before it answers `running`. Below a client's own timeout.
    pub answer_within: Duration,
    /// The longest that one call may wait for a run.
    pub longest_wait: Duration,
    /// Customizations that one client may have at work.
    pub runs: usize,
    /// Customizations that have ended and can still be waited for without a look into the store.
    pub ended_runs: usize,
    /// Calls of tools that one client may have open, those that wait included.
    pub calls: usize,
    /// Length of one message of a client, in bytes.
    pub message_bytes: usize,
    /// How long a person may take to answer a question.
    pub answer: Duration,
    /// Questions that may be open.
    pub questions: usize,
    /// How long a client may take to say which roots it has.
    pub roots: Duration,
    /// Calls that go on as tasks.
    pub tasks: TaskLimits,
    /// Resources that one connection may be told about when they change.
    pub subscriptions: usize,
    /// How often such a resource is looked at.
    pub look_every: Duration,
}
