//! What components said of themselves, kept beside their compiled forms.
//!
//! `describe` gives the same answer every time, so a component that was loaded once need not be made ready again just to
//! be listed. What is kept is what the component said, word by word, with the interfaces it imports; both are checked
//! again when they are read, against the policy and the limits of that day.

use crate::bindings::exports::bailiwick::tool::tool as wit;
use crate::cache::{CompileCache, engine_key};
use serde::{Deserialize, Serialize};
use wasmtime::Engine;

/// What is known of a component that is not loaded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Known {
    /// The interfaces it imports, sorted.
    pub(crate) imports: Vec<String>,
    name: String,
    description: String,
    input_schema: String,
    output_schema: String,
    /// The bits of `effects` in the order of `wit/tool.wit`.
    effects: [bool; 4],
}

const EFFECTS: [wit::Effects; 4] =
    [wit::Effects::READS, wit::Effects::WRITES, wit::Effects::DESTRUCTIVE, wit::Effects::IDEMPOTENT];

/// The longest file of this kind that is read, in bytes. JSON can make six of one.
const LONGEST: u64 = 1 << 20;

impl Known {
    pub(crate) fn new(imports: &[String], said: &wit::Descriptor) -> Self {
        Self {
            imports: imports.to_vec(),
            name: said.name.clone(),
            description: said.description.clone(),
            input_schema: said.input_schema.clone(),
            output_schema: said.output_schema.clone(),
            effects: EFFECTS.map(|effect| said.effects.contains(effect)),
        }
    }

    /// What the component said.
    pub(crate) fn said(&self) -> wit::Descriptor {
        let set = EFFECTS.into_iter().zip(self.effects).filter(|(_, set)| *set);
        let effects = set.fold(wit::Effects::empty(), |all, (effect, _)| all | effect);
        wit::Descriptor {
            name: self.name.clone(),
            description: self.description.clone(),
            input_schema: self.input_schema.clone(),
            output_schema: self.output_schema.clone(),
            effects,
        }
    }

    /// What is kept of the component with this digest, if anything is.
    pub(crate) fn of(cache: &CompileCache, engine: &Engine, digest: &str) -> Option<Self> {
        serde_json::from_slice(&cache.read(&name(engine, digest), LONGEST)?).ok()
    }

    /// Keeps it. A cache that cannot be written costs time, not correctness.
    pub(crate) fn keep(&self, cache: &CompileCache, engine: &Engine, digest: &str) {
        if let Ok(text) = serde_json::to_vec(self) {
            cache.write(&name(engine, digest), &text);
        }
    }
}

fn name(engine: &Engine, digest: &str) -> String {
    format!("{}-{digest}.described", engine_key(engine))
}
