//! What one server may spend. There is no default: the program that starts it says it.

use crate::failure::Failure;
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
    /// Customizations that all clients together may have at work: each is a compiler and a build.
    pub all_runs: usize,
    /// Customizations that have ended and can still be waited for without a look into the store.
    pub ended_runs: usize,
    /// Calls of tools that one client may have open, those that wait included.
    pub calls: usize,
    /// Length of one message of a client, in bytes.
    pub message_bytes: usize,
    /// How long a person may take to answer a question.
    pub answer: Duration,
    /// Prompts for its model that one client may leave unanswered.
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

impl ServerLimits {
    /// Whether a client of which `own` runs are at work may begin another, where `all` are.
    ///
    /// # Errors
    /// It may not.
    pub(crate) fn admit(&self, own: usize, all: usize) -> Result<(), Failure> {
        if own >= self.runs {
            return Err(Failure::new(format!("{own} runs are at work, and no more are begun"))
                .hint("wait for one with `azsdk_run_wait` or end one with `azsdk_run_cancel`"));
        }
        if all >= self.all_runs {
            return Err(Failure::new(format!("{all} runs of several clients are at work, and no more are begun"))
                .hint("try again when some of them have ended"));
        }
        Ok(())
    }
}

#[cfg(test)]
impl ServerLimits {
    /// For unit tests, which say what they are about.
    pub(crate) fn nothing() -> Self {
        Self {
            answer_within: Duration::ZERO,
            longest_wait: Duration::ZERO,
            runs: 0,
            all_runs: 0,
            ended_runs: 0,
            calls: 0,
            message_bytes: 0,
            answer: Duration::ZERO,
            questions: 0,
            roots: Duration::ZERO,
            tasks: TaskLimits {
                after: Duration::ZERO,
                longest: Duration::ZERO,
                kept: Duration::ZERO,
                most: 0,
                poll: Duration::ZERO,
            },
            subscriptions: 0,
            look_every: Duration::ZERO,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_client_leaves_room_for_others_and_all_together_for_the_machine() {
        let limits = ServerLimits { runs: 2, all_runs: 3, ..ServerLimits::nothing() };
        assert!(limits.admit(1, 1).is_ok());
        assert!(limits.admit(2, 2).unwrap_err().message.contains("2 runs are at work"));
        assert!(limits.admit(0, 2).is_ok(), "another client");
        assert!(limits.admit(0, 3).unwrap_err().message.contains("several clients"));
    }
}
