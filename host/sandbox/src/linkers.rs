//! What the host links, once for each set of parts that was granted.

use crate::capabilities::{Capabilities, Part};
use crate::error::LoadError;
use crate::state::State;
use crate::wasi;
use std::sync::{Mutex, PoisonError};
use wasmtime::Engine;
use wasmtime::component::{Component, InstancePre, Linker};

/// The linkers of one engine.
pub(crate) struct Linkers {
    engine: Engine,
    made: Mutex<Vec<(Vec<Part>, Linker<State>)>>,
}

impl Linkers {
    pub(crate) fn new(engine: Engine) -> Self {
        Self { engine, made: Mutex::default() }
    }

    /// Resolves what a component imports. What was not granted is not there to be found.
    pub(crate) fn link(
        &self,
        component: &Component,
        capabilities: &Capabilities,
    ) -> Result<InstancePre<State>, LoadError> {
        let parts = capabilities.parts();
        let invalid = |error: wasmtime::Error| LoadError::Invalid(format!("{error:#}"));
        // A linker that could not be made is not kept, so a panic elsewhere leaves nothing half done.
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, linker)) = made.iter().find(|(its, _)| *its == parts) {
            return linker.instantiate_pre(component).map_err(invalid);
        }
        let mut linker = Linker::new(&self.engine);
        for part in &parts {
            wasi::add(*part, &mut linker).map_err(invalid)?;
        }
        let linked = linker.instantiate_pre(component).map_err(invalid);
        made.push((parts, linker));
        linked
    }
}
