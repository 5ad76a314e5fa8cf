//! Loading components that only have functions with WIT types.

use super::{Contract, Examined, MakeSchema, Offered, Program, Sandbox, ready};
use crate::capabilities::Capabilities;
use crate::description::{Known, Said, Words};
use crate::error::LoadError;
use crate::prepared::{Guest, PreparedComponent};
use crate::sanitize::sanitized;
use crate::schema::Schema;
use crate::state::State;
use crate::tool::{Descriptor, Effects, Tool};
use crate::typed::Called;
use crate::typed::found::{self, Function};
use bytes::Bytes;
use std::sync::Arc;
use wasmtime::component::{Component, InstancePre};

/// The tools of a component without a contract, and the exports that cannot be tools.
#[derive(Debug)]
pub struct TypedTools {
    /// One for each function, sorted by name. They are called like any other.
    pub tools: Vec<Tool>,
    /// Functions that JSON cannot call, with the reason: `pkg:name/interface#function`, sentence.
    pub skipped: Vec<(String, String)>,
    /// Whether there are more functions than are offered.
    pub more: bool,
}

impl Sandbox {
    /// Loads a component that exports ordinary functions and no contract of ours: each function is a tool, with schemas
    /// made from its types. Nothing of the component runs.
    ///
    /// # Errors
    /// See [`LoadError`]; [`LoadError::NothingOffered`] where there is no function, [`LoadError::NothingCallable`] where
    /// there is none that JSON can call.
    pub async fn load_typed(&self, bytes: &[u8], capabilities: &Capabilities) -> Result<TypedTools, LoadError> {
        let code = Bytes::copy_from_slice(bytes).into();
        let Examined { all_prepared, known } = self.load_as(Contract::Typed, &code, capabilities).await?;
        match self.described(&known, &ready(all_prepared), Schema::new)? {
            Offered::Typed(tools) => Ok(tools),
            Offered::Plain(_) | Offered::Rich(_) => Err(LoadError::NothingOffered),
        }
    }

    pub(super) fn examine_typed(
        &self,
        pre: &InstancePre<State>,
        component: &Component,
        capabilities: &Arc<Capabilities>,
    ) -> Result<(Vec<PreparedComponent>, Said), LoadError> {
        let (functions, skipped, more) = found::functions(&self.engine, component);
        if functions.is_empty() {
            return Err(match skipped.first() {
                None => LoadError::NothingOffered,
                Some(first) => LoadError::NothingCallable {
                    functions: skipped.len(),
                    path: sanitized(&first.path).into_owned(),
                    reason: first.reason.to_string(),
                },
            });
        }
        let words = functions.iter().map(|function| Words::of_function(&descriptor(function))).collect();
        let prepared = |function| PreparedComponent {
            guest: Guest::Typed(Arc::new(Called { pre: pre.clone(), function })),
            capabilities: capabilities.clone(),
        };
        let all_prepared = functions.into_iter().map(prepared).collect();
        let skipped = skipped.into_iter().map(|skipped| (skipped.path, skipped.reason.to_string())).collect();
        Ok((all_prepared, Said::Typed { functions: words, skipped, more }))
    }
}

/// A function as a tool.
pub(super) fn tool(words: &Words, known: &Known, program: Program, schema: MakeSchema) -> Result<Tool, LoadError> {
    let descriptor = words.function().map_err(|error| LoadError::Undescribed(error.to_string()))?;
    super::tool_of(descriptor, known, program, schema)
}

fn descriptor(function: &Function) -> Descriptor {
    Descriptor {
        name: function.name.clone(),
        description: format!("Calls `{}`.", function.signature()),
        input_schema: function.input_schema(),
        output_schema: function.output_schema(),
        // It does not say, so it is taken for what could be worst.
        effects: Effects { reads: true, writes: true, destructive: true, idempotent: false },
    }
}
