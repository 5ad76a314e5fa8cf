//! Tools that are written in Rust, typed on both sides.
//!
//! Such a tool runs in this process and with all its rights: it is for a program's own functions. What comes from
//! another author, or touches files, belongs in a sandbox ([`crate::sandboxed`]).

use std::pin::Pin;

use async_trait::async_trait;
use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::toolbox::{ToolEffect, ToolFailure, ToolReply, ToolSpec, Toolbox, kind};

type Running = Pin<Box<dyn Future<Output = Result<Value, ToolFailure>> + Send>>;

/// An asynchronous function as a tool. The schema of its input type is what the model is told.
pub struct TypedTool {
    spec: ToolSpec,
    run: Box<dyn Fn(&Value) -> Running + Send + Sync>,
}

impl TypedTool {
    /// A tool of this name. `I` should be a struct with `#[serde(deny_unknown_fields)]`, so that a misspelt argument is
    /// an error that the model reads.
    pub fn new<I, O, F>(
        name: &str,
        description: &str,
        effect: ToolEffect,
        run: impl Fn(I) -> F + Send + Sync + 'static,
    ) -> Self
    where
        I: DeserializeOwned + JsonSchema,
        O: Serialize,
        F: Future<Output = Result<O, ToolFailure>> + Send + 'static,
    {
        let mut schema = SchemaGenerator::default().into_root_schema_for::<I>();
        schema.remove("title");
        let spec =
            ToolSpec { name: name.into(), description: description.into(), input_schema: schema.to_value(), effect };
        let run = move |arguments: &Value| -> Running {
            let running = match I::deserialize(arguments) {
                Ok(input) => run(input),
                // The arguments fit the schema, but a type may ask more of its JSON than a schema can say.
                Err(error) => {
                    let failure = ToolFailure::new(kind::INVALID_INPUT, error.to_string());
                    return Box::pin(std::future::ready(Err(failure)));
                }
            };
            Box::pin(async move {
                let output = running.await?;
                serde_json::to_value(output)
                    .map_err(|error| ToolFailure::new("failed", format!("the tool's answer is not JSON: {error}")))
            })
        };
        Self { spec, run: Box::new(run) }
    }
}

/// A toolbox of typed tools.
pub struct TypedTools(Vec<TypedTool>);

impl TypedTools {
    /// A toolbox of these. Their names are checked where an agent is defined.
    #[must_use]
    pub fn new(tools: Vec<TypedTool>) -> Self {
        Self(tools)
    }
}

#[async_trait]
impl Toolbox for TypedTools {
    fn specs(&self) -> Vec<ToolSpec> {
        self.0.iter().map(|tool| tool.spec.clone()).collect()
    }

    async fn call(&self, name: &str, arguments: &Value) -> ToolReply {
        let outcome = match self.0.iter().find(|tool| tool.spec.name == name) {
            Some(tool) => (tool.run)(arguments).await,
            None => Err(ToolFailure::new(kind::UNKNOWN_TOOL, format!("there is no tool `{name}`"))),
        };
        ToolReply { outcome, cost: Value::Null }
    }
}
