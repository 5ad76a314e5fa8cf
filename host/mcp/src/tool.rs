//! What a tool of this server is: a definition, and a call.

use crate::call::Call;
use crate::failure::Failure;
use async_trait::async_trait;
use bailiwick_sandbox::Effects;
use rmcp::model::{ContentBlock, ErrorData, InputRequiredResult, JsonObject, ToolAnnotations};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

/// What calling a tool can do, in the terms of the protocol's annotations (`readOnlyHint`, `destructiveHint`,
/// `idempotentHint`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// It changes nothing.
    ReadOnly,
    /// It adds, and changes or removes nothing that was there.
    Additive {
        /// The same call again adds nothing more.
        idempotent: bool,
    },
    /// It changes or removes what was there.
    Destructive {
        /// The same call again changes nothing more.
        idempotent: bool,
    },
}

impl From<Effects> for Effect {
    fn from(Effects { writes, destructive, idempotent, .. }: Effects) -> Self {
        match (writes, destructive) {
            (false, _) => Self::ReadOnly,
            (true, false) => Self::Additive { idempotent },
            (true, true) => Self::Destructive { idempotent },
        }
    }
}

/// Whether a tool reaches beyond this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// It works on local files alone.
    Local,
    /// It installs from package registries, or asks a model.
    World,
}

/// Whether calls of a tool can go on as tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tasks {
    /// No: it answers soon.
    Never,
    /// Those that take long, of clients that know tasks.
    WhenLong,
}

/// What a client is told of a tool.
#[derive(Debug, Clone)]
pub struct Definition {
    /// The name it is called by.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// One paragraph for a model.
    pub description: String,
    /// JSON Schema 2020-12 of the arguments, an object schema.
    pub input_schema: Arc<JsonObject>,
    /// JSON Schema 2020-12 of the structured answer; `None` where the answer is text.
    pub output_schema: Option<Arc<JsonObject>>,
    /// What a call can do.
    pub effect: Effect,
    /// How far it reaches.
    pub reach: Reach,
}

impl Definition {
    /// As the protocol has it.
    pub(crate) fn listed(&self) -> rmcp::model::Tool {
        let mut tool = rmcp::model::Tool::new(self.name.clone(), self.description.clone(), self.input_schema.clone())
            .with_title(self.title.clone())
            .with_annotations(self.annotations());
        if let Some(schema) = &self.output_schema {
            tool = tool.with_raw_output_schema(schema.clone());
        }
        tool
    }

    fn annotations(&self) -> ToolAnnotations {
        let (destructive, idempotent) = match self.effect {
            Effect::ReadOnly => (false, true),
            Effect::Additive { idempotent } => (false, idempotent),
            Effect::Destructive { idempotent } => (true, idempotent),
        };
        ToolAnnotations::with_title(self.title.clone())
            .read_only(self.effect == Effect::ReadOnly)
            .destructive(destructive)
            .idempotent(idempotent)
            .open_world(self.reach == Reach::World)
    }
}

/// What a tool answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Answer {
    /// Text, sent once.
    Text(String),
    /// A value that fits the output schema, and what it comes to as text.
    Structured {
        /// The value.
        value: Value,
        /// A short text for a reader.
        text: String,
    },
    /// Several parts.
    Parts {
        /// The parts.
        content: Vec<ContentBlock>,
        /// A value that fits the output schema, where there is one.
        structured: Option<Value>,
        /// Whether the parts say why there is no answer.
        is_error: bool,
    },
    /// What the protocol demands in place of a result.
    Protocol(Box<ErrorData>),
    /// The work was taken back as the caller wanted; what there is to say about it.
    TakenBack(String),
    /// A question to a person, whose answer the client sends with the same call again (2026-07-28).
    Ask(Box<InputRequiredResult>),
}

/// One tool.
#[async_trait]
pub trait Tool: Send + Sync {
    /// What a client is told of it.
    fn definition(&self) -> &Definition;

    /// Whether its calls can go on as tasks.
    fn tasks(&self) -> Tasks {
        Tasks::Never
    }

    /// The argument that names the run or the workflow that a call is about. Such a call is answered by the replica that has it.
    fn about(&self) -> Option<&'static str> {
        None
    }

    /// Answers a call whose arguments fit the input schema.
    ///
    /// # Errors
    /// A sentence for the model that called.
    async fn call(&self, arguments: JsonObject, call: &Call) -> Result<Answer, Failure>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn annotations_follow_from_the_effects_that_a_component_declares() {
        for bits in 0..16_u8 {
            let set = |bit: u8| bits & bit != 0;
            let effects = Effects { reads: set(1), writes: set(2), destructive: set(4), idempotent: set(8) };
            let definition = Definition {
                name: "tool".into(),
                title: "Tool".into(),
                description: String::new(),
                input_schema: Arc::default(),
                output_schema: None,
                effect: effects.into(),
                reach: Reach::Local,
            };
            let hints = definition.annotations();
            let found = (hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint);
            let Effects { writes, destructive, idempotent, .. } = effects;
            // A tool that only reads is never destructive and always idempotent.
            let expected = if writes { (false, destructive, idempotent) } else { (true, false, true) };
            assert_eq!(found, (Some(expected.0), Some(expected.1), Some(expected.2)), "{effects:?}");
        }
    }
}
