//! Loading a component before it is known what it offers.

use super::lazy::{LazyComponent, Program};
use super::{Contract, Examined, Sandbox, TypedTools, granted};
use crate::capabilities::{Capabilities, Speech};
use crate::code::Code;
use crate::description::{Known, Said};
use crate::error::LoadError;
use crate::observe;
use crate::rich::Component;
use crate::schema::Schema;
use crate::tool::Tool;
use bytes::Bytes;
use std::sync::Arc;
use std::time::Instant;

/// What a component turned out to offer.
#[derive(Debug)]
pub enum Offered {
    /// Several tools, resources or prompts, by the rich contract.
    Rich(Component),
    /// One tool, by the plain contract.
    Plain(Tool),
    /// Functions with types, each of which is a tool.
    Typed(TypedTools),
}

impl Sandbox {
    /// [`Sandbox::announce_any`] with bytes that are there.
    ///
    /// # Errors
    /// As [`Sandbox::announce_any`].
    pub async fn load_any(&self, bytes: &[u8], capabilities: &Capabilities) -> Result<Offered, LoadError> {
        self.announce_any(&Bytes::copy_from_slice(bytes).into(), capabilities).await
    }

    /// Loads a component by whichever contract it has: the rich one, the plain one, or none. It is compiled, or taken
    /// from the cache, once. Notices are granted to the rich contract alone, whatever `capabilities` say: a tool of the
    /// others has no receiver for them.
    ///
    /// A component whose description is kept is not even read before the first call of one of its tools, as with
    /// [`Sandbox::announce`].
    ///
    /// # Errors
    /// See [`LoadError`]; [`LoadError::NothingOffered`] where there is nothing to call.
    pub async fn announce_any(&self, code: &Code, capabilities: &Capabilities) -> Result<Offered, LoadError> {
        let started = Instant::now();
        let given = |contract| {
            let notices = if contract == Contract::Rich { Speech::Notices } else { Speech::Silent };
            Capabilities { notices, ..capabilities.clone() }
        };
        if let Some(waiting) = self.known(code, given) {
            return self.offered(waiting, Schema::deferred);
        }
        let compiled = self.compilers.compile(code).await?;
        for contract in [Contract::Rich, Contract::Plain, Contract::Typed] {
            let examined = self.examine(contract, compiled.clone(), &given(contract)).await;
            match examined {
                Err(LoadError::NothingOffered) if contract == Contract::Rich => {}
                Err(LoadError::NotATool(_)) if contract == Contract::Plain => {}
                examined => {
                    observe::loaded(examined.as_ref().map(|examined| &examined.known), started.elapsed());
                    let Examined { all_prepared, known } = examined?;
                    let waiting =
                        LazyComponent::new(code.clone(), contract, given(contract), known.clone()).made(all_prepared);
                    let offered = self.offered(waiting, Schema::new)?;
                    // What is kept is not held against everything again.
                    known.keep(self.compilers.cache(), &self.engine);
                    return Ok(offered);
                }
            }
        }
        Err(LoadError::NothingOffered)
    }

    /// What a component that can be called offers.
    pub(super) fn offered(&self, component: LazyComponent, schema: MakeSchema) -> Result<Offered, LoadError> {
        granted(&component.known().imports, component.capabilities())?;
        let component = Arc::new(component);
        self.loaded_components.remember(&component);
        let program = |which| Program::Lazy { component: component.clone(), which };
        self.described(component.known(), &program, schema)
    }

    /// What a component offers, as it described it.
    pub(super) fn described(
        &self,
        known: &Known,
        program: &dyn Fn(usize) -> Program,
        schema: MakeSchema,
    ) -> Result<Offered, LoadError> {
        match &known.said {
            Said::Plain(words) => self.plain_tool(words, known, program(0), schema).map(Offered::Plain),
            Said::Rich { offers, tools } => {
                self.component(*offers, tools, known, program(0), schema).map(Offered::Rich)
            }
            Said::Typed { functions, skipped, more } => {
                let functions = functions.iter().enumerate();
                let tools = functions.map(|(which, words)| super::typed::tool(words, known, program(which), schema));
                let tools = tools.collect::<Result<_, _>>()?;
                Ok(Offered::Typed(TypedTools { tools, skipped: skipped.clone(), more: *more }))
            }
        }
    }
}

/// [`Schema::new`], or [`Schema::deferred`] for what was found to be a schema before.
pub(crate) type MakeSchema = fn(&serde_json::Value) -> Result<Schema, crate::schema::SchemaError>;
