//! The definition of an agent.

use std::marker::PhantomData;

use schemars::JsonSchema;
use serde_json::Value;

use crate::budget::Budget;
use crate::definition::{Definition, DefinitionError};
use crate::exit;
use crate::templates::{Rendered, Stamp};
use crate::toolbox::Toolbox;
use crate::validation::Validator;

/// A focused agent that ends with a result of type `T`, whose JSON Schema becomes the input of the `Exit` tool.
///
/// The tools and the model are handed to [`crate::run`], so that a definition grants nothing by itself.
pub struct Microagent<T> {
    /// What people call it, in logs and traces.
    pub name: Option<String>,
    /// What the model is told to do.
    pub instructions: String,
    /// The template the instructions come from, if they do; for the record.
    pub template: Option<Stamp>,
    /// The structured task, `{"kind": "…", …}`, for backends that do not read prose.
    pub task: Value,
    /// What the agent may spend.
    pub budget: Budget,
    /// Judges results beyond their schema.
    pub validator: Option<Box<dyn Validator<T>>>,
    /// What its tokens may cost, in millionths of one unit of money.
    pub money: Option<u64>,
    /// What stands in for the schema of `T`.
    result_schema: Option<Value>,
    result: PhantomData<fn() -> T>,
}

impl<T> Microagent<T> {
    /// An agent without a validator.
    pub fn new(instructions: impl Into<String>, task: Value, budget: Budget) -> Self {
        Self {
            name: None,
            instructions: instructions.into(),
            template: None,
            task,
            budget,
            validator: None,
            money: None,
            result_schema: None,
            result: PhantomData,
        }
    }

    /// An agent without a validator whose instructions were rendered from a template. Its transcript names the template.
    #[must_use]
    pub fn templated(instructions: Rendered, task: Value, budget: Budget) -> Self {
        let Rendered { text, stamp } = instructions;
        Self { template: Some(stamp), ..Self::new(text, task, budget) }
    }

    /// The agent under a name, for logs and traces; without one it is called by its template.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    pub(crate) fn shown_name(&self) -> Option<&str> {
        self.name.as_deref().or(self.template.as_ref().map(|template| template.id.as_str()))
    }

    /// The agent with a limit on what its tokens cost, in millionths of one unit of money: 250,000 are 25 cents. It runs
    /// on no backend whose prices are not known.
    #[must_use]
    pub fn with_cost_limit(mut self, millionths: u64) -> Self {
        self.money = Some(millionths);
        self
    }

    /// The agent with a validator.
    #[must_use]
    pub fn validated_by(mut self, validator: impl Validator<T> + 'static) -> Self {
        self.validator = Some(Box::new(validator));
        self
    }
}

impl Microagent<Value> {
    /// The agent with a result that is described by a JSON Schema and not by a type. References in it go to its own
    /// `$defs`.
    #[must_use]
    pub fn with_result_schema(mut self, schema: Value) -> Self {
        self.result_schema = Some(schema);
        self
    }
}

impl<T: JsonSchema> Microagent<T> {
    /// Checks the agent together with its tools.
    ///
    /// # Errors
    /// When the tools or the budget make no sense; see [`DefinitionError`].
    pub fn define(&self, toolbox: &dyn Toolbox) -> Result<Definition, DefinitionError> {
        Definition::new(
            self.instructions.clone(),
            self.task.clone(),
            self.budget.clone(),
            toolbox.specs(),
            self.result_schema.as_ref().map_or_else(exit::spec::<T>, exit::spec_of),
        )
        .map(|definition| definition.with_cost_limit(self.money))
    }
}
