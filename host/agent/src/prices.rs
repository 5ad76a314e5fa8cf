//! What tokens cost.

use serde::{Deserialize, Serialize};

use crate::message::Usage;

/// What a million tokens cost, in millionths of one unit of money: 3 dollars are 3,000,000. The currency is the
/// caller's, and the same for all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Prices {
    /// For tokens sent that the provider had not in its cache.
    pub input: u64,
    /// For tokens sent that were read from the provider's cache.
    pub cached_input: u64,
    /// For tokens received.
    pub output: u64,
}

impl Prices {
    /// Those of a backend that costs nothing.
    pub const FREE: Self = Self { input: 0, cached_input: 0, output: 0 };

    /// What these tokens cost, in millionths of one unit of money; a begun millionth counts.
    #[must_use]
    pub fn cost(&self, usage: &Usage) -> u64 {
        let cached = usage.cached_input_tokens.min(usage.input_tokens);
        let of = |tokens: u64, price: u64| u128::from(tokens) * u128::from(price);
        let sum = of(usage.input_tokens - cached, self.input)
            .saturating_add(of(cached, self.cached_input))
            .saturating_add(of(usage.output_tokens, self.output));
        u64::try_from(sum.div_ceil(1_000_000)).unwrap_or(u64::MAX)
    }
}

/// An amount of money as people write it, such as `0.50` or `12`, in millionths: digits, at most six of them after a
/// point. `None` for anything else, and for nothing at all.
#[must_use]
pub fn millionths(text: &str) -> Option<u64> {
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(part) || part.len() > 6 {
        return None;
    }
    let whole: u64 = whole.parse().ok()?;
    let part: u64 = format!("{part:0<6}").parse().ok()?;
    whole.checked_mul(1_000_000)?.checked_add(part).filter(|amount| *amount > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read_exactly_or_not_at_all() {
        for (text, expected) in [("0.50", 500_000), ("12", 12_000_000), ("0.000001", 1), ("3.10", 3_100_000)] {
            assert_eq!(millionths(text), Some(expected), "{text}");
        }
        for text in
            ["", ".", "1.", ".5", "0", "0.0", "-1", "+1", "1e3", "1,5", "0.0000001", "1.2.3", " 1", "18446744073710"]
        {
            assert_eq!(millionths(text), None, "{text}");
        }
    }

    #[test]
    fn each_kind_of_token_has_its_price_and_nothing_overflows() {
        let prices = Prices { input: 3_000_000, cached_input: 300_000, output: 15_000_000 };
        let usage = Usage { input_tokens: 1_000, cached_input_tokens: 900, output_tokens: 10 };
        assert_eq!(prices.cost(&usage), 300 + 270 + 150);
        assert_eq!(prices.cost(&Usage { cached_input_tokens: 1, input_tokens: 1, ..Usage::default() }), 1);
        assert_eq!(Prices::FREE.cost(&usage), 0);
        let all = Usage { input_tokens: u64::MAX, cached_input_tokens: 0, output_tokens: u64::MAX };
        assert_eq!(Prices { input: u64::MAX, cached_input: 0, output: u64::MAX }.cost(&all), u64::MAX);
    }
}
