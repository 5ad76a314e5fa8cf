//! Which tickets are good: for this replica, of now, and not seen before.

use super::wire::Ticket;
use crate::keys::Keys;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use std::collections::{BTreeSet, VecDeque};
use std::sync::{Mutex, PoisonError};

/// Tickets that are remembered. Only holders of the key make some.
const MOST: usize = 65_536;

/// Why a ticket is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Refused {
    /// It was not sealed under the key, or was changed.
    #[error("there is no ticket under a key of this replica")]
    Forged,
    /// It is for another replica.
    #[error("the ticket is for another replica")]
    Misdirected,
    /// It is older than may be, or from the future.
    #[error("the ticket is not of now; the clocks of the replicas may differ")]
    NotOfNow,
    /// It was used before.
    #[error("the ticket was used before")]
    Repeated,
    /// Too many were used lately.
    #[error("too many tickets were used lately")]
    Full,
}

/// Judges tickets for one replica.
pub(crate) struct Guard {
    replica: String,
    keys: Keys,
    /// How far the clocks of replicas may be apart, in seconds.
    skew: u64,
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    words: BTreeSet<String>,
    /// The oldest first.
    order: VecDeque<(u64, String)>,
}

impl Guard {
    pub(crate) fn new(replica: &str, keys: &Keys, skew: u64) -> Self {
        Self { replica: replica.to_owned(), keys: keys.clone(), skew, seen: Mutex::default() }
    }

    /// The ticket in a header, which is good once.
    pub(crate) fn judge(&self, header: &[u8], now: u64) -> Result<Ticket, Refused> {
        let sealed = URL_SAFE_NO_PAD.decode(header).map_err(|_| Refused::Forged)?;
        let text = self.keys.open(Ticket::ABOUT, &sealed).ok_or(Refused::Forged)?;
        let ticket: Ticket = serde_json::from_slice(&text).map_err(|_| Refused::Forged)?;
        if ticket.to != self.replica {
            return Err(Refused::Misdirected);
        }
        if now.abs_diff(ticket.at) > self.skew {
            return Err(Refused::NotOfNow);
        }
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        // One of the future is remembered until it is too old.
        let skew = self.skew;
        while seen.order.front().is_some_and(|(when, _)| now.saturating_sub(*when) > 2 * skew) {
            let gone = seen.order.pop_front();
            gone.map(|(_, word)| seen.words.remove(&word));
        }
        if seen.words.contains(&ticket.word) {
            return Err(Refused::Repeated);
        }
        if seen.words.len() >= MOST {
            return Err(Refused::Full);
        }
        seen.words.insert(ticket.word.clone());
        seen.order.push_back((now, ticket.word.clone()));
        Ok(ticket)
    }
}

/// A ticket as it stands in a header.
pub(crate) fn written(ticket: &Ticket, keys: &Keys) -> Result<String, crate::Failure> {
    let text = serde_json::to_vec(ticket).map_err(|error| crate::Failure::new(error.to_string()))?;
    Ok(URL_SAFE_NO_PAD.encode(keys.seal(Ticket::ABOUT, &text)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: u64 = 1_795_000_000;

    fn keys(text: &str) -> Keys {
        Keys::shared([text.as_bytes()]).unwrap()
    }

    #[test]
    fn ticket_is_good_once_for_one_replica_and_for_now() {
        let own = keys("a key of replicas that is long enough");
        let guard = Guard::new("one", &own, 30);
        let made = |to: &str, at: u64, word: &str| Ticket { to: to.into(), at, word: word.into() };
        let judge = |ticket: &Ticket, keys: &Keys, now| {
            guard.judge(written(ticket, keys).unwrap().as_bytes(), now).map(|ticket| ticket.word)
        };
        assert_eq!(judge(&made("one", NOW, "a"), &own, NOW), Ok("a".into()));
        assert_eq!(judge(&made("one", NOW, "a"), &own, NOW + 1), Err(Refused::Repeated));
        assert_eq!(judge(&made("two", NOW, "b"), &own, NOW), Err(Refused::Misdirected));
        assert_eq!(judge(&made("one", NOW - 31, "c"), &own, NOW), Err(Refused::NotOfNow));
        assert_eq!(judge(&made("one", NOW + 31, "d"), &own, NOW), Err(Refused::NotOfNow));
        // One that is from a clock ahead of ours is not good again when ours has come there.
        assert_eq!(judge(&made("one", NOW + 30, "e"), &own, NOW), Ok("e".into()));
        assert_eq!(judge(&made("one", NOW + 30, "e"), &own, NOW + 60), Err(Refused::Repeated));
        let strange = keys("a key of others that is long enough.");
        assert_eq!(judge(&made("one", NOW, "f"), &strange, NOW), Err(Refused::Forged));
        for header in [b"".as_slice(), b"AAAA", b"not base64!", &[0xff; 200]] {
            assert_eq!(guard.judge(header, NOW), Err(Refused::Forged));
        }
        assert_eq!(guard.seen.lock().unwrap().words.len(), 2, "what is refused is not remembered");
    }
}
