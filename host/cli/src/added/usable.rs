//! An added tool on its way to a call.

use super::{Store, load};
use crate::exit::Result;
use crate::runtime;
use bailiwick_mcp::component::Program;
use bailiwick_sandbox::{Grants, Limits, Sandbox};

/// A component that may be used.
pub(crate) struct Usable {
    bytes: Vec<u8>,
    limits: Limits,
}

impl Usable {
    pub(crate) fn open(name: &str) -> Result<Self> {
        let (_, bytes) = Store::open()?.read(name)?;
        Ok(Self { bytes, limits: runtime::call_limits() })
    }

    pub(crate) async fn load(&self, sandbox: &Sandbox) -> Result<Program> {
        load(sandbox, &self.bytes).await
    }

    pub(crate) fn grants(&self, given: &Grants) -> Result<Grants> {
        Ok(given.clone())
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }
}
