//! What lives in the store of one call.

use crate::fs::Files;
use crate::http::Requests;
use crate::rich::Speaker;
use crate::wasi::World;
use wasmtime::ResourceLimiter;
use wasmtime::component::HasData;

/// The data of one store, dropped with it.
pub(crate) struct State {
    pub(crate) files: Files,
    pub(crate) requests: Requests,
    pub(crate) memory: MemoryMeter,
    pub(crate) world: World,
    /// Where notices go; `None` drops them.
    pub(crate) notices: Option<Speaker>,
}

/// Names the part of the state that `wasi:filesystem` works on.
pub(crate) struct HasFiles;

impl HasData for HasFiles {
    type Data<'a> = &'a mut Files;
}

/// What was asked for beyond its bound last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refused {
    Memory,
    Tables,
}

/// Bounds memory and tables, and remembers the largest size and whether a bound was hit.
pub(crate) struct MemoryMeter {
    pub(crate) limit: usize,
    pub(crate) table_limit: usize,
    /// Sums over all memories and tables of the instance.
    in_use: usize,
    tables_in_use: usize,
    pub(crate) refused: Option<Refused>,
}

impl MemoryMeter {
    pub(crate) fn new(limit: usize, table_limit: usize) -> Self {
        Self { limit, table_limit, in_use: 0, tables_in_use: 0, refused: None }
    }

    /// Memories never shrink, so what is in use is also the peak.
    pub(crate) fn peak(&self) -> usize {
        self.in_use
    }
}

impl ResourceLimiter for MemoryMeter {
    fn memory_growing(&mut self, current: usize, desired: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        let total = self.in_use.saturating_add(desired.saturating_sub(current));
        if total > self.limit {
            self.refused = Some(Refused::Memory);
            return Ok(false);
        }
        self.in_use = total;
        Ok(true)
    }

    fn table_growing(&mut self, current: usize, desired: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        let total = self.tables_in_use.saturating_add(desired.saturating_sub(current));
        if total > self.table_limit {
            self.refused = Some(Refused::Tables);
            return Ok(false);
        }
        self.tables_in_use = total;
        Ok(true)
    }
}
