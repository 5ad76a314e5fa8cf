//! What several agents took together: the summary of a run.

use std::fmt;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::budget::{Totals, amount};
use crate::message::Usage;

/// What the agents of a run took together, those that failed included. All zero where no model was asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Spent {
    /// Answers of the model.
    pub turns: u64,
    /// Calls that the model asked for, failed ones and every `Exit` included.
    pub tool_calls: u64,
    /// How long the calls of tools took, in milliseconds and added up: calls beside each other count each.
    #[serde(rename = "toolTimeMs", serialize_with = "to_milliseconds", deserialize_with = "of_milliseconds")]
    #[schemars(with = "u64")]
    pub tool_time: Duration,
    /// Tokens sent, cached ones included.
    pub input_tokens: u64,
    /// How many of the tokens sent were read from the provider's cache.
    pub cached_input_tokens: u64,
    /// Tokens received.
    pub output_tokens: u64,
    /// What the tokens cost, in millionths of one unit of the money that the prices are in; null where the prices of a
    /// model are not known.
    pub cost_millionths: Option<u64>,
}

impl Default for Spent {
    fn default() -> Self {
        let (turns, tool_calls, tool_time) = (0, 0, Duration::ZERO);
        let (input_tokens, cached_input_tokens, output_tokens) = (0, 0, 0);
        // Nothing costs nothing.
        let cost_millionths = Some(0);
        Self { turns, tool_calls, tool_time, input_tokens, cached_input_tokens, output_tokens, cost_millionths }
    }
}

impl Spent {
    /// Adds what one agent spent between two states of its totals.
    pub(crate) fn add(&mut self, before: &Totals, after: &Totals, cost: &dyn Fn(&Usage) -> Option<u64>) {
        self.turns = self.turns.saturating_add(after.turns.saturating_sub(before.turns));
        let calls = after.tool_calls.saturating_sub(before.tool_calls);
        self.tool_calls = self.tool_calls.saturating_add(calls.into());
        self.tool_time = self.tool_time.saturating_add(after.tool_time.saturating_sub(before.tool_time));
        let used = after.usage.since(before.usage);
        if used == Usage::default() {
            return;
        }
        self.input_tokens = self.input_tokens.saturating_add(used.input_tokens);
        self.cached_input_tokens = self.cached_input_tokens.saturating_add(used.cached_input_tokens);
        self.output_tokens = self.output_tokens.saturating_add(used.output_tokens);
        // A sum that leaves something out is not reported as the cost.
        self.cost_millionths = match (self.cost_millionths, cost(&used)) {
            (Some(sum), Some(cost)) => Some(sum.saturating_add(cost)),
            _ => None,
        };
    }
}

/// One line for people: `3 turns, 5 tool calls (12 ms), 1200 tokens in (1000 cached), 56 out, cost 0.012345`.
impl fmt::Display for Spent {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tool_time = self.tool_time.as_micros().div_ceil(1000);
        write!(formatter, "{} turns, {} tool calls ({tool_time} ms), ", self.turns, self.tool_calls)?;
        let cached = match self.cached_input_tokens {
            0 => String::new(),
            cached => format!(" ({cached} cached)"),
        };
        write!(formatter, "{} tokens in{cached}, {} out", self.input_tokens, self.output_tokens)?;
        match self.cost_millionths {
            Some(cost) if self.input_tokens > 0 || self.output_tokens > 0 => {
                write!(formatter, ", cost {}", amount(cost))
            }
            _ => Ok(()),
        }
    }
}

/// A begun millisecond counts: a call that was made took some time.
fn to_milliseconds<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(u64::try_from(time.as_micros().div_ceil(1000)).unwrap_or(u64::MAX))
}

fn of_milliseconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    u64::deserialize(deserializer).map(Duration::from_millis)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prices::Prices;

    fn totals(turns: u64, tool_calls: u32, input_tokens: u64, output_tokens: u64) -> Totals {
        let usage = Usage { input_tokens, cached_input_tokens: input_tokens / 2, output_tokens };
        let tool_time = Duration::from_micros(u64::from(tool_calls) * 400);
        Totals { turns, tool_calls, usage, wall: Duration::ZERO, tool_time }
    }

    #[test]
    fn agents_are_added_up_and_a_resumed_one_counts_from_where_it_stood() {
        let prices = Prices { input: 2_000_000, cached_input: 1_000_000, output: 10_000_000 };
        let mut spent = Spent::default();
        spent.add(&Totals::default(), &totals(2, 3, 1000, 10), &|usage| Some(prices.cost(usage)));
        spent.add(&totals(2, 3, 1000, 10), &totals(3, 5, 1400, 15), &|usage| Some(prices.cost(usage)));
        assert_eq!((spent.turns, spent.tool_calls), (3, 5));
        assert_eq!((spent.input_tokens, spent.cached_input_tokens, spent.output_tokens), (1400, 700, 15));
        assert_eq!(spent.cost_millionths, Some(1_500 + 100 + 600 + 50));
        let line = "3 turns, 5 tool calls (2 ms), 1400 tokens in (700 cached), 15 out, cost 0.002250";
        assert_eq!(spent.to_string(), line);
        let json = serde_json::to_value(&spent).unwrap();
        assert_eq!((&json["toolTimeMs"], &json["costMillionths"]), (&2.into(), &2250.into()));
        let read: Spent = serde_json::from_value(json).unwrap();
        assert_eq!(read, spent);
    }

    #[test]
    fn cost_is_unknown_once_tokens_without_a_price_are_in_it_and_not_shown_without_tokens() {
        let mut spent = Spent::default();
        spent.add(&Totals::default(), &totals(4, 9, 0, 0), &|_| None);
        assert_eq!(spent.to_string(), "4 turns, 9 tool calls (4 ms), 0 tokens in, 0 out");
        assert_eq!(spent.cost_millionths, Some(0));
        spent.add(&Totals::default(), &totals(1, 1, 10, 10), &|_| None);
        spent.add(&Totals::default(), &totals(1, 1, 10, 10), &|_| Some(7));
        assert_eq!(spent.cost_millionths, None);
        assert!(!spent.to_string().contains("cost"), "{spent}");
    }
}
