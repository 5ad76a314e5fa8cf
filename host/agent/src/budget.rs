//! What an agent may spend, and what it spent.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::message::Usage;

/// The number of tool calls that suits most tasks. A documented usual value, never filled in by itself.
pub const USUAL_TOOL_CALLS: u32 = 100;

/// What an agent may spend. There is no default: the definition of an agent says what it may cost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Budget {
    /// How many calls the model may ask for, the ones that fail and every `Exit` included; at least 1.
    /// [`USUAL_TOOL_CALLS`] suits most tasks. It bounds the turns too: all but one call at least one tool.
    pub max_tool_calls: u32,
    /// How many tokens may be sent and received over all turns.
    pub tokens: Option<u64>,
    /// How long the agent may work. The time between saving a conversation and resuming it does not count.
    pub wall: Duration,
}

/// The part of a budget that was exceeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "limit", rename_all = "camelCase")]
pub enum Exceeded {
    /// No call is left, or the last turn asked for more than were left (none of those was run).
    #[error("the agent's {allowed} tool calls did not suffice for a result")]
    ToolCalls {
        /// [`Budget::max_tool_calls`].
        allowed: u32,
    },
    /// More tokens than allowed.
    #[error("the agent used {used} tokens where {allowed} were allowed")]
    Tokens {
        /// [`Budget::tokens`].
        allowed: u64,
        /// What was used.
        used: u64,
    },
    /// More money than allowed, at the prices of the model.
    #[error("the agent cost {} where {} were allowed", amount(*used), amount(*allowed))]
    Money {
        /// What [`crate::Microagent::with_cost_limit`] was given, in millionths of one unit of money.
        allowed: u64,
        /// What was used, in the same unit.
        used: u64,
    },
    /// Out of time. What was under way was stopped.
    #[error("the agent did not come to a result within {allowed:?}")]
    WallClock {
        /// [`Budget::wall`].
        allowed: Duration,
    },
}

/// What a conversation has spent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Totals {
    /// Answers of the model.
    pub turns: u64,
    /// Calls that the model asked for and that were dealt with, failed ones and every `Exit` included.
    pub tool_calls: u32,
    /// Tokens, those of failed turns included.
    pub usage: Usage,
    /// Time at work.
    pub wall: Duration,
    /// How long the calls that were run took, added up: calls beside each other count each.
    #[serde(default)]
    pub tool_time: Duration,
}

impl Budget {
    /// How many calls are left.
    pub(crate) fn calls_left(&self, totals: &Totals) -> u32 {
        self.max_tool_calls.saturating_sub(totals.tool_calls)
    }

    /// What cannot be spent twice: tokens and time. Calls are judged where they are asked for.
    pub(crate) fn overspent(&self, totals: &Totals) -> Option<Exceeded> {
        let used = totals.usage.total();
        match self.tokens {
            Some(allowed) if used > allowed => Some(Exceeded::Tokens { allowed, used }),
            _ if totals.wall > self.wall => Some(self.out_of_time()),
            _ => None,
        }
    }

    pub(crate) fn out_of_calls(&self) -> Exceeded {
        Exceeded::ToolCalls { allowed: self.max_tool_calls }
    }

    pub(crate) fn out_of_time(&self) -> Exceeded {
        Exceeded::WallClock { allowed: self.wall }
    }
}

/// An amount of money for people, without its currency.
pub(crate) fn amount(millionths: u64) -> String {
    format!("{}.{:06}", millionths / 1_000_000, millionths % 1_000_000)
}
