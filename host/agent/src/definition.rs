//! What is checked before a model is asked for the first time.

use std::collections::HashMap;

use serde_json::Value;

use crate::backend::{Backend, TurnRequest};
use crate::budget::{Budget, Exceeded, Totals};
use crate::exit;
use crate::message::Usage;
use crate::prices::Prices;
use crate::schema::Schema;
use crate::toolbox::{ToolEffect, ToolSpec};

/// The longest tool name that all providers take.
const MAX_NAME_LENGTH: usize = 64;

/// A checked definition: what a conversation starts from and is judged by.
pub struct Definition {
    /// The first turn's request.
    request: TurnRequest,
    budget: Budget,
    tools: HashMap<String, Tool>,
    money: Option<u64>,
    prices: Option<Prices>,
    window: Option<u64>,
}

pub(crate) struct Tool {
    pub(crate) effect: ToolEffect,
    pub(crate) schema: Schema,
}

/// Why an agent cannot be run as it is defined. Nothing was sent to a model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DefinitionError {
    /// A tool has the name of the tool that ends the conversation.
    #[error("the tool name `{name}` is reserved for handing in the result")]
    ReservedName {
        /// The name as given.
        name: String,
    },
    /// Two tools have one name, letter case aside.
    #[error("two tools have the same name: `{first}` and `{second}`")]
    DuplicateName {
        /// The name that came first.
        first: String,
        /// The name that came later.
        second: String,
    },
    /// Providers would refuse the name.
    #[error("the tool name `{name}` is not 1 to {MAX_NAME_LENGTH} letters, digits, `_` or `-`")]
    UnusableName {
        /// The name as given.
        name: String,
    },
    /// An input schema is not a JSON Schema, or refers to something outside itself.
    #[error("the input schema of the tool `{tool}` cannot be used: {reason}")]
    Schema {
        /// Which tool; `Exit` stands for the result type.
        tool: String,
        /// What is wrong.
        reason: String,
    },
    /// Even handing in a result takes a call.
    #[error("the agent may not make a single tool call, so it could not hand in a result")]
    NoCalls,
    /// There is a limit on money, but the prices of the model are unknown.
    #[error("the agent may spend only so much money, but there are no prices for `{backend}`")]
    NoPrices {
        /// The backend's name.
        backend: String,
    },
}

impl Definition {
    /// Checks names, schemas and budget.
    pub(crate) fn new(
        instructions: String,
        task: Value,
        budget: Budget,
        mut specs: Vec<ToolSpec>,
        exit: ToolSpec,
    ) -> Result<Self, DefinitionError> {
        if budget.max_tool_calls == 0 {
            return Err(DefinitionError::NoCalls);
        }
        check_names(&specs)?;
        specs.push(exit);
        let mut tools = HashMap::with_capacity(specs.len());
        for spec in &specs {
            let schema = Schema::compile(&spec.input_schema)
                .map_err(|reason| DefinitionError::Schema { tool: spec.name.clone(), reason })?;
            tools.insert(spec.name.clone(), Tool { effect: spec.effect, schema });
        }
        let request = TurnRequest { instructions, task, messages: Vec::new(), tools: specs };
        Ok(Self { request, budget, tools, money: None, prices: None, window: None })
    }

    pub(crate) fn with_cost_limit(mut self, millionths: Option<u64>) -> Self {
        self.money = millionths;
        self
    }

    /// The definition with what is known of a backend: its prices and its window.
    ///
    /// # Errors
    /// [`DefinitionError::NoPrices`] when the agent has a limit on money and the backend no prices.
    pub fn on(mut self, backend: &dyn Backend) -> Result<Self, DefinitionError> {
        (self.prices, self.window) = (backend.prices(), backend.window());
        match (self.money, self.prices) {
            (Some(_), None) => Err(DefinitionError::NoPrices { backend: backend.name().into() }),
            _ => Ok(self),
        }
    }

    /// What was spent beyond what is allowed and cannot be spent twice: tokens, money and time.
    pub(crate) fn overspent(&self, totals: &Totals) -> Option<Exceeded> {
        self.budget.overspent(totals).or_else(|| {
            let (allowed, used) = (self.money?, self.cost(&totals.usage)?);
            (used > allowed).then_some(Exceeded::Money { allowed, used })
        })
    }

    /// What these tokens cost, if prices are known.
    pub(crate) fn cost(&self, usage: &Usage) -> Option<u64> {
        self.prices.map(|prices| prices.cost(usage))
    }

    pub(crate) fn window(&self) -> Option<u64> {
        self.window
    }

    /// A request of this definition in which nothing was said yet.
    pub(crate) fn request(&self) -> &TurnRequest {
        &self.request
    }

    /// What the agent may spend.
    #[must_use]
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// The tool of exactly this name, `Exit` included.
    pub(crate) fn tool(&self, name: &str) -> Option<&Tool> {
        self.tools.get(name)
    }
}

fn check_names(specs: &[ToolSpec]) -> Result<(), DefinitionError> {
    let mut seen: HashMap<String, &str> = HashMap::new();
    for ToolSpec { name, .. } in specs {
        if exit::is_reserved(name) {
            return Err(DefinitionError::ReservedName { name: name.clone() });
        }
        let usable = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        if name.is_empty() || name.len() > MAX_NAME_LENGTH || !name.chars().all(usable) {
            return Err(DefinitionError::UnusableName { name: name.clone() });
        }
        if let Some(first) = seen.insert(name.to_ascii_lowercase(), name) {
            return Err(DefinitionError::DuplicateName { first: first.into(), second: name.clone() });
        }
    }
    Ok(())
}
