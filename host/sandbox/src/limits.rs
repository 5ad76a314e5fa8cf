//! What one call may spend. There is no default: the caller says it.

use std::time::Duration;

/// How often guest code can be interrupted.
pub(crate) const TICK: Duration = Duration::from_millis(10);

/// Bounds of one call. Exceeding one ends the call with its own [`HostFailure`](crate::HostFailure).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Linear memory of the instance, in bytes, all memories together.
    pub memory_bytes: usize,
    /// Elements of all tables together.
    pub table_elements: usize,
    /// Wall clock from the moment a worker takes the call. Guest code stops at the next epoch tick; a host call
    /// that blocks is abandoned with its thread.
    pub deadline: Duration,
    /// Length of the input JSON, in bytes.
    pub input_bytes: usize,
    /// Length of the output JSON, in bytes. Also bounds what one host call may be handed.
    pub output_bytes: usize,
    /// Open descriptors and directory streams a guest may hold at once.
    pub handles: usize,
    /// Entries a directory may have before it is refused as too large to list.
    pub directory_entries: usize,
    /// Bytes all files together may be written with. Files and directories themselves are counted apart,
    /// at 512 bytes each, to the same bound.
    pub written_bytes: u64,
}

/// Bounds of loading a component, which is an untrusted file: what compiles for hours, or to gigabytes, is refused.
/// Exceeding one is a [`LoadError`](crate::LoadError).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadLimits {
    /// Length of the component, in bytes.
    pub component_bytes: usize,
    /// Functions of all core modules together.
    pub functions: usize,
    /// Length of one function's body, in bytes. The time to compile a function grows faster than its length.
    pub function_bytes: usize,
    /// Core and component instances that one instantiation makes, with nested components multiplied out, and as many
    /// functions of the component model.
    pub instances: u32,
    /// Linear memories of all these instances.
    pub memories: u32,
    /// Tables of all these instances.
    pub tables: u32,
    /// Length of the description a tool gives of itself, in bytes.
    pub description_bytes: usize,
    /// Length of each of its schemas, in bytes.
    pub schema_bytes: usize,
    /// Wall clock of compilation. What takes longer is given up, and its threads are counted until it ends.
    pub deadline: Duration,
    /// Components that are compiled at once; further ones wait.
    pub at_once: usize,
    /// Threads of one compilation.
    pub threads: usize,
    /// Compilations that may have been given up and still run before further ones are refused.
    pub most_stuck: usize,
}
