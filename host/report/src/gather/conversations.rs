//! What the conversations with models took, from the transcript.

use serde_json::Value;

use crate::model::{Agent, Totals};

/// The conversations of a run, in order.
#[derive(Debug, Default)]
pub(super) struct Conversations {
    pub(super) agents: Vec<Agent>,
    /// When a result was sent back, in milliseconds since 1970, and why, a line each.
    pub(super) sent_back: Vec<(u64, Vec<String>)>,
}

impl Conversations {
    /// Takes one line of a transcript.
    pub(super) fn add(&mut self, line: &Value) {
        let text = |name: &str| line.get(name).and_then(Value::as_str).unwrap_or_default();
        match text("entry") {
            "begin" => {
                let task = line.get("template").and_then(|stamp| stamp.get("id")).and_then(Value::as_str);
                // Nothing costs nothing; turns without a price make it unknown.
                let totals = Totals { cost_millionths: Some(0), model_ms: Some(0), ..Totals::default() };
                self.agents.push(Agent {
                    task: task.unwrap_or("agent").to_owned(),
                    model: text("backend").to_owned(),
                    totals,
                    outcome: "not ended".to_owned(),
                    sent_back: 0,
                });
            }
            "turn" => {
                if let Some(agent) = self.agents.last_mut() {
                    add_turn(&mut agent.totals, line);
                }
            }
            "validation" if text("verdict") == "refused" => {
                let at = line.get("at").and_then(Value::as_u64).unwrap_or(0);
                self.sent_back.push((at, reasons(line.get("reason").unwrap_or(&Value::Null))));
                if let Some(agent) = self.agents.last_mut() {
                    agent.sent_back += 1;
                }
            }
            "end" => {
                if let Some(agent) = self.agents.last_mut() {
                    agent.outcome = text("outcome").to_owned();
                }
            }
            _ => {}
        }
    }
}

fn add_turn(totals: &mut Totals, line: &Value) {
    let usage = |name: &str| line.get("usage").and_then(|usage| usage.get(name)).and_then(Value::as_u64).unwrap_or(0);
    let (input, output) = (usage("inputTokens"), usage("outputTokens"));
    totals.turns += 1;
    totals.tool_calls += line.get("calls").and_then(Value::as_u64).unwrap_or(0);
    totals.input_tokens += input;
    totals.cached_input_tokens += usage("cachedInputTokens");
    totals.output_tokens += output;
    let free = (input == 0 && output == 0).then_some(0);
    let cost = line.get("cost").and_then(Value::as_u64).or(free);
    totals.cost_millionths = totals.cost_millionths.zip(cost).map(|(sum, cost)| sum.saturating_add(cost));
    let took = line.get("tookMs").and_then(Value::as_u64);
    totals.model_ms = totals.model_ms.zip(took).map(|(sum, took)| sum.saturating_add(took));
}

/// Why a result was sent back: the gate's rules with what broke them, or whatever else was said.
fn reasons(reason: &Value) -> Vec<String> {
    if let Some(text) = reason.as_str() {
        return vec![format!("sent back: {text}")];
    }
    let Some(refused) = reason.get("refusedByGate").and_then(Value::as_array) else {
        return vec![format!("sent back: {reason}")];
    };
    let field = |violation: &Value, name: &str| violation.get(name).and_then(Value::as_str).unwrap_or("?").to_owned();
    refused
        .iter()
        .map(|violation| {
            let (rule, path, message) =
                (field(violation, "rule"), field(violation, "path"), field(violation, "message"));
            format!("the gate refused `{path}` by the rule `{rule}`: {message}")
        })
        .collect()
}
