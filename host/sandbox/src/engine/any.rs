//! Loading a component of which nobody knows yet what it offers.

use super::{Sandbox, TypedTools};
use crate::capabilities::{Capabilities, Speech};
use crate::error::LoadError;
use crate::observe;
use crate::rich::Component;
use crate::tool::Tool;
use bytes::Bytes;
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
    /// Loads a component by whichever contract it has: the rich one, the plain one, or none. It is compiled, or taken
    /// from the cache, once. Notices are granted to the rich contract alone, whatever `capabilities` say: a tool of the
    /// others has nobody to send them to.
    ///
    /// A plain tool whose description is kept is not made ready before its first call, as with [`Sandbox::announce`].
    ///
    /// # Errors
    /// See [`LoadError`]; [`LoadError::NothingOffered`] where there is nothing to call.
    pub async fn load_any(&self, bytes: &[u8], capabilities: &Capabilities) -> Result<Offered, LoadError> {
        let bytes = Bytes::copy_from_slice(bytes);
        let started = Instant::now();
        let silent = Capabilities { notices: Speech::Silent, ..capabilities.clone() };
        let speaking = Capabilities { notices: Speech::Notices, ..capabilities.clone() };
        if let Some(tool) = self.known(&bytes, &silent) {
            return tool.map(Offered::Plain);
        }
        let compiled = self.compilers.compile(&bytes).await?;
        let rich = self.rich(compiled.clone(), &speaking).await;
        if !matches!(rich, Err(LoadError::NothingOffered)) {
            observe::component_loaded(&rich, started.elapsed());
            return rich.map(Offered::Rich);
        }
        let plain = self.plain(compiled.clone(), &silent).await;
        if !matches!(plain, Err(LoadError::NotATool(_))) {
            observe::loaded(&plain, started.elapsed());
            let (tool, known) = plain?;
            known.keep(self.compilers.cache(), &self.engine, &compiled.digest);
            return Ok(Offered::Plain(tool));
        }
        self.typed(compiled, &silent).map(Offered::Typed)
    }
}
