//! What components said of themselves, kept beside their compiled forms.
//!
//! `describe` gives the same answer every time, so a component that was loaded once need not be made ready again just to
//! be listed. What is kept is what the component said, word by word, with the interfaces it imports; both are checked
//! again when they are read, against the policy and the limits of that day. A component that is called after it was
//! listed so is asked once more, and not called if it says anything else.

use crate::bindings::exports::bailiwick::tool::tool as plain;
use crate::cache::{CompileCache, engine_key};
use crate::rich::Offers;
use crate::rich::exports::rich_tools as rich;
use crate::tool::Descriptor;
use serde::{Deserialize, Serialize};
use wasmtime::Engine;

/// What is known of a component that is not loaded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Known {
    /// Its SHA-256 in hexadecimal. The name of the file has it too, but a file can be given another name.
    pub(crate) digest: String,
    /// The interfaces it imports, sorted.
    pub(crate) imports: Vec<String>,
    pub(crate) said: Said,
}

/// By which contract it was asked, and what it said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Said {
    /// One tool, by the plain contract.
    Plain(Words),
    /// By the rich contract.
    Rich { offers: Offers, tools: Vec<Words> },
    /// Without a contract: its functions as tools, and the functions that cannot be tools.
    Typed { functions: Vec<Words>, skipped: Vec<(String, String)>, more: bool },
}

/// The words of one tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Words {
    name: String,
    title: Option<String>,
    description: String,
    input_schema: String,
    output_schema: Option<String>,
    /// The bits of `effects` in the order of `wit/`.
    effects: [bool; 4],
}

const EFFECTS: [plain::Effects; 4] =
    [plain::Effects::READS, plain::Effects::WRITES, plain::Effects::DESTRUCTIVE, plain::Effects::IDEMPOTENT];
const RICH_EFFECTS: [rich::Effects; 4] =
    [rich::Effects::READS, rich::Effects::WRITES, rich::Effects::DESTRUCTIVE, rich::Effects::IDEMPOTENT];

/// The longest file of this kind that is read, in bytes. What is longer is asked anew each time.
const LONGEST: u64 = 16 << 20;

impl Known {
    /// The name of its one tool, by the plain contract.
    pub(crate) fn tool(&self) -> Option<&str> {
        match &self.said {
            Said::Plain(words) => Some(&words.name),
            Said::Rich { .. } | Said::Typed { .. } => None,
        }
    }

    /// What is kept of the component with this digest, if anything is.
    pub(crate) fn of(cache: &CompileCache, engine: &Engine, digest: &str) -> Option<Self> {
        let known: Self = serde_json::from_slice(&cache.read(&name(engine, digest), LONGEST)?).ok()?;
        (known.digest == digest).then_some(known)
    }

    /// Keeps it. A cache that cannot be written costs time, not correctness.
    pub(crate) fn keep(&self, cache: &CompileCache, engine: &Engine) {
        if let Ok(text) = serde_json::to_vec(self) {
            cache.write(&name(engine, &self.digest), &text);
        }
    }
}

impl Words {
    /// What a tool of the plain contract said.
    pub(crate) fn of_plain(said: plain::Descriptor) -> Self {
        Self {
            name: said.name,
            title: None,
            description: said.description,
            input_schema: said.input_schema,
            output_schema: Some(said.output_schema),
            effects: EFFECTS.map(|effect| said.effects.contains(effect)),
        }
    }

    pub(crate) fn plain(&self) -> plain::Descriptor {
        let set = EFFECTS.into_iter().zip(self.effects).filter(|(_, set)| *set);
        plain::Descriptor {
            name: self.name.clone(),
            description: self.description.clone(),
            input_schema: self.input_schema.clone(),
            output_schema: self.output_schema.clone().unwrap_or_default(),
            effects: set.fold(plain::Effects::empty(), |all, (effect, _)| all | effect),
        }
    }

    /// What a tool of the rich contract said.
    pub(crate) fn of_rich(said: rich::Descriptor) -> Self {
        Self {
            name: said.name,
            title: said.title,
            description: said.description,
            input_schema: said.input_schema,
            output_schema: said.output_schema,
            effects: RICH_EFFECTS.map(|effect| said.effects.contains(effect)),
        }
    }

    pub(crate) fn rich(&self) -> rich::Descriptor {
        let set = RICH_EFFECTS.into_iter().zip(self.effects).filter(|(_, set)| *set);
        rich::Descriptor {
            name: self.name.clone(),
            title: self.title.clone(),
            description: self.description.clone(),
            input_schema: self.input_schema.clone(),
            output_schema: self.output_schema.clone(),
            effects: set.fold(rich::Effects::empty(), |all, (effect, _)| all | effect),
        }
    }

    /// What a function with types is as a tool.
    pub(crate) fn of_function(made: &Descriptor) -> Self {
        let effects = made.effects;
        Self {
            name: made.name.clone(),
            title: None,
            description: made.description.clone(),
            input_schema: made.input_schema.to_string(),
            output_schema: Some(made.output_schema.to_string()),
            effects: [effects.reads, effects.writes, effects.destructive, effects.idempotent],
        }
    }

    pub(crate) fn function(&self) -> Result<Descriptor, serde_json::Error> {
        let [reads, writes, destructive, idempotent] = self.effects;
        Ok(Descriptor {
            name: self.name.clone(),
            description: self.description.clone(),
            input_schema: serde_json::from_str(&self.input_schema)?,
            output_schema: serde_json::from_str(self.output_schema.as_deref().unwrap_or("null"))?,
            effects: crate::tool::Effects { reads, writes, destructive, idempotent },
        })
    }
}

fn name(engine: &Engine, digest: &str) -> String {
    format!("{}-{digest}.words", engine_key(engine))
}
