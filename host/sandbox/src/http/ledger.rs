//! What the requests of one call have spent, and which were refused. Requests are carried out on other threads.

use super::HttpLimits;
use crate::cost::Cost;
use crate::denial::{Denial, DenialReason, KEPT};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// The name under which a refused request is on record.
const OPERATION: &str = "http-request";

#[derive(Debug, Default)]
pub(super) struct Ledger {
    requests: AtomicU32,
    sent: AtomicU64,
    received: AtomicU64,
    denied: AtomicU32,
    denials: Mutex<Vec<Denial>>,
}

impl Ledger {
    /// Counts a request that was let pass. `false` if it is one too many.
    pub(super) fn begins(&self, limits: &HttpLimits) -> bool {
        let more = |requests: u32| (requests < limits.requests).then_some(requests + 1);
        self.requests.fetch_update(Ordering::SeqCst, Ordering::SeqCst, more).is_ok()
    }

    /// Counts bytes about to be sent. `false` if they are too many.
    pub(super) fn sends(&self, bytes: usize, limits: &HttpLimits) -> bool {
        add(&self.sent, bytes, limits.request_bytes)
    }

    /// Counts bytes that came. `false` if they are too many.
    pub(super) fn receives(&self, bytes: usize, limits: &HttpLimits) -> bool {
        add(&self.received, bytes, limits.response_bytes)
    }

    pub(super) fn denies(&self, shown: &str, reason: DenialReason) {
        self.denied.fetch_add(1, Ordering::SeqCst);
        let mut denials = self.denials.lock().unwrap_or_else(PoisonError::into_inner);
        if denials.len() < KEPT {
            denials.push(Denial::new(OPERATION, shown, reason));
        }
    }

    /// Adds what was spent to the cost of the call, and the refused requests to its refused attempts.
    pub(super) fn settle(&self, cost: &mut Cost, denials: &mut Vec<Denial>) {
        cost.requests = self.requests.load(Ordering::SeqCst);
        cost.sent_bytes = self.sent.load(Ordering::SeqCst);
        cost.received_bytes = self.received.load(Ordering::SeqCst);
        cost.denied = cost.denied.saturating_add(self.denied.load(Ordering::SeqCst));
        let mut own = self.denials.lock().unwrap_or_else(PoisonError::into_inner);
        denials.extend(own.drain(..));
        denials.truncate(KEPT);
    }
}

/// Adds, unless the sum is beyond the limit.
fn add(sum: &AtomicU64, bytes: usize, limit: usize) -> bool {
    let (bytes, limit) = (bytes as u64, limit as u64);
    let more = |sum: u64| sum.checked_add(bytes).filter(|total| *total <= limit);
    sum.fetch_update(Ordering::SeqCst, Ordering::SeqCst, more).is_ok()
}
