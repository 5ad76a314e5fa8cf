//! What a tool learns of the call it answers.

use crate::caller::Caller;
use crate::component::Reach;
use crate::logger::Logger;
use crate::reporter::Reporter;
use crate::roots::Directories;
use rmcp::model::{ClientCapabilities, InputResponses, ProtocolVersion};
use rmcp::service::RequestContext;
use rmcp::{Peer, RoleServer};
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// How the person at the client can be asked something.
#[derive(Clone)]
pub enum Person {
    /// Not at all: the client did not say that it can ask.
    OutOfReach,
    /// By a request of ours, which the client answers (up to 2025-11-25).
    Asked(Peer<RoleServer>),
    /// By an answer that asks, after which the client calls again (from 2026-07-28).
    AskedByAnswer,
}

/// The answer to a question of an earlier answer of ours, as the client sent it. All of it is to be doubted.
#[derive(Debug, Clone, Default)]
pub struct Again {
    /// What was answered, by the keys of what was asked.
    pub responses: Option<InputResponses>,
    /// What the client was given to send back.
    pub state: Option<String>,
}

/// How long a caller waits for long work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Patience {
    /// Until it would rather be told that the work goes on.
    Usual,
    /// Until the end, as it is told of a task meanwhile.
    Endless,
}

impl Patience {
    /// How long to wait, where a usual caller waits for `usual`.
    #[must_use]
    pub fn or(self, usual: Duration) -> Duration {
        match self {
            Self::Usual => usual,
            // As long as any clock counts; the task has a limit of its own.
            Self::Endless => Duration::from_secs(366 * 24 * 3600),
        }
    }
}

/// One call.
pub struct Call {
    /// Told what is being done.
    pub reporter: Reporter,
    /// Told what a tool has to log.
    pub logger: Logger,
    /// How long it waits.
    pub patience: Patience,
    /// Cancelled when the caller takes the call back. A lost HTTP connection takes nothing back.
    pub cancelled: CancellationToken,
    /// Cancelled when the connection of the replica that passed the call on is lost: no one reads the answer any more, and nothing
    /// is taken back.
    pub unheard: CancellationToken,
    /// Cancelled when the server ends, as it does with the connection of stdio.
    pub closing: CancellationToken,
    /// What the client calls itself: its word alone.
    pub client: String,
    /// The client, as the server determined it: over HTTP the holder of the token, or one program of a subject.
    pub owner: Arc<str>,
    /// Whose runs it begins and sees.
    pub caller: Caller,
    /// Who can be asked.
    pub person: Person,
    /// What an added tool can ask the client for.
    pub reach: Reach,
    /// What came with a call made again.
    pub again: Again,
    /// Which directories the caller may use.
    pub directories: Directories,
}

impl Call {
    /// Waits until the caller no longer wants the answer.
    pub async fn taken_back(&self) {
        tokio::select! {
            () = self.cancelled.cancelled() => {}
            () = self.closing.cancelled() => {}
        }
    }
}

#[cfg(test)]
impl Call {
    /// A call of a local client that can be asked nothing, for unit tests.
    pub(crate) fn for_tests() -> Self {
        Self {
            reporter: Reporter::silent(),
            logger: Logger::silent(),
            patience: Patience::Usual,
            cancelled: CancellationToken::new(),
            unheard: CancellationToken::new(),
            closing: CancellationToken::new(),
            client: "test".into(),
            owner: "somebody".into(),
            caller: Caller::local(),
            person: Person::OutOfReach,
            reach: Reach::none(),
            again: Again::default(),
            directories: Directories::unasked(),
        }
    }
}

/// What the client of this request calls itself.
pub(crate) fn client(context: &RequestContext<RoleServer>) -> String {
    context.client_info().map_or_else(|| "a client without a name".to_owned(), |client| client.name)
}

/// How the person behind this request can be asked.
pub(crate) fn person(context: &RequestContext<RoleServer>) -> Person {
    if !context.client_capabilities().as_ref().is_some_and(can_ask) {
        return Person::OutOfReach;
    }
    match context.protocol_version() {
        Some(version) if version.as_str() >= ProtocolVersion::V_2026_07_28.as_str() => Person::AskedByAnswer,
        _ => Person::Asked(context.peer.clone()),
    }
}

/// An empty capability means forms, as it did before there was anything else.
pub(crate) fn can_ask(capabilities: &ClientCapabilities) -> bool {
    capabilities.elicitation.as_ref().is_some_and(|elicitation| elicitation.form.is_some() || elicitation.url.is_none())
}
