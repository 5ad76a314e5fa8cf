//! What one call may spend. There is no default: whoever calls says it.

use std::time::Duration;

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
    /// Bytes all files together may be written with.
    pub written_bytes: u64,
}
