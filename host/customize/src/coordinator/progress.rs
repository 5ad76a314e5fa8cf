//! How far a workflow is, counted in steps that a caller can see.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{FixType, Phase, Workflow};

/// Steps of the present iteration. The one under way is in neither list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Progress {
    /// From 1.
    pub current_step: u8,
    /// How many there are on this way.
    pub total_steps: u8,
    /// What is done.
    pub completed_steps: Vec<String>,
    /// What comes after the current one.
    pub remaining_steps: Vec<String>,
}

const WITH_REGENERATION: [&str; 4] = ["Classify", "Fix", "Regenerate", "Build"];
const WITHOUT: [&str; 3] = ["Classify", "Fix", "Build"];

impl Workflow {
    pub(super) fn progress(&self) -> Progress {
        let way: &[&str] = match (self.phase, self.last_fix) {
            (Phase::AttemptSdkFix, _) => &WITHOUT,
            (Phase::Success | Phase::Failure, Some(FixType::Sdk)) => &WITHOUT,
            _ => &WITH_REGENERATION,
        };
        let done = match self.phase {
            Phase::Classify => 0,
            Phase::AttemptTspFix | Phase::AttemptSdkFix => 1,
            Phase::Success => way.len(),
            // Where it stopped: the last thing that failed.
            Phase::Failure => match self.history.last().map(|entry| entry.action.as_str()) {
                Some("build") => way.len() - 1,
                Some("regenerate") => 2.min(way.len() - 1),
                Some("fix in customization code" | "fix with TypeSpec") => 1,
                _ => 0,
            },
        };
        let name = |step: &&str| (*step).to_owned();
        let current = (done + 1).min(way.len());
        Progress {
            current_step: u8::try_from(current).unwrap_or(u8::MAX),
            total_steps: u8::try_from(way.len()).unwrap_or(u8::MAX),
            completed_steps: way[..done].iter().map(name).collect(),
            remaining_steps: way[current..].iter().map(name).collect(),
        }
    }
}
