//! Loading components that only have functions with WIT types.

use super::{Sandbox, granted, imports, undescribed};
use crate::callee::{Callee, Guest};
use crate::capabilities::Capabilities;
use crate::compile::Compiled;
use crate::error::LoadError;
use crate::legible::legible;
use crate::schema::Schema;
use crate::tool::{Descriptor, Effects, Loaded, Program, Tool};
use crate::typed::Called;
use crate::typed::found::{self, Function};
use std::sync::Arc;

/// The tools of a component without a contract, and what of it is none.
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
        self.typed(self.compilers.compile(bytes).await?, capabilities)
    }

    pub(super) fn typed(&self, compiled: Compiled, capabilities: &Capabilities) -> Result<TypedTools, LoadError> {
        let Compiled { component, digest } = compiled;
        let imports = imports(&self.engine, &component);
        granted(&imports, capabilities)?;
        let pre = self.linkers.link(&component, capabilities)?;
        let capabilities = Arc::new(capabilities.clone());
        let (functions, skipped, more) = found::functions(&self.engine, &component);
        if functions.is_empty() {
            return Err(match skipped.first() {
                None => LoadError::NothingOffered,
                Some(first) => LoadError::NothingCallable {
                    functions: skipped.len(),
                    path: legible(&first.path).into_owned(),
                    reason: first.reason.to_string(),
                },
            });
        }
        let mut tools = Vec::new();
        for function in functions {
            let descriptor = descriptor(&function);
            let called = Arc::new(Called { pre: pre.clone(), function });
            tools.push(Tool(Arc::new(Loaded {
                input: Schema::new(&descriptor.input_schema).map_err(|error| undescribed(&error))?,
                output: Schema::new(&descriptor.output_schema).map_err(|error| undescribed(&error))?,
                descriptor,
                program: Program::Ready(Callee { guest: Guest::Typed(called), capabilities: capabilities.clone() }),
                digest: digest.clone(),
                imports: imports.clone(),
            })));
        }
        let skipped = skipped.into_iter().map(|skipped| (skipped.path, skipped.reason.to_string())).collect();
        Ok(TypedTools { tools, skipped, more })
    }
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
