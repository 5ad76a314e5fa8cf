//! Clients' wishes for tools, kept for the person beside what was added.

use crate::installed::store;
use bailiwick_mcp::Failure;
use bailiwick_mcp::requests::{Kept, Requests, Stands, Wish};
use bailiwick_tools::requests::Asked;
use std::time::{SystemTime, UNIX_EPOCH};

/// The wishes in the state directory.
pub(super) struct Wishes;

impl Requests for Wishes {
    fn stands(&self, tool: &str) -> Result<Stands, Failure> {
        let known = store().and_then(|store| Ok(store.list()?)).map_err(|_| unavailable())?;
        Ok(match known.get(tool) {
            Some(entry) if entry.standing().allows() => Stands::Approved,
            Some(_) => Stands::Unapproved,
            None => Stands::Unknown,
        })
    }

    fn keep(&self, wish: &Wish) -> Result<Kept, Failure> {
        let at = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let asked = store().and_then(|store| Ok(store.ask(&wish.tool, &wish.what_for, &wish.client, at)?));
        Ok(match asked.map_err(|_| unavailable())? {
            Asked::Waits(request) | Asked::AlreadyWaits(request) => Kept::Waits(request.id),
            Asked::TooMany => Kept::TooMany,
        })
    }
}

/// The text for a client contains no path of this machine and no hint for the operator.
fn unavailable() -> Failure {
    Failure::new("the requests of this machine cannot be kept")
}
