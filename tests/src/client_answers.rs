//! What stands in for the model of an MCP client.

use crate::World;
use serde_json::Value;

/// What the mechanic says to a request over the stand-in toolchain, turn by turn, in the form that a model without tools
/// is told to use.
#[must_use]
pub fn answers_of_a_client_model(request: &str) -> Vec<String> {
    let world = World::standing_in();
    let file = world.base().join("recorded.jsonl");
    let _ = world.customize_with(request, &["--record", file.to_str().unwrap()]).exits(0);
    let recorded = std::fs::read_to_string(file).unwrap();
    let turns = recorded.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let responses = turns.filter_map(|turn| turn.get("response").cloned());
    responses.map(|response| format!("I answer:\n```json\n{response}\n```")).collect()
}
