//! When a request is sent again, and what its answer may take.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

/// How often, and for how long, a request is sent again, and what its answer may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retries {
    /// How often a request is sent in all.
    pub attempts: u32,
    /// About how long to wait after the first failure; twice as long after each further one.
    pub first_wait: Duration,
    /// The longest wait. A provider that asks for more is not waited for.
    pub longest_wait: Duration,
    /// How long a turn may take with everything.
    pub deadline: Duration,
    /// How long nothing may come: neither a beginning nor a further piece of an answer.
    pub stall: Duration,
    /// How many bytes an answer may have as it comes over the wire. One that is longer is not sent for again.
    pub answer_bytes: usize,
    /// The most tokens that are asked for when an answer was cut off at fewer.
    pub most_output_tokens: u32,
}

impl Retries {
    /// What suits a person who waits for a run.
    #[must_use]
    pub fn usual() -> Self {
        Self {
            attempts: 5,
            first_wait: Duration::from_millis(500),
            longest_wait: Duration::from_secs(60),
            deadline: Duration::from_secs(600),
            // A local model is loaded, and a long request read, before the first piece comes.
            stall: Duration::from_secs(180),
            answer_bytes: 32 << 20,
            most_output_tokens: 128_000,
        }
    }

    /// The output limit for asking once more, when an answer was cut off after so many tokens under a limit that may
    /// not be known; `None` if there is no higher one.
    pub(crate) fn more_output(&self, limit: Option<u32>, produced: u64) -> Option<u32> {
        // A provider that counts nothing and was told nothing: what most allow by themselves.
        const USUAL: u32 = 4_096;
        let produced = u32::try_from(produced).unwrap_or(u32::MAX);
        let present = limit.unwrap_or(if produced == 0 { USUAL } else { produced });
        let more = present.saturating_mul(2).min(self.most_output_tokens);
        (more > present).then_some(more)
    }

    /// How long to wait after the given attempt, counted from 1; `None` to give up. `asked` is what the provider said,
    /// and `chance` is between 0 and 1.
    pub(crate) fn wait(&self, attempt: u32, asked: Option<Duration>, chance: f64) -> Option<Duration> {
        if attempt >= self.attempts {
            return None;
        }
        let doubled = self.first_wait.saturating_mul(1 << (attempt - 1).min(16));
        let own = doubled.min(self.longest_wait).mul_f64(0.5 + chance / 2.0);
        match asked {
            Some(asked) if asked > self.longest_wait => None,
            // Callers that were told the same time should not all come back at once, nor one that was told none at once.
            Some(asked) => Some((asked + self.first_wait.mul_f64(chance / 10.0)).max(own)),
            None => Some(own),
        }
    }
}

/// A number between 0 and 1.
pub(crate) fn chance() -> f64 {
    let number = RandomState::new().hash_one(0u8);
    f64::from(u32::try_from(number >> 32).unwrap_or_default()) / f64::from(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_are_bounded_and_end() {
        let retries = Retries { attempts: 12, longest_wait: Duration::from_secs(8), ..Retries::usual() };
        let waits: Vec<_> = (1..=12).map(|attempt| retries.wait(attempt, None, 1.0)).collect();
        assert_eq!(waits[..3], [500, 1000, 2000].map(|millis| Some(Duration::from_millis(millis))));
        assert_eq!(waits[10], Some(Duration::from_secs(8)));
        assert_eq!(waits[11], None);
        assert_eq!(retries.wait(1, None, 0.0), Some(Duration::from_millis(250)));
    }

    #[test]
    fn provider_that_asks_for_a_time_gets_it_unless_it_is_too_long() {
        let retries = Retries::usual();
        let wait = retries.wait(1, Some(Duration::from_secs(7)), 0.5).unwrap();
        assert!(wait >= Duration::from_secs(7) && wait < Duration::from_secs(8), "{wait:?}");
        assert_eq!(retries.wait(1, Some(Duration::from_secs(3600)), 0.5), None);
        assert_eq!(retries.wait(3, Some(Duration::ZERO), 1.0), retries.wait(3, None, 1.0), "no time is no invitation");
    }

    #[test]
    fn output_limit_doubles_and_is_bounded() {
        let retries = Retries { most_output_tokens: 10_000, ..Retries::usual() };
        let cases = [
            (Some(4_000), 4_000, Some(8_000)),
            (Some(6_000), 17, Some(10_000)),
            (Some(10_000), 10_000, None),
            (Some(20_000), 0, None),
            (None, 1_000, Some(2_000)),
            (None, 0, Some(8_192)),
            (None, u64::MAX, None),
        ];
        for (limit, produced, more) in cases {
            assert_eq!(retries.more_output(limit, produced), more, "{limit:?} {produced}");
        }
    }

    #[test]
    fn chance_is_between_zero_and_one_and_differs() {
        let all: Vec<f64> = (0..100).map(|_| chance()).collect();
        assert!(all.iter().all(|chance| (0.0..=1.0).contains(chance)));
        assert!(all.iter().any(|chance| (chance - all[0]).abs() > 0.01));
    }
}
