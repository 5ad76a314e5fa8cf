//! What the client of a request can be asked for, and how.

use crate::call::can_ask;
use bailiwick_sandbox::rich::Abilities;
use rmcp::model::ProtocolVersion;
use rmcp::service::RequestContext;
use rmcp::{Peer, RoleServer};

/// How a client is asked.
#[derive(Clone)]
pub(crate) enum Way {
    /// By requests of ours, which it answers (up to 2025-11-25).
    ByRequest(Peer<RoleServer>),
    /// By an answer that asks, after which it calls again (from 2026-07-28).
    ByAnswer,
    /// The client cannot ask a person.
    Unavailable,
}

/// What the client of one request can be asked for, as it says.
#[derive(Clone)]
pub struct Reach {
    pub(crate) can: Abilities,
    pub(crate) way: Way,
}

impl Reach {
    /// For this request.
    pub(crate) fn of(context: &RequestContext<RoleServer>) -> Self {
        let mut can = Abilities::empty();
        if let Some(client) = context.client_capabilities() {
            can |= if can_ask(&client) { Abilities::FORMS } else { Abilities::empty() };
            can |= if client.sampling.is_some() { Abilities::COMPLETIONS } else { Abilities::empty() };
            can |= if client.roots.is_some() { Abilities::ROOTS } else { Abilities::empty() };
        }
        let way = match context.protocol_version() {
            Some(version) if version.as_str() >= ProtocolVersion::V_2026_07_28.as_str() => Way::ByAnswer,
            _ => Way::ByRequest(context.peer.clone()),
        };
        Self { can, way }
    }

    /// No question can be asked.
    #[must_use]
    pub fn none() -> Self {
        Self { can: Abilities::empty(), way: Way::Unavailable }
    }
}
