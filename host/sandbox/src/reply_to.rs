//! Hands a reply over after it went on record.

use crate::call::{Answer, Reply};
use crate::error::{CallError, HostFailure};
use crate::record::Record;
use tokio::sync::oneshot;

/// The caller that waits for a reply, and the log that gets it first.
pub(crate) struct ReplyTo {
    pub(crate) sender: oneshot::Sender<Reply>,
    pub(crate) record: Option<Record>,
}

impl ReplyTo {
    /// Whether the caller has stopped waiting.
    pub(crate) fn is_closed(&self) -> bool {
        self.sender.is_closed()
    }

    /// Whether the reply could be put on record now.
    pub(crate) fn check(&self) -> Result<(), HostFailure> {
        self.record.as_ref().map_or(Ok(()), Record::check)
    }

    /// Puts the reply on record and hands it over. A reply that cannot be put on record is a failure.
    pub(crate) fn send(self, mut reply: Reply) {
        let refused = matches!(reply.outcome, Err(CallError::Host(HostFailure::NotRecordable(_))));
        if let Some(record) = self.record.as_ref().filter(|_| !refused)
            && let Err(failure) = record.write(&reply.outcome, &reply.cost, &reply.denials)
        {
            reply.outcome = Err::<Answer, _>(failure.into());
        }
        // A caller that has gone is not a failure: the call is on record.
        let _ = self.sender.send(reply);
    }
}
