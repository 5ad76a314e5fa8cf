//! When a request is sent again.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

/// How often, and for how long, a request is sent again.
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
        }
    }

    /// How long to wait after the given attempt, counted from 1; `None` to give up. `asked` is what the provider said,
    /// and `chance` is between 0 and 1.
    pub(crate) fn wait(&self, attempt: u32, asked: Option<Duration>, chance: f64) -> Option<Duration> {
        if attempt >= self.attempts {
            return None;
        }
        match asked {
            Some(asked) if asked > self.longest_wait => None,
            // Callers that were told the same time should not all come back at once.
            Some(asked) => Some(asked + self.first_wait.mul_f64(chance / 10.0)),
            None => {
                let doubled = self.first_wait.saturating_mul(1 << (attempt - 1).min(16));
                Some(doubled.min(self.longest_wait).mul_f64(0.5 + chance / 2.0))
            }
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
    }

    #[test]
    fn chance_is_between_zero_and_one_and_differs() {
        let all: Vec<f64> = (0..100).map(|_| chance()).collect();
        assert!(all.iter().all(|chance| (0.0..=1.0).contains(chance)));
        assert!(all.iter().any(|chance| (chance - all[0]).abs() > 0.01));
    }
}
